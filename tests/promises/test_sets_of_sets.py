"""Comprehensions over a set of the graph: its order is Python's, or nobody can tell in which it had them."""

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.array([3, 1, 4, 1]),), (np.array([0, 2, 5, 5]),)]


def sums(numbers):
    reached = {0}
    for number in numbers:
        reached |= {one + number for one in reached}
    return len(reached), sorted(reached), 5 in reached


def squares_and_pairs(numbers):
    held = set(numbers)
    return sorted({x * x for x in held if x % 2}), sorted({(x, y) for x in held for y in (0, 1) if x > y})


def halves(numbers):
    held = set(numbers)
    for k in range(len(numbers)):
        held = {x // 2 for x in held if x > 1} | {k}
    return sorted(held)


@pytest.mark.parametrize("program", [sums, squares_and_pairs, halves])
def test_a_set_of_what_is_computed_from_a_set(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


kept = []


def keep(x):
    kept.append(x)
    return x


def held_of(numbers):
    return numbers if isinstance(numbers, set) else set(numbers)


def printed(numbers):
    return len({print(x) or x for x in held_of(numbers)})


def collected(numbers):
    return len({keep(x) for x in held_of(numbers)})


def bound(numbers):
    last = None
    found = {(last := x) for x in held_of(numbers)}
    return len(found), last


@pytest.mark.parametrize("program", [printed, collected, bound])
def test_what_is_done_for_each_element_of_a_set_is_done_in_pythons_order(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def without_one(numbers):
    held = set(numbers)
    held.discard(numbers[0])
    return held


def grown_on_one_path(numbers):
    held = set(numbers)
    if numbers[0] > 1:
        held.add(numbers[0] + 1)
    return held


def copied(numbers):
    return set(set(numbers))


@pytest.mark.parametrize("program", [printed, collected, bound])
def test_so_it_is_for_each_element_of_a_set_that_grew_on_one_path(program):
    ag.check(lambda numbers: program(grown_on_one_path(numbers)), *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("made", [without_one, copied])
@pytest.mark.parametrize("program", [printed, collected, bound])
def test_so_it_is_for_one_that_was_not_made_one_by_one(program, made):
    ag.check(lambda numbers: program(made(numbers)), *CALLS[0], then=CALLS[1:])


def of_a_set_that_is_made_anew(numbers):
    seen, times = set(), 0
    for number in numbers:
        if number in seen:
            seen = set()
            times += 1
        seen.add(number)
    return sorted(seen), times, max(seen), min(seen), sorted(seen, reverse=True), sorted(set(seen))


def of_one_of_two_sets(numbers):
    one, other = {numbers[0], 5}, {1, numbers[0] + 1}
    chosen = one if numbers[1] > 1 else other
    return sorted(chosen), max(chosen), 5 in chosen


def of_a_set_that_may_be_none(numbers):
    held = {numbers[0], 2} if numbers[1] > 1 else None
    return sorted(held) if held is not None else [], max(held) if held else 0


@pytest.mark.parametrize(
    "program", [of_a_set_that_is_made_anew, of_one_of_two_sets, of_a_set_that_may_be_none]
)
def test_what_is_sorted_shows_no_order_of_the_set_that_a_tensor_has_chosen(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])
