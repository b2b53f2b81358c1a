"""What is one object outside of a function is one in it and after it: asked by `is`, stored in two places."""

import collections

import numpy as np
import pytest

import autograph as ag

HISTORY = [1.0]
TABLE = {"n": None}


class State:
    def __init__(self):
        self.last = [2.0]


STATE = State()
X = np.array([1.0, 2.0, 3.0])
CALLS = [
    (X, np.int64(3), np.float64(3.0)),
    (X, np.int64(0), np.float64(1.0)),
    (X, np.int64(5), np.float64(1.0)),
]


def stored_in_an_attribute_after_it_grew(x, n, v):
    if n > 2:
        HISTORY.append(v)
    STATE.last = HISTORY
    return v


def stored_in_a_dict_after_it_grew(x, n, v):
    if n > 2:
        HISTORY.append(v)
    TABLE["n"] = HISTORY
    return v


def asked_before_it_is_stored(x, n, v):
    s = 0.0
    if STATE.last is HISTORY:
        s = v
    STATE.last = HISTORY
    return s


def written_to_where_it_is_the_other(x, n, v):
    if STATE.last is HISTORY:
        HISTORY[0] = v
    else:
        STATE.last = HISTORY
    return v


def an_argument_that_is_stored(x, n, v, items, table):
    if n > 2:
        items.sort()
    else:
        items.append(v)
    table["n"] = items
    return items


@pytest.mark.parametrize(
    "program",
    [
        *(stored_in_an_attribute_after_it_grew, stored_in_a_dict_after_it_grew),
        *(asked_before_it_is_stored, written_to_where_it_is_the_other),
    ],
)
def test_an_object_outside_is_the_same_object_in_the_next_call(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_argument_is_the_object_that_is_stored():
    calls = [(*call, [3.0, 1.0], {"n": [0.0]}) for call in CALLS]
    ag.check(an_argument_that_is_stored, *calls[0], then=calls[1:])


def test_a_variable_that_a_function_inside_shares_is_bound_anew_in_every_turn():
    def f(x, v):
        s, u = 0.0, np.zeros(3)
        for s in x:
            s += v

            def inside():
                nonlocal s
                u[0] = v
                s = v

            inside()
        u += v
        s = v
        return u, s

    ag.check(f, X, np.float64(3.0), then=[(X, np.float64(0.0))])


# ── names of dicts and sets whose keys only the run knows ──


def a_set_with_another_name(x, n, v):
    seen = {1, 2}
    seen.add(n)
    todo = seen
    if n > 4:
        seen = seen | {n}
    todo.discard(1)
    return len(seen), len(todo)


def a_dict_with_another_name(x, n, v):
    held = {1: 1.0, 2: 1.0}
    held[n] = 2.0
    other = held
    if n > 4:
        held = dict(held)
    other[n] = 5.0
    return sum(held.values()), len(other)


@pytest.mark.parametrize("program", [a_set_with_another_name, a_dict_with_another_name])
def test_what_a_branch_may_have_left_is_read_as_the_object_that_it_is(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


KINDS = {
    "list": (list, lambda held, n: held.append(n)),
    "set": (set, lambda held, n: held.add(n)),
    "deque": (collections.deque, lambda held, n: held.append(n)),
    "dict": (dict, lambda held, n: held.update({n: n})),
    "OrderedDict": (collections.OrderedDict, lambda held, n: held.update({n: n})),
    "Counter": (collections.Counter, lambda held, n: held.update([n])),
    "defaultdict": (lambda: collections.defaultdict(list), lambda held, n: held[n % 2].append(n)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_container_outside_that_changes_is_given_back_as_itself(kind):
    made, add = KINDS[kind]
    held = made()

    def f(n):
        add(held, int(n))
        return held, {"in": [held]}, (len(held), held)

    ag.check(f, np.int64(3), then=[(np.int64(2),), (np.int64(3),), (np.int64(5),)])
    alone, within, (_, beside) = ag.function(f)(np.int64(4))
    assert alone is held
    assert within["in"][0] is held
    assert beside is held
