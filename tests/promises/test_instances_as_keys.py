"""Instances as keys, and in sets, of which only the run knows which are there; equality of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Task:
    def __init__(self, name: str, cost: float) -> None:
        self.name = name
        self.cost = cost
        self.tries = 0

    def __repr__(self) -> str:
        return f"Task({self.name})"


class Named(Task):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True)
class Point:
    x: float
    y: int = 0


@dataclass
class Unhashable:
    x: float


def tasks(kind: type[Task]) -> list[Task]:
    return [kind("a", 1.0), kind("b", 2.0), kind("a", 3.0), kind("d", 2.5)]


def a_set(given, k):
    dear = set()
    for task in given:
        if task.cost > k:
            dear.add(task)
    return dear, len(dear), given[0] in dear, given[3] in dear


def what_is_left_of_a_set(given, k):
    left = set(given)
    for task in given:
        if task.cost > k:
            left.discard(task)
    return left


def keys(given, k):
    cost = {}
    for task in given:
        if task.cost > k:
            cost[task] = task.cost * k
    return cost, len(cost), given[1] in cost, cost.get(given[0], 0.0), list(cost)


def counts(given, k):
    found: dict[Any, Any] = {}
    turn = 0
    while turn < k:
        task = given[turn * turn % 4]
        found[task] = found.get(task, 0) + 1
        turn += 1
    return found


def once_each(given, k):
    seen, found, turn = set(), [], 0
    while turn < k + 2:
        task = given[turn % 3]
        turn += 1
        if task in seen:
            continue
        seen.add(task)
        task.tries += 1
        found.append(task)
    return found


PROGRAMS = [a_set, what_is_left_of_a_set, keys, counts, once_each]
THEN = [np.float64(0.5), np.float64(2.2), np.float64(9.0)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_instances_are_told_apart_by_which_they_are(program):
    given = tasks(Task)
    ag.check(program, given, np.float64(1.5), then=[(given, k) for k in THEN])


@pytest.mark.parametrize("program", PROGRAMS)
def test_instances_say_themselves_which_are_equal(program):
    given = tasks(Named)
    ag.check(program, given, np.float64(1.5), then=[(given, k) for k in THEN])


def test_a_set_in_an_attribute_keeps_what_it_had():
    class Log:
        def __init__(self) -> None:
            self.tasks, self.seen, self.by = tasks(Task), set[Task](), dict[Task, float]()

        def note(self, k):
            for task in self.tasks:
                if task.cost > k:
                    self.seen.add(task)
                    self.by[task] = task.cost
            return len(self.seen), len(self.by)

    ag.check(Log().note, np.float64(2.2), then=[(np.float64(1.5),), (np.float64(9.0),)])


def points_in_a_set(k, v):
    seen = set()
    for i in range(k):
        seen.add(Point(v, i % 2))
    return len(seen), Point(v, 0) in seen, Point(v, 5) in seen, seen


def points_as_keys(k, v):
    last = {}
    for i in range(k):
        last[Point(v, i % 2)] = i
    return last, last[Point(v, 0)], last.get(Point(v, 3), -1)


def a_search(k, v):
    seen, queue, n = set(), [Point(0.0)], 0
    while queue:
        point = queue.pop(0)
        if point in seen:
            continue
        seen.add(point)
        n += 1
        if n < k:
            queue.append(Point(point.x + 1, point.y))
            queue.append(Point(point.x, point.y + 1))
    return n, len(seen)


def remembered(k, v):
    memo = {}

    def value(point):
        if point in memo:
            return memo[point]
        found = point.x + point.y if point.y < 1 else value(Point(point.x, point.y - 1)) * 2
        memo[point] = found
        return found

    return value(Point(v, k)), len(memo)


def points_written_out(k, v):
    known = {Point(1.0, 1): 5, Point(v, 2): 6}
    return known[Point(1.0, 1)], Point(1.5, 2) in known, len({Point(v, k), Point(1.5, 3)})


@pytest.mark.parametrize(
    "program", [points_in_a_set, points_as_keys, a_search, remembered, points_written_out]
)
def test_what_a_frozen_dataclass_equals_shows_in_the_run(program):
    then = [(np.int64(1), np.float64(0.5)), (np.int64(5), np.float64(2.0))]
    ag.check(program, np.int64(3), np.float64(1.5), then=then)


def test_what_has_no_hash_has_none_in_a_graph():
    def program(x):
        return {Unhashable(x)}

    ag.check(program, 1.5)
    with pytest.raises(TypeError, match="unhashable type: 'Unhashable'"):
        ag.function(program)(1.5)


POINTS = [Point(1.0, 1), Point(3.0, 2)]


@pytest.mark.parametrize(
    "program",
    [
        lambda v: (POINTS[0] if v > 1 else POINTS[1]) is POINTS[0],
        lambda v: [point for point in POINTS if point.x > v].pop() is POINTS[1],
    ],
)
def test_which_frozen_dataclass_it_is_nobody_knows(program):
    with pytest.raises(StateDisagrees, match="Point"):
        ag.function(program)(np.float64(1.5))


def test_frozen_dataclasses_are_chosen_and_sorted():
    def program(v):
        dear = [point for point in POINTS if point.x > v]
        best = max(dear, key=lambda point: point.x, default=None)
        return dear, best, POINTS[0] if v > 1 else POINTS[1]

    ag.check(program, np.float64(1.5), then=[(np.float64(0.5),), (np.float64(9.0),)])


# ── which object it is, where a statement has left one of several ──


class Place:
    def __init__(self, cost, before=None):
        self.cost = cost
        self.before = before


WHICH = [(np.float64(v), np.int64(k)) for v, k in [(1.5, 2), (-2.0, 0), (3.0, 0), (-2.0, 3)]]


def one_of_two(v):
    first, second = Place(v), Place(2.0)
    return first, second, first if v > 0 else second


def equal_to_itself_alone(v, k):
    first, second = Place(v), Place(2.0)
    found = None
    if k > 1:
        found = first
    elif v > 0:
        found = second
    return found == first, found != second, first == found, (found, 1) == (first, 1), [found] == [first]


def found_in_a_loop(v, k):
    first, second = Place(v), Place(2.0)
    found = None
    for i in range(4):
        if i > k:
            found = first
        elif v < 0:
            found = second
    return found == first


def by_id_and_by_hash(v, k):
    first, second, found = one_of_two(v)
    return id(found) == id(first), hash(found) == hash(second)


def keys_of_dicts(v, k):
    first, second, found = one_of_two(v)
    costs = {first: 1.0, second: 2.0}
    costs[found] += 5.0
    alone = {found: 1.0}
    return costs[first], costs[second], alone.get(first, 0.0), costs.pop(found), len(costs), first in costs


def keys_in_sets(v, k):
    first, second, found = one_of_two(v)
    seen = set()
    seen.add(found)
    seen.add(first)
    return len(seen), second in seen, len({found, first}), len({(found, 1), (first, 1)})


def keys_of_comprehensions_and_calls(v, k):
    first, _, found = one_of_two(v)
    both = [found, first]
    return (
        len({each: 1 for each in both}),
        len({each for each in both}),
        len(set(both)),
        len(dict.fromkeys(both)),
    )


def objects_that_a_loop_makes_as_keys(v, k):
    head = None
    for i in range(k):
        head = Place(i * v, head)
    seen, costs = set(), {}
    place = head
    while place is not None:
        if place.cost > 1:
            seen.add(place)
        costs[place] = place.cost * 2
        place = place.before
    total, place = 0.0, head
    while place is not None:
        if place in seen:
            total += costs[place]
        place = place.before
    return total, len(seen), len(costs)


@pytest.mark.parametrize(
    "program",
    [
        equal_to_itself_alone,
        found_in_a_loop,
        by_id_and_by_hash,
        keys_of_dicts,
        keys_in_sets,
        keys_of_comprehensions_and_calls,
        objects_that_a_loop_makes_as_keys,
    ],
)
def test_an_object_that_a_path_leaves_is_the_one_that_it_was(program):
    ag.check(program, *WHICH[0], then=WHICH[1:])
