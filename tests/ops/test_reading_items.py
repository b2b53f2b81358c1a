"""`x[key]` for random tensors and keys gives what NumPy gives or fails as it does, at once and in graphs."""

from collections import namedtuple
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import compatible, written
from runtime.errors import IndexOutOfRange, InvalidIndex
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol

SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)
INDEX_SHAPES = st.sampled_from([(), (1,), (2,), (3,), (2, 1), (2, 3), (0,)])


@st.composite
def slices(draw, length):
    ends = st.none() | st.integers(-length - 2, length + 2)
    return slice(draw(ends), draw(ends), draw(st.sampled_from([None, 1, 2, 3, -1, -2, -3])))


@st.composite
def integers(draw, length, low=None):
    """One index, now and then outside the axis."""
    low = -length if low is None else low
    if not length or draw(st.integers(0, 19)) == 0:
        return draw(st.sampled_from([length, length + 1, -length - 1]))
    return draw(st.integers(low, length - 1))


@st.composite
def arrays(draw, length):
    shape = draw(INDEX_SHAPES) if length else (0,)
    dtype = draw(st.sampled_from([np.int64, np.int32, np.int8, np.uint8]))
    low = 0 if dtype is np.uint8 else -length
    numbers = [draw(st.integers(low, length - 1)) for _ in range(int(np.prod(shape)))]
    return np.array(numbers, dtype).reshape(shape)


@st.composite
def masks(draw, shape):
    truths = draw(st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    return np.array(truths, np.bool_).reshape(shape)


KINDS = ["int", "int", "slice", "slice", "array", "array", "list", "mask", "other"]


@st.composite
def keys(draw, shape):
    """A key of up to one part more than there are axes."""
    parts, axis = [], 0
    for _ in range(draw(st.integers(1, len(shape) + 1))):
        rest = shape[axis:]
        length = rest[0] if rest else 2
        kind = draw(
            st.sampled_from(["int", "int", "slice", "slice", "array", "array", "list", "mask", "other"])
        )
        if kind == "mask":
            covered = rest[: draw(st.integers(0, 2))]
            parts.append(draw(masks(covered)))
            axis += len(covered)
        elif kind == "other":
            parts.append(draw(st.sampled_from([None, None, ..., True, False, np.True_])))
        else:
            made = {"int": integers, "slice": slices, "array": arrays, "list": arrays}[kind]
            part = draw(made(length))
            parts.append(part.tolist() if kind == "list" else part)
            axis += 1
    return tuple(parts) if len(parts) > 1 or draw(st.booleans()) else parts[0]


@st.composite
def tensors_and_keys(draw):
    shape = draw(SHAPES)
    return np.arange(np.prod(shape, dtype=int)).reshape(shape), draw(keys(shape))


def outcome(read):
    """What is read, or the class of the error."""
    try:
        return np.asarray(read())
    except IndexError:
        return IndexError


def require_same(found, expected):
    if expected is IndexError:
        assert found is IndexError
    else:
        np.testing.assert_array_equal(found, expected, strict=True)


def is_number(part):
    return isinstance(part, (np.ndarray, np.generic)) or type(part) is int


def with_tensors(key, convert):
    """The key with its numbers and arrays converted, those at the ends of slices too."""
    if isinstance(key, tuple):
        return tuple([with_tensors(part, convert) for part in key])
    if isinstance(key, slice):
        ends = (key.start, key.stop, key.step)
        return slice(*[end if end is None else convert(np.asarray(end)) for end in ends])
    return convert(np.asarray(key)) if is_number(key) else key


def traced(read, x, arguments, *, known):
    """A graph that reads, and the shape that it says it gives."""
    builder = Builder("read")
    with building(builder):
        symbols = []
        for array in (x, *arguments):
            shape = array.shape if known else (UNKNOWN,) * array.ndim
            symbols.append(Symbol(builder.input(rt.ArraySpec(shape, rt.as_dtype(array.dtype)))))
        result = as_tensor(read(*symbols))
        graph = builder.finish([builder.resolve(result.value)])
    return graph, result.static_shape


def staged(read, x, arguments, *, known, executor):
    graph, shape = traced(read, x, arguments, known=known)
    (found,) = choose(executor).compile(Module(graph)).run([x, *arguments])
    assert compatible(shape, np.shape(found)), f"said {shape}, gave {np.shape(found)}"
    return np.asarray(found)


@settings(max_examples=250)
@given(tensors_and_keys())
def test_what_is_read_at_once_is_what_numpy_reads(case):
    array, key = case
    expected = outcome(lambda: array[key])
    require_same(outcome(lambda: rt.asarray(array)[key]), expected)
    require_same(outcome(lambda: rt.asarray(array)[with_tensors(key, rt.asarray)]), expected)


@settings(max_examples=120)
@given(tensors_and_keys())
def test_what_a_graph_reads_is_what_numpy_reads(case):
    array, key = case
    expected = outcome(lambda: array[key])
    arguments = []
    with_tensors(key, arguments.append)

    def read_by_arguments(x, *symbols):
        left = iter(symbols)
        return x[with_tensors(key, lambda _: next(left))]

    for known, executor in product((True, False), ("numpy", "reference")):
        options = {"known": known, "executor": executor}
        require_same(outcome(lambda: staged(lambda x: x[key], array, [], **options)), expected)
        require_same(outcome(lambda: staged(read_by_arguments, array, arguments, **options)), expected)


TABLE = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("shape", "key", "expected"),
    [
        ((None, 4), (np.array([0, 1]),), (2, 4)),
        ((None, 4), (slice(None), np.array([[0, 1]])), (None, 1, 2)),
        ((None, 3, 4), (0, slice(None), np.array([0, 1])), (2, 3)),
        ((None, None), (np.array([True, False]),), (None, None)),
        ((2, None, 4), (np.array([0, 1]), slice(None), np.array([0, 1])), (2, None)),
        ((2, None, 4), (..., True), (2, None, 4, None)),
        ((2, 3), (None, np.array([[0], [1]]), np.array([0, 1, 2])), (1, 2, 3)),
        (None, (0,), None),
        (None, (np.array([0]),), None),
    ],
)
def test_the_shape_of_what_a_graph_reads_is_known_where_it_can_be(shape, key, expected):
    shapes = []
    function = PolymorphicFunction(lambda x: shapes.append(written(x[key].static_shape)))
    function.get_concrete_function(rt.TensorSpec(shape, rt.int64))
    assert shapes == [expected]


