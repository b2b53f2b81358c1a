"""What cannot be: the class of error that NumPy's users catch, saying which argument, and what would fit.

Graphs of known dims refuse it while they are traced, graphs of unknown ones at the latest when they run.
"""

import numpy as np
import pytest

from runtime.errors import Error
from tests.standard.ways import EXECUTORS, at_once, graph_of, staged

F = np.zeros((2, 3))
I = np.zeros((2, 3), np.int64)
B = np.zeros((2, 3), bool)
C = np.zeros((2, 3), complex)
V = np.arange(3.0)
E = np.zeros((0, 3))
S = np.array(2.0)


def each(names, *case):
    """The case for each of the functions that a text names."""
    return [(name, *case) for name in names.split()]


AXES = [
    *each("sum mean all argmax sort cumulative_sum diff flip", (F,), {"axis": 2}),
    *each("max var any argmin argsort count_nonzero unstack", (F,), {"axis": -3}),
    ("expand_dims", (F,), {"axis": 4}),
    ("squeeze", (F, 5), {}),
    ("concat", ([F, F],), {"axis": 2}),
    ("stack", ([F, F],), {"axis": -4}),
    ("roll", (F, 1), {"axis": 2}),
    ("repeat", (F, 2), {"axis": 2}),
    ("moveaxis", (F, 0, 5), {}),
    ("permute_dims", (F, (0, 3)), {}),
    ("take", (F, np.array([0])), {"axis": 3}),
    ("sort", (S,), {}),
    ("tensordot", (F, F), {"axes": 3}),
    ("matrix_transpose", (V,), {}),
]
"""Axes that are not there: `ValueError` and `IndexError` both, as NumPy's own."""

SHAPES = [
    ("add", (F, np.zeros(4)), {}, r"do not broadcast together"),
    ("where", (np.zeros(5, bool), F, F), {}, r"shapes \(5,\) and \(2, 3\) and \(2, 3\)"),
    ("clip", (F, np.zeros(4)), {}, r"do not broadcast together"),
    ("broadcast_arrays", (F, np.zeros(4)), {}, r"do not broadcast together"),
    ("broadcast_shapes", ((2,), (3,)), {}, r"do not broadcast together"),
    ("broadcast_to", (F, (3, 3)), {}, r"does not broadcast to \(3, 3\)"),
    ("sum", (F,), {"axis": (0, -2)}, r"named twice in \(0, -2\)"),
    ("expand_dims", (F,), {"axis": (0, 0)}, r"named twice"),
    ("flip", (F,), {"axis": (0, 0)}, r"named twice"),
    ("moveaxis", (F, (0, 1), (1, 1)), {}, r"named twice in \(1, 1\)"),
    ("moveaxis", (F, (0, 1), 0), {}, r"2 axes to move, but 1 places"),
    ("permute_dims", (F, (0,)), {}, r"\(0,\) is no order of the axes"),
    ("squeeze", (F, 0), {}, r"axis 0 of shape \(2, 3\) cannot be squeezed"),
    ("max", (E,), {}, r"`max` of shape \(0, 3\)"),
    ("argmin", (E,), {"axis": 0}, r"`argmin` of shape \(0, 3\) along axis 0"),
    ("cumulative_prod", (F,), {}, r"was given no `axis`"),
    ("nonzero", (S,), {}, r"without axes"),
    ("searchsorted", (F, V), {}, r"looks into a vector"),
    (
        "searchsorted",
        (V, V),
        {"sorter": np.array([0, 1])},
        r"`sorter` of shape \(2,\) does not sort f64\[3\]",
    ),
    ("concat", ([F, np.zeros((2, 4))],), {}, r"\(2, 3\) and \(2, 4\) cannot be joined"),
    ("concat", ([],), {}, r"the list is empty"),
    ("stack", ([F, V],), {}, r"\(2, 3\) and \(3,\) cannot be joined"),
    ("reshape", (F, (4, 2)), {}, r"cannot be reshaped to \(4, 2\)"),
    ("reshape", (F, (-1, -1)), {}, r"\(-1, -1\) is no shape"),
    ("reshape", (F, (-2, 3)), {}, r"\(-2, 3\) is no shape"),
    ("repeat", (F, np.array([1, 2])), {"axis": 1}, r"how often each slice along axis 1"),
    ("roll", (F, (1, 2)), {"axis": (0,)}, r"2 shifts for 1 axes"),
    ("take_along_axis", (F, np.array([0])), {"axis": 0}, r"indices of shape \(1,\)"),
    ("diff", (F,), {"prepend": np.zeros((3, 1))}, r"cannot be joined"),
    ("matmul", (F, F), {}, r"do not multiply"),
    ("vecdot", (F, np.zeros(4)), {}, r"no inner product"),
]
"""Shapes that do not fit: `ValueError`."""

