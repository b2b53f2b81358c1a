"""A dict keeps its keys in the order of Python's, whichever path has put them in or taken them out."""

import numpy as np
import pytest

import autograph as ag


def moved(held):
    held["a"] = held.pop("a")


def moved_in_a_callee(x):
    held = {"a": 1.0, "b": 2.0}
    if x > 0:
        moved(held)
    return list(held)


def popped_and_put(x):
    held = {"a": 1.0, "b": 2.0}
    if x > 0:
        held["a"] = held.pop("a")
    return list(held)


def deleted_and_put(x):
    held = {"a": 1.0, "b": 2.0}
    if x > 0:
        value = held["a"]
        del held["a"]
        held["a"] = value
    return list(held), held


def changed_before_others_go(x):
    held = {"a": 1.0, "b": 2.0}
    if x > 0:
        held["a"] = 3.0
        del held["b"]
        held["b"] = x
        held["c"] = x
    return list(held.items())


def of_two_dicts(x):
    held = {"a": 1.0, "b": 2.0} if x > 0 else {"b": 3.0, "a": 4.0}
    return list(held), held


def bound_in_a_branch(x):
    held = {"a": 1.0, "b": 2.0}
    if x > 0:
        held = {"b": 1.0, "a": 2.0}
    return list(held.items())


def in_a_loop(x):
    held = {"a": 1.0, "b": 2.0}
    n = 0
    while n < 3:
        if n == 1:
            held["a"] = held.pop("a")
        n += 1 + int(x > 0)
    return list(held.items())


def in_turns(x):
    held = {"a": 1.0, "b": 2.0}
    for k in range(3):
        if x > k:
            held["b"] = held.pop("b") + 1
            held["a"] = held.pop("a") + 1
    return held, list(held)


def of_an_argument(x, held):
    if x > 0:
        moved(held)
    return x


PROGRAMS = [
    *(moved_in_a_callee, popped_and_put, deleted_and_put, changed_before_others_go, of_two_dicts),
    *(bound_in_a_branch, in_a_loop, in_turns),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_keys_are_in_the_order_of_pythons(program):
    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),), (np.float64(2.0),)])


@pytest.mark.parametrize(("x", "keys"), [(1.0, ["b", "a"]), (-1.0, ["a", "b"])])
def test_keys_of_the_callers_dict_are_in_the_order_of_pythons(x, keys):
    held = {"a": 1.0, "b": 2.0}
    ag.function(of_an_argument)(np.float64(x), held)
    assert list(held) == keys
