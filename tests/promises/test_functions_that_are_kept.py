"""Functions that a call makes: those that are kept are the user's own, with values in them."""

import functools
import operator

import numpy as np
import pytest

import autograph as ag
from runtime.core.tensor import Tensor

HOOKS = []
V = np.float64(2.0)
CALLS = [(np.float64(4.0), np.int64(2)), (np.float64(-1.0), np.int64(0))]


def check(f):
    ag.check(f, V, np.int64(1), then=CALLS)


@pytest.fixture
def hooks():
    HOOKS.clear()
    yield HOOKS
    HOOKS.clear()


def made(v, n):
    k = v * 2
    HOOKS.append(lambda: k)
    HOOKS.append(lambda k=k: k + 1)
    HOOKS.extend([lambda: -k, lambda: k + n])  # on one line

    def peek(*, by=k):
        """Shows it."""
        return by + k if k < 3 else peek

    peek.extra = k
    count = 0

    def up():
        nonlocal count
        count += v
        return count

    return peek, up, lambda: count


def test_kept_functions_are_as_in_python(hooks):
    check(made)


def test_they_hold_no_tensors_of_the_graph_and_no_code_of_ours(hooks):
    peek, up, count = ag.function(made)(V, np.int64(1))
    assert [float(hook()) for hook in hooks] == [4.0, 5.0, -4.0, 5.0]
    assert (float(up()), float(up()), float(count())) == (2.0, 4.0, 4.0)
    assert isinstance(peek.extra, Tensor)
    assert peek.__doc__ == "Shows it."
    assert peek() is peek
    assert {name for hook in hooks for name in hook.__code__.co_freevars} == {"k", "n"}


def test_each_call_makes_its_own(hooks):
    traced = ag.function(lambda v: HOOKS.append(lambda by=v: by))
    for number in (1.0, 2.0):
        traced(np.float64(number))
    assert [float(hook()) for hook in hooks] == [1.0, 2.0]


def add(a, b, scale=1.0):
    return (a + b) * scale


def test_a_partial_that_statements_choose():
    def f(v, n):
        chosen = functools.partial(operator.add if v > 1 else operator.mul, v)
        scaled = functools.partial(add, v, scale=n)
        for i in range(n):
            scaled = functools.partial(add, v + i, scale=n) if i < 1 else functools.partial(add, v)
        return chosen(n), scaled(n)

    check(f)


def test_a_partial_of_a_callee_that_leaves_a_branch():
    def f(v, n):
        def part(v):
            return functools.partial(add, v) if n > 1 else functools.partial(add, 2.0)

        chosen = part(v)
        if v > 1:
            chosen = part(v + 1)
        return chosen(n)

    check(f)


def test_partials_among_arguments_and_results():
    def f(step, v):
        return step(v), step

    first, second = functools.partial(add, np.float64(1.0)), functools.partial(add, np.float64(2.0), scale=V)
    ag.check(f, first, V, then=[(second, V)])
