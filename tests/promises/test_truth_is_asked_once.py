"""`__bool__` and `__len__` run as often as in Python: in a condition once for each operand."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.int64(2),), (np.int64(1),), (np.int64(0),)]


class Asked:
    def __init__(self, x):
        self.x, self.times = x, 0

    def __bool__(self):
        self.times += 1
        return bool(self.x > 0)


class Long:
    def __init__(self, x):
        self.x, self.times = x, 0

    def __len__(self):
        self.times += 1
        return int(self.x)


def in_an_if(x):
    a, found = Asked(x), 5
    if a and x < 10:
        found = 1
    return found, a.times


def by_its_length(x):
    a = Long(x)
    if a and x:
        return 1, a.times
    return 2, a.times


def in_an_expression(x):
    a, b = Asked(x), Asked(x - 1)
    return 1 if a or b else 2, a.times, b.times


def in_a_while(x):
    a, b, turns = Asked(x), Asked(x - 1), 0
    while a and b and turns < 2:
        turns += 1
    return turns, a.times, b.times


def one_inside_of_another(x):
    a, b = Asked(x), Asked(x - 1)
    if (a and b) or (b and a):
        return a.times, b.times, 1
    if not (a and b):
        return a.times, b.times
    return a.times


def as_a_value(x):
    a, b = Asked(x), Asked(x - 1)
    chosen, is_false = a and b, not (a and b)
    return a.times, b.times, chosen is a, is_false


def of_a_chosen_object(x):
    a, b = Asked(x), Asked(-x)
    chosen = a if x > 1 else b
    if chosen and x < 10:
        return 1, a.times, b.times
    return 2, a.times, b.times


def in_a_comprehension(x):
    a = Asked(x)
    return [i for i in range(3) if a and i], a.times


PROGRAMS = [
    in_an_if,
    by_its_length,
    in_an_expression,
    in_a_while,
    one_inside_of_another,
    as_a_value,
    of_a_chosen_object,
    in_a_comprehension,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_object_is_asked_as_often_as_in_python(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


class Above:
    """True where its number is above 1."""

    def __init__(self, number):
        self.number = number

    def __bool__(self):
        return bool(self.number > 1)


class Sized:
    """True where it has a length."""

    def __init__(self, number):
        self.number = number

    def __len__(self):
        return int(self.number)


def lists(x):
    grown = []
    for i in range(int(x)):
        grown.append(i)
    return [len(each) for each in (grown, [1], []) if each]


def objects(x):
    above = [each.number for each in (Above(x), Above(0.0), Above(2.0)) if each]
    return (
        above,
        [each.number for each in (Sized(x), Sized(0.0)) if each],
        sum(1 for each in [Sized(x)] if each),
    )


def texts(x):
    grown = ""
    for _ in range(int(x)):
        grown += "a"
    chosen = "b" if x > 1 else ""
    return [each for each in (grown, chosen, "") if each], ",".join(each for each in (chosen, "c") if each)


def what_may_be_none(x):
    number = function = None
    if x > 1:
        number, function = x, abs
    return (
        [each + 1 for each in (number, x) if each],
        [each(x) for each in (function, float) if each],
        next((each for each in (None, number, 2.0) if each), -1.0),
        sorted([x, -5.0, 3.0], key=function),
    )


def dicts(x):
    grown = {}
    for i in range(int(x)):
        grown[i] = i
    return [1 for each in (grown, {}) if each], [2 for each in (grown, {}) if not each]


@pytest.mark.parametrize("program", [lists, objects, texts, what_may_be_none, dicts])
def test_conditions_of_comprehensions_are_true_for_the_reasons_that_python_has(program):
    ag.check(program, np.float64(2.5), then=[(np.float64(0.5),), (np.float64(1.5),)])
