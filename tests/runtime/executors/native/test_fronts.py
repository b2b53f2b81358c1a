"""Indices that a test has found not to be negative do not count from the end; all others do."""

import numpy as np
import pytest

import autograph as ag

X = np.arange(30.0) ** 2 % 11


def filtered(x, taps):
    y = np.zeros(len(x))
    for i in range(len(x)):
        total = 0.0
        for j in range(len(taps)):
            if i - j >= 0:
                total += taps[j] * x[i - j]
        y[i] = total
    return y


def wrapped(x, taps):
    y = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(taps)):
            if i - j < 0:
                y[i] += taps[j] * x[i - j]
            else:
                y[i] -= taps[j] * x[i - j]
    return y


def behind_the_test(x, taps):
    total = 0.0
    for i in range(len(x)):
        k = i - 5
        if k >= 0:
            total += x[k]
            k = k - 7
            total -= x[k]
        total += x[k] * 0.5
    return total


def of_two_numbers(x, taps):
    total = 0.0
    for i in range(len(x)):
        for j in range(len(taps)):
            if i - j >= 0 and 2 * j - i > -1 and x[2 * j - i] > 1.0:
                total += x[i - j] * x[2 * j - i]
            else:
                total += x[i - j - 1]
    return total


def of_the_turn_before(x, taps):
    total, k = 0.0, 3
    for i in range(len(x)):
        is_natural = k >= 0
        k = k - 1 if k > -20 else 10
        if is_natural:
            total += x[k]
    return total


PROGRAMS = [filtered, wrapped, behind_the_test, of_two_numbers, of_the_turn_before]


@pytest.mark.parametrize("program", PROGRAMS)
def test_indices_count_from_where_they_count_in_python(program):
    taps = np.linspace(0.5, 1.5, 20)
    ag.check(program, X, taps, then=[(X[::-1].copy(), taps)], executors=["native", "numpy"])


def test_a_filter_reads_what_lies_next_to_one_another():
    concrete = ag.function(filtered).get_concrete_function(X, np.ones(20))
    assert "select" not in concrete.program.source()


def test_where_the_test_says_otherwise_an_index_counts_from_the_end():
    concrete = ag.function(wrapped).get_concrete_function(X, np.ones(20))
    source = concrete.program.source()
    assert source.count("select((") >= 1
