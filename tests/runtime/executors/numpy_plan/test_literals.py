"""What is written as Python source reads back as the very same bits."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from runtime.core.dtypes import DTYPES
from runtime.executors.numpy_plan.literals import Unwritable, array_source, literal, number


def read(source):
    return eval(source, {"np": np, "base64": base64})


@given(
    st.sampled_from(DTYPES).flatmap(
        lambda dtype: arrays.arrays(
            dtype.numpy, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
        )
    )
)
def test_arrays_read_back_bit_for_bit(array):
    again = read(array_source(array))
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert again.tobytes() == array.tobytes()


def test_large_arrays_and_payloads_of_nan_survive():
    payload = np.array([0x7FF8000000000123, 0xFFF0000000000001, 0x8000000000000000], np.uint64).view(
        np.float64
    )
    for array in (payload, payload.reshape(3, 1)[0], np.arange(1000, dtype=np.int16).reshape(10, 100)):
        assert read(array_source(array)).tobytes() == array.tobytes()


@given(st.floats(width=32))
def test_a_scalar_is_written_as_the_shortest_number_that_gives_it_back(value):
    scalar = np.float32(value)
    text = number(scalar)
    assert (text is None) == (not np.isfinite(scalar))
    if text is not None:
        assert np.float32(float(text)).tobytes() == scalar.tobytes()
        assert len(text) <= len(repr(float(scalar)))


@pytest.mark.parametrize(
    "value",
    [
        None, ..., True, -3, 2.5, float("inf"), 1e-300, complex(-0.0, float("inf")), "a\n'", b"\0",
        (1, (2,), ()), [1, None], slice(1, None, -2), np.float32(0.1), np.add,
        np.int64, float, np.float64("inf"),
    ],
    ids=repr,
)  # fmt: skip
def test_values_read_back(value):
    again = read(literal(value))
    assert type(again) is type(value)
    assert again == value


def test_a_dtype_is_written_as_its_class():
    assert [literal(np.dtype(kind)) for kind in ("?", "f2", "O")] == ["np.bool_", "np.float16", "object"]


@pytest.mark.parametrize("value", [object(), {1}, np.dtype("U3"), lambda: None], ids=type)
def test_what_has_no_source_is_refused(value):
    with pytest.raises(Unwritable):
        literal(value)
