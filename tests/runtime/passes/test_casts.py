"""Casts by way of another dtype: where the detour is left out, no number notices."""

import itertools

import numpy as np
import pytest

from runtime.core.dtypes import DTYPES, bool_, float16, float32, float64, int8, int32, int64, uint8
from runtime.passes.casts import _is_detour, holds_all


def numbers(dtype):
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_integer:
        ends = [dtype.min, dtype.max, dtype.max // 2 + 1, 0, 1, 100, dtype.max - 1]
        return np.array(ends, dtype.numpy)
    finite = [0.0, -0.0, 1.0, -1.5, 100.7, 1 / 3, 2049.0, 65504.0, 1e-7, np.nan, np.inf, -np.inf]
    with np.errstate(over="ignore"):
        return np.array([*finite, 1e30, 16777217.0, 1e300]).astype(dtype.numpy)


def casts_that_may_meet(dtypes):
    """Triples of dtypes such that the first is cast to the second, and that to the third."""
    for source, inner, outer in itertools.product(dtypes, repeat=3):
        drops = (source.is_complex and not inner.is_complex) or (inner.is_complex and not outer.is_complex)
        if not drops:
            yield source, inner, outer


@pytest.mark.parametrize("source", DTYPES)
def test_a_detour_that_is_left_out_changes_no_number(source):
    found = 0
    x = numbers(source)
    for first, inner, outer in casts_that_may_meet(DTYPES):
        if first is not source or not _is_detour(source, inner, outer):
            continue
        found += 1
        with np.errstate(all="ignore"):
            direct = x.astype(outer.numpy)
            detour = x.astype(inner.numpy).astype(outer.numpy)
        assert np.array_equal(direct, detour, equal_nan=outer.kind in "fc"), (source, inner, outer)
    assert found


@pytest.mark.parametrize(
    ("to", "source", "holds"),
    [
        (int8, bool_, True),
        (float16, int8, True),
        (float16, uint8, True),
        (float32, int32, False),
        (float64, int32, True),
        (float64, int64, False),
        (int64, float16, False),
        (int8, uint8, False),
        (bool_, int8, False),
        (float64, float32, True),
        (float16, float32, False),
    ],
)
def test_a_dtype_holds_another_when_every_value_is_one_of_its_own(to, source, holds):
    assert holds_all(to, source) is holds
