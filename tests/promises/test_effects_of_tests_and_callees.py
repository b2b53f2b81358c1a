"""Tests of loops happen as often as in Python, and what functions within functions change is seen."""

import random

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.int64(3),), (np.int64(0),), (np.int64(5),)]
generator = np.random.default_rng(3)


def told(k):
    print("asked", k)
    return k


def draws(n):
    k = 0
    while generator.random() < 0.7:
        k += 1
    return k + n, generator.random(), random.random()


def draws_if_needed(n):
    k = 0
    while n > k and generator.random() < 0.7:
        k += 1
    return k + n, generator.random()


def prints(n):
    k = 0
    while told(k) < n:
        if k == 2:
            break
        k += 1
    else:
        k = 100
    return k


def prints_in_a_loop(n):
    k = 0
    for i in range(n):
        while told(k) < i:
            k += 1
    return k


def by_a_function_in_a_branch(n):
    total = 0

    def act(k):
        if k > 0:

            def count():
                nonlocal total
                total += 1

            count()

    act(n)
    return total


def by_a_function_called_in_a_branch(n):
    total = 0

    def act(k):
        def count():
            nonlocal total
            total += 1

        for i in range(k):
            if i > 1:
                count()

    act(n)
    return total


def by_a_function_in_a_recursion(n):
    total = 0

    def act(k):
        def count():
            nonlocal total
            total += k

        if k > 0:
            count()
            act(k - 1)

    act(n)
    return total


@pytest.mark.parametrize("program", [draws, draws_if_needed, prints, prints_in_a_loop])
def test_a_test_of_a_loop_is_asked_as_often_as_python_asks_it(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    "program",
    [by_a_function_in_a_branch, by_a_function_called_in_a_branch, by_a_function_in_a_recursion],
)
def test_a_variable_of_a_function_further_out_is_changed(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_what_is_refused_leaves_a_list_outside_as_it_is():
    lines = "LAST.append(v)\n    table = {'a': 1}\n    if v > 0:\n        table[n] = 2\n    return v\n"
    f = function_of(f"def f(n, v):\n    {lines}", LAST=[1.0])
    graph = ag.function(f)
    for _ in range(2):
        with pytest.raises(StateDisagrees):
            graph(np.int64(0), np.float64(0.5))
        assert f.__globals__["LAST"] == [1.0]


def test_a_list_with_an_iterator_stays_what_it_is_where_no_path_replaces_it():
    lines = "if v > 1:\n        LAST = [v, iter('ab')]\n    return v\n"
    f = function_of(f"def f(n, v):\n    global LAST\n    {lines}", LAST=None)
    graph = ag.function(f)
    graph(np.int64(3), np.float64(2.0))
    last = f.__globals__["LAST"]
    for each in "ab":
        graph(np.int64(0), np.float64(0.5))
        assert f.__globals__["LAST"] is last
        assert next(last[1]) == each
