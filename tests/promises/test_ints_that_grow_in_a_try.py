"""An int that outgrows its 64 bits in a `try`: Python's grows on, so no handler of the program's meets it."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge

EXECUTORS = ("reference", "numpy", "native")
LARGE = 3037000499


def of_its_class(xs):
    a, bad = 1, 0
    for i in range(len(xs)):
        try:
            a = a * LARGE + int(xs[i])
        except OverflowError:
            bad += 1
    return bad


def of_any_class(xs):
    a, bad = 1, 0
    for x in xs:
        try:
            a = a * LARGE + int(x)
            if x < 0:
                raise ValueError
        except Exception:  # noqa: BLE001  # as the program has it
            bad += 1
    return bad


def through_a_finally(xs):
    a, seen, bad = 1, 0, 0
    for x in xs:
        try:
            try:
                a = a * LARGE + int(x)
            finally:
                seen += 1
        except ArithmeticError:
            bad += 1
    return seen, bad


def divided(xs):
    a, bad = 1, 0
    for x in xs:
        try:
            a = a * LARGE + 10 // int(x)
        except ArithmeticError:
            bad += 1
            a = 1
    return a, bad


def through_a_call(xs):
    def grown(a, x):
        return a * LARGE + int(x)

    a, bad = 1, 0
    for x in xs:
        try:
            a = grown(a, x)
        except BaseException:  # noqa: BLE001  # as the program has it
            bad += 1
    return bad


PROGRAMS = [of_its_class, of_any_class, through_a_finally, divided, through_a_call]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_handler_for_classes_of_python_s_does_not_catch_that_an_int_grew_too_large(program, executor):
    graph = ag.function(program, executor=executor)
    with pytest.raises(IntTooLarge, match="gets larger than a graph has room for") as found:
        graph(np.arange(1, 6))
    assert "LARGE + " in str(found.value)  # the line


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_ints_that_stay_small_are_what_they_were(program):
    ag.check(program, np.arange(1, 2), then=[(np.arange(2),)])


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_handler_that_names_an_error_of_ours_catches_it(executor):
    @ag.function(executor=executor)
    def f(xs):
        a, bad = 1, 0
        for x in xs:
            try:
                a = a * LARGE + int(x)
            except IntTooLarge:
                bad += 1
        return bad

    assert f(np.arange(5)) == 3


def test_an_int_that_is_too_large_when_it_is_traced_is_no_exception_of_the_program():
    def f(x):
        try:
            return x * 0 + len(str(2**70)) + (2**70 + int(x)) % 7
        except OverflowError:
            return x * 0 - 1

    with pytest.raises(IntTooLarge):
        ag.function(f)(np.int64(3))