VALUES = [
    ("searchsorted", (V, V), {"side": "middle"}, r"no side 'middle'"),
    ("repeat", (F, -1), {}, r"-1 times"),
    ("tile", (F, (-1,)), {}, r"\(1, -1\) times"),
    ("diff", (F,), {"n": -1}, r"-1 times"),
]
"""Values that mean nothing: `ValueError`."""

TYPES = [
    *each("sum argmax sort cumulative_sum", (F,), {"axis": "x"}, "an axis is 'x'"),
    ("sum", (F,), {"axis": 1.5}, r"an axis is 1\.5"),
    ("argmax", (F,), {"axis": (0, 1)}, r"an axis is \(0, 1\)"),
    ("roll", (F, 1.5), {}, r"`shift` is 1\.5"),
    ("tile", (F, (2.5,)), {}, r"`repetitions` is 2\.5"),
    ("diff", (F,), {"n": 1.5}, r"`n` is 1\.5"),
    ("repeat", (F, 1.5), {}, r"`repeat` is not defined for float64"),
    ("reshape", (F, (2.5,)), {}, r"a dim of a shape is"),
    ("std", (F,), {"correction": "x"}, r"`correction` is 'x'"),
    ("searchsorted", (V, V), {"sorter": V}, r"searchsorted\(sorter=...\)` is not defined for float64"),
    ("take", (F, V), {"axis": 0}, r"`take` is not defined for float64"),
    *each("bitwise_and bitwise_left_shift", (F, F), {}, r"` is not defined for float64"),
    *each("atan2 floor_divide hypot", (C, C), {}, r"` is not defined for complex128"),
    *each("ceil floor trunc signbit", (C,), {}, r"` is not defined for complex128"),
    *each("negative sign", (B,), {}, r"` is not defined for bool"),
    ("subtract", (B, B), {}, r"`subtract` is not defined for bool"),
    ("bitwise_and", (I, 1.5), {}, r"not defined for int64 and Python float"),
    *each("add equal maximum isin clip", (F, "x"), {}, r"'x' cannot become a tensor"),
    *each("sin sum sort unique_all all", (None,), {}, r"None cannot become a tensor"),
    ("add", (F, np.array(["a"])), {}, r"(elements are text|is no dtype of a tensor)"),
    ("where", (B, F, object()), {}, r"cannot become a tensor"),
]
"""What no array is made of, and dtypes for which a function has no meaning: `TypeError`."""

CASES = [
    *((*case, r"is out of range for a tensor of rank", (ValueError, IndexError)) for case in AXES),
    *((*case, (ValueError,)) for case in SHAPES + VALUES),
    *((*case, (TypeError,)) for case in TYPES),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "message", "kinds"), CASES)
def test_what_cannot_be_is_refused(name, args, kwargs, message, kinds):
    call = args, kwargs

    def require(compute, message):
        with pytest.raises(Error, match=message) as caught:
            compute()
        assert all(isinstance(caught.value, kind) for kind in kinds)

    require(lambda: at_once(name, call), message)
    require(lambda: graph_of(name, call, known=True).get_concrete_function(), message)
    for executor in EXECUTORS:
        require(lambda: staged(name, call, executor, known=False), None)


IN_THE_RUN = [
    ("take", (F, np.array([5])), {"axis": 0}, IndexError, "index 5 is out of bounds for axis 0 with size 2"),
    ("take_along_axis", (F, np.array([[9]])), {"axis": 0}, IndexError, "index 9 is out of bounds"),
    ("repeat", (F, np.array([-1, 1, 1])), {"axis": 1}, ValueError, "may not contain negative values"),
]
"""Elements that do not fit, which only a run knows."""


@pytest.mark.parametrize(("name", "args", "kwargs", "kind", "message"), IN_THE_RUN)
def test_elements_that_do_not_fit_are_refused_in_the_run(name, args, kwargs, kind, message):
    call = args, kwargs
    with pytest.raises(kind, match=message):
        at_once(name, call)
    for executor in EXECUTORS:
        for known in (True, False):
            with pytest.raises(kind, match=message):
                staged(name, call, executor, known=known)