@pytest.mark.parametrize("value", [True, False])
def test_a_single_truth_is_an_axis_of_one_or_none(check, value):
    check(lambda x, test: x[test], TABLE, np.array(value), gives=TABLE[value])
    check(lambda x, test: x[..., test], TABLE, np.array(value), gives=TABLE[..., value])
    check(lambda x, test: x[test], np.array(7.0), np.array(value), gives=np.array(7.0)[value])
    check(lambda x: x[value], TABLE, gives=TABLE[value])


def test_a_mask_made_of_the_tensor_itself(check):
    check(lambda x: x[x > 7], TABLE, gives=TABLE[TABLE > 7])
    check(lambda x: x[:, x[0, :, 0] > 3], TABLE, gives=TABLE[:, TABLE[0, :, 0] > 3])
    check(lambda x: x[x > 100], TABLE, gives=TABLE[TABLE > 100])
    check(lambda x: x[x == 5], np.array(5), gives=np.array([5]))


def test_named_tuples_are_keys_and_ranges_are_indices(check):
    place = namedtuple("Place", ["row", "column"])
    check(lambda x: x[place(1, slice(0, 2))], TABLE, gives=TABLE[1, :2])
    check(lambda x: x[:, range(2)], TABLE, gives=TABLE[:, [0, 1]])
    check(lambda x: x[range(0)], TABLE, gives=TABLE[:0])


REFUSED = {
    "float": (1.5, "1.5 is no index"),
    "whole float": (1.0, "1.0 is no index"),
    "complex": (1j, "1j is no index"),
    "text": ("rows", "'rows' is no index"),
    "object": (object(), "object at .* is no index"),
    "float tensor": (np.array([0.5]), "a tensor of float64 is no index"),
    "float beside a slice": ((slice(None), 0.5), "0.5 is no index"),
    "two ellipses": ((..., 0, ...), "more than one Ellipsis"),
    "two ellipses and an array": ((..., [0], ...), "more than one Ellipsis"),
    "indices that do not fit": (([0, 1], [0, 1, 2]), r"shapes \(2,\) and \(3,\) do not broadcast together"),
    "too many": ((0, 0, 0, 0), "too many indices for shape"),
    "too many with an array": ((0, 0, 0, [0]), "too many indices for shape"),
    "too many of a mask": ((np.ones((2, 3, 4), bool), 0), "too many indices for shape"),
    "a mask too long": (np.ones(3, bool), r"a mask of shape \(3,\) does not match"),
    "a mask of another axis": ((slice(None), np.ones(2, bool)), r"a mask of shape \(2,\) does not match"),
    "outside": ((0, 3), "index 3 is out of bounds for axis 1 with size 3"),
    "before": ((0, -4), "index -4 is out of bounds for axis 1 with size 3"),
    "outside in an array": (([0, 2],), "index 2 is out of bounds for axis 0 with size 2"),
}


