"""Python's `round` to decimals is machine code, and finds the decimal that is nearest."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.ops.rounding import MOST_DECIMALS, python_round


def tried(decimals):
    """Numbers near halves, near where floats have no more decimals, of every magnitude, and none."""
    random, power = np.random.default_rng(decimals), 10.0**decimals
    rows = [
        random.normal(size=1000) * 10 ** random.uniform(-3, 12, 1000),
        (random.integers(-(10**6), 10**6, 1000) * 2 + 1) / 2 / power,
        2.0**53 / power * (1 + random.uniform(-1e-3, 1e-3, 1000)),
        2.0**52 / power * (1 + random.uniform(-1e-15, 1e-15, 1000)),
        random.integers(0, 2**63, 1000, dtype=np.int64).view(np.float64),
        random.integers(0, 2**53, 1000) / 2.0 ** random.integers(0, 60, 1000),
        np.array([0.0, np.nan, np.inf, 5e-324, 1.7e308, 2.0**53, 2.0**53 - 1, 2.675, 1.005]),
    ]
    numbers = np.concatenate(rows)
    with np.errstate(invalid="ignore"):  # of bits that are no number some raise the flag
        return np.concatenate([numbers, -numbers, np.nextafter(numbers, 0)])


@pytest.mark.parametrize("decimals", [0, 1, 2, 5, 15, MOST_DECIMALS])
def test_every_number_is_rounded_as_python_rounds_it(decimals):
    numbers = tried(decimals)
    expected = np.array([round(number, decimals) for number in numbers.tolist()])
    for jit_compile in (True, False):
        graph = ag.function(lambda x: python_round(x, decimals), jit_compile=jit_compile)
        found = np.asarray(graph(rt.asarray(numbers)))
        assert np.array_equal(found, expected, equal_nan=True)
        assert np.array_equal(np.signbit(found), np.signbit(expected))


def interest(amount, years):
    for _ in range(years):
        amount = round(amount * 1.035, 2)
    return amount


def test_a_loop_that_rounds_money_does_not_stay_on_numpy():
    graph = ag.function(interest)
    for amount in (100.0, 2.675, 1e7, 1e18, -0.001, 7.25):
        assert float(graph(amount, rt.asarray(30))) == interest(amount, 30)
    assert graph.concrete_functions[-1].report().executor == "native"
