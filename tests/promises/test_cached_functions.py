"""Functions that `functools` remembers: with values of the graph they compute, unless that would be seen."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError
from tests.promises.kit import function_of

CATCHES = """
import functools
@functools.lru_cache
def share(n):
    try:
        if n == 0:
            raise ValueError("nobody is there")
        return 10 // n
    except ValueError:
        return -1
def f(n):
    return share(n) + share(n)
"""


def test_a_cached_function_may_catch_what_it_raises():
    ag.check(function_of(CATCHES), np.int64(0), then=[(np.int64(3),)])


def test_a_cached_function_that_changes_something_is_refused():
    program = """
import functools
calls = 0
@functools.lru_cache(None)
def g(x):
    global calls
    calls += 1
    return x
def f(n):
    return g(n) + g(n), calls
"""
    with pytest.raises(GraphError, match="the cached function"):
        ag.function(function_of(program))(np.int64(3))


MADE_INSIDE = """
import functools
def f(x):
    @functools.cache
    def times(k):
        {first}
        return k * x
    y = 0.0
    if x > 0:
        y = times(1)
    return y + times(1)
"""


def test_what_a_cache_keeps_of_a_branch_is_not_given_to_those_after_it():
    program = function_of(MADE_INSIDE.format(first="pass"))
    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),), (np.float64(2.0),)])


def test_a_cached_function_that_prints_in_a_branch_alone_is_refused():
    with pytest.raises(GraphError, match="the cached function times"):
        ag.function(function_of(MADE_INSIDE.format(first="print(k)")))(np.float64(1.0))


def test_what_a_cache_keeps_of_a_turn_is_not_given_to_the_next():
    program = """
import functools
def f(xs):
    @functools.cache
    def twice(k):
        return 2 * xs[k]
    y = 0.0
    for x in xs:
        if x > 0:
            y += twice(1)
        y += twice(0)
    return y + twice(1)
"""
    ag.check(function_of(program), np.array([1.0, -2.0, 3.0]), then=[(np.array([-1.0, -2.0, 3.0]),)])


def test_a_cached_function_made_inside_may_call_itself_where_an_array_decides():
    program = """
import functools
def f(a, b):
    @functools.lru_cache(maxsize=None)
    def common(i, j):
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + common(i + 1, j + 1)
        return max(common(i + 1, j), common(i, j + 1))
    return common(0, 0)
"""
    ag.check(function_of(program), np.array([1, 2, 3]), np.array([2, 3, 4]))


def test_where_no_tensor_decides_a_cached_function_is_called_once():
    program = """
import functools
def f(x):
    @functools.cache
    def times(k):
        print("times", k)
        return k * x
    return sum(times(k % 3) for k in range(6))
"""
    ag.check(function_of(program), np.float64(2.0))


def test_a_value_of_the_graph_may_be_an_argument_by_name():
    program = """
import functools
@functools.lru_cache
def half(n, by=2):
    return n // by
def f(n):
    return half(n=n) + half(7, by=n)
"""
    ag.check(function_of(program), np.int64(4), then=[(np.int64(3),)])
