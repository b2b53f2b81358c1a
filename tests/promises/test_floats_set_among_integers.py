"""A number that is set among integers becomes one of them, or is refused, as NumPy says."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

KEYS = {
    "number": "x[0] = v",
    "of_the_run": "x[k] = v",
    "slice": "x[:1] = v",
    "ellipsis": "x[...] = v",
    "list": "x[[0]] = v",
    "mask": "x[x > 1] = v",
    "python": "x[0] = float(v)",
    "array": "x[0] = np.asarray(v)",
    "in_place": "x[0] += v",
    "fill": "x.fill(v)",
    "in_a_row": "x[:1] = [v]",
    "in_a_row_of_a_list": "x[[0]] = (v,)",
    "python_in_a_row": "x[:2] = [float(v), 1]",
}
PROGRAM = """
def f(x, k, v):
    try:
        {}
    except (OverflowError, ValueError) as error:
        return str(error)
    return "set"
"""


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint8], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("name", KEYS)
def test_a_float_among_integers(name, dtype):
    f = function_of(PROGRAM.format(KEYS[name]), "x, k, v")
    values = [np.float64(value) for value in (np.nan, np.inf, 1e30, 300.0, -1.5)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy's, where it casts
        calls = [(np.arange(3).astype(dtype), np.int64(1), value) for value in values]
        ag.check(f, *calls[0], then=calls[1:])


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64], ids=lambda dtype: dtype.__name__
)
@pytest.mark.parametrize("key", ["x[0] = v", "x[:1] = [v]", "x[:1] = [int(v)]", "x[0] = int(v)"])
def test_an_integer_among_narrower_ones(key, dtype):
    f = function_of(PROGRAM.format(key), "x, k, v")
    calls = [(np.zeros(3, dtype), np.int64(1), np.int64(value)) for value in (7, 300, -1, 2**40)]
    ag.check(f, *calls[0], then=calls[1:])
    if "int(" not in key:
        ag.check(f, np.zeros(3, dtype), np.int64(1), np.uint64(2**63 + 5), then=[])
