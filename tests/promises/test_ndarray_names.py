"""Every name of NumPy's arrays is there in a graph, or its error names the way out."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ImmutableTensor, NoConcreteValue
from runtime.numpy_functions.methods import OF_MEMORY, REFUSED_CHANGES
from runtime.numpy_functions.refused import way_out
from runtime.numpy_functions.table import TABLE, title
from tests.ops.test_numpy_functions import METHOD_CASES
from tests.promises.kit import function_of

X = np.array([[3.0, 1.0, 2.0], [4.0, -5.0, 0.5]])
NAMES = [name for name in dir(np.ndarray) if not name.startswith("_")]
ELSEWHERE = {"device", "dtype", "flags", "to_device", "tolist"}
"""Names with tests of their own, here or in `tests/standard`."""


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_compared_with_numpys_or_refused(name):
    compared = any(f".{name}" in case for case in METHOD_CASES)
    assert compared or name in {*OF_MEMORY, *REFUSED_CHANGES, *ELSEWHERE}
    assert hasattr(rt.asarray(X), name)


@pytest.mark.parametrize("name", OF_MEMORY)
def test_memory_is_there_where_the_value_is(name):
    assert hasattr(rt.asarray(X), name)
    with pytest.raises(
        NoConcreteValue, match=f"(?s)`{name}` of a tensor of a graph.*Ask for `{name}` of what"
    ):
        ag.function(lambda x: getattr(x, name))(X)


def test_flags_say_that_an_array_can_be_written_to():
    ag.check(lambda x: (x.flags.writeable, getattr(x, "flags", None) is None), X)
    with pytest.raises(NoConcreteValue, match=r"`flags.c_contiguous` of a tensor of a graph"):
        ag.function(lambda x: x.flags.c_contiguous)(X)


def test_an_attribute_that_no_array_has_cannot_be_set():
    def attached(x):
        x.value = 1.0

    def attached_to_a_number(x):
        x.sum().label = "total"

    def transposed(x):
        x.T = x

    for program in (attached, attached_to_a_number, transposed):
        ag.check(program, np.ones(2))


def test_numpys_functions_take_the_dtype_of_a_tensor():
    def program(x):
        kinds = (
            np.issubdtype(x.dtype, np.floating),
            np.isdtype(x.dtype, "real floating"),
            x.dtype.kind,
            x.dtype.type,
        )
        made = (
            np.zeros(x.shape[0], dtype=x.dtype),
            np.empty(3, x.dtype).dtype == x.dtype,
            x.astype(dtype=np.float32),
        )
        asked = (
            np.finfo(x.dtype).eps,
            np.promote_types(x.dtype, np.float32),
            {np.dtype("float64"): 1}[x.dtype],
        )
        return kinds, made, asked, np.array(x, order="C"), np.dtype(x.dtype).itemsize

    ag.check(program, X)


@pytest.mark.parametrize("name", REFUSED_CHANGES)
def test_a_change_in_place_says_what_to_write_instead(name):
    with pytest.raises(ImmutableTensor, match=f"`{name}` would change a tensor"):
        getattr(rt.asarray(X), name)()


@pytest.mark.parametrize(
    "source",
    [
        *("x.item()", "x.foo", "x.item(7)", "x.ptp()", "x[0, 0].nothing", "x.mean(where=x > 2)"),
        *("getattr(x, 'foo', 3)", "hasattr(x, 'dot')", "hasattr(x, 'foo')", "[v for v in x.flat]"),
        *("x.tolist()", "x[0].tolist()", "x[0, 1].tolist()", "x[0, 1].is_integer()", "x[1, 2].is_integer()"),
        *("x[0, 0].item() * x.astype(np.float32)", "round(x[0, 0]) * x.astype(np.int8)", "x.T.T.sum(1)"),
        *("len(x) * x.astype(np.int8)", "x.is_integer()"),
    ],
)
def test_a_call_does_what_it_does_on_arrays(source):
    ag.check(function_of(source, "x"), X)


def test_an_element_is_taken_by_an_index_of_the_graph():
    def f(x, i):
        return x.item(i), x.take(i), x.flat[i], x[i].argmax(), x[i].tolist()

    ag.check(f, X, np.int64(1), then=[(X, np.int64(0))])


def counted(x):
    values, counts = np.unique(x, return_counts=True)
    found = dict(zip(values.tolist(), counts.tolist(), strict=True))
    return found, max(found, key=found.get), [float(each) for each in x[x > 1].tolist()]


def listed(x):
    pairs = x[x > 1].reshape(-1, 1) * [1, 2]
    rows = pairs.tolist()
    rows.append([7, 8])
    return rows, x[x > 9].tolist(), pairs.T.tolist(), sum(x[x > 0].tolist()), (x[x > 0] > 2).tolist()


@pytest.mark.parametrize("program", [counted, listed])
def test_lists_of_lengths_that_only_the_run_knows_are_those_of_python(program):
    ag.check(program, np.array([3, 1, 2, 3]), then=[(np.array([0, 1, 1]),), (np.array([0, 0]),)])


def test_lists_of_small_numbers_hold_python_s_own():
    ag.check(lambda x: [x[x > 0].tolist(), x[x > 0].tolist()[0] / 3], np.array([1.5, -2.0], np.float32))


def test_the_lists_of_unknown_ranks_are_refused_with_a_way_out():
    f = ag.function(lambda x: x.tolist(), input_signature=[rt.TensorSpec(None, rt.float64)])
    with pytest.raises(NoConcreteValue, match="Loop over the tensor itself"):
        f(X[0])


OVERRIDABLE = [
    function
    for namespace in (np, np.linalg, np.fft)
    for function in vars(namespace).values()
    if hasattr(function, "_implementation")
]


@pytest.mark.parametrize("function", OVERRIDABLE, ids=title)
def test_a_function_of_numpys_is_there_or_its_error_names_what_is(function):
    assert function in TABLE or way_out(function)


WEIGHTS = np.array([[1.0, -2.0, 0.5], [3.0, 0.25, -1.0]])
TABLE_OF_SIX = np.arange(6.0)


@pytest.mark.parametrize(
    "method",
    [
        lambda n, v, x: WEIGHTS.dot(x),
        lambda n, v, x: WEIGHTS.take(n % 3, axis=1),
        lambda n, v, x: TABLE_OF_SIX.searchsorted(v),
        lambda n, v, x: TABLE_OF_SIX.repeat(n),
        lambda n, v, x: TABLE_OF_SIX.compress(TABLE_OF_SIX > v),
        lambda n, v, x: TABLE_OF_SIX.reshape(n % 2 + 2, -1),
        lambda n, v, x: TABLE_OF_SIX.item(n % 3),
        lambda n, v, x: TABLE_OF_SIX.max(initial=v),
        lambda n, v, x: TABLE_OF_SIX.clip(1, max=v),
    ],
)
def test_a_method_of_an_array_of_the_program_takes_tensors(method):
    x = np.array([1.0, 2.0, 3.0])
    ag.check(method, np.int64(4), np.float64(2.5), x, then=[(np.int64(5), np.float64(0.5), -x)])


def test_what_such_a_method_gives_shows_the_array():
    def program(n, v):
        x = np.zeros(6)
        rows = x.reshape(n % 2 + 2, -1)
        x[0] = v
        rows[1, 0] = n
        return x, rows

    ag.check(program, np.int64(4), np.float64(2.5), then=[(np.int64(5), np.float64(0.5))])


def test_any_and_all_of_a_generator_go_over_an_array_of_the_program():
    ag.check(
        lambda v: (any(t > v for t in TABLE_OF_SIX), all(t > v for t in TABLE_OF_SIX)),
        np.float64(2.5),
        then=[(np.float64(-1.0),)],
    )


def test_parts_that_begin_at_places_of_the_run_are_taken_together():
    def program(keys, values):
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
        sums = np.add.reduceat(values, starts)
        return keys[starts], sums, np.maximum.reduceat(values, starts), np.add.reduceat(keys, [0, values[0]])

    then = [(np.array([5, 5]), np.array([1, 2])), (np.array([1, 2]), np.array([7, 2]))]
    ag.check(program, np.array([1, 1, 2, 2, 2]), np.array([1, 5, 2, 0, 3]), then=then)


def test_flags_are_asked_by_key_too():
    def may_be_written(x):
        return x.flags["WRITEABLE"], x.flags["W"]

    ag.check(may_be_written, np.ones(2))
    with pytest.raises(NoConcreteValue, match=r"flags\['C_CONTIGUOUS'\]"):
        ag.function(lambda x: x.flags["C_CONTIGUOUS"])(np.ones(2))


def test_truth_values_are_places_of_a_reduceat():
    def parts(x, starts):
        return np.add.reduceat(x, starts)

    ag.check(parts, np.arange(4.0), np.array([True, False]))


def test_an_array_that_was_there_before_is_found_by_its_text():
    def turns(x, most):
        seen = {}
        for turn in range(most):
            key = str(x.tolist())  # what the error of `x.tobytes()` names as the way out
            if key in seen:
                return turn - seen[key]
            seen[key] = turn
            x = np.roll(x, 1) ^ x
        return None

    ag.check(
        turns, np.array([1, 0, 0, 1]), 20, then=[(np.array([1, 1, 0, 0]), 20), (np.array([0, 0, 0, 0]), 20)]
    )
