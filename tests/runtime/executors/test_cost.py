"""What it takes to optimise and to plan a graph grows as the graph does: calls are counted, not timed."""

import sys

import pytest

import runtime as rt
from runtime import ArraySpec
from runtime.executors.base import choose
from runtime.graph.module import Module
from runtime.passes.pipeline import optimise
from tests.runtime.executors.tracing import traced

VECTOR, NUMBER = ArraySpec((3,), rt.float64), ArraySpec((), rt.float64)


def straight(count):
    def f(x, y):
        for _ in range(count // 2):
            x = rt.sin(x * y)
        return x

    return traced(f, VECTOR, NUMBER)


def updates(count):
    def f(x, y):
        x = x + 1.0
        for k in range(count):
            x = x.at[k % 3].set(y)
        return x

    return traced(f, VECTOR, NUMBER)


def appends(count):
    def f(x):
        ta = rt.TensorArray(rt.float64, size=0, dynamic_size=True)
        for k in range(count):
            ta = ta.write(k, x)
        return ta.stack()

    return traced(f, NUMBER)


def nested(depth):
    def inner(x, depth):
        if not depth:
            return x
        return rt.cond(x > float(depth), lambda: inner(x + float(depth), depth - 1), lambda: x * 2.0)

    return traced(lambda x: inner(x, depth), NUMBER)


def looped(depth):
    def inner(x, depth):
        if not depth:
            return x + 1.0
        return rt.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, inner(x, depth - 1)), (0, x))[1]

    return traced(lambda x: inner(x, depth), NUMBER)


def calls(graph):
    """The calls of functions, of Python's and of C's, that it takes to optimise and to plan a graph."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(profile)
    try:
        choose("numpy").compile(optimise(Module(graph)))
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("make", "size", "most"),
    [(straight, 200, 350), (updates, 100, 350), (appends, 50, 800), (nested, 12, 3000), (looped, 6, 3000)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_twice_the_graph_takes_twice_the_calls(make, size, most):
    calls(make(size))  # what is found out once per process
    once, twice, four_times = calls(make(size)), calls(make(2 * size)), calls(make(4 * size))
    per_unit = (twice - once) / size
    assert per_unit < most
    assert four_times - twice < 2.1 * (twice - once)
