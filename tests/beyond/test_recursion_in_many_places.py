"""Functions that call themselves in many places: what one trace has shown serves in all of them."""

from collections import Counter

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.functions import recursion
from runtime.functions.tracer import Tracer
from tests.beyond.kit import check


@pytest.fixture
def rounds(monkeypatch):
    """How often each function was traced as one of the graph."""
    counted = Counter()
    traced = Tracer._round

    def counting(self, opened, arguments):
        counted[self._options.name] += 1
        return traced(self, opened, arguments)

    monkeypatch.setattr(Tracer, "_round", counting)
    return counted


def tour(n, start):
    board = np.full((4, 4), -1)

    def step(x, y, number):
        board[x, y] = number
        if number == n * n - 1:
            return True
        for dx, dy in ((2, 1), (1, 2), (-1, 2), (-2, 1)):
            if 0 <= x + dx < n and 0 <= y + dy < n and board[x + dx, y + dy] == -1:
                if step(x + dx, y + dy, number + 1):
                    return True
        board[x, y] = -1
        return False

    return step(start, start, 0), board


def test_a_graph_that_writes_into_an_array_serves_in_all_places_that_call_it(rounds):
    found, board = ag.function(tour)(rt.asarray(3), rt.asarray(0))
    expected, plain = tour(3, 0)
    assert bool(found) == expected
    np.testing.assert_array_equal(board, plain)
    assert rounds["step"] < 20


def test_what_an_array_holds_that_is_only_read_is_read_anew_in_each_place():
    def f(n):
        limits, seen = np.zeros(3, dtype=int), np.zeros(3, dtype=int)

        def count(k):
            if k <= limits[0]:
                return k
            seen[k % 3] += 1
            return count(k - 1) + limits[1]

        first = count(n)
        limits[0] = n - 2
        limits[1] = n
        second = count(n)
        limits[1] = n + 1
        return first, second, count(n), seen

    check(f, 4)


def test_constants_that_an_array_holds_are_read_anew_in_each_place():
    def f(n):
        limits = np.zeros(2, dtype=int)
        limits[0] = n

        def count(k):
            return limits[0] if k <= 0 else count(k - 1) + limits[1]

        def deep(k):
            return n if k <= n - 2 else deep(k - 1) + limits[0] * 2

        limits[...] = 0
        first = count(n), deep(n)
        limits[...] = 1
        second = count(n), deep(n)
        limits[...] = 2
        return first, second, count(n), deep(n)

    check(f, 4)


def test_an_array_that_may_be_one_with_another_elsewhere_is_told_apart_there():
    def f(n, which):
        here, there = np.zeros(4), np.ones(4)
        other = there

        def fill(k):
            if k == 0:
                return other[0]
            here[k] += k
            here[0] = n
            return fill(k - 1) + other[1]

        first = fill(n)
        if which > 0:
            other = here
        return first, fill(n), here, there

    check(f, 3, 1)
    check(f, 3, -1)


def test_functions_that_call_each_other_are_right_in_every_round():
    def f(n):
        moves = []

        def move(k, source, target, spare):
            if k == 0:
                return
            move(k - 1, source, spare, target)
            moves.append((source, target))
            move(k - 1, spare, target, source)

        move(n, 0, 2, 1)
        return moves

    check(f, 3)
    check(f, 0)


def test_what_a_function_inside_has_learnt_is_no_more_than_a_guess_elsewhere():
    def f(x, n):
        scale = x

        def grow(k):
            if k == 0:
                return scale
            return grow(k - 1) + scale

        first = grow(n)
        scale = np.stack([x, x])
        second = grow(n)
        scale = x.sum()
        return first, second, grow(n)

    check(f, [1.0, 2.0], 3)


def test_each_call_looks_once_at_what_the_graph_has_before_it(monkeypatch):
    looks = Counter()
    original = recursion._raises

    def counted(graph):
        looks[graph.name] += 1
        return original(graph)

    monkeypatch.setattr(recursion, "_raises", counted)

    def best(weights, most):
        found, value = [], 0

        def visit(place, taken, total):
            nonlocal found, value
            if total <= most and total > value:
                value, found = total, taken
            if place < len(weights):
                visit(place + 1, [*taken, place], total + weights[place])
                visit(place + 1, taken, total)

        visit(0, [], 0)
        return value, found

    def counts(number):
        looks.clear()
        ag.function(best).get_concrete_function(np.arange(1, number + 1), np.int64(5))
        return looks.total()

    ag.check(best, np.array([3, 1, 4, 2]), np.int64(6))
    few, many = counts(4), counts(6)
    assert many < 8 * few  # four times the calls, half as deep again
