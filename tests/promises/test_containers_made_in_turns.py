"""Containers that a turn of a loop makes, of numbers that are known: the last one made is what is left."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

CALLS = [
    (np.array(xs), np.int64(n)) for xs, n in (([1.0, 2.0, 3.0], 3), ([3.0, 0.0, 2.0], 0), ([0.0, 5.0], 1))
]


@dataclass
class Best:
    at: int = -1
    seen: list = field(default_factory=lambda: [0.5])


def two_that_add_up(xs, n):
    for i in range(n):
        for j in range(i):
            if xs[i] + xs[j] == n:
                return [i, j]
    return []


def a_constant_list_is_returned(xs, n):
    for x in xs:
        if x > n:
            return [1, 2], x
    return [3, 4], 0.0


def a_list_beside_one_with_two_names(xs, n):
    rows = [xs, 2.0]
    other = rows
    for x in xs:
        for _ in range(n):
            return sorted({2, 1}), rows, other, x
    return [], rows, other, 0.0


def none_until_it_is_found(xs, n):
    found = None
    for x in xs:
        if x > n:
            found = [0.5, 1.5]
    return found


def none_until_it_is_made(xs, n):
    found, where, instance = None, None, None
    for i in range(n):
        found = [[1, 2], [3]]
        where = {"at": [7], "all": (8, [9])}
        instance = Best(4)
    if found is not None:
        found[0].append(5)
        instance.seen.append(xs[0])
    return found, where, instance


def objects_from_before(xs, n):
    one, other, found = [1.0], [2.0], None
    for i in range(n):
        found = one if i % 2 == 0 else other
    one.append(xs[0])
    return found, one, other


@pytest.mark.parametrize(
    "program",
    [
        *(two_that_add_up, a_constant_list_is_returned, a_list_beside_one_with_two_names),
        *(none_until_it_is_found, none_until_it_is_made, objects_from_before),
    ],
)
def test_what_a_turn_makes_is_there_behind_the_loop(program):
    ag.check(program, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def rows_that_turns_replace(n, v):
    held, rows = [1.0], [np.zeros(2), np.ones(2)]
    more = rows
    for i in range(n):
        if n > 1:
            rows = [row.copy() for row in rows]
            held.append(v)
        else:
            held, held = held, held
            if n > 1:
                return held, rows, more
    return held, rows, more


def lists_in_a_dict_that_turns_replace(n, v):
    held = {"a": [1.0]}
    more = held
    for i in range(n):
        if v > 1:
            held["a"].append(v)
        else:
            held = {key: list(items) for key, items in held.items()}
    return held, more


@pytest.mark.parametrize("program", [rows_that_turns_replace, lists_in_a_dict_that_turns_replace])
def test_what_turns_make_beside_what_was_there_is_one_object_more(program):
    calls = [(np.int64(n), np.float64(v)) for n, v in ((0, 1.0), (1, 3.0), (2, 0.5))]
    ag.check(program, np.int64(3), np.float64(2.0), then=calls)


class Stack(list):
    def push(self, item):
        self.append(item)
        return len(self)


@pytest.mark.parametrize("depth", [1, 2])
def test_a_class_below_list_that_grows_is_refused_where_more_than_a_list_is_wanted(depth):
    def f(n):
        stack = Stack()
        if n > 0:
            if depth == 1 or n > 1:
                stack.push(n)
        return stack.push(n) if depth == 1 else len(stack)

    with pytest.raises(StateDisagrees, match="a Stack is more than a list"):
        ag.function(f)(np.int64(1))


def the_best(xs):
    best = {"gain": 0.0}
    for i, x in enumerate(xs):
        if x > best["gain"]:
            best = {"gain": x, "place": i, "below": xs < x, "large": x > 2}
    if best["gain"] == 0.0:
        return None
    return best, xs[best["below"]]


def the_best_as_a_tuple(xs):
    best = (0.0,)
    for i, x in enumerate(xs):
        if x > best[0]:
            best = (x, i, x > 2)
    return best, len(best)


def the_last_as_a_tuple(xs):
    last = ()
    for i, x in enumerate(xs):
        last = (x, i, x > 2)
    return last


def the_last_as_a_dict(xs):
    last = {}
    for i, x in enumerate(xs):
        last = {**last, "x": x, "place": i, "large": x > 2}
    return last


@pytest.mark.parametrize("program", [the_best, the_best_as_a_tuple, the_last_as_a_tuple, the_last_as_a_dict])
def test_a_record_that_turns_make_keeps_the_kind_of_each_field(program):
    ag.check(program, np.array([1.0, 3.0, 2.0]), then=[(np.array([-1.0]),), (np.array([]),)])


@dataclass
class Box:
    value: float = 0.0
    seen: list = field(default_factory=lambda: [0.5, 1.5, 2.5])


def test_a_list_that_a_turn_starts_with_is_no_candidate_of_the_next_one():
    def f(x, n, v):
        o, p = Box(1.0), Box(1.0)
        for s in x:
            p.seen[n % 3] = s
            if s > 2:
                o, p = Box(p.value), o
            else:
                o.seen = p.seen
        return o, p

    with pytest.raises(StateDisagrees, match="more than 1000 branches"):
        ag.function(f)(np.array([1.0, 2.0, 3.0]), np.int64(1), np.float64(2.0))


def a_chain_of_lists(xs):
    head = [None, None]
    tail = head
    for x in xs:
        node = [x, None]
        tail[1] = node
        tail = node
    total, node = 0.0, head[1]
    while node is not None:
        total = total * 10 + node[0]
        node = node[1]
    return total


def a_chain_of_dicts(xs):
    head = {"value": None, "next": None}
    tail = head
    for x in xs:
        node = {"value": x, "next": None}
        tail["next"] = node
        tail = node
    return head["next"]["next"] is None


def a_chain_that_another_loop_starts_with(xs):
    head = [None, None]
    tail = head
    for x in xs:
        node = [x, None]
        tail[1] = node
        tail = node
    ends = 0
    for _ in range(len(xs)):
        if head[1][1] is None:
            ends += 1
    return ends


@pytest.mark.parametrize(
    "program", [a_chain_of_lists, a_chain_of_dicts, a_chain_that_another_loop_starts_with]
)
def test_what_a_path_has_changed_under_another_name_stays_unreadable_where_paths_meet(program):
    with pytest.raises(StateDisagrees, match="may have changed under another name") as refusal:
        ag.function(program)(np.array([3.0, 1.0, 2.0]))
    assert "a small class" in refusal.value.way_out
