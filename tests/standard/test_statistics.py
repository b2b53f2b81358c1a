"""What the standard says of statistics: of nothing, of NaN, and of the dtype in which integers add up."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ShapeError
from tests.standard.ways import DType, every_way

STATISTICS = ("cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var")
OF_NOTHING = {
    "sum": 0.0,
    "prod": 1.0,
    "mean": np.nan,
    "std": np.nan,
    "var": np.nan,
    "all": True,
    "any": False,
}
WIDENED = {
    **dict.fromkeys(["int8", "int16", "int32", "int64"], "int64"),
    **dict.fromkeys(["uint8", "uint16", "uint32", "uint64"], "uint64"),
    **{name: name for name in ("float32", "float64", "complex64", "complex128")},
}


def results(name, *args, **kwargs):
    return [found.numpy() for _, found in every_way(name, (args, kwargs))]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", STATISTICS)
def test_nan_spreads(name, dtype):
    for place in range(3):
        x = np.array([1.0, 2.0, 3.0], dtype)
        x[place] = np.nan
        for found in results(name, x):
            assert np.all(np.isnan(found[place:] if found.ndim else found))
        for found in results(name, np.array(np.nan, dtype)):
            assert np.all(np.isnan(found))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "value"), OF_NOTHING.items())
def test_a_statistic_of_nothing(name, value):
    for found in results(name, np.zeros((2, 0)), axis=1):
        np.testing.assert_array_equal(found, [value, value])
    for found in results(name, np.zeros((0,))):
        np.testing.assert_array_equal(found, value)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_nothing_has_no_greatest_element(name):
    function, x = getattr(rt, name), rt.zeros((2, 0))
    with pytest.raises(ShapeError, match="one of length 0"):
        function(x, axis=1)
    assert function(x, axis=0).shape == (0,)


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize(("dtype", "widened"), WIDENED.items())
def test_small_integers_are_added_up_in_wide_ones(name, dtype, widened):
    x = np.array([3, 5], dtype)
    for found in results(name, x):
        assert found.dtype == widened
    for found in results(name, x, dtype=DType("complex128")):
        assert found.dtype == np.complex128


def test_a_running_sum_of_one_number_is_a_vector_of_it():
    for found in results("cumulative_sum", np.array(3), include_initial=True):
        np.testing.assert_array_equal(found, [0, 3], strict=True)


@pytest.mark.parametrize("name", ["std", "var"])
def test_what_is_left_to_divide_by_is_never_negative(name):
    with np.errstate(all="ignore"):
        for found in results(name, np.array([1.0, 2.0]), correction=5):
            assert np.isinf(found)
