"""`x.at[key]` and `set_item`: what NumPy makes of an array in place is what the new tensor is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, ImmutableTensor, IndexOutOfRange, ShapeError
from tests.ops.test_indexing import advanced_keys, arrays_with, as_tensors, basic_keys

TABLE = np.arange(12.0).reshape(3, 4)
COUNTS = np.arange(6)
IN_PLACE = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "power": np.power,
    "min": np.minimum,
    "max": np.maximum,
}


def assigned(array, key, value):
    """What the array is after `array[key] = value`."""
    changed = array.copy()
    changed[key] = value
    return changed


@given(arrays_with(lambda shape: basic_keys(shape) | advanced_keys(shape)), st.sampled_from([*IN_PLACE]))
def test_each_method_computes_as_the_ufunc_does_at_the_places(check, array_and_key, method):
    array, key = array_and_key
    expected = array.copy()
    try:
        IN_PLACE[method].at(expected, key, np.float32(2))
    except IndexError:  # arrays of lengths that do not broadcast
        return
    check(lambda x: getattr(x.at[key], method)(np.float32(2)), array, gives=expected)


@given(arrays_with(lambda shape: basic_keys(shape) | advanced_keys(shape)), st.data())
def test_values_broadcast_to_the_place(check, array_and_key, data):
    array, key = array_and_key
    try:
        place = array[key].shape
    except IndexError:
        return
    kept = [dim if data.draw(st.booleans()) else 1 for dim in place]
    value = np.arange(np.prod(kept, dtype=int), dtype=array.dtype).reshape(kept) - 7
    if kept:
        value = value[0] if kept[0] == 1 and data.draw(st.booleans()) else value[None]
    check(lambda x, v: x.at[key].set(v), array, value, gives=assigned(array, key, value))
    check(lambda x, v: x.at[as_tensors(key)].set(v), array, value, gives=assigned(array, key, value))


def test_repeated_places_keep_the_last_value_or_count_every_one(check):
    index = np.array([0, 2, 0, -4])
    check(lambda x, i: x.at[i].set([7, 8, 9, 1]), COUNTS, index, gives=[9, 1, 1, 3, 4, 5])
    check(lambda x, i: x.at[i].add(1), COUNTS, index, gives=[2, 1, 4, 3, 4, 5])
    check(lambda x, i: x.at[i, 0].max(5.0), TABLE, np.array([0, 0]), gives=assigned(TABLE, (0, 0), 5.0))


def test_apply_and_get(check):
    check(
        lambda x: x.at[1:, ::2].apply(rt.negative),
        TABLE,
        gives=assigned(TABLE, np.s_[1:, ::2], -TABLE[1:, ::2]),
    )
    check(lambda x: x.at[..., -1].get(), TABLE, gives=TABLE[:, -1])


@pytest.mark.parametrize("value", [0.5, np.array([7.0, 8.0, 9.0]), np.array([7.0])])
def test_a_mask_takes_one_value_or_one_for_each_place(check, value):
    mask = TABLE > 8
    check(lambda x, m: x.at[m].set(value), TABLE, mask, gives=assigned(TABLE, mask, value))
    check(lambda x, m: x.at[m].multiply(value), TABLE, mask, gives=assigned(TABLE, mask, TABLE[mask] * value))


def test_a_mask_of_rows_and_a_mask_beside_an_index(check):
    rows = np.array([True, False, True])
    check(lambda x, m: x.at[m].set([1, 2, 3, 4]), TABLE, rows, gives=assigned(TABLE, rows, [1, 2, 3, 4]))
    check(lambda x, m: x.at[m, 1].set([-1, -2]), TABLE, rows, gives=assigned(TABLE, (rows, 1), [-1, -2]))
    check(
        lambda x, m: x.at[1:, m].add(1),
        TABLE.T,
        rows,
        gives=assigned(TABLE.T, np.s_[1:, rows], TABLE.T[1:, rows] + 1),
    )


@pytest.mark.parametrize("holds", [True, False])
def test_a_single_truth_replaces_all_or_nothing(check, holds):
    check(lambda x, t: x.at[t].set(9), TABLE, np.array(holds), gives=assigned(TABLE, holds, 9))
    check(
        lambda x, t: x.at[t].add([1, 2, 3, 4]), TABLE, np.array(holds), gives=TABLE + holds * np.arange(1, 5)
    )
    check(lambda x: x.at[x > 2].set(0), np.array(3.5), gives=np.array(0.0))


@pytest.mark.parametrize("holds", [True, False])
def test_what_a_single_truth_selected_is_put_back(check, holds):
    for x in (np.array(3.5), COUNTS):
        check(lambda x, t: rt.set_item(x, t, x[t] * 2), x, np.array(holds), gives=x * (1 + holds))


def test_values_are_cast_as_numpy_casts_what_is_assigned(check):
    check(lambda x: x.at[0].set(1.7), COUNTS, gives=assigned(COUNTS, 0, 1.7))
    check(lambda x: x.at[:2].set([1.7, -2.7]), COUNTS, gives=assigned(COUNTS, np.s_[:2], [1.7, -2.7]))
    check(
        lambda x: x.at[[0, 1]].set(np.array([1.7, 2.2])), COUNTS, gives=assigned(COUNTS, [0, 1], [1.7, 2.2])
    )
    check(lambda x: x.at[0].set(3), TABLE > 4, gives=assigned(TABLE > 4, 0, 3))
    check(
        lambda x: x.at[0].set(np.int64(300)),
        COUNTS.astype(np.uint8),
        gives=np.array([44, 1, 2, 3, 4, 5], np.uint8),
    )


@pytest.mark.parametrize(
    ("dtype", "value", "error"),
    [
        (np.uint8, 300, OverflowError),
        (np.uint8, [1, -1], OverflowError),
        (np.int64, float("nan"), ValueError),
        (np.float64, 1j, TypeError),
    ],
)
def test_python_numbers_that_the_dtype_cannot_hold_are_refused_as_in_numpy(staged, dtype, value, error):
    array = np.arange(2).astype(dtype)
    with pytest.raises(error):
        array[:] = value
    with pytest.raises(error):
        rt.asarray(array).at[:].set(value)
    with pytest.raises(error):
        staged(lambda x: x.at[:].set(value), array)


@pytest.mark.parametrize("key", [np.s_[1:], np.s_[[0, 0]], np.array([True] * 6)])
@pytest.mark.parametrize(("method", "value"), [("add", 1.5), ("divide", 2), ("power", 0.5), ("add", [0.5])])
def test_a_computed_value_stays_within_its_kind(staged, key, method, value):
    with pytest.raises(DTypeError, match="cannot be stored in a tensor of int64"):
        getattr(rt.asarray(COUNTS).at[key], method)(value)
    with pytest.raises(DTypeError, match="cannot be stored in a tensor of int64"):
        staged(lambda x: getattr(x.at[key], method)(value), COUNTS)


def test_a_narrow_tensor_stays_narrow(check):
    narrow = TABLE.astype(np.float32)
    check(lambda x, v: x.at[0].add(v), narrow, np.array(0.1), gives=assigned(narrow, 0, narrow[0] + 0.1))
    twice = narrow.copy()
    np.add.at(twice, [0, 0], np.full(4, 0.1))
    check(lambda x, v: x.at[[0, 0]].add(v), narrow, np.full(4, 0.1), gives=twice)


def test_what_does_not_fit_is_refused_with_both_shapes(staged):
    x = rt.asarray(TABLE)
    for key in (0, np.s_[:, 1:], [0, 1], np.s_[[0, 1], 1:]):
        with pytest.raises(ShapeError, match=r"shape \(5,\) does not fit"):
            x.at[key].set(np.zeros(5))
        with pytest.raises(ValueError, match=r"shape \(5,\) does not fit"):
            staged(lambda x, v, key=key: x.at[key].set(v), TABLE, np.zeros(5))
    with pytest.raises(ValueError, match="4 input values to the 3 output values"):
        x.at[x > 8].set(np.zeros(4))


def test_an_index_out_of_range_is_an_index_error(staged):
    x = rt.asarray(TABLE)
    for key in (3, np.s_[:, -5], np.s_[[0, 3]], np.s_[0, 0, 0], np.s_[..., ...], np.ones((1, 4), np.bool_)):
        for method in ("set", "add"):
            with pytest.raises(IndexError):
                getattr(x.at[key], method)(0.0)
            with pytest.raises(IndexError):
                staged(lambda x, key=key, method=method: getattr(x.at[key], method)(0.0), TABLE)
    with pytest.raises(IndexOutOfRange, match="index 3 is out of bounds for axis 0 with size 3"):
        staged(lambda x, i: x.at[i].set(0.0), TABLE, np.array(3))


def test_the_tensor_itself_never_changes():
    x = rt.asarray(TABLE)
    x.at[0].set(9)
    x.at[[1, 1]].add(9)
    np.testing.assert_array_equal(x, TABLE)
    with pytest.raises(ImmutableTensor, match=r"x = x\.at\[key\]\.set\(value\)"):
        x[0] = 9
    with pytest.raises(ImmutableTensor, match=r"x\.at\[key\]\.add"):
        np.add.at(x, 0, 1)


def test_parts_print_what_they_are_of():
    x = rt.asarray([1, 2])
    assert repr(x.at) == f"<parts of {x!r}>"
    assert repr(x.at[0]) == f"<part 0 of {x!r}>"
