"""What is behind an exception that the graph catches: its cause, and what was being handled."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


def shown(error):
    """What an exception is, with what is behind it."""
    if error is None:
        return "none"
    return type(error).__name__, error.args[0] if error.args else "no arguments"


def from_what_was_caught(x):
    try:
        try:
            if x > 1:
                raise ValueError("small", x)
        except ValueError as inner:
            raise KeyError("k") from inner
    except KeyError as error:
        return (
            *(type(error.__cause__).__name__, error.__cause__.args[1], error.__cause__ is error.__context__),
            *(error.__suppress_context__, str(error.__cause__.args[0])),
        )
    return "nothing"


def from_one_that_is_made(x):
    try:
        if x > 1:
            raise KeyError("k") from ValueError("made", x)
    except KeyError as error:
        return shown(error.__cause__), shown(error.__context__), error.__suppress_context__
    return "nothing"


def from_none(x):
    try:
        try:
            if x > 1:
                raise ValueError("small")
        except ValueError:
            raise KeyError("k") from None
    except KeyError as error:
        return shown(error.__cause__), shown(error.__context__), error.__suppress_context__
    return "nothing"


def while_another_is_handled(x):
    try:
        try:
            if x > 1:
                raise ValueError("small")
        except ValueError:
            raise KeyError("k")
    except KeyError as error:
        return shown(error.__cause__), shown(error.__context__), error.__suppress_context__
    return "nothing"


def behind_that_of_a_kernel(x):
    try:
        try:
            int(x) // (int(x) - 2)
        except ZeroDivisionError as inner:
            raise KeyError("k") from inner
    except KeyError as error:
        return type(error.__cause__).__name__, str(error.__cause__), error.__cause__.__cause__ is None
    return "nothing"


def three_in_a_row(x):
    try:
        try:
            try:
                if x > 1:
                    raise ValueError("first", x)
            except ValueError as first:
                raise KeyError("second") from first
        except KeyError as second:
            raise IndexError("third") from second
    except IndexError as third:
        return shown(third.__cause__), third.__cause__.__cause__.args[1], shown(third.__cause__.__context__)
    return "nothing"


def inside_of_a_handler(x):
    try:
        raise OSError("outer")
    except OSError:
        try:
            if x > 1:
                raise KeyError("k")
            x = [1.0, 2.0][int(x) + 5]
        except KeyError as error:
            return shown(error.__context__), error.__context__ is None
        except IndexError as error:
            return shown(error.__context__), error.__context__ is None
    return "nothing"


def nothing_behind_it(x):
    try:
        if x > 1:
            raise KeyError("k")
        return 1 // int(x)
    except KeyError as error:
        return error.__cause__ is None, error.__context__ is None, error.__suppress_context__
    except ZeroDivisionError as error:
        return error.__cause__ is None, error.__context__ is None, error.__suppress_context__


def raised_again(x):
    try:
        try:
            if x > 1:
                raise KeyError("k") from ValueError("made")
        except KeyError as error:
            error.add_note("seen")
            raise
    except KeyError as error:
        return shown(error.__cause__)
    return "nothing"


@pytest.mark.parametrize(
    "f",
    [
        *(from_what_was_caught, from_one_that_is_made, from_none, while_another_is_handled),
        *(behind_that_of_a_kernel, three_in_a_row, inside_of_a_handler, nothing_behind_it, raised_again),
    ],
)
def test_what_is_behind_an_exception_is_what_python_has_there(f):
    ag.check(f, np.float64(0.0), then=[(np.float64(2.0),)])


USES = [
    lambda error: error.__cause__ is None,
    lambda error: type(error.__cause__).__name__,
    lambda error: error.__cause__.args,
    lambda error: str(error.__cause__),
    lambda error: isinstance(error.__cause__, ValueError),
    lambda error: error.__cause__ == None,
    lambda error: getattr(error.__cause__, "args"),
    lambda error: error.__cause__.with_traceback(None),
    lambda error: 1 if error.__cause__ else 2,
]


@pytest.mark.parametrize("use", USES)
def test_which_of_several_is_behind_an_exception_is_refused_where_it_is_read(use):
    def f(x):
        try:
            if x > 1:
                raise KeyError("k") from ValueError("made")
            if x > 0:
                raise KeyError("l")
        except KeyError as error:
            return use(error)
        return "nothing"

    with pytest.raises(StateDisagrees, match="exception behind one"):
        ag.function(f)(np.float64(2.0))


def test_several_that_may_be_behind_an_exception_do_no_harm_where_nobody_reads_them():
    def f(x):
        try:
            if x > 1:
                raise KeyError("k") from ValueError("made")
            if x > 0:
                raise KeyError("l")
        except KeyError as error:
            return error.args[0]
        return "nothing"

    ag.check(f, np.float64(2.0), then=[(np.float64(0.5),), (np.float64(0.0),)])


def test_one_of_several_behind_an_exception_is_not_raised():
    def f(x):
        try:
            if x > 1:
                raise KeyError("k") from ValueError("made")
            if x > 0:
                raise KeyError("l")
        except KeyError as error:
            raise error.__cause__
        return "nothing"

    with pytest.raises(StateDisagrees, match="exception behind one"):
        ag.function(f)(np.float64(2.0))


def test_a_chosen_exception_is_raised():
    small, other = ValueError("small"), KeyError("other")

    def f(x, n):
        error = small if n > 2 else other
        try:
            if n > 0:
                raise error
        except ValueError as found:
            return str(found), x
        except KeyError:
            return "key", x * 2
        return "none", x

    for n in (3, 1, 0):
        ag.check(f, np.float64(2.0), np.int64(n))


def test_an_exception_from_a_chosen_cause_has_that_cause():
    small, large = ValueError("small"), ValueError("large")

    def f(n):
        cause = small if n > 2 else large
        try:
            raise KeyError("k") from cause
        except KeyError as error:
            return str(error.__cause__), n

    for n in (3, 1):
        ag.check(f, np.int64(n))


def test_what_is_chosen_and_no_exception_cannot_be_raised():
    def f(n):
        error = "text" if n > 2 else ValueError("small")
        try:
            raise error
        except TypeError as found:
            return str(found)
        except ValueError:
            return "small"

    for n in (3, 1):
        ag.check(f, np.int64(n))


def test_which_exception_was_caught_is_not_known():
    def f(n):
        error = ValueError("small")
        try:
            if n > 0:
                raise error
        except ValueError as found:
            return found is error
        return False

    def g(n):
        first = None
        try:
            try:
                if n > 1:
                    raise KeyError(n)
            except KeyError as error:
                first = error
                raise ValueError("a") from error
        except ValueError as second:
            return second.__cause__ is first
        return False

    for function in (f, g):
        with pytest.raises(StateDisagrees, match="that was caught is another exception"):
            ag.function(function)(np.int64(3))


def test_an_exception_that_was_caught_is_itself_under_another_name_and_none_of_another_class():
    def f(n):
        try:
            if n > 0:
                raise ValueError("small")
        except ValueError as found:
            same = found
            return found is same, found is KeyError, found is None
        return False, False, False

    for n in (3, 0):
        ag.check(f, np.int64(n))


class Broken(Exception):
    """What a program says of a number."""


def doubled(x):
    """Twice a number; it is broken where it is negative or large."""
    try:
        if x < 0:
            raise ValueError(f"negative {x}")
        if x > 9:
            raise Broken("large", x)
    except ValueError as error:
        raise Broken("negative", x) from error
    return 2 * x


def test_a_loop_keeps_the_last_of_exceptions_some_of_which_have_a_cause():
    def f(xs):
        total, last, kept = 0.0, None, []
        for x in xs:
            try:
                total += doubled(x)
            except Broken as error:
                last = error
                kept.append(error.args[0])
        if last is None:
            return total, kept
        return last.args, str(last), kept

    def g(xs):
        total, last = 0.0, Broken("none", 0.0)
        for x in xs:
            try:
                total += doubled(x)
            except Broken as error:
                last = error
        if total > 5:
            raise last
        return total

    then = [(np.array(xs),) for xs in ([1.0, -2.0], [10.0, -3.0, 4.0], [1.0, 12.0, 5.0])]
    ag.check(f, np.array([1.0, 2.0]), then=then)
    ag.check(g, np.array([1.0, 2.0]), then=then)


def test_a_handler_raises_again_what_may_have_a_cause_before_a_finally():
    def f(x, strict):
        try:
            return doubled(x)
        except Broken as error:
            print(error)
            if strict > 0:
                raise
            return float(len(error.args))
        finally:
            print("done")

    calls = [(np.float64(x), np.int64(strict)) for x in (1.0, -1.0, 10.0) for strict in (0, 1)]
    ag.check(f, *calls[0], then=calls[1:])


def test_the_cause_of_an_exception_that_may_be_none_is_read():
    def f(x):
        kept = None
        try:
            if x < 0:
                raise ValueError(f"negative {x}")
        except ValueError as inner:
            try:
                raise KeyError("k") from inner
            except KeyError as error:
                kept = error
        if kept is not None:
            return kept.args, shown(kept.__cause__), str(kept.__cause__)
        return None

    ag.check(f, np.float64(1.0), then=[(np.float64(-1.0),)])


def test_a_cause_that_not_all_have_is_refused_where_it_is_read():
    def f(x):
        kept = None
        try:
            doubled(x)
        except Broken as error:
            kept = error
        return None if kept is None else repr(kept.__cause__)

    with pytest.raises(StateDisagrees, match="the exception behind one that was caught is read"):
        ag.function(f)(np.float64(-1.0))


def test_a_cause_that_a_branch_gives_an_exception_is_refused_where_it_is_read():
    def f(x):
        error = KeyError("k")
        if x < 0:
            error.__cause__ = ValueError("negative")
        return repr(error.__cause__)

    with pytest.raises(StateDisagrees, match="the exception behind one that was caught is read"):
        ag.function(f)(np.float64(-1.0))
