"""A `while` that Python decides and that only an exception ends is a loop of the graph."""

import heapq
import math

import numpy as np
import pytest

import autograph as ag
from autograph.converters import while_stmt
from runtime.errors import StateDisagrees, UnrollingWarning
from runtime.graph.graph import size_of


def test_a_loop_without_a_test_ends_where_a_turn_raises():
    def turns(x):
        n = 0
        try:
            while True:
                x = 10 // int(x) - 1
                n += 1
        except ZeroDivisionError:
            return n

    ag.check(turns, np.float64(2.0), then=[(np.float64(1.0),)])


def test_a_loop_that_takes_from_a_list_ends_where_it_is_empty():
    def total(values):
        stack = []
        for value in values:
            if value > 0:
                stack.append(value)
        found = 0.0
        try:
            while True:
                found += stack.pop()
        except IndexError:
            return found

    ag.check(total, np.arange(-3.0, 40.0))


def test_a_loop_with_large_turns_is_not_unrolled_first(monkeypatch):
    def drained(xs):
        heap, order = [], []
        for i, x in enumerate(xs):
            heapq.heappush(heap, (x, i))
        try:
            while True:
                order.append(heapq.heappop(heap)[1])
        except IndexError:
            return order

    xs = np.array([3.0, 1.0, 2.0, 1.0])
    ag.check(drained, xs, executors=["numpy"])
    few = ag.function(drained).get_concrete_function(xs).graph
    monkeypatch.setattr(while_stmt, "LARGE_TURN", 10**9)
    many = ag.function(drained).get_concrete_function(xs).graph
    assert size_of(few.nodes) * 3 < size_of(many.nodes)


def test_a_loop_with_a_count_of_pythons_ends_where_a_turn_raises():
    @ag.function
    def turns(x):
        n = 0
        try:
            while n < 10**9:
                x = math.sqrt(x * x * 0.999 - 0.0001)
                n += 1
        except ValueError:
            return n

    with pytest.warns(UnrollingWarning):
        count = turns(np.float64(9.0))
    assert int(count) == turns.__wrapped__(np.float64(9.0)) > 200


def test_the_exception_leaves_the_function_where_nobody_catches_it():
    def falls(x, seen):
        while True:
            seen[0] += 1
            x = math.sqrt(x) - 0.5

    ag.check(falls, np.float64(9.0), np.zeros(1))


def test_a_short_loop_of_pythons_is_unrolled_as_ever():
    @ag.function
    def power(x):
        n = 0
        while n < 5:
            x = math.sqrt(x)
            n += 1
        return x, n

    assert "StatelessWhile" not in power.get_concrete_function(np.float64(2.0)).graph.ops


def test_a_loop_without_end_whose_variables_change_their_kind_is_refused():
    @ag.function
    def grows(x):
        held = x
        while True:
            held = (held, math.sqrt(x))
            x = x - 1.0

    with pytest.raises(StateDisagrees):
        grows(np.float64(2.0))


def test_a_loop_that_cannot_go_on_in_the_graph_leaves_arrays_as_they_were():
    """What it tried to write to is an array of NumPy's again."""

    def written_late(x):
        out = np.zeros(2)
        turns, nested = 0, 0
        while turns < 205:
            turns += 1
            x = math.sqrt(x) + 1
            if turns > 200:
                out[1] = x
            nested = (nested,)  # of another structure in each turn
        return x, out

    ag.check(written_late, np.float64(3.0))
