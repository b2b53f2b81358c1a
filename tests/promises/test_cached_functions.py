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
