"""A loop asks for an item of a dict, set or deque that has changed: Python raises, and so does a graph."""

from collections import Counter, deque

import numpy as np
import pytest

import autograph as ag


def told(run):
    """What a loop has raised, or that it went well."""
    try:
        run()
    except RuntimeError as error:
        return str(error)
    return "fine"


def dict_of(xs):
    return {x: x * 2 for x in xs}


def grows(xs):
    found, turns = dict_of(xs), 0
    try:
        for key, value in found.items():
            turns += 1
            if value == 6:
                found[key + 100] = 0
    except RuntimeError as error:
        return str(error), turns, found
    return "fine", turns, found


def shrinks(xs):
    found = dict_of(xs)
    for key in found:
        if key > 2:
            del found[key]
    return found


def has_other_keys(xs):
    found = dict_of(xs)
    for key in found:
        if key > 2:
            del found[key]
            found[key + 10] = 1
    return found


def has_other_values(xs):
    found = dict_of(xs)
    for key in found:
        found[key] += key
    return found


def is_left_at_once(xs):
    found, turns = dict_of(xs), 0
    for key in found:
        turns += 1
        if key == 3:
            del found[key]
            break
    return found, turns


def taken_by_a_return(found, limit):
    for key, value in found.items():
        if value > limit:
            return found.pop(key)
    return None


def is_returned_from(xs):
    found = dict_of(xs)
    return taken_by_a_return(found, 3), taken_by_a_return(found, 3), found


def of_known_keys(xs):
    found = {"a": 1, "b": 2}
    for key in found:
        if xs[0] > 2:
            found[key + "x"] = xs[0]
    return found


def by_a_method(xs):
    class Register:
        def __init__(self):
            self.held = {"a": 1, "b": 2, "c": 3}

        def drop(self, key):
            self.held.pop(key)

    register, seen = Register(), []

    def run():
        for key, value in register.held.items():
            seen.append(value)
            if value >= xs[0]:
                register.drop(key)

    return told(run), seen, register.held


def chosen(xs):
    one, other = {1: 1, 2: 2}, {5: 5}
    found, total = one if xs[0] > 1 else other, 0
    for key, value in found.items():
        total += value
        if value == 5 and xs[0] == 0:
            found[key + 1] = 0
    return total, one, other


def counts(xs):
    found = Counter()
    for x in xs:
        found[x] += 1

    def run():
        for key in found:
            found[key] -= 1
            if found[key] == 0:
                del found[key]

    return told(run), sorted(found.items())


def appended_to(xs):
    queue, total = deque(), 0
    for x in xs:
        queue.append(x)
    for x in queue:
        total += x
        if x > 2:
            queue.append(0)
    return total, queue


def replaced_in(xs):
    ring, total = deque([1, 2, 3], maxlen=3), 0
    for x in ring:
        total += x * xs[0]
        if xs[0] > 1:
            ring[0] = total
        ring[1] = 5
    return total, ring


def turned(xs):
    ring, total = deque([1, 2, 3]), 0
    for x in ring:
        total += x
        if x == xs[0]:
            ring.rotate(1)
            break
    return total, ring


def put_into_a_full_one(xs):
    ring, seen = deque([1, 2, 3], maxlen=3), []

    def run():
        for x in ring:
            seen.append(x)
            if sum(seen) > xs[0]:
                ring.append(0)

    return told(run), seen, ring


def extended_by_nothing(xs):
    queue = deque([xs[0]])
    for _ in queue:
        queue.extend([x for x in xs if x > 2])
    return queue


PROGRAMS = (
    grows,
    shrinks,
    has_other_keys,
    has_other_values,
    is_left_at_once,
    is_returned_from,
    of_known_keys,
    by_a_method,
    chosen,
    counts,
    appended_to,
    replaced_in,
    turned,
    put_into_a_full_one,
    extended_by_nothing,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_loop_raises_where_python_does(program):
    first, *others = map(np.array, [(1, 2), (0, 4), (3,), (3, 1, 4), (6, 2)])
    ag.check(program, first, then=[(xs,) for xs in (first, *others)])


def appends_beside_numbers(x, items):
    total = 0.0
    for _, value in enumerate(items):
        if x > 0:
            items.append(value)
        total += value
    return total, list(items)


def sets_beside_numbers(x, items):
    total = 0.0
    for _, value in enumerate(items):
        if x > 0:
            items[0] = value
        total += value
    return total, list(items)


def sets_beside_others(x, items):
    total = 0.0
    for value, other in zip(items, range(9), strict=False):
        if x > 0:
            items[0] = value + other
        total += value
    return total, list(items)


def turns_in_an_iterator(x, items):
    total = 0.0
    for value in iter(items):
        if x > 0:
            items.rotate(1)
        total += value
    return total, list(items)


def appends_between_two(x, items):
    each = iter(items)
    total = next(each)
    if x > 0:
        items.append(x)
    return total + next(each), list(items)


def appends_and_leaves(x, items):
    total = 0.0
    for number, value in enumerate(items):
        if number == 1:
            items.append(x)
            break
        total += value
    return total, list(items)


@pytest.mark.parametrize("has_grown", [False, True], ids=["known", "grown"])
@pytest.mark.parametrize(
    "program",
    [
        appends_beside_numbers,
        sets_beside_numbers,
        sets_beside_others,
        turns_in_an_iterator,
        appends_between_two,
        appends_and_leaves,
    ],
    ids=lambda program: program.__name__,
)
def test_an_iterator_over_a_deque_raises_where_pythons_does(program, has_grown):
    def run(x):
        items = deque([1.0, 2.0, 3.0])
        if has_grown and x * x > 1:
            items.append(x)
        return program(x, items)

    ag.check(run, np.float64(3.0), then=[(np.float64(-3.0),), (np.float64(0.5),)])


@pytest.mark.parametrize("of", [dict.keys, dict.items, iter], ids=["keys", "items", "iter"])
@pytest.mark.parametrize(
    "over", [enumerate, lambda items: zip(range(5), items, strict=False)], ids=["enumerate", "zip"]
)
def test_an_iterator_over_a_dict_raises_where_pythons_does(over, of):
    def run(x):
        items = {1.0: 2.0, 3.0: 4.0}
        for number, _ in over(of(items)):
            if x > number:
                items[x] = 0.0
        return list(items)

    ag.check(run, np.float64(2.0), then=[(np.float64(-3.0),), (np.float64(0.5),)])


def test_an_iterator_over_a_set_raises_where_pythons_does():
    def run(x):
        items, total = {1.0, 2.0}, 0.0
        for number, item in enumerate(items):
            if x > number:
                items.add(item + 7.0)
            total += item
        return total, len(items)

    ag.check(run, np.float64(2.0), then=[(np.float64(-3.0),), (np.float64(0.5),)])
