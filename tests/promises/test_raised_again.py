"""Exceptions that a handler raises again: the next handler has in hand what the first one had."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def from_another_handler(xs):
    t = 1
    for x in xs:
        try:
            if x < 0:
                raise ValueError(x * 3)
            if x == 5:
                raise ValueError(7)
        except ValueError as error:
            try:
                if x < -3:
                    raise KeyError(x)
                raise error
            except ValueError as same:
                t = t + same.args[0]
            except KeyError as other:
                t = t - 10 * other.args[0]
    return t


def around_its_handler(xs):
    t = 1
    for x in xs:
        try:
            try:
                if x < 0:
                    raise ValueError(x * 3, "low")
            except ValueError as error:
                t += 2
                raise error
        except ValueError as same:
            t = t * 3 + same.args[0] + len(same.args)
    return t


def through_a_finally(xs):
    t = 1
    for x in xs:
        try:
            try:
                if x < 0:
                    raise ValueError(x * 3)
                if x > 4:
                    raise KeyError(x)
            finally:
                t += 1
        except (ValueError, KeyError) as same:
            t = t * 3 + same.args[0]
    return t


def twice(xs):
    t = 1.0
    for x in xs:
        try:
            if x < 0:
                raise ValueError(x * 0.5)
        except ValueError as first:
            try:
                raise first
            except ValueError as second:
                try:
                    raise second
                except ValueError as third:
                    t = t + third.args[0] + first.args[0]
    return t


@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
@pytest.mark.parametrize("program", [from_another_handler, around_its_handler, through_a_finally, twice])
def test_what_is_raised_again_holds_the_numbers_that_it_held(program, executor):
    xs = np.array([1, -1, 2, 5, -4, -2])
    assert ag.function(program, executor=executor)(xs) == program(xs)
    ag.check(program, xs)


def test_what_is_raised_again_beside_another_exception_is_either():
    def f(x, y):
        t = 0
        try:
            if x < 0:
                raise ValueError(x * 3)
        except ValueError as error:
            try:
                if y > 0:
                    raise ValueError(y)
                raise error
            except ValueError as found:
                t = found.args[0]
        return t

    ag.check(f, np.int64(-2), np.int64(1), then=[(np.int64(-2), np.int64(0)), (np.int64(2), np.int64(0))])


class Coded(ValueError):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


def test_numbers_of_two_kinds_in_an_exception_are_warned_of():
    def f(x):
        try:
            if x > 2:
                raise Coded(x)
            raise Coded(-1)
        except Coded as error:
            return error.code

    with pytest.warns(rt.errors.KindsMeetWarning, match="`?error.code`? may be a float64 or an int"):
        ag.function(f)(np.float64(1.0))
