"""What containers do by comparing: the classes of the items say how, as in Python."""

import bisect
import enum
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cmp_to_key, total_ordering
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.array([0.5, -2, 1.0, 0.5, -0.5])


class Descending:
    def __init__(self, a):
        self.a = a if a > 0 else -2 * a

    def __lt__(self, other):
        return self.a > other.a


class Labelled(Descending):
    def __lt__(self, other):
        return (type(self).__name__, self.a) < (type(other).__name__, other.a)


@total_ordering
class Size:
    def __init__(self, a):
        self.a = a

    def __lt__(self, other):
        return abs(self.a) < abs(other.a)

    def __eq__(self, other):
        return abs(self.a) == abs(other.a)


@dataclass(order=True)
class Job:
    priority: float
    name: float = field(compare=False)


@dataclass(eq=False)
class Point:
    v: float


class Pair(NamedTuple):
    a: float
    b: int


class Backwards(NamedTuple):
    a: float
    b: int

    def __lt__(self, other):
        return self.a > other.a


@total_ordering
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3

    def __lt__(self, other):
        return self.value > other.value


def sorts_objects(x):
    found = [Descending(v) for v in x]
    found.sort(reverse=True)
    return [each.a for each in sorted([Descending(v) for v in x])], [each.a for each in found]


def sorts_a_list_that_grows(x):
    found = [Descending(v) for v in x if v > -1]
    return [each.a for each in sorted(found)], max(found).a, min(found).a


def sorts_objects_of_two_classes(x):
    found = [Descending(v) if v > 0.7 else Labelled(v) for v in x]
    return [type(each).__name__ for each in sorted(found[:2])]


def sorts_objects_inside_of_tuples(x):
    return [each.a for each, _ in sorted([(Descending(v), 1) for v in x])]


def sorts_by_keys_that_compare(x):
    return sorted(x, key=Descending), max(x, key=Descending), min(x, key=Descending)


def sorts_by_a_function_of_two(x):
    def compare(p, q):
        return (p < q) - (p > q)

    some = [v for v in x if v > -1]
    some.sort(key=cmp_to_key(compare))
    return sorted(x, key=cmp_to_key(compare)), some


def sorts_by_some_fields(x):
    jobs = [Job(v, i * 1.0) for i, v in enumerate(x) if v > -1]
    jobs.sort()
    return [job.name for job in jobs], max(jobs).name, min(jobs).name, jobs.index(Job(x[2], 7.0))


def queues_by_some_fields(x):
    queue: list[Job] = []
    for i, v in enumerate(x):
        heapq.heappush(queue, Job(v, i * 1.0))
    return [heapq.heappop(queue).name for _ in range(len(x))]


def inserts_in_order(x):
    found: list[Descending] = []
    for v in x:
        bisect.insort(found, Descending(v))
    return [each.a for each in found]


def sorts_named_tuples(x):
    pairs = [Pair(v, i) for i, v in enumerate(x)]
    others = [Backwards(v, i) for i, v in enumerate(x) if v > -1]
    return sorted(pairs), max(pairs), sorted(others), max(others), min(others)


def sorts_members_of_an_enum(x):
    found = [Colour.RED if v > 0 else Colour.BLUE if v > -1 else Colour.GREEN for v in x]
    return sorted(found), max(found), min(found), found[0] < found[1]


def sorts_what_has_no_order(x):
    return sorted([{"a": v} for v in x if v > -1])


def compares_named_tuples(x):
    best = Pair(x[0], 0)
    for i, v in enumerate(x):
        if Pair(v, i) > best:
            best = Pair(v, i)
    return best, best == (x[2], 2), best != Pair(x[0], 0), (Pair(x[0], 1),) < (Pair(x[0], 2),)


def looks_for_equal_objects(x):
    found = [Size(v) for v in x]
    return Size(-x[0]) in found, found.index(Size(-x[1])), found.count(Size(-x[4]))


def looks_for_them_in_a_list_that_grows(x):
    found = [Size(v) for v in x if v > -1]
    same = found == [Size(-v) for v in x if v > -1]
    place, many = found.index(Size(-x[2])), found.count(Size(-x[0]))
    found.remove(Size(-x[0]))
    return place, many, same, [each.a for each in found]


def keeps_each_once(x):
    found: list[Size] = []
    for v in x:
        if Size(-v) not in found:
            found.append(Size(v))
    return [each.a for each in found]


