"""`x[key]` and `set_item` for every key that NumPy takes, with parts of it known or tensors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.core.dims import named
from runtime.core.shapes import written
from runtime.errors import DTypeError, IndexOutOfRange, InvalidIndex, ShapeError
from runtime.ops.slicing import Key, StridedSlice

SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)


@st.composite
def slices(draw, length):
    ends = st.none() | st.integers(-length - 1, length + 1)
    return slice(draw(ends), draw(ends), draw(st.none() | st.sampled_from([1, 2, -1, -2])))


@st.composite
def basic_keys(draw, shape):
    """A key of ints, slices, None and at most one Ellipsis."""
    used = draw(st.integers(0, len(shape)))
    parts = []
    for dim in shape[:used]:
        kinds = [slices(dim)] + ([st.integers(-dim, dim - 1)] if dim else [])
        parts.append(draw(st.one_of(kinds)))
    for extra in draw(st.lists(st.just(None), max_size=2)):
        parts.insert(draw(st.integers(0, len(parts))), extra)
    if draw(st.booleans()):
        parts.append(...)
    return tuple(parts)


@st.composite
def arrays_with(draw, keys):
    shape = draw(SHAPES)
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape), draw(keys(shape))


@st.composite
def advanced_keys(draw, shape):
    """A key in which some places are arrays of integers or masks."""
    parts = list(draw(basic_keys(shape)))
    axis = 0
    for place, part in enumerate(parts):
        if part is None or part is ...:
            continue
        dim = shape[axis]
        axis += 1
        if dim and draw(st.booleans()):
            size = draw(st.sampled_from([1, 2]))
            index = draw(st.lists(st.integers(-dim, dim - 1), min_size=size, max_size=size))
            parts[place] = np.array(index, draw(st.sampled_from([np.int64, np.int32])))
    return tuple(parts)


def as_tensors(key):
    """The key with every number in it a tensor."""

    def convert(part):
        if isinstance(part, slice):
            return slice(
                *[end if end is None else rt.asarray(end) for end in (part.start, part.stop, part.step)]
            )
        return rt.asarray(part) if isinstance(part, (int, np.ndarray)) else part

    return tuple([convert(part) for part in key])


@given(arrays_with(basic_keys))
def test_basic_keys_select_what_numpy_selects(check, array_and_key):
    array, key = array_and_key
    check(lambda x: x[key], array, gives=array[key])


@given(arrays_with(basic_keys))
def test_keys_of_tensors_select_what_numbers_select(staged, array_and_key):
    array, key = array_and_key
    places = [place for place, part in enumerate(key) if isinstance(part, int)]
    numbers = np.array([key[place] for place in places], np.int32)

    def select(x, numbers):
        parts = list(key)
        for index, place in enumerate(places):
            parts[place] = numbers[index]
        return x[tuple(parts)]

    np.testing.assert_array_equal(rt.asarray(array)[as_tensors(key)], array[key], strict=True)
    np.testing.assert_array_equal(staged(select, array, numbers), array[key], strict=True)


@given(arrays_with(advanced_keys))
def test_keys_with_arrays_select_what_numpy_selects(check, array_and_key):
    array, key = array_and_key
    try:
        expected = array[key]
    except IndexError:  # arrays of lengths that do not broadcast
        return
    check(lambda x: x[key], array, gives=expected)


@given(arrays_with(basic_keys), st.booleans())
def test_setting_an_item_gives_what_numpy_assigns(check, array_and_key, with_tensors):
    array, key = array_and_key
    expected = array.copy()
    expected[key] = -1
    check(lambda x: rt.set_item(x, as_tensors(key) if with_tensors else key, -1), array, gives=expected)


@given(arrays_with(advanced_keys))
def test_setting_an_item_by_arrays_gives_what_numpy_assigns(check, array_and_key):
    array, key = array_and_key
    expected = array.copy()
    try:
        expected[key] = -1
    except IndexError:
        return
    check(lambda x: rt.set_item(x, key, -1), array, gives=expected)


TABLE = np.arange(12.0).reshape(3, 4)


def test_the_ends_of_slices_may_be_tensors(check):
    check(lambda x, i: x[i : i + 2], TABLE, np.int32(1), gives=TABLE[1:3])
    check(lambda x, i: x[:, ::i], TABLE, np.int8(-2), gives=TABLE[:, ::-2])


@pytest.mark.parametrize("mask", [TABLE > 4, np.array([True, False, True]), np.zeros((3, 4), np.bool_)])
def test_a_mask_selects_and_replaces(check, mask):
    check(lambda x, mask: x[mask], TABLE, mask, gives=TABLE[mask])
    replaced = TABLE.copy()
    replaced[mask] = 0.5
    check(lambda x, mask: rt.set_item(x, mask, 0.5), TABLE, mask, gives=replaced)


def test_a_mask_and_an_array_of_values(check):
    mask = TABLE > 8
    replaced = TABLE.copy()
    replaced[mask] = [7, 8, 9]
    check(lambda x: rt.set_item(x, mask, [7, 8, 9]), TABLE, gives=replaced)


def test_indices_apart_put_their_axes_first(check):
    array = np.arange(24).reshape(2, 3, 4)
    check(lambda x: x[0, :, [0, 1]], array, gives=array[0, :, [0, 1]])
    check(lambda x: x[[0, 1], :, None, [0, 1]], array, gives=array[[0, 1], :, None, [0, 1]])
    check(lambda x: x[:, [0, 1], [1, 2]], array, gives=array[:, [0, 1], [1, 2]])


N, M = named("n"), named("m")


@pytest.mark.parametrize(
    ("shape", "key", "expected"),
    [
        ((N, 4), (slice(1, 3), slice(1, 3)), (None, 2)),
        ((N, 4), (0, None), (1, 4)),
        ((N, 4), (..., slice(None, None, -1)), (None, 4)),
        ((N, M), (slice(None),), (None, None)),
        ((5,), (slice(-2, None),), (2,)),
        (None, (0,), None),
    ],
)
def test_shapes_of_slices_are_known_where_they_can_be(shape, key, expected):
    assert written(StridedSlice(Key(key)).infer(rt.ArraySpec(shape, rt.float32)).shape) == expected


def test_an_index_out_of_range_names_index_axis_and_length(staged):
    with pytest.raises(IndexOutOfRange, match="index 5 is out of bounds for axis 1 with size 4"):
        rt.asarray(TABLE)[:, 5]
    with pytest.raises(IndexOutOfRange, match="index -4 is out of bounds for axis 0 with size 3"):
        rt.asarray(TABLE)[rt.asarray(-4)]
    with pytest.raises(IndexOutOfRange, match="index 3 is out of bounds"):
        rt.take(rt.asarray(TABLE), [0, 3], axis=0)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        staged(lambda x, i: x[i], TABLE, np.int32(7))
    with pytest.raises(IndexOutOfRange, match="too many indices"):
        staged(lambda x: x[0, 0, 0], TABLE)


def test_what_is_no_index_is_refused():
    x = rt.asarray(TABLE)
    for key in (1.5, rt.asarray(0.5), (0, 2j)):
        with pytest.raises(InvalidIndex, match="is no index"):
            x[key]
    with pytest.raises(DTypeError, match="an end of a slice is float64"):
        x[rt.asarray(0.5) :]
    with pytest.raises(ShapeError, match="does not fit"):
        rt.set_item(x, 0, [1, 2, 3])


def test_assignment_to_an_item_says_what_to_write():
    x = rt.asarray(TABLE)
    with pytest.raises(TypeError, match=r"x\.at\[key\]\.set"):
        x[0] = 1


def test_values_take_the_dtype_of_the_tensor_that_they_go_into(check):
    check(lambda x: rt.set_item(x, 0, 7.9), np.array([1, 2]), gives=np.array([7, 2]))


def test_known_arithmetic_on_shapes_leaves_shapes_known(staged):
    shapes = []

    def look(x):
        n = rt.shape(x)[0]
        shapes.append(written(rt.zeros((n, n + 1)).static_shape))
        shapes.append(written(rt.reshape(x, (rt.shape(x)[1], -1)).static_shape))
        return x

    staged(look, TABLE, known=True)
    staged(look, TABLE)
    assert shapes == [(3, 4), (4, 3), (None, None), (None, None)]
