"""A list that a tensor makes longer is seen by everybody who holds it, wherever that is."""

import functools
from collections import deque, namedtuple
from dataclasses import dataclass

import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import check

Pair = namedtuple("Pair", ["left", "right"])


@dataclass(frozen=True)
class Frozen:
    items: list
    name: str = "f"


class Slots:
    __slots__ = ("items", "missing")

    def __init__(self, items):
        self.items = items


class Holder:
    shared = None

    def __init__(self, items):
        self.items = items

    @property
    def last(self):
        return self.items[-1]

    def push(self, x):
        self.items.append(x)


def filled(items, n):
    i = 0
    while i < n:
        items.append(i * i)
        i += 1


def test_variables_of_callers_see_it():
    def outer(n):
        mine = [7]
        other = mine
        inner(mine, n)
        return mine, other, mine is other, len(other)

    def inner(items, n):
        again = items
        filled(again, n)
        items.append(-1)

    check(outer, 3)


def test_closures_see_it():
    def f(n):
        found = [1]

        def count():
            return len(found)

        def add(x):
            found.append(x)

        before = count()
        i = 0
        while i < n:
            add(i)
            i += 1
        return before, count(), found

    check(f, 3)


def test_default_arguments_see_it():
    def f(n):
        found = [1]

        def add(x, items=found, both=(found, 1)):
            items.append(x)
            return len(both[0])

        i = 0
        while i < n:
            add(i)
            i += 1
        return found, add(5)

    check(f, 2)


@pytest.mark.parametrize("made", [Frozen, Slots, Holder])
def test_attributes_see_it(made):
    def f(n):
        found = [1]
        box = made(found)
        filled(found, n)
        box.items.append(100)
        filled(box.items, n)
        return found, len(box.items), box.items[0], box.items is found

    check(f, 3)


def test_containers_in_containers_see_it():
    def f(n):
        found = [1]
        table = {"a": [found, 2], "b": (3, found), "c": {"d": Pair(found, [found])}, "e": deque([found])}
        filled(found, n)
        table["b"][1].append(50)
        table["c"]["d"].left.append(51)
        a, b = table["a"][0], table["c"]["d"].right[0]
        return found, len(a), b[-1], table["e"][0][0], a is b, table["b"][1] is found

    check(f, 2)


def test_a_tuple_that_a_caller_holds_sees_it():
    def f(n):
        state = ([1], [2])
        grow(state, n)
        return state[0], state[1], len(state[0]) + len(state[1])

    def grow(state, n):
        left, right = state
        filled(left, n)
        if n > 2:
            right.append(n)

    check(f, 3)
    check(f, 1)


def test_attributes_of_classes_and_methods_see_it():
    def f(n):
        Holder.shared = found = [1]
        box = Holder(found)
        push, add = box.push, found.append
        i = 0
        while i < n:
            push(i)
            i += 1
        add(4)
        return found, len(Holder.shared), len(box.shared), box.last

    check(f, 3)
    Holder.shared = None


def test_functions_with_arguments_see_it():
    def f(n):
        found = [1]
        fill = functools.partial(filled, found)
        fill(n)
        fill(n)
        return found

    check(f, 3)


def test_generators_see_it():
    def pairs(items, n):
        i = 0
        while i < n:
            items.append(i)
            yield len(items)
            i += 1

    def f(n):
        found = [1]
        total = 0
        for count in pairs(found, n):
            total += count
            found.append(total)
        return found, total

    check(f, 3)


def test_iterators_and_comprehensions_see_it():
    def f(n):
        rows = [[1], [2]]
        for row in rows:
            filled(row, n)
        lengths = [len(row) for row in rows]
        firsts = [row[0] for row, _ in zip(rows, range(2))]
        return rows[0], rows[1], lengths, firsts

    check(f, 2)


def test_two_lists_in_one_tuple_move_one_after_the_other():
    def f(n):
        both = ([1], [2])
        filled(both[0], n)
        kept = both
        filled(both[1], n)
        i = 0
        while i < n:
            kept[0].append(i)
            both[1].append(-i)
            i += 1
        return both[0], kept[1], len(both[0]), len(kept[1])

    check(f, 3)


def test_a_loop_returns_what_it_changed_through_another_name():
    def one_list(n):
        items = [1]
        while n > 0:
            alias = items
            alias.append(5)
            return items
        return items

    def one_dict(n):
        table = {"a": 0}
        while n > 0:
            alias = table
            alias["a"] = n
            try:
                return table
            finally:
                n = n - 1
        return table

    def kept(n):
        items, found = [1], None
        while n > 0 and found is None:
            alias = items
            alias.append(5)
            found = items
        return items if found is None else found

    for each in (one_list, one_dict, kept):
        check(each, 1)
        check(each, 0)


def test_objects_that_lead_to_themselves_see_it():
    def f(n):
        found = [1]
        node = Holder(found)
        node.me = [node, (node, found)]
        filled(found, n)
        node.me[0].me[1][1].append(5)
        return found, len(node.me[0].items)

    check(f, 3)


def test_a_branch_that_is_traced_anew_starts_from_the_old_list():
    def f(x):
        box = Holder([1])
        both = (box.items, 0)
        i = 0
        while i < 3:
            if x > i:
                box.push(i)
                if x > 2:
                    both[0].append(x)
            i += 1
        return box.items, len(both[0])

    check(f, 0)
    check(f, 2)
    check(f, 5)


def test_a_list_in_a_list_that_a_branch_replaces():
    def f(x):
        rows = [[1], [2]]
        if x > 0:
            rows[0].append(x)
            rows[0], rows[1] = rows[1], rows[0]
        else:
            rows[1].append(x)
        return len(rows[0]) + 10 * len(rows[1])

    # each branch leaves another list: what a tensor chooses between has a length
    plain = [f(2), f(-2)]
    assert plain == [21, 21]


SHARED = [1]


def test_a_list_outside_is_the_same_list_with_what_a_run_has_put_in():
    @ag.function
    def f(x):
        while x > 0:
            SHARED.append(x)
            x -= 1
        return len(SHARED)

    try:
        assert f(rt.asarray(3)).item() == 4
        assert [int(each) for each in SHARED] == [1, 3, 2, 1]
        assert type(SHARED) is list
    finally:
        SHARED[:] = [1]


def test_a_list_outside_is_as_it_was_where_tracing_fails():
    box = Holder([1])

    @ag.function
    def f(x):
        while x > 0:
            box.push(x)
            x -= 1
        raise NotImplementedError

    items = box.items
    with pytest.raises(NotImplementedError):
        f(rt.asarray(3))
    assert box.items is items


def test_a_list_that_one_path_binds_anew_and_the_other_changes():
    def one_list(n):
        items = [1]
        if n < 0:
            items = [7, 8, 9]
        else:
            items.append(n)
        return items

    def one_dict(n):
        table = {"a": 1}
        if n < 0:
            table = {"a": 5}
        else:
            alias = table
            alias["a"] = n
        return table

    def rows(n):
        found = [[1], [2]]
        if n < 0:
            found = [[5], [6], [7]]
        else:
            found[0][0] = n
        return [row[0] for row in found]

    def in_a_loop(n):
        items, kept = [1], [0]
        while n > 0:
            items.append(n)
            kept = items
            n = n - 1
        return kept

    for each in (one_list, one_dict, rows, in_a_loop):
        check(each, 2)
        check(each, -2)
