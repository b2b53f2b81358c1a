"""Deques, sets and special dicts that one path makes, or every turn: behind it they are what Python has."""

from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [
    (np.float64(1.5), np.int64(2), np.array([3.0, 1.0, 2.0])),
    (np.float64(-2.0), np.int64(0), np.array([-3.0, 1.0, -2.5])),
    (np.float64(-2.0), np.int64(3), np.array([0.0, 0.0, 7.0])),
]


class Holder:
    def __init__(self, v):
        self.queue = deque([v])
        self.known = {1}


def a_deque_that_one_branch_makes(x, k, a):
    found = None
    if x > 0:
        found = deque([x * 2])
    if k > 1 and found is not None:
        found.append(x * 3)
    return None if found is None else list(found)


def deques_that_both_branches_make(x, k, a):
    found = deque([x * 2]) if k > 2 else deque([x * 3, x])
    if x > 0:
        found = deque([x + 1], maxlen=4)
    found.append(x)
    return list(found)


def an_ordered_dict(x, k, a):
    found = None
    if x > 0:
        found = OrderedDict()
        found["a"] = x * 2
    if k > 1 and found is not None:
        found["a"] += 1
    return found


def a_dict_with_a_default(x, k, a):
    found = None
    if x > 0:
        found = defaultdict(float)
        found["a"] += x * 2
    if k > 1 and found is not None:
        found["a"] += 1
    return found


def a_deque_of_the_turn_before(x, k, a):
    before = None
    for v in a:
        if before is not None:
            before.append(x)
        before = deque([v])
    return list(before)


def a_deque_that_the_first_turn_makes(x, k, a):
    last = None
    for v in a:
        if last is None:
            last = deque(maxlen=2)
        last.append(v)
    return list(last)


def a_deque_that_is_bound_first_in_a_turn(x, k, a):
    for i in range(k):
        if i > 0:
            last.append(i)  # noqa: F821  # the turn before has bound it
        last = deque([x])
    return 0


def dicts_and_counters_of_the_turn_before(x, k, a):
    sums = found = None
    for v in a:
        if sums is not None:
            sums[1] += 3
            found["q"] += v
        sums = defaultdict(float)
        sums[1] += v
        found = Counter()
        found["q"] += v
    return sums, found


def in_a_tuple_and_in_an_object(x, k, a):
    pair = held = None
    for v in a:
        if pair is not None:
            pair[0].append(v)
            held.queue.append(v)
            held.known.add(2)
        pair = deque([v]), v
        held = Holder(v)
    return list(pair[0]), list(held.queue), held.known


def a_deque_from_in_front_of_the_loop(x, k, a):
    given, last = deque([1.0]), None
    for v in a:
        if last is not None:
            last.append(v)
        last = given
    return list(given)


PROGRAMS = [
    a_deque_that_one_branch_makes,
    deques_that_both_branches_make,
    an_ordered_dict,
    a_dict_with_a_default,
    a_deque_of_the_turn_before,
    a_deque_that_the_first_turn_makes,
    a_deque_that_is_bound_first_in_a_turn,
    dicts_and_counters_of_the_turn_before,
    in_a_tuple_and_in_an_object,
    a_deque_from_in_front_of_the_loop,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_container_that_a_path_makes_is_there_behind_it(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_two_names_that_a_path_gives_a_deque_are_one_or_are_refused():
    def program(x, k):
        one = other = None
        if x > 0:
            one = deque([x * 2])
            other = one
        if k > 1 and one is not None:
            one.append(x)
        return None if other is None else list(other)

    with pytest.raises(StateDisagrees, match="deque"):
        ag.function(program)(np.float64(1.0), np.int64(2))


@pytest.mark.parametrize("kind", ["defaultdict(list, {1: [%s]})", "deque([%s])", "{%s}"])
def test_a_choice_with_what_a_path_has_made_means_something_behind_the_path(kind):
    program = function_of(
        f"""
def f(n):
    mine, other = {kind % "n"}, {kind % "3"}
    if n > 1:
        mine = {kind % "n + 1"}
        mine = [other, mine][n % 2]
    return sorted(mine), sorted(other), mine is other
""",
        defaultdict=defaultdict,
        deque=deque,
    )
    ag.check(program, np.int64(3), then=[(np.int64(n),) for n in (0, 2, 1)])
