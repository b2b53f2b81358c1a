"""Floats that overflow: told at the line, also where integers count beside them."""

import warnings

import numpy as np
import pytest

import autograph as ag


def while_counts(n, x):
    i = 0
    while i < n:
        x = x * 1e308
        i += 1
    return x


def range_counts(n, x):
    total = 0
    for i in range(n):
        x = x * 1e308
        total += i
    return x, total


def wraps(n, x):
    return x + 1.0, n * n * n


def told(function, *arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize("executor", ["numpy", "auto"])
@pytest.mark.parametrize("program", [while_counts, range_counts])
def test_a_counter_does_not_keep_a_warning_of_floats_to_itself(program, executor):
    graph = ag.function(program, executor=None if executor == "auto" else executor)
    arguments = np.int64(5), np.float64(3.0)
    assert told(graph, *arguments) == told(program, *arguments) == ["overflow encountered in scalar multiply"]
    assert told(graph, np.int64(1), np.float64(1.0)) == []


def test_integers_that_wrap_around_still_do_so_in_silence():
    assert told(ag.function(wraps), np.int64(2**40), np.float64(1.0)) == []


def grows(n, x):
    return n * n * n, np.exp(np.float64(n)), x * 1e308


def powers_of(counts, x):
    found = np.zeros(len(counts))
    for i in range(len(counts)):
        found[i] = np.exp(counts[i] * 1000) * x
        print(counts[i] - 1)
    return found


@pytest.mark.parametrize("executor", ["numpy", "auto"])
def test_integers_that_may_wrap_around_do_not_keep_what_floats_say_to_themselves(executor, capsys):
    for program, arguments in [
        (grows, (np.int64(2000), np.float64(3.0))),
        (powers_of, (np.arange(3), np.float64(1.0))),
    ]:
        graph = ag.function(program, executor=None if executor == "auto" else executor)
        said = sorted(set(told(program, *arguments)))
        assert said
        assert sorted(set(told(graph, *arguments))) == said
    del capsys
