"""Short cuts of arithmetic that rest on what NumPy does: checked on many numbers, to the bit."""

import numpy as np
import pytest

FLOATS = [np.float16, np.float32, np.float64]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("exponent", "short_cut"), [(1, np.positive), (2, np.square)])
def test_one_exponent_is_a_short_cut_of_numpys_power(dtype, exponent, short_cut):
    bits = np.random.default_rng(0).integers(0, 256, 8 * 4000, np.uint8)
    x = bits.view(dtype)
    with np.errstate(all="ignore"):
        power, short = np.power(x, np.asarray(exponent, dtype)), short_cut(x)
        singles = [np.power(each, np.asarray(exponent, dtype)) for each in x[:200]]
    assert np.array_equal(power, short, equal_nan=True)
    assert np.array_equal(np.signbit(power[power == 0]), np.signbit(short[short == 0]))
    assert np.array_equal(singles, short[:200], equal_nan=True)
