"""Casts: every pair of dtypes, numbers that do not fit, and what NumPy warns of."""

import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.core.dtypes import DTYPES
from runtime.functions.polymorphic import PolymorphicFunction

NUMBERS = [0, 1, 2, 100, -1.5, 3e9, 70000, 1e300, np.nan, np.inf, -np.inf]


def extremes(dtype):
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_integer:
        return np.array([dtype.min, 0, 5, dtype.max], dtype.numpy)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.array(NUMBERS).astype(dtype.numpy)


def outcome(compute):
    """What a cast gives, and what NumPy warns of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = np.asarray(compute())
    return result, {str(each.message) for each in told}


@pytest.mark.parametrize("source", DTYPES, ids=repr)
def test_a_cast_gives_the_numbers_and_the_warnings_of_numpy(source):
    array = extremes(source)
    for to in DTYPES:
        if source.is_complex and not (to.is_complex or to.is_bool):
            continue
        expected, told = outcome(lambda: array.astype(to.numpy))
        programs = [lambda: rt.asarray(array).astype(to)]
        for executor in ("numpy", "reference"):
            function = PolymorphicFunction(lambda x: rt.astype(x, to), executor=executor)
            programs.append(lambda function=function: function(rt.asarray(array)))
        for program in programs:
            result, warned = outcome(program)
            np.testing.assert_array_equal(result, expected, strict=True)
            assert warned == told


@pytest.mark.parametrize("source", ["complex64", "complex128"])
def test_a_complex_number_is_never_made_real_in_silence(staged, source):
    array = np.array([1 + 2j], source)
    for to in (dtype for dtype in DTYPES if not (dtype.is_complex or dtype.is_bool)):
        for compute in (
            lambda: rt.astype(rt.asarray(array), to),
            lambda: staged(lambda x: rt.astype(x, to), array),
        ):
            with pytest.raises(rt.errors.DTypeError, match=f"{source} cannot be cast to {to.name}"):
                compute()
    assert rt.astype(rt.asarray(array), rt.bool).tolist() == [True]


def test_a_tensor_that_has_the_dtype_is_itself():
    x = rt.asarray([1, 2])
    assert rt.astype(x, rt.int64, copy=False) is x
    assert x.astype("int64") is x


def test_a_limit_beyond_the_dtype_is_no_limit(check):
    array = np.array([0, 7, 255], np.uint8)
    for low, high in ((-1, 300), (-1, 7), (7, 2**70), (-(2**70), None), (None, 256)):
        check(lambda x: rt.clip(x, low, high), array, gives=np.clip(array, low, high))
        check(lambda x: np.clip(x, low, high), array, gives=np.clip(array, low, high))
    for low, high in ((300, None), (None, -1)):
        with pytest.raises(OverflowError):
            rt.clip(rt.asarray(array), low, high)
