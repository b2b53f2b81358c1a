"""Exceptions of Python's own, and refusals: what has happened by then, and what has not."""

from collections import deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

HISTORY = [1.0]
X, V = np.array([1.0, 2.0, 3.0]), np.float64(3.0)
CALLS = [(X, np.int64(3), V), (X, np.int64(7), V)]


# ── where a tensor decides whether Python gets there ──


def the_greatest_of_an_empty_deque(x, n, v):
    queue = deque([1.0])
    queue.clear()
    if n > 5:
        queue.append(max(queue))
    return v


def caught_before_it_is_reached(x, n, v):
    k, queue = 0, deque()
    try:
        if n < 5:
            raise ValueError
        k = min(queue)
    except ValueError:
        k += 1
    return k


@pytest.mark.parametrize("program", [the_greatest_of_an_empty_deque, caught_before_it_is_reached])
def test_a_builtin_raises_when_the_graph_gets_there(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


# ── where every call ends by it ──


def written_to(x, v, out):
    out += v
    raise ValueError("no")


def written_to_before_an_index_is_out_of_range(x, v, out):
    out[0] = v
    return X[:0].tolist()[1]


def written_to_before_a_variable_has_no_value(x, v, out):
    out[1] = 5.0

    def inside():
        x += v  # noqa: F823  # it has no value: that is what is tested

    inside()


@pytest.mark.parametrize(
    "program",
    [written_to, written_to_before_an_index_is_out_of_range, written_to_before_a_variable_has_no_value],
)
def test_an_argument_is_written_to_before_the_exception(program):
    ag.check(program, X, V, np.zeros(3))


# ── refusals ──


def test_a_list_outside_is_as_it_was_where_the_program_is_refused():
    def f(x, n, v):
        HISTORY.append(2.0)
        nest = (v,)
        for _ in range(n):
            nest = (nest, v)
        return nest

    with pytest.raises(StateDisagrees, match="structure"):
        ag.check(f, *CALLS[0])
    assert HISTORY == [1.0]
