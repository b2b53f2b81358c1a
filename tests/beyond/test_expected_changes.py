"""What the text of a loop says that it changes, the loop carries from its first turn on."""

import heapq
from heapq import heappop, heappush

import numpy as np
import pytest

import autograph as ag
from autograph.backends.tensors.statements.loops import Loop

EDGES = np.array([[0, 1], [2, 3], [1, 3], [4, 5], [0, 2]])


class Forest:
    """Its lists are attributes, which methods change under that name."""

    def __init__(self, size):
        self.parent = list(range(size))
        self.log = [0]

    def find(self, item):
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def last(self, item):
        """The list is another one after a turn, so the name says nothing."""
        while item > 0:
            self.log = [item]
            self.log[0] = item + self.log[0]
            item = item - 1
        return self.log[0]


def roots(edges):
    forest = Forest(6)
    for one, other in edges:
        forest.parent[forest.find(one)] = forest.find(other)
    return [forest.find(item) for item in range(6)]


def last(item):
    return Forest(2).last(item)


@pytest.fixture
def begun_anew(monkeypatch):
    """The loops whose turn was traced once more, by their lines."""
    found = []
    stage = Loop.stage

    def noted(self):
        is_done = stage(self)
        found.extend([] if is_done else [self._location.line])
        return is_done

    monkeypatch.setattr(Loop, "stage", noted)
    return found


def test_a_list_that_is_an_attribute_is_carried_from_the_first_turn_on(begun_anew):
    assert [int(root) for root in ag.function(roots)(EDGES)] == roots(EDGES)
    assert Forest.find.__code__.co_firstlineno + 1 not in begun_anew


def test_an_attribute_that_turns_set_is_another_list():
    assert int(ag.function(last)(np.int64(4))) == last(4)


def counted(n):
    """The heap is handed to functions of a module, as its first argument."""
    heap, total = [(0, 1)], 0
    while heap:
        cost, place = heapq.heappop(heap)
        total += cost
        if place < n:
            heapq.heappush(heap, (cost + place, 2 * place))
    return total


def counted_by_names_of_its_own(n):
    heap, total = [0], 0
    while heap:
        place = heappop(heap)
        total += place
        if place < n:
            heappush(heap, 2 * place + 1)
    return total


def looked_at(n):
    """Nothing is handed to a function of Python's that changes it."""
    heap, total = [3, 1, 2], 0
    heappush = len
    while total < n:
        total += heappush(heap)
    return total, heap


@pytest.mark.parametrize("program", [counted, counted_by_names_of_its_own])
def test_what_functions_of_pythons_change_is_carried_from_the_first_turn_on(program, begun_anew):
    ag.check(program, np.int64(9), then=[(np.int64(0),)])
    assert not begun_anew


def test_what_a_function_only_looks_at_is_as_it_was():
    ag.check(looked_at, np.int64(7), then=[(np.int64(0),)])


def counted_by_another(n):
    """A function that turns call changes a variable of the function around."""
    count = 0

    def add(number):
        nonlocal count
        count += number

    def step(turns):
        i = 0
        while i < turns:
            add(i)
            i += 1

    step(n)
    step(n + 1)
    return count


def test_a_variable_of_a_function_around_is_carried_from_the_second_loop_on(begun_anew):
    assert int(ag.function(counted_by_another)(np.int64(4))) == counted_by_another(4)
    assert len(begun_anew) == 2  # the first loop learns that there is one, and then what it holds


def written_at_times(n, times):
    def note(numbers, number):
        numbers[0] += number

    def step(turns, numbers, is_noted):
        i = 0
        while i < turns:
            if is_noted:
                note(numbers, i)
            i += 1

    found = [0]
    for is_noted in times:
        step(n, found, is_noted)
    return found


def test_what_a_loop_has_left_alone_is_expected_when_it_has_changed_twice_more(begun_anew):
    times = (True, False, True, True, True, True)
    assert [int(each) for each in ag.function(written_at_times)(np.int64(4), times)] == [6 * 5]
    assert len(begun_anew) == 4
