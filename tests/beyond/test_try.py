"""`try` around what a graph raises: handlers, `else` and `finally`."""

import contextlib
import io
import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import EXECUTORS, Number, Same, check


def test_a_handler_runs_where_the_body_raises():
    def safe(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            z = -1
        return z

    check(safe, Number(6), Number(3))
    check(safe, Number(6), Number(0))


def test_a_handler_sees_what_the_body_had_done():
    def progress(x, y):
        stage = 0
        value = x
        try:
            stage = 1
            value = value + 1
            if y > 0:
                raise ValueError("first")
            stage = 2
            value = value * 2
            if y < 0:
                raise ValueError("second")
            stage = 3
        except ValueError:
            value = value + 100
        return stage, value

    for y in (1, -1, 0):
        check(progress, 5, y)


def test_a_handler_sees_the_turn_of_a_loop():
    def consume(values, limit):
        total = 0
        count = 0
        try:
            for value in values:
                count += 1
                if value > limit:
                    raise OverflowError("too big")
                total += value
        except OverflowError:
            total = -total
        return total, count

    check(consume, [1, 2, 3], 5)
    check(consume, [1, 2, 9, 4], 5)


def test_the_first_clause_that_fits_handles():
    def classify(x):
        try:
            if x == 0:
                raise KeyError("zero")
            if x == 1:
                raise IndexError("one")
            if x == 2:
                raise ValueError("two")
            result = 0
        except KeyError:
            result = 1
        except (LookupError, OSError):
            result = 2
        except Exception:  # noqa: BLE001
            result = 3
        return result

    for x in range(4):
        check(classify, x)


def test_what_no_clause_fits_goes_on():
    def narrow(x):
        try:
            if x > 0:
                raise KeyError("k")
        except ValueError:
            return -1
        return x

    check(narrow, 0)
    check(narrow, 1, raises=KeyError)


def test_else_runs_where_nothing_was_raised():
    def divide(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            result = 0
        else:
            result = z + 100
        return result

    check(divide, Number(6), Number(4))
    check(divide, Number(6), Number(0))


def test_else_is_not_guarded():
    def divide(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            z = 0
        else:
            z = x // (y - 1)
        return z

    check(divide, Number(6), Number(0))
    check(divide, Number(6), Number(1), raises=ZeroDivisionError)


def test_finally_runs_on_every_way_out():
    def guarded(x, y):
        log = 0
        try:
            log += 1
            x // y
            log += 10
        except ZeroDivisionError:
            log += 100
        finally:
            log += 1000
        return log

    check(guarded, Number(6), Number(2))
    check(guarded, Number(6), Number(0))


def test_finally_runs_before_an_exception_goes_on():
    def guarded(x, y):
        try:
            print("try", x)
            z = x // y
            print("done", z)
        finally:
            print("finally", x)
        return z

    check(guarded, Number(6), Number(2))
    check(guarded, Number(6), Number(0), raises=ZeroDivisionError)


def test_finally_runs_after_a_handler_that_raises():
    def guarded(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            raise ValueError("no quotient") from None
        finally:
            print("finally", x)
        return z

    check(guarded, Number(6), Number(2))
    check(guarded, Number(6), Number(0), raises=ValueError)


def test_a_bare_raise_raises_what_was_caught():
    def twice(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            print("seen", x)
            raise
        return z

    check(twice, Number(6), Number(3))
    check(twice, Number(6), Number(0), raises=ZeroDivisionError)


def test_another_exception_in_the_place_of_the_first():
    def translate(x, y):
        try:
            z = x // y
        except ZeroDivisionError as error:
            raise ValueError(f"cannot divide {x}") from error
        return z

    check(translate, Number(6), Number(3))
    check(translate, Number(6), Number(0), raises=ValueError)
    for executor in EXECUTORS:
        with pytest.raises(ValueError, match="cannot") as caught:
            ag.function(translate, executor=executor)(rt.asarray(6), rt.asarray(0))
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_the_exception_says_its_message():
    def report(x):
        try:
            if x > 3:
                raise ValueError(f"{x} is too big")
            if x < 0:
                raise ValueError("negative")
        except ValueError as error:
            print("caught:", error)
            print(f"{error!s}!")
        return x

    for x in (1, 5, -2):
        check(report, x)


class Refused(Exception):
    """An exception of a program's own, with more to say than its message."""

    def __init__(self, code, limit):
        super().__init__(f"{code} is above {limit}")
        self.code = code
        self.limit = limit


def test_the_exception_has_its_arguments_and_attributes():
    def lowered(x):
        try:
            if x > 9:
                raise Refused(x * 2, 9)
            result = x
        except Refused as error:
            result = error.code - error.limit
        return result

    check(lowered, 3)
    check(lowered, 12)


def test_the_class_of_the_exception_is_known_in_its_handler():
    def name(x):
        try:
            if x == 0:
                raise KeyError("k")
            if x == 1:
                raise ValueError("v")
        except Exception as error:  # noqa: BLE001
            x = len(type(error).__name__) + 100 * isinstance(error, KeyError)
        return x

    for x in range(3):
        check(name, x)


def test_one_try_inside_of_another():
    def nested(x, y):
        result = 0
        try:
            result = 1
            try:
                result = x // y
                if result > 5:
                    raise KeyError("big")
            except ZeroDivisionError:
                result = -1
                if x > 100:
                    raise ValueError("both")
            result += 10
        except KeyError:
            result += 1000
        except ValueError:
            result += 5000
        return result

    for x, y in ((8, 2), (8, 1), (8, 0), (200, 0)):
        check(nested, Number(x), Number(y))


def test_a_try_in_a_loop_catches_in_each_turn():
    def robust(values):
        total = 0
        failures = 0
        for value in values:
            try:
                total += 12 // value
            except ZeroDivisionError:
                failures += 1
                continue
            total += 1
        return total, failures

    check(robust, Number([1, 2, 0, 3, 0]))
    check(robust, Number([0]))


def test_returns_from_within_a_try():
    def quotient(x, y):
        try:
            return x // y
        except ZeroDivisionError:
            return -1

    check(quotient, Number(6), Number(4))
    check(quotient, Number(6), Number(0))


def test_break_from_within_a_handler():
    def first_bad(values):
        position = 0
        for value in values:
            try:
                12 // value
            except ZeroDivisionError:
                break
            position += 1
        return position

    check(first_bad, Number([3, 2, 0, 1]))
    check(first_bad, Number([3, 2, 1]))


def test_exceptions_of_callees_are_caught():
    def inner(x):
        if x > 2:
            raise ValueError("inner")
        return x * 10

    def outer(x):
        try:
            return inner(x) + inner(x + 1)
        except ValueError:
            return -1

    for x in (1, 2, 3):
        check(outer, x)


def test_exceptions_of_graph_functions_are_caught():
    @ag.function
    def inner(x):
        if x > 2:
            raise ValueError("inner")
        return x * 10

    def outer(x):
        try:
            return inner(x) + 1
        except ValueError:
            return -1

    for executor in EXECUTORS:
        staged = ag.function(outer, executor=executor)
        assert [int(staged(rt.asarray(x))) for x in (1, 2, 3)] == [11, 21, -1]


def test_an_index_error_is_caught():
    def pick(values, i):
        try:
            return values[i]
        except IndexError:
            return -1

    check(pick, [1, 2, 3], 1)
    check(pick, [1, 2, 3], 7)


def test_an_assertion_is_caught():
    def positive(x):
        try:
            assert x > 0, "not positive"
        except AssertionError:
            x = -x
        return x

    check(positive, 3)
    check(positive, -3)


def test_python_s_own_exceptions_are_handled_while_it_is_traced():
    def cached(x, table):
        try:
            factor = table["factor"]
        except KeyError:
            factor = 2
        return x * factor

    check(cached, 3, Same({}))
    check(cached, 3, Same({"factor": 5}))


def test_nothing_is_left_of_a_try_whose_body_cannot_raise():
    @ag.function
    def plain(x):
        try:
            y = x * 2 + 1
        except ValueError:
            y = None
        return y

    assert plain(rt.asarray(3)) == 7
    assert plain.concrete_functions[0].graph.ops == ["Mul", "AddV2"]


def test_a_loop_that_tries_again():
    def tries(wanted):
        count = 0
        while True:
            try:
                count += 1
                if count < wanted:
                    raise ValueError("again")
                break
            except ValueError:
                continue
        return count

    check(tries, 3)
    check(tries, 1)


def test_a_subclass_is_caught_before_its_base():
    def group(x):
        try:
            if x > 2:
                raise KeyError("a")
            if x > 1:
                raise LookupError("b")
        except KeyError as error:
            print("key", error, x)
        except LookupError as error:
            print("lookup", error, x)
        return x

    for x in (1, 2, 3):
        check(group, x)


def test_finally_inside_of_a_try():
    def nested(x, y):
        log = 0
        try:
            try:
                x // y
                log += 1
            finally:
                log += 10
        except ZeroDivisionError:
            log += 100
        finally:
            log += 1000
        return log

    check(nested, Number(6), Number(2))
    check(nested, Number(6), Number(0))


def test_an_attribute_that_an_object_does_not_have_is_handled_while_tracing():
    def f(x):
        try:
            unit = x.unit
        except AttributeError:
            unit = 1
        return x * unit

    check(f, 3)


def test_what_a_tensor_has_outside_of_graphs_is_not_missing():
    @ag.function
    def f(x):
        try:
            return x.__dlpack__()
        except AttributeError:
            return x

    with pytest.raises(rt.errors.Error):
        f(rt.asarray(1.0))


class NotTheirs(ValueError):
    """Only a `raise` of its own raises it."""


def test_a_handler_of_a_class_that_nothing_raises_is_no_part_of_the_graph():
    def f(x):
        try:
            if x < 0:
                raise ValueError("negative")
            y = np.linalg.cholesky(np.ones((1, 1)) * x)
        except NotTheirs as error:
            return len(str(error).encode())
        return y[0, 0]

    check(f, 4.0)
    check(f, -1.0, raises=ValueError)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_handler_is_told_of_shapes_as_numpy_tells(executor):
    def joined(x, y):
        try:
            z = x + y
        except ValueError as error:
            text = str(error)
            print(text)
            z = x
        return z

    def inverse(x):
        try:
            kind = 0
            y = rt.linalg.inv(x)
        except np.linalg.LinAlgError:
            kind = 1
            y = x
        except ValueError:
            kind = 2
            y = x
        return kind, y

    unknown = rt.TensorSpec((None,), rt.float64)
    staged = ag.function(joined, input_signature=[unknown, unknown], executor=executor)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        staged(np.ones(2), np.ones(3))
    assert printed.getvalue() == "operands could not be broadcast together with shapes (2,) (3,) \n"

    staged = ag.function(
        inverse, input_signature=[rt.TensorSpec((None, None), rt.float64)], executor=executor
    )
    for array in (np.eye(2), np.ones((2, 2)), np.ones((2, 3))):
        assert staged(array)[0] == inverse(rt.asarray(array))[0]


def test_a_function_that_one_handler_guards_raises_outside_of_it():
    @ag.function
    def quotient(x, y):
        return x // y

    def f(x, y, z):
        a, b = 3, 7
        try:
            try:
                a = quotient(x, y)
            except ZeroDivisionError:
                a = 0
            b = quotient(x, z)
        except ZeroDivisionError:
            b = -1
        return a, b

    for y, z in ((1, 2), (0, 2), (1, 0), (0, 0)):
        check(f, Number(6), Number(y), Number(z))


class Odd(ValueError):
    """Nothing in the function below raises it."""


def test_a_class_below_what_is_raised_again_has_a_handler_only_where_something_inside_raises_it():
    @ag.function
    def f(x):
        try:
            try:
                if x < 0:
                    raise ValueError("negative")
            finally:
                y = x + 1.0
        except Odd as error:
            return float(len(re.sub("g", "", str(error))))  # which takes no text of the run
        return y

    assert f(np.float64(1.0)) == 2.0
    with pytest.raises(ValueError, match="negative"):
        f(np.float64(-1.0))