@pytest.mark.parametrize(("key", "message"), REFUSED.values(), ids=REFUSED)
def test_what_numpy_refuses_is_refused_in_the_same_class(key, message):
    with pytest.raises(IndexError):
        TABLE[key]
    with pytest.raises((IndexOutOfRange, InvalidIndex), match=message):
        rt.asarray(TABLE)[key]
    with pytest.raises(IndexError, match=message):
        PolymorphicFunction(lambda x: x[key])(rt.asarray(TABLE))


@pytest.mark.parametrize("end", [0.5, "1", rt.asarray(0.5), None.__class__])
def test_slices_begin_and_end_at_integers(end):
    with pytest.raises(TypeError):
        rt.asarray(TABLE)[end:]
    with pytest.raises(TypeError):
        PolymorphicFunction(lambda x: x[:end])(rt.asarray(TABLE))


def test_a_step_of_zero_is_refused():
    with pytest.raises(ValueError, match="zero"):
        rt.asarray(TABLE)[::0]
    with pytest.raises(ValueError, match="zero"):
        PolymorphicFunction(lambda x, step: x[::step])(rt.asarray(TABLE), rt.asarray(0))


TAKEN = st.sampled_from([(), (1,), (3,), (0,), (2, 2)])


@st.composite
def tensors_axes_and_indices(draw):
    shape = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    length = shape[axis]
    of = draw(TAKEN) if length else (0,)
    numbers = [draw(integers(length)) for _ in range(int(np.prod(of)))]
    return np.arange(np.prod(shape, dtype=int)).reshape(shape), axis, np.array(numbers, np.int64).reshape(of)


@settings(max_examples=50)
@given(tensors_axes_and_indices())
def test_take_picks_along_any_axis(case):
    array, axis, indices = case
    expected = outcome(lambda: np.take(array, indices, axis=axis))
    require_same(outcome(lambda: rt.take(rt.asarray(array), indices, axis=axis)), expected)
    for known, executor in product((True, False), ("numpy", "reference")):
        found = outcome(
            lambda: staged(
                lambda x, i: rt.take(x, i, axis=axis), array, [indices], known=known, executor=executor
            )
        )
        require_same(found, expected)


@settings(max_examples=50)
@given(tensors_axes_and_indices(), st.integers(0, 3))
def test_take_along_axis_picks_along_any_axis(case, count):
    array, axis, _ = case
    shape = list(array.shape)
    shape[axis] = count if array.shape[axis] else 0
    high = array.shape[axis]
    indices = (np.arange(np.prod(shape, dtype=int)) * 7 % (2 * high or 1) - high).reshape(shape)
    expected = outcome(lambda: np.take_along_axis(array, indices, axis=axis))
    require_same(outcome(lambda: rt.take_along_axis(rt.asarray(array), indices, axis=axis)), expected)
    for known, executor in product((True, False), ("numpy", "reference")):
        found = staged(
            lambda x, i: rt.take_along_axis(x, i, axis=axis), array, [indices], known=known, executor=executor
        )
        require_same(found, expected)


def test_take_says_what_is_wrong():
    x = rt.asarray(TABLE)
    for wrong, error in [({"axis": 3}, ValueError), ({"axis": -4}, ValueError)]:
        with pytest.raises(error, match="axis"):
            rt.take(x, [0], **wrong)
        with pytest.raises(error, match="axis"):
            rt.take_along_axis(x, TABLE, **wrong)
    with pytest.raises(TypeError, match="`take` is not defined for float64"):
        rt.take(x, [0.5], axis=0)
    with pytest.raises(TypeError, match="`take_along_axis` is not defined for float64"):
        rt.take_along_axis(x, TABLE * 0.5)
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        rt.take_along_axis(x, np.full((2, 3, 1), 5))
