"""What the body of a `try` changes and puts back in the end: where it raised, it was not yet back."""

import contextlib
from collections import Counter, deque

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.int64(n), np.arange(2)) for n in (3, 0, 1, 2, 2)]


class Holder:
    at_work = False

    def __init__(self):
        self.value = 1

    def work(self, n, x):
        self.at_work = True
        found = x[n]
        self.at_work = False
        return found


OUTSIDE = Holder()
TABLE = {"state": "idle", 1: [2]}
STATE = "idle"


def an_attribute(n, x):
    held = Holder()
    try:
        held.value = 2
        if n == 2:
            raise ValueError
        held.value = 1
    except ValueError:
        pass
    return held.value


def an_attribute_in_a_branch(n, x):
    held = Holder()
    try:
        if n > 1:
            held.value = 2
            if n == 2:
                raise ValueError
            held.value = 1
    except ValueError:
        pass
    return held.value


def an_attribute_in_each_turn(n, x):
    held = Holder()
    held.value = n
    try:
        for i in range(n):
            held.value = i
            x[i]
            held.value = n
    except IndexError:
        pass
    return held.value


def an_attribute_that_a_method_sets(n, x):
    held, found = Holder(), -1
    try:
        found = held.work(n, x)
    except IndexError:
        pass
    return found, held.at_work


def an_attribute_of_a_class(n, x):
    try:
        Holder.at_work = True
        x[n]
        Holder.at_work = False
    except IndexError:
        found, Holder.at_work = Holder.at_work, False
        return found
    return Holder.at_work


def an_attribute_of_what_is_outside(n, x):
    OUTSIDE.value = 1
    try:
        OUTSIDE.value = 2
        x[n]
        OUTSIDE.value = 1
    except IndexError:
        return OUTSIDE.value + 10
    return OUTSIDE.value


def a_list_in_the_place_of_another(n, x):
    held = Holder()
    held.value = kept = [1]
    try:
        held.value = [2]
        if n == 2:
            raise ValueError
        held.value = kept
    except ValueError:
        held.value.append(3)
    return held.value, kept, held.value is kept


def an_item_in_a_branch(n, x):
    table = {1: 2}
    try:
        if n > 1:
            table[1] = 3
            if n == 2:
                raise ValueError
            table[1] = 2
    except ValueError:
        pass
    return table


def an_item_of_what_is_outside(n, x):
    try:
        TABLE["state"] = "busy"
        x[n]
        TABLE["state"] = "idle"
    except IndexError:
        found, TABLE["state"] = TABLE["state"], "idle"
        return found
    return TABLE["state"]


def a_list_in_a_branch(n, x):
    items = [1]
    try:
        if n > 1:
            items.append(5)
            if n == 2:
                raise ValueError
            items.pop()
    except ValueError:
        pass
    return items


def a_key_in_each_turn(n, x):
    table = {1: 2}
    try:
        while n > 1:
            table[7] = 3
            n -= 1
            x[n]
            del table[7]
    except IndexError:
        pass
    return table


def a_set_in_a_branch(n, x):
    seen = {1}
    try:
        if n > 1:
            seen.add(n)
            x[n]
            seen.discard(n)
    except IndexError:
        pass
    return sorted(seen)


def a_deque_and_a_counter_in_a_branch(n, x):
    queue, tally = deque([1]), Counter("a")
    try:
        if n > 1:
            queue.appendleft(n)
            tally["a"] += 1
            x[n]
            queue.popleft()
            tally["a"] -= 1
    except IndexError:
        pass
    return queue, tally["a"]


def a_row_of_a_list(n, x):
    rows = [[1], [2]]
    try:
        if n > 1:
            rows[0].append(n)
            x[n]
            rows[0].pop()
    except IndexError:
        rows[0].append(9)
    return rows


def a_variable_of_a_function_inside(n, x):
    value = 1

    def go():
        nonlocal value
        if n > 1:
            value = 2
            x[n]
            value = 1

    with contextlib.suppress(IndexError):
        go()
    return value


def a_variable_of_the_module(n, x):
    global STATE
    try:
        STATE = "busy"
        x[n]
        STATE = "idle"
    except IndexError:
        found, STATE = STATE, "idle"
        return found
    return STATE


def a_try_inside_of_another(n, x):
    held = Holder()
    try:
        try:
            held.value = 2
            x[n]
            held.value = 1
        finally:
            if held.value == 2:
                held.value = 3
                x[n + 1]
                held.value = 2
    except IndexError:
        pass
    return held.value


@pytest.mark.parametrize(
    "program",
    [
        *(an_attribute, an_attribute_in_a_branch, an_attribute_in_each_turn),
        *(an_attribute_that_a_method_sets, an_attribute_of_a_class, an_attribute_of_what_is_outside),
        *(a_list_in_the_place_of_another, an_item_in_a_branch, an_item_of_what_is_outside),
        *(a_list_in_a_branch, a_key_in_each_turn, a_set_in_a_branch, a_deque_and_a_counter_in_a_branch),
        *(a_row_of_a_list, a_variable_of_a_function_inside, a_variable_of_the_module),
        a_try_inside_of_another,
    ],
    ids=lambda program: program.__name__,
)
def test_a_handler_sees_what_was_not_back_yet(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_argument_is_left_as_it_was_where_the_body_raised():
    def program(held, n, x):
        try:
            held.value = 2
            x[n]
            held.value = 1
        except IndexError:
            return -1
        return held.value

    held, plain = Holder(), Holder()
    function = ag.function(program)
    for n, x in CALLS:
        assert int(function(held, n, x)) == int(program(plain, n, x))
        assert int(held.value) == int(plain.value)
