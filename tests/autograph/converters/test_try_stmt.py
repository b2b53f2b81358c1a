"""`try` on plain values: the converted form runs as Python runs the statement."""

import sys

import pytest

from autograph import to_code


def test_the_ways_through_a_try(check):
    def f(x, log):
        try:
            log.append("body")
            log.append(1 // x)
        except ZeroDivisionError as error:
            log.append(str(error))
        except TypeError:
            log.append("type")
        else:
            log.append("else")
        finally:
            log.append("finally")
        return log

    check(f, (1, []), (0, []), ("a", []))


def test_an_exception_that_no_clause_fits_goes_on(convert):
    def f(x):
        try:
            return 1 // x
        except ValueError:
            return None

    with pytest.raises(ZeroDivisionError):
        convert(f)(0)


def test_returns_and_jumps_leave_a_try(check):
    def f(values):
        found = []
        for value in values:
            try:
                if value < 0:
                    continue
                if value > 9:
                    break
                found.append(10 // value)
            except ZeroDivisionError:
                found.append(None)
                continue
            finally:
                found.append("finally")
            if value == 7:
                return found
        return found, "end"

    check(f, ([1, 0, -1, 5],), ([1, 12, 3],), ([7, 1],), ([],))


def test_a_return_that_fails_is_called_off(check):
    def f(x):
        try:
            return 1 // x
        except ZeroDivisionError:
            pass

    check(f, (1,), (0,))


def test_a_bare_raise_and_exc_info(convert):
    def f(x):
        try:
            return 1 // x
        except ZeroDivisionError as error:
            assert sys.exc_info()[1] is error
            raise

    with pytest.raises(ZeroDivisionError):
        convert(f)(0)


def test_the_name_of_an_exception_is_gone_after_its_handler(convert):
    def f(x):
        try:
            1 // x
        except ZeroDivisionError as error:
            message = str(error)
        return message, error  # noqa: F821  (the point)

    with pytest.raises(UnboundLocalError, match="error"):
        convert(f)(0)


def test_what_stands_behind_except_is_evaluated_only_when_something_was_raised(check):
    def f(x, log):
        try:
            log.append(1 // x)
        except (log.append("asked"), ZeroDivisionError)[1]:
            log.append("handled")
        return log

    check(f, (1, []), (0, []))


def test_tests_and_decorators_that_have_a_body_stand_in_a_try(check):
    def f(x, log):
        try:
            while (x if x else 0) > 1:

                @(lambda function: function)
                def less():
                    return 1

                try:
                    x = x - less()
                    log.append(1 // (x - 1))
                except ZeroDivisionError as error:
                    log.append(str(error))
        except TypeError as error:
            log.append(type(error).__name__)
        return x, log

    check(f, (3, []), (0, []), ("a", []))


def test_except_star_stays_as_it_is(check):
    def f(x):
        found = []
        try:
            if x:
                raise ExceptionGroup("both", [ValueError(1), KeyError(2)])
        except* ValueError as group:
            found.append(len(group.exceptions))
        except* KeyError:
            found.append("key")
        return found

    check(f, (0,), (1,))


def test_a_try_around_an_import_is_no_call():
    def f():
        try:
            import json  # noqa: PLC0415  (the point)
        except ImportError:
            json = None
        return json

    assert "ag__.try_stmt" not in to_code(f)
