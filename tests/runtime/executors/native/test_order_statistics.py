"""Medians and quantiles of a few elements are machine code, with NumPy's bits."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def middle(x, n):
    total = 0.0
    for _ in range(n):
        total = total + np.median(x)
    return total


def third(x, n):
    total = 0.0
    for turn in range(n):
        total = total + np.quantile(x, 0.3 * turn)
    return total


def ninetieth(x, n):
    total = 0.0
    for _ in range(n):
        total = total + np.percentile(x, 90)
    return total


def of_columns(x, n):
    total = np.zeros(x.shape[1])
    for _ in range(n):
        total += np.median(x, axis=0)
    return total


def of_rows(x, n):
    total = np.zeros((x.shape[0], 1))
    for _ in range(n):
        total += np.median(x, axis=1, keepdims=True)
    return total


def quartiles(x, n):
    total = np.zeros((3, x.shape[0]))
    for _ in range(n):
        total += np.percentile(x, [25, 50, 75], axis=1)
    return total


def numbers(random, turn):
    x = random.normal(size=(random.integers(1, 6), random.integers(1, 9))) * 10
    if turn % 3 == 0:
        x = np.round(x)
    if turn % 5 == 0:
        x.flat[0] = np.nan
    if turn % 7 == 0:
        x.flat[-1] = np.inf
    if turn % 9 == 0:
        x.flat[0], x.flat[-1] = -0.0, 0.0
    return x


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("function", [middle, third, ninetieth, of_columns, of_rows, quartiles])
def test_a_median_and_a_quantile_have_numpys_bits(function, dtype):
    specs = rt.TensorSpec((None, None), dtype), rt.TensorSpec((), "int64")
    graph, random = ag.function(function, input_signature=specs), np.random.default_rng(1)
    for turn in range(40):
        x = numbers(random, turn).astype(dtype)
        with np.errstate(all="ignore"):
            found, expected = np.asarray(graph(x, np.int64(3))), np.asarray(function(x, 3))
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected, equal_nan=True)
        assert np.array_equal(np.signbit(found), np.signbit(expected)) or np.isnan(expected).any()
    if dtype == "float64" or function in {middle, of_columns, of_rows}:
        assert graph.concrete_functions[0].report().executor == "native"


def filtered(x, width):
    kept = np.empty_like(x)
    for i in range(len(x)):
        kept[i] = np.median(x[max(0, i - width) : i + width + 1])
    return kept


def test_a_filter_of_medians_does_not_stay_on_numpy():
    graph, x = ag.function(filtered), np.random.default_rng(0).normal(size=40)
    assert np.array_equal(graph(x, rt.asarray(2)), filtered(x, 2))
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("shape", [(40, 40), (0, 3)])
def test_of_many_elements_or_none_numpy_is_asked(shape):
    specs = rt.TensorSpec((None, None), "float64"), rt.TensorSpec((), "int64")
    graph, x = ag.function(middle, input_signature=specs), np.ones(shape)
    np.testing.assert_array_equal(graph(x, np.int64(2)), middle(x, 2))


def test_a_part_that_is_none_is_refused_as_by_numpy():
    graph = ag.function(third)
    for run in (graph, third):
        with pytest.raises(ValueError, match="range"):
            run(np.ones(4), np.int64(9))
