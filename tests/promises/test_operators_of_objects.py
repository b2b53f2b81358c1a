"""Operators between objects of the standard library and values of the run: the run asks Python."""

import datetime as dt
import decimal
import fractions
import pathlib

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue


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
