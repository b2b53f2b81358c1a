"""Medians and quantiles are machine code, with NumPy's bits."""

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


def of_many(x, n):
    total = np.zeros(5)
    for _ in range(n):
        total += np.percentile(x, [0, 2.5, 50, 97.5, 100])
    return total, np.median(x), np.median(x[1:]), np.quantile(x, 0.3)


MANY = np.random.default_rng(2)
ROWS = {
    "normal": MANY.normal(size=1000),
    "in order": np.arange(777.0),
    "backwards": np.arange(778.0)[::-1].copy(),
    "up and down": np.concatenate([np.arange(300.0), np.arange(300.0)[::-1]]),
    "few values": MANY.integers(0, 3, 500) - 0.0,
    "alike": np.ones(200),
    "zeros of both signs": np.where(np.arange(300) % 2 == 0, 0.0, -0.0),
    "infinite": np.repeat([np.inf, -np.inf, 1.0], 50),
    "none": np.append(MANY.normal(size=150), np.nan),
    "all none": np.full(90, np.nan),
    "two": np.array([2.0, 1.0]),
}


@pytest.mark.parametrize("name", ROWS)
def test_those_of_many_elements_have_numpys_bits(name):
    row = ROWS[name]
    specs = rt.TensorSpec((None,), "float64"), rt.TensorSpec((), "int64")
    with np.errstate(all="ignore"):
        wanted = np.concatenate(list(map(np.atleast_1d, of_many(row, 3))))
        for graph in (ag.function(of_many), ag.function(of_many, input_signature=specs)):
            found = np.concatenate(list(map(np.atleast_1d, graph(row, np.int64(3)))))
            assert np.array_equal(found, wanted, equal_nan=True)
            assert np.array_equal(np.signbit(found), np.signbit(wanted)) or np.isnan(wanted).any()
            assert graph.concrete_functions[0].report().executor == "native"


def bootstrap(x, count, seed):
    rng, means = np.random.default_rng(seed), np.empty(count)
    for i in range(count):
        means[i] = rng.choice(x, size=len(x)).mean()
    return np.percentile(means, [2.5, 97.5]), means.std()


def test_a_bootstrap_does_not_stay_on_numpy():
    graph, x = ag.function(bootstrap), MANY.normal(size=20)
    for seed in (0, 1):
        for one, other in zip(graph(x, 300, seed), bootstrap(x, 300, seed), strict=True):
            assert np.array_equal(one, other)
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("shape", [(300, 100), (0, 3)])
def test_of_many_elements_or_none_numpy_is_asked(shape):
    specs = rt.TensorSpec((None, None), "float64"), rt.TensorSpec((), "int64")
    graph, x = ag.function(middle, input_signature=specs), np.ones(shape)
    np.testing.assert_array_equal(graph(x, np.int64(2)), middle(x, 2))


def test_a_part_that_is_none_is_refused_as_by_numpy():
    graph = ag.function(third)
    for run in (graph, third):
        with pytest.raises(ValueError, match="range"):
            run(np.ones(4), np.int64(9))
