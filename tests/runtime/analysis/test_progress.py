"""How many turns loops have that move several numbers, whichever way a turn takes."""

import numpy as np
import pytest

import autograph as ag
from runtime.analysis.ranges import Ranges

X, Y = np.sort(np.random.default_rng(3).integers(0, 99, 30)), np.arange(0, 80, 2)


def loops_of(program, *arguments):
    """What is known of how many turns the loops of a program have."""
    graph = ag.function(program).get_concrete_function(*arguments).optimised_graph
    ranges = Ranges(graph)
    return [
        ranges.most_turns(node)
        for each in graph.walk()
        for node in each.nodes
        if any(region.runs.repeatedly for region in node.op.regions)
    ]


def common(x, y):
    i, j, count, turns = 0, 0, 0, 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            i += 1
        elif x[i] > y[j]:
            j += 1
        else:
            i, j, count = i + 1, j + 1, count + 1
        turns += 1
    return count, turns


def sorted_flags(x, y):
    low, middle, high, turns = 0, 0, len(x) - 1, 0
    while middle <= high:
        if x[middle] < 30:
            low, middle = low + 1, middle + 1
        elif x[middle] < 60:
            middle += 1
        else:
            high -= 1
        turns += 1
    return low, turns


def from_both_ends(x, y):
    i, j, turns = 0, len(x) - 1, 0
    while i <= j:
        while x[i] < 50 and i < j:
            i += 1
        while x[j] > 50 and j > i:
            j -= 1
        i, j, turns = i + 1, j - 1, turns + 1
    return i, turns


def place_of(x, y):
    low, high, turns = 0, len(x), 0
    while low < high:
        middle = (low + high) // 2
        if x[middle] < y[7]:
            low = middle + 1
        else:
            high = middle
        turns += 1
    return low, turns


def place_between(x, y):
    low, high, turns = 0, len(x), 0
    while high - low > 1:
        middle = low + (high - low) // 2
        if x[middle] <= y[7]:
            low = middle
        else:
            high = middle
        turns += 1
    return low, turns


def found(x, y):
    low, high, turns, place = 0, len(x) - 1, 0, -1
    while low <= high:
        middle = (low + high) // 2
        turns += 1
        if x[middle] == y[9]:
            place = middle
            break
        if x[middle] < y[9]:
            low = middle + 1
        else:
            high = middle - 1
    return place, turns


BOUND = [(common, 70), (sorted_flags, 31), (from_both_ends, 31), (place_of, 7), (found, 7)]


@pytest.mark.parametrize(("program", "most"), BOUND)
def test_loops_that_move_several_numbers_have_no_more_turns_than_these_have_places(program, most):
    known = [each for each in loops_of(program, X, Y) if each is not None]
    assert known
    assert max(known) <= most
    rng = np.random.default_rng(5)
    graph = ag.function(program)
    for _ in range(20):
        x, y = np.sort(rng.integers(0, 99, len(X))), np.sort(rng.integers(0, 99, len(Y)))
        result, turns = program(x, y)
        assert tuple(map(int, graph(x, y))) == (result, turns)
        assert turns <= most


def may_stay(x, y):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < y[7]:
            low = middle
        else:
            high = middle
    return low


def may_stand_still(x, y):
    i, j = 0, 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            i += 1
        elif x[i] > y[j]:
            j += 1
    return i, j


def goes_back(x, y):
    i, j = 0, 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            i += 1
        else:
            i, j = i - j, j + 1
    return i, j


def moves_apart(x, y):
    i, j = 0, 5
    while i <= j:
        if x[i] < y[j]:
            i += 1
        else:
            j += 2
    return i, j


@pytest.mark.parametrize("program", [may_stay, may_stand_still, goes_back, moves_apart])
def test_loops_that_may_go_on_for_ever_have_any_number_of_turns(program):
    assert None in loops_of(program, X, Y)


def test_a_bound_that_comes_in_says_nothing():
    def counted(x, n, m):
        i, j = 0, 0
        while i < n and j < m:
            if x[i % 30] < x[j % 30]:
                i += 1
            else:
                j += 1
        return i, j

    assert None in loops_of(counted, X, np.int64(3), np.int64(4))
