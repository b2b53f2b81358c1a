"""A handler sees the arguments that the exception has: those of the program's own, and what Python says."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CALLS = [(np.int64(3),), (np.int64(0),), (np.int64(7),), (np.int64(-9),)]


class Wrong(Exception):
    pass


class Worse(Wrong):
    pass


def check(f):
    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_arguments_of_a_raise_beside_those_of_an_index():
    def f(n):
        items = [1, 2, 3, 4]
        try:
            items[n]
            raise IndexError("own", n)
        except IndexError as error:
            return error.args, str(error), len(error.args)

    check(f)


def test_no_arguments_beside_those_of_an_index():
    def f(n):
        items = [1, 2, 3, 4]
        try:
            if n == 0:
                raise IndexError
            return items[n]
        except IndexError as error:
            return error.args[0] if error.args else "none"

    check(f)


def test_a_division_and_a_raise():
    def f(n):
        try:
            3 // (int(n) - 3)
            raise ZeroDivisionError("own", n)
        except ZeroDivisionError as error:
            return error.args, repr(error)

    check(f)


def test_a_class_that_a_tensor_chooses_is_called_and_raised():
    def f(n):
        kinds = {0: Wrong, 3: Worse}
        try:
            raise kinds.get(n, KeyError)(n)
        except Worse as error:
            return "worse", error.args
        except Wrong as error:
            return "wrong", error.args
        except KeyError as error:
            return type(error).__name__, error.args

    check(f)


def test_such_a_class_is_raised_from_nothing():
    def f(n):
        kind = Wrong if n > 2 else Worse
        try:
            raise kind(n) from None
        except Worse as error:
            return "worse", error.args, error.__suppress_context__
        except Wrong as error:
            return "wrong", error.args, error.__cause__

    check(f)


VALUES = ["x", "x[0]", "int(x[0])", "x[0] * 0.5", "float(x[0])", "x[0] > 1"]
CAUGHT = """def f(x):
    try:
        return {shown}
    except Exception as error:
        return type(error).__name__, str(error)
"""
FORMS = [
    'f"{%s:s}"',
    'f"{%s:d}"',
    'f"{%s:.2f}"',
    'f"{%s:10}"',
    '"{:q}".format(%s)',
    '"%%d" %% (%s,)',
    '"%%c" %% (%s,)',
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", VALUES)
def test_what_no_number_can_be_shown_as_is_caught(form, value):
    source = CAUGHT.format(shown=form % value)
    ag.check(function_of(source), np.array([3, 1]), then=[(np.array([65, 5]),)], executors=["numpy"])


def test_a_range_without_a_step_is_caught():
    def f(n):
        try:
            found = range(1, 5, n)
        except ValueError as error:
            return str(error)
        return found

    check(f)


def test_what_a_slice_cannot_be_made_of_is_caught():
    def f(n):
        items = [1]
        try:
            return items[n:"a"]
        except TypeError as error:
            return str(error)

    check(f)


PART = """def f(m, n):
    try:
        return {part}
    except (IndexError, ValueError) as error:
        return str(error)
"""
SLICE = """def f(n):
    items = [1, 2, 3]
    try:
        return items[{bounds}]
    except TypeError as error:
        return str(error)
"""
PARTS = [
    "m[n]",
    "m[:, n]",
    "m[n:].T[0]",
    "m.swapaxes(0, 1)[n]",
    "m.ravel()[::n]",
    "m.copy()[::n]",
    '"abcd"[::n]',
    "str(n)[::n]",
]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_not_there_is_caught_and_the_part_is_not_looked_for_behind(part):
    source = PART.format(part=part)
    m = np.arange(6.0).reshape(3, 2)
    calls = [(m, np.int64(n)) for n in (1, 4, 0, -7)]
    ag.check(function_of(source), *calls[0], then=calls[1:], executors=["numpy"])


@pytest.mark.parametrize("bounds", ["1.5:n", "n:'a'", "n:None:'b'", "n:2.0", "float(n):"])
def test_bounds_of_slices_that_are_no_integers(bounds):
    source = SLICE.format(bounds=bounds)
    ag.check(function_of(source), *CALLS[0], then=CALLS[1:], executors=["numpy"])
