"""`out=` of another dtype than the result, and `where=` beside it, as NumPy takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag

DTYPES = ["float64", "float32", "int64", "uint8", "bool", "complex128"]
UFUNCS = [np.isfinite, np.isnan, np.signbit, np.logical_not, np.negative, np.sqrt, np.sign, np.spacing]
PAIRS = [np.add, np.greater, np.logical_and, np.floor_divide, np.copysign]


def _same(compute: Any, *arguments: Any) -> None:
    """That a graph gives what Python gives, or both refuse; the last argument is what is written into."""

    def told(function: Any) -> Any:
        given = [each.copy() for each in arguments]
        try:
            result = function(*given)
        except TypeError:
            return TypeError
        return [(each.dtype.name, np.asarray(each).tolist()) for each in (result, given[-1])]

    assert told(ag.function(compute)) == told(compute)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")  # NumPy reads what stays, too
@pytest.mark.parametrize("casting", ["same_kind", "unsafe", "safe"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", UFUNCS + PAIRS, ids=lambda each: each.__name__)
def test_elements_that_a_mask_leaves_out_stay_what_they_are(ufunc: Any, dtype: str, casting: Any) -> None:
    mask = np.array([True, False, False, True])

    def compute(x: Any, out: Any) -> Any:
        operands = (x,) if ufunc.nin == 1 else (x, x[::-1])
        return ufunc(*operands, out=out, where=mask, casting=casting)

    _same(compute, np.array([1.5, 2.0, 4.0, 0.25]), np.array([7, 2.5, 5, 1]).astype(dtype))


@pytest.mark.parametrize(
    "mask", [np.array([1, 0, 1]), [1, 0, 1], 0, 1.5, None, np.int64(0), np.ones(3)], ids=repr
)
@pytest.mark.parametrize(
    "function",
    [
        lambda x, mask, out: np.add(x, 1, out=out, where=mask),
        lambda x, mask, out: np.add.reduce(x, out=out[:1].reshape(()), where=mask),
        lambda x, mask, out: np.add(out, np.sum(x, where=mask), out=out),
        lambda x, mask, out: np.copyto(out, x, where=mask) or out,
    ],
)
def test_a_mask_is_an_array_of_truth_values_or_the_truth_of_numbers(function: Any, mask: Any) -> None:
    _same(lambda x, out: function(x, mask, out), np.array([1.0, 2.0, 4.0]), np.zeros(3))


def test_functions_of_matrices_take_no_mask() -> None:
    x = np.ones((2, 2))
    _same(lambda x, out: np.matmul(x, x, out=out, where=True), x, x)


SUMS = {
    "sum": lambda x, out: np.sum(x, axis=0, out=out),
    "the ufunc": lambda x, out: np.add.reduce(x, out=out),
    "the method": lambda x, out: x.sum(0, out=out),
    "by position": lambda x, out: np.sum(x, 0, None, out),
    "prod": lambda x, out: np.prod(x, axis=0, out=out),
    "mean": lambda x, out: np.mean(x, axis=0, out=out),
    "nansum": lambda x, out: np.nansum(x, axis=0, out=out),
    "cumsum": lambda x, out: np.cumsum(x[:, 0], out=out),
    "accumulate": lambda x, out: np.multiply.accumulate(x[:, 0], out=out),
    "max": lambda x, out: np.max(x, axis=0, out=out),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("of", ["float64", "float32", "int64", "int8"])
@pytest.mark.parametrize("function", SUMS)
def test_sums_are_computed_in_the_dtype_that_they_are_written_into(
    function: str, of: str, dtype: str
) -> None:
    x = np.array([[100.1, 0.7], [99.9, 1 / 3]]).astype(of)
    _same(SUMS[function], x, np.zeros(2, dtype))


ADDED = ["sum", "the ufunc", "the method", "by position", "prod", "nansum", "cumsum", "accumulate"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint16"])
@pytest.mark.parametrize("of", ["float64", "float32", "int64", "int8", "bool"])
@pytest.mark.parametrize("function", ADDED)
def test_what_is_written_into_counts_as_an_operand_of_a_sum(function: str, of: str, dtype: str) -> None:
    x = np.round(np.random.default_rng(0).random((40, 2)) * 3 - 1, 2).astype(of)
    length = 40 if function in {"cumsum", "accumulate"} else 2
    _same(SUMS[function], x, np.zeros(length, dtype))


@pytest.mark.parametrize("function", ["sum", "the ufunc", "the method", "prod", "nansum"])
def test_a_sum_may_be_kept_as_a_truth_value(function: str) -> None:
    _same(SUMS[function], np.array([[1.5, 0.0], [-1.5, 0.0]]), np.zeros(2, bool))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, out: np.take(x, np.array([0, 1]), out=out),
        lambda x, out: np.round(x, 1, out=out),
        lambda x, out: np.ptp(x, axis=0, out=out),
        lambda x, out: np.std(x, axis=0, out=out),
        lambda x, out: np.dot(x, x[0], out=out),
    ],
)
def test_what_numpy_computes_in_steps_is_refused(function: Any) -> None:
    with pytest.raises(
        TypeError, match=r"(?s)float32, and its `out=` is an array of float64.*`out\[\.\.\.\] = np"
    ):
        ag.function(function)(np.ones((2, 2), np.float32), np.zeros(2))


def test_what_is_written_into_is_what_is_returned() -> None:
    def summed(x: Any, out: Any) -> Any:
        result = np.cumsum(x, 0, None, out)
        result[0] = 9.0
        return out, result is out

    ag.check(summed, np.array([1.0, 2.0]), np.zeros(2))
