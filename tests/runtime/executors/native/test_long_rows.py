"""The place of the greatest of many elements is found in machine code block by block, as NumPy finds it."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt

LENGTHS = (1, 1023, 2047, 2048, 3071, 65_537, 70_001)


def rows(length, dtype):
    """Rows whose places are told by ties, by what is no number, and by the last element."""
    rng = np.random.default_rng(length)
    drawn = (rng.normal(size=length) * 20).astype(dtype)
    yield drawn
    yield np.zeros(length, dtype)
    last = np.zeros(length, dtype)
    last[-1] = 1
    yield last
    if np.issubdtype(dtype, np.floating):
        odd = drawn.copy()
        odd[rng.integers(0, length, 2)] = np.nan
        odd[-1] = np.nan
        yield odd
        yield np.where(np.isnan(odd), np.nan, -np.inf).astype(dtype)
        yield np.where(drawn > 0, 0.0, -0.0).astype(dtype)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
@pytest.mark.parametrize("wanted", [True, None], ids=["asked for", "by default"])
def test_rows_of_any_length_have_their_first_greatest_element(name, dtype, wanted):
    find = getattr(np, name)
    signature = [rt.TensorSpec((None,), np.dtype(dtype))]
    place = ag.function(lambda x: find(x), input_signature=signature, jit_compile=wanted)
    for length in LENGTHS:
        for x in rows(length, dtype):
            found = np.asarray(place(rt.asarray(x)))
            assert found.dtype == np.int64
            assert found == find(x), (length, x)


@pytest.mark.parametrize("length", [2048, 5001])
def test_a_known_length_has_a_known_number_of_blocks(length):
    both = ag.function(lambda x: (np.argmax(x, keepdims=True), np.argmin(np.abs(x))), jit_compile=True)
    for x in rows(length, np.float64):
        greatest, nearest = both(rt.asarray(x))
        np.testing.assert_array_equal(greatest, np.argmax(x, keepdims=True), strict=True)
        assert int(nearest) == np.argmin(np.abs(x))
    report = both.concrete_functions[0].report()
    assert {step.runs for step in report.steps} == {"machine code"}


@pytest.mark.parametrize("shape", [(3000,), (40, 50)])
def test_of_two_zeros_no_other_program_is_asked(shape):
    zeros = np.where(np.random.default_rng(3).random(shape) < 0.5, -0.0, 0.0)

    @ag.function
    def places(x, turns):
        total = np.zeros(x.shape[1:], np.int64)
        while turns > 0:
            total = total + np.argmax(x, axis=0) - 2 * np.argmin(x[::-1], axis=0)
            turns -= 1
        return total

    assert not np.asarray(places(rt.asarray(zeros), rt.asarray(3))).any()
    source = places.concrete_functions[0].program.source()
    assert "signbit" not in source