def looks_for_the_object_itself(x):
    points = [Point(v) for v in x]
    best = points[0]
    for point in points:
        if point.v > best.v:
            best = point
    place, is_there = points.index(best), best in tuple(points)
    points.remove(best)
    return place, is_there, tuple(points).count(best), best in points, [point.v for point in points]


def looks_for_another_object(x):
    points = [Point(v) for v in x if v > -1]
    return Point(x[0]) in points, points.count(Point(x[0]))


@pytest.mark.parametrize(
    "program",
    [
        sorts_objects,
        sorts_a_list_that_grows,
        sorts_objects_of_two_classes,
        sorts_objects_inside_of_tuples,
        sorts_by_keys_that_compare,
        sorts_by_a_function_of_two,
        sorts_by_some_fields,
        queues_by_some_fields,
        inserts_in_order,
        sorts_named_tuples,
        sorts_members_of_an_enum,
        sorts_what_has_no_order,
        compares_named_tuples,
        looks_for_equal_objects,
        looks_for_them_in_a_list_that_grows,
        keeps_each_once,
        looks_for_the_object_itself,
        looks_for_another_object,
    ],
    ids=lambda program: program.__name__,
)
def test_a_graph_compares_as_the_classes_say(program: Callable[[Any], Any]) -> None:
    ag.check(program, X)


def is_the_first(x):
    points = [Point(v) for v in x if v > -1]
    return points[0] is points[1]


def equals_the_first(x):
    points = [Point(v) for v in x if v > -1]
    return points[0] == points[1]


def is_the_one_taken_out(x):
    points = [Point(v) for v in x if v > -1]
    point = points.pop()
    points.append(point)
    return points[-1] is point


def is_among_them(x):
    points = [Point(v) for v in x if v > -1]
    return points[0] in points


@pytest.mark.parametrize(
    "program",
    [is_the_first, equals_the_first, is_the_one_taken_out, is_among_them],
    ids=lambda program: program.__name__,
)
def test_which_object_it_is_that_a_comprehension_made_is_known(program: Callable[[Any], Any]) -> None:
    ag.check(program, X)


@dataclass(frozen=True)
class Place:
    v: float


def is_the_one_held(kind: type) -> Callable[[Any], Any]:
    def program(x):
        held, one = [], kind(3.0)
        for v in x:
            if v > -1:
                held.append(one)
        return held[0] is one

    return program


def test_which_object_a_list_of_the_graph_held_is_known() -> None:
    ag.check(is_the_one_held(Point), X)


def test_which_value_a_list_of_the_graph_held_is_refused() -> None:
    with pytest.raises(StateDisagrees, match="whether two are one Place is asked"):
        ag.function(is_the_one_held(Place))(X)


def lists_that_a_heap_holds(x):
    heap = [[v, [i, "xyz"[i]]] for i, v in enumerate(x[:3])]
    heapq.heapify(heap)
    low, high = heapq.heappop(heap), heapq.heappop(heap)
    heapq.heappush(heap, [low[0] + high[0], *low[1:], *high[1:]])
    return heap


def lists_of_which_one_is_chosen(x):
    one, other = [x[0], 1], [x[1], 2]
    rows = [one, other, [x[2], 3]]
    chosen, another = rows[int(x[2] > 1)], rows[int(x[0] < 1)]
    ordered = chosen < another, chosen <= another, chosen > one, other >= chosen
    return ordered, chosen == another, chosen != [x[0], 1], max(chosen, one), min([other, chosen])


@pytest.mark.parametrize(
    "program", [lists_that_a_heap_holds, lists_of_which_one_is_chosen], ids=lambda program: program.__name__
)
def test_lists_that_a_tensor_chooses_are_compared_item_by_item(program: Callable[[Any], Any]) -> None:
    ag.check(program, X, then=[(X[::-1].copy(),), (np.array([1.0, 1.0, 2.0, 2.0, 0.0]),)])


class Event(NamedTuple):
    time: float
    kind: str
    who: int


def events_in_order(x: Any) -> Any:
    events = [Event(time, "comes", who) for who, time in enumerate(x)]
    heapq.heapify(events)
    busy, log = x[0] * 0.0, []
    while events:
        time, kind, who = heapq.heappop(events)
        if kind == "comes":
            busy = max(busy, time) + 0.75
            heapq.heappush(events, Event(busy, "goes", who))
        else:
            log.append((time, who))
    return log


def test_named_tuples_that_hold_values_are_made_a_heap() -> None:
    ag.check(events_in_order, X, then=[(X[::-1].copy(),), (np.array([1.0, 1.0, 2.0, 2.0, 0.0]),)])
