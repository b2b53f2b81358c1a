"""Instances that were there before a function stay themselves in lists and dicts that grow in its graph."""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees


class Body:
    def __init__(self, x: float) -> None:
        self.x = x
        self.hits = 0
        self.near: list[float] = []
        self.other: Any = None

    def hit(self, force: float) -> float:
        self.hits += 1
        self.x += force
        return self.x


class Heavy(Body):
    def hit(self, force: float) -> float:
        return super().hit(force / 2)


@dataclass(order=True)
class Item:
    x: float
    hits: int = 0


class Equal:
    def __init__(self, x: float) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and self.x == other.x

    __hash__ = None  # type: ignore[assignment]


class Placed:
    def __init__(self, x: float) -> None:
        self.x = x
        self.place = np.array([x, 0.0])


def some_are_returned(bodies, k):
    return [body for body in bodies if body.x > k]


def some_are_changed(bodies, k):
    strong = [body for body in bodies if body.x > k]
    for body in strong:
        body.hit(k)
        body.near.append(k)
        body.other = bodies[0]
    return len(strong)


def two_parts(bodies, k):
    strong, weak = [], []
    for body in bodies:
        (strong if body.x > k else weak).append(body)
    for body in weak:
        body.hits -= 1
    return strong, weak


def the_first(bodies, k):
    return next((body for body in bodies if body.x > k), None)


def a_filter(bodies, k):
    strong = list(filter(lambda body: body.x > k, bodies))
    strong[0].hits += 1
    return strong[0], strong.index(bodies[2]), bodies[0] in strong, strong[0] is bodies[1]


def by_key(bodies, k):
    found = {body.x: body for body in bodies if body.x > k}
    for body in found.values():
        body.hits += 1
    return found


def groups(bodies, k):
    found = {}
    for body in bodies:
        found.setdefault("strong" if body.x > k else "weak", []).append(body)
    for body in found["strong"]:
        body.hits += 1
    return found


def in_tuples(bodies, k):
    found = [(index, body) for index, body in enumerate(bodies) if body.x > k]
    for index, body in found:
        body.hits += index
    return found


def in_a_queue(bodies, k):
    queue, turns = deque(bodies[:1]), 0
    while queue:
        queue.popleft().hits += 1
        turns += 1
        if turns < k:
            queue.append(bodies[turns % 3])
    return turns


def in_a_heap(bodies, k):
    heap = []
    for index, body in enumerate(bodies):
        if body.x > k:
            heapq.heappush(heap, (-body.x, index, body))
    while heap:
        _, _, body = heapq.heappop(heap)
        body.hits += 1
    return len(heap)


def round_by_round(bodies, k):
    active, turns = list(bodies), 0
    while active:
        turns += 1
        rest = []
        for body in active:
            body.hits += 1
            if body.hits < body.x - k:
                rest.append(body)
        active = rest
    return turns


def beside_new_ones(bodies, k):
    found = [body for body in bodies if body.x > k]
    found.append(Body(1.0))
    for body in found:
        body.hit(k)
    return sum([body.x for body in found])


def each_with_each(bodies, k):
    found = [body for body in bodies if body.x > k]
    for one in found:
        for other in found:
            if one is not other:
                one.hits += 1
    return len(found)


def the_list_itself_shrinks(bodies, k):
    while len(bodies) > 1 and bodies[0].x < k:
        bodies.pop(0).hits += 1
    return len(bodies)


ON_BODIES = [
    some_are_returned,
    some_are_changed,
    two_parts,
    the_first,
    a_filter,
    by_key,
    groups,
    in_tuples,
    in_a_queue,
    in_a_heap,
    round_by_round,
    beside_new_ones,
    each_with_each,
    the_list_itself_shrinks,
]


def check(program: Callable[..., Any], make: Callable[[], list[Any]]) -> None:
    ag.check(program, make(), np.int64(4), then=[(make(), np.int64(2))])


@pytest.mark.parametrize("program", ON_BODIES)
def test_arguments_stay_themselves(program):
    check(program, lambda: [Body(3.0), Heavy(5.0), Body(9.0)])


@pytest.mark.parametrize("program", [some_are_returned, two_parts, the_first, by_key, round_by_round])
def test_instances_of_dataclasses_stay_themselves(program):
    check(program, lambda: [Item(3.0), Item(5.0), Item(9.0)])


BODIES = [Body(3.0), Body(5.0), Heavy(9.0)]


@pytest.mark.parametrize("program", [some_are_returned, some_are_changed, two_parts, groups])
def test_what_is_outside_stays_itself(program):
    ag.check(lambda k: program(BODIES, k), np.int64(4), then=[(np.int64(2),), (np.int64(5),)])


def test_an_attribute_is_left_with_some_of_them():
    class World:
        def __init__(self):
            self.bodies = [Body(3.0), Body(5.0), Body(9.0)]
            self.chosen = []

        def step(self, k):
            self.chosen = [body for body in self.bodies if body.x > k]
            self.bodies = [body for body in self.bodies if body.x < 9]
            for body in self.bodies:
                body.hit(0.5)
            return len(self.chosen)

    ag.check(World().step, np.int64(4), then=[(np.int64(2),), (np.int64(5),)])


def test_a_class_says_itself_what_is_equal_and_what_comes_first():
    def equal(items, k):
        found = [item for item in items if item.x > k]
        return items[2] in found, found.count(items[1]), found

    def ordered(items, k):
        found = sorted(item for item in items if item.x > k)
        found[0].hits = 7
        return found

    check(equal, lambda: [Equal(3.0), Equal(9.0), Equal(9.0)])
    check(ordered, lambda: [Item(9.0), Item(7.0), Item(3.0)])


def test_arrays_in_them_are_written_to():
    def moved(placed, k):
        found = [each for each in placed if each.x > k]
        for each in found:
            each.place[0] += k
        return len(found)

    check(moved, lambda: [Placed(3.0), Placed(5.0), Placed(9.0)])


def test_a_function_of_the_graph_inside_returns_some_of_them():
    inner = ag.function(some_are_returned)

    def outer(items, k):
        return inner(items, k)

    check(outer, lambda: [Item(3.0), Item(5.0), Item(9.0)])


def test_very_many_are_returned_and_too_many_to_choose_from_are_refused():
    def make():
        return [Body(float(x)) for x in range(200)]

    check(some_are_returned, make)
    with pytest.raises(StateDisagrees, match="one of more than"):
        ag.function(some_are_changed)(make(), np.int64(4))


def test_text_of_such_a_list_is_refused():
    def text(items, k):
        found = [item for item in items if item.x > k]
        found[0].hits = 1
        return str(found)

    with pytest.raises(NoConcreteValue, match="text is made of a container with a Item in it"):
        ag.function(text)([Item(3.0), Item(5.0)], np.int64(4))
