"""Operators between objects and values of the run: the run asks Python, or an array asks for each element."""

import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import pathlib

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees


def dates(n):
    day = dt.timedelta(days=1)
    return day * int(n), int(n) * day, dt.date(2024, 2, 27) + day * int(n), day / 2 * int(n)


def exact_numbers(n):
    third, half = fractions.Fraction(1, 3), decimal.Decimal("0.5")
    return third * int(n) == 1, third < int(n), half + int(n), int(n) - half, half == int(n)


def paths(n):
    folder = pathlib.PurePath("a")
    return folder / f"f{n}.txt", f"f{n}" / folder, folder / ("x" if n > 1 else "y")


@pytest.mark.parametrize("program", [dates, exact_numbers, paths])
def test_an_operator_of_an_object_and_a_value_of_the_run_gives_an_object_of_the_run(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),)])


def test_what_such_an_operator_raises_is_raised_in_the_run():
    def program(n):
        try:
            return fractions.Fraction(1, 3) / int(n)
        except ZeroDivisionError as error:
            return str(error)

    ag.check(program, np.int64(0), then=[(np.int64(0),)])


def test_an_operator_that_python_has_not_for_the_two_is_refused_in_its_words():
    ag.check(lambda n: dt.timedelta(1) + int(n), np.int64(3))


def test_what_an_operator_gives_has_the_hash_that_python_gives_it():
    def program(n):
        third = fractions.Fraction(1, 3) + n
        return hash(third), hash((third, n)), hash(third if n > 1 else n)

    ag.check(program, np.int64(1), then=[(np.int64(2),)])


def test_what_an_operator_gives_is_refused_as_a_key_and_no_handler_takes_it_for_unhashable():
    def key(n):
        try:
            return {fractions.Fraction(1, 3) + n: "third"}
        except TypeError:
            return "unhashable"

    def member(n):
        try:
            return (fractions.Fraction(1, 3) + n) in {fractions.Fraction(4, 3)}
        except TypeError:
            return "unhashable"

    for program in (key, member):
        with pytest.raises(NoConcreteValue):
            ag.function(program)(np.int64(1))


class Plain:
    pass


class Mode(enum.Enum):
    FAST = 1


@dataclasses.dataclass
class Dated:
    day: int


class Likes:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return other == self.number

    __hash__ = None


class Aside:
    __array_ufunc__ = None

    def __eq__(self, other):
        return "aside"

    __hash__ = None


ONE_OBJECT = {
    "an instance": Plain(),
    "a member": Mode.FAST,
    "a dataclass": Dated(1),
    "a function": len,
    "a class": float,
    "a slice": slice(1),
    "a set": {1.5},
    "a dict": {1: 2},
    "...": ...,
    "None": None,
}


@pytest.mark.parametrize("other", ONE_OBJECT.values(), ids=ONE_OBJECT)
def test_an_array_compares_each_element_with_what_is_no_array(other):
    def program(x):
        return x == other, x != other, other == x, other != x, x[0] == other

    ag.check(program, np.array([1.5, 2.0]))


def test_so_it_does_with_a_set_or_a_dict_of_the_graph_and_with_what_a_tensor_chooses():
    def program(n, x):
        numbers, table, chosen = {n}, {"k": 1}, Plain()
        if n > 1:
            table["j"] = 2
            chosen = Mode.FAST
        made = Plain()
        for _ in range(n):
            made = Plain()
        return [(x == each, each != x) for each in (numbers, table, chosen, made)]

    ag.check(program, np.int64(2), np.array([1.5, 2.0]), then=[(np.int64(0), np.array([1.5, 2.0]))])


def test_an_object_that_says_itself_what_it_equals_is_asked_once_or_it_is_refused():
    like = Likes(1.5)

    @ag.function
    def asked_by_numpy(x):
        return x == like

    ag.check(lambda x: (like == x, x[0] == like), np.array([1.5, 2.0]))
    with pytest.raises(StateDisagrees, match=r"(?s)compared with an instance of Likes.*`other == x`"):
        asked_by_numpy(np.array([1.5, 2.0]))


def test_an_object_that_numpy_leaves_its_operators_to_has_them():
    ag.check(lambda x: (x == Aside(), Aside() == x), np.array([1.5, 2.0]))
