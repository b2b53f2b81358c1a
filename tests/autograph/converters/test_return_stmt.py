"""`return` anywhere."""

import traceback
from contextlib import nullcontext, suppress

import pytest

import autograph as ag
import runtime as rt


def test_return_from_every_depth(check):
    def f(n):
        for i in range(n):
            while True:
                if i == 2:
                    return "deep", i
                break
        if n == 1:
            return
        elif n == 0:
            return None
        return "end"

    check(f, (0,), (1,), (2,), (5,))


def test_code_after_a_return_is_not_run(check):
    def f(log):
        log.append(1)
        return log
        log.append(2)

    check(f, ([],))


def test_a_return_whose_value_fails_has_not_returned(check):
    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError:
            x = 5
        return x

    check(f, (0,), (2,))


def test_finally_and_with_run_on_the_way_out(check):
    def f(log):
        try:
            if log:
                return "early", log
            log.append("body")
        finally:
            log.append("finally")
        return "late", log

    check(f, ([],), ([1],))


def test_else_of_try_is_skipped_by_a_return(check):
    def f(x, log):
        try:
            if x:
                return "early"
        except ValueError:
            pass
        else:
            log.append("else")
        return "late"

    check(f, (True, []), (False, []))


def test_a_function_without_return_gives_none(check):
    def f(log):
        log.append(1)

    check(f, ([],))


def test_falling_off_the_end_gives_none(check):
    def f(x):
        if x:
            return 1

    check(f, (True,), (False,))


def test_nested_functions_return_for_themselves(check):
    def f(x):
        def g(y):
            if y:
                return "inner"
            return "other"

        if g(x) == "inner":
            return g(not x)
        return "outer"

    check(f, (True,), (False,))


def test_return_in_match(check):
    def f(x):
        match x:
            case {"kind": kind, **rest} if kind:
                return kind, rest
            case [first, *others]:
                if first:
                    return others
            case int() | str():
                return "scalar"
        return "nothing"

    check(f, ({"kind": "a", "b": 1},), ([1, 2],), ([0],), (3,), (2.5,))


def test_the_traceback_names_the_line_of_the_return(convert):
    def f(x):
        if x:
            return 1 / 0
        return 2

    with pytest.raises(ZeroDivisionError) as caught:
        convert(f)(True)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.line == "return 1 / 0"
    assert last.name == "f"


@pytest.mark.parametrize("x", [60.0, 3.0, -3.0])
def test_a_function_that_always_returns_by_a_return_gets_no_none_at_its_end(x):
    def endless(x):
        while True:
            x = x + 1
            if x > 10:
                return x

    def within(x):
        with nullcontext():
            if x > 0:
                return x
            return -x

    def tried(x):
        try:
            if x > 0:
                return x
        except ValueError:
            raise
        else:
            return -x
        finally:
            x = 0.0

    def matched(x):
        match 2:
            case 1:
                return x
            case other:
                if x > 0:
                    return x * other
                return -x

    for function in (endless, within, tried, matched):
        assert float(ag.function(function)(rt.asarray(x))) == function(x)


def test_a_with_that_swallows_the_error_of_a_return_gives_none(check):
    def f(text):
        with suppress(ValueError):
            return int(text)

    check(f, ("1",), ("one",))
