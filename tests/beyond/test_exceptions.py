"""Exceptions that a graph raises where the program would."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import IndexOutOfRange, StateDisagrees
from tests.beyond.kit import EXECUTORS, Number, Same, check


class Refused(Exception):
    """An exception of a program's own, with more to say than its message."""

    def __init__(self, code, limit):
        super().__init__(f"{code} is above {limit}")
        self.code = code
        self.limit = limit


# ── raise ──


def test_a_branch_raises_only_when_it_is_reached():
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x**0.5

    check(root, 4.0)
    check(root, -4.0, raises=ValueError, message="negative")


def test_the_message_has_the_values_of_the_run():
    def limited(x, limit):
        if x > limit:
            raise OverflowError(f"{x} is above {limit:.1f}")
        return x

    check(limited, 1, 2.0)
    check(limited, 3, 2.0, raises=OverflowError)


def test_arguments_that_are_tensors_are_numbers_when_it_is_raised():
    def strict(x):
        if x > 1:
            raise KeyError(x)
        return x

    check(strict, 0)
    check(strict, 5, raises=KeyError)


def test_both_branches_may_raise():
    def never(x):
        if x > 0:
            raise ValueError("above")
        else:
            raise KeyError("below")

    check(never, 1, raises=ValueError)
    check(never, -1, raises=KeyError)


def test_an_exception_leaves_loops_and_branches_within():
    def search(values, wanted):
        position = 0
        for value in values:
            if value == wanted:
                return position
            if value < 0:
                if wanted > 10:
                    raise LookupError(f"stopped at {position}")
            position += 1
        raise LookupError("not there")

    check(search, [1, 2, 3], 3)
    check(search, [1, -2, 3], 11, raises=LookupError)
    check(search, [1, 2, 3], 4, raises=LookupError)


def test_a_called_function_raises():
    def checked(x):
        if x > 2:
            raise ArithmeticError("too much")
        return x * 10

    def total(a, b):
        return checked(a) + checked(b)

    check(total, 1, 2)
    check(total, 1, 3, raises=ArithmeticError)


def test_a_loop_raises_in_the_turn_that_it_does_in_python():
    def countdown(n):
        steps = 0
        while n != 0:
            n = n - 2
            steps += 1
            if n < 0:
                raise ValueError(f"odd after {steps} steps")
        return steps

    check(countdown, 6)
    check(countdown, 7, raises=ValueError)


def test_attributes_of_an_exception_have_their_values():
    def accept(code):
        if code > 9:
            raise Refused(code, 9)
        return code

    check(accept, 3)
    check(accept, 12, raises=Refused)
    for executor in EXECUTORS:
        with pytest.raises(Refused) as caught:
            ag.function(accept, executor=executor)(rt.asarray(12))
        assert (caught.value.code, caught.value.limit) == (12, 9)


def test_the_cause_and_the_notes_stay():
    def accept(code):
        if code > 9:
            error = ValueError("outer")
            error.add_note("see the manual")
            raise error from KeyError(code)
        return code

    for executor in EXECUTORS:
        with pytest.raises(ValueError, match="outer") as caught:
            ag.function(accept, executor=executor)(rt.asarray(12))
        assert isinstance(caught.value.__cause__, KeyError)
        assert caught.value.__cause__.args == (12,)
        assert caught.value.__notes__[0] == "see the manual"


def test_a_note_says_the_line_that_raised():
    def accept(code):
        if code > 9:
            raise ValueError("no")
        return code

    for executor in EXECUTORS:
        with pytest.raises(ValueError, match="no") as caught:
            ag.function(accept, executor=executor)(rt.asarray(12))
        (note,) = caught.value.__notes__
        assert "test_exceptions.py" in note
        assert 'raise ValueError("no")' in note


def test_an_undefined_variable_is_an_error_of_the_branch_that_reads_it():
    def late(x):
        if x > 0:
            y = undefined  # noqa: F821
            undefined = y
        return x

    check(late, -1)
    check(late, 1, raises=UnboundLocalError)


def test_a_missing_key_is_an_error_of_the_branch_that_asks_for_it():
    def price(x, table):
        if x > 0:
            return x * table["there"]
        return x * table["missing"]

    check(price, 1, Same({"there": 3}))
    check(price, -1, Same({"there": 3}), raises=KeyError)


def test_an_exception_at_the_end_of_a_function_has_its_values():
    def refuse(x):
        raise ValueError(f"not {x}")

    check(refuse, 3, raises=ValueError)


def test_what_was_printed_before_stays_printed():
    def speak(x):
        print("got", x)
        raise ValueError("and no more")

    check(speak, 3, raises=ValueError)


def test_a_conditional_expression_raises_where_it_is_reached():
    def fail(x):
        raise ValueError(f"bad {x}")

    def choose(x):
        return x if x > 0 else fail(x)

    check(choose, 2)
    check(choose, -2, raises=ValueError)


def echo(x):
    return x


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (lambda x: len(3), TypeError),
        (lambda x: int([]), TypeError),
        (lambda x: None + 1, TypeError),
        (lambda x: x + "a", TypeError),
        (lambda x: "a" + x, TypeError),
        (lambda x: x < "a", TypeError),
        (lambda x: x + None, TypeError),
        (lambda x: echo(x, x), TypeError),
        (lambda x: [].missing, AttributeError),
        (lambda x: x.missing, AttributeError),
        (lambda x: MISSING, NameError),  # noqa: F821
    ],
)
def test_what_python_says_of_a_wrong_line_is_said_where_the_line_is_reached(wrong, kind):
    def program(x):
        if x > 0:
            wrong(x)
        return x

    def caught(x):
        try:
            if x > 0:
                wrong(x)
        except kind as error:
            return str(error)
        return "none"

    for f in (program, caught):
        ag.check(f, np.float64(-1.0), then=[(np.float64(1.0),)])


def test_what_was_missing_where_a_wrong_line_was_traced_may_be_there_later(monkeypatch):
    class Box:
        pass

    def f(box, x):
        if x > 0:
            return box.size
        return LATER if x < -1 else 0  # noqa: F821

    box = Box()
    g = ag.function(f)
    with pytest.raises(AttributeError, match="size"):
        g(box, np.float64(1.0))
    with pytest.raises(NameError, match="LATER"):
        g(box, np.float64(-2.0))
    box.size = 3
    monkeypatch.setitem(globals(), "LATER", 4)
    assert int(g(box, np.float64(1.0))) == 3
    assert int(g(box, np.float64(-2.0))) == 4


# ── assert ──


def test_an_assertion_is_checked_when_the_graph_runs():
    def positive(x):
        assert x > 0
        return x

    check(positive, 1)
    check(positive, -1, raises=AssertionError, message="")


def test_the_message_of_an_assertion_is_evaluated_only_when_it_fails():
    def positive(x, y):
        assert y != 0, f"{x} by {10 // (y + 1)}"
        return x // y

    check(positive, 6, 3)
    check(positive, 6, -1)
    check(positive, 6, 0, raises=AssertionError, message="6 by 10")


def test_assertions_in_loops_and_callees():
    def checked(x):
        assert x < 5, ("too big", x)
        return x

    def run(n):
        total = 0
        for i in range(n):
            total += checked(i)
        return total

    check(run, 5)
    check(run, 7, raises=AssertionError, message="too big")


# ── arithmetic and indices ──


@pytest.mark.parametrize("operation", [lambda a, b: a // b, lambda a, b: a % b], ids=["//", "%"])
def test_an_integer_divided_by_zero(operation):
    check(operation, Number(7), Number(2))
    check(operation, Number(7), Number(0), raises=ZeroDivisionError)


def test_a_zero_division_in_a_loop_names_its_line():
    def shrink(n):
        while True:
            n = 10 // n - 5
            if n > 100:
                break
        return n

    check(shrink, Number(2), raises=ZeroDivisionError)
    with pytest.raises(ZeroDivisionError) as caught:
        ag.function(shrink)(rt.asarray(2))
    assert "n = 10 // n - 5" in caught.value.__notes__[0]


def test_an_unused_division_by_zero_raises_too():
    def unused(n):
        10 // n
        return n

    check(unused, Number(0), raises=ZeroDivisionError)


def test_floats_and_arrays_divide_as_numpy_does():
    with np.errstate(all="ignore"):
        assert ag.function(lambda x: 1.0 / x)(rt.asarray(0.0)) == float("inf")
        assert ag.function(lambda x: 1 // x)(rt.asarray([0, 1])).numpy().tolist() == [0, 1]


def test_an_index_outside_of_its_axis():
    def pick(values, i):
        return values[i]

    check(pick, [1, 2, 3], 2)
    check(pick, [1, 2, 3], 3, raises=IndexError)


def test_a_loop_that_changes_nothing_may_raise():
    def f(n):
        while n > 0:
            raise ValueError(n)
        for _ in range(n + 2):
            if n < -1:
                raise KeyError(n)
        return n

    check(f, 0)
    check(f, 3, raises=ValueError)
    check(f, -2)
    check(f, -1)


def test_arguments_of_an_exception_beside_an_index_that_may_be_outside():
    def f(n, v):
        try:
            if v > 1:
                raise ValueError("bad", n)
            return [1, 2][n], 0
        except ValueError as error:
            return len(error.args), error.args[1]
        except IndexError:
            return -1, -1

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(3), 0.5), (np.int64(1), 0.5)])


def test_a_missing_key_that_a_handler_reads():
    def f(n, v):
        table = {}
        for i in range(n):
            table[i] = v
        try:
            return table[n] > v, n
        except KeyError as error:
            return len(error.args) == 1, error.args[0]

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(1), 0.5)])


def test_what_is_caught_bears_python_s_name_and_words():
    def f(n):
        said = []
        named, wide = "{a}", "{:{w}}"
        uses = [lambda: np.arange(3)[n], lambda: [1, 2][n], lambda: named.format(n), lambda: wide.format(n)]
        for use in uses:
            try:
                use()
            except LookupError as error:
                said.append(f"{type(error).__name__}: {error}, {error!r}, {error.args}")
        try:
            return said, n[0, 0]
        except IndexError as error:
            return said, type(error).__name__, isinstance(error, LookupError)

    ag.check(f, np.int64(4), then=[(np.int64(1),)])


def test_what_nobody_catches_says_what_a_graph_says():
    def f(n):
        try:
            return n[0, 0]
        except KeyError:
            return n

    with pytest.raises(IndexOutOfRange, match="too many indices"):
        ag.function(f)(np.int64(4))


def test_one_of_several_exceptions_is_raised():
    def f(n):
        seen = []
        for k in range(n):
            try:
                raise ValueError(k) if k % 2 else OSError("even")
            except ValueError as error:
                seen.append(error.args[0])
            except OSError:
                seen.append(-k)
        raise ValueError(seen[0], "big") if n > 2 else KeyError if n else RuntimeError("zero")

    ag.check(f, np.int64(4), then=[(np.int64(0),), (np.int64(1),)])


def test_numbers_of_python_in_an_exception_stay_python_s():
    def f(n):
        total = 0
        for k in range(n):
            total += k
            if k > 1:
                try:
                    raise KeyError("inner", k)
                except KeyError as error:
                    total += error.args[1]
        raise ValueError(total, int(n), n, [total])

    ag.check(f, np.int64(4), then=[(np.int64(1),)])


def raised_in_several_forms(n, v):
    if n > 3:
        raise ValueError(n, v)
    if n > 2:
        raise ValueError("small", n)
    if n > 1:
        raise ValueError(v)
    if n > 0:
        raise ValueError
    return v


def with_all_arguments(n, v):
    try:
        return raised_in_several_forms(n, v)
    except ValueError as error:
        return error.args


def with_the_first_of_several(n, v):
    try:
        return raised_in_several_forms(n, v)
    except ValueError as error:
        if len(error.args) > 1:
            return float(error.args[1]), str(error)
        return 0.0, str(error)


def with_another_made_of_them(n, v):
    try:
        return raised_in_several_forms(n, v)
    except ValueError as error:
        raise KeyError(*error.args, "more") from error


@pytest.mark.parametrize("f", [with_all_arguments, with_the_first_of_several, with_another_made_of_them])
def test_exceptions_of_one_class_may_have_several_forms(f):
    v = np.float64(0.5)
    ag.check(f, np.int64(4), v, then=[(np.int64(n), v) for n in (3, 2, 1, 0)])


def with_a_list(numbers):
    raise ValueError("odd", [int(number) for number in numbers if number % 2])


def with_the_text_of_a_list(numbers):
    raise ValueError(f"cycle among {[k for k in range(len(numbers)) if numbers[k] > 0]}")


def with_rows(numbers):
    rows = []
    for number in numbers:
        rows.append([])
        for k in range(number):
            rows[-1].append(k)
    raise ValueError(rows, f"{rows}", [len(row) for row in rows])


def with_words(numbers):
    words = []
    for number in numbers:
        words.append("ab"[number % 2])
    raise ValueError(words, tuple(words), f"{words}")


def with_a_dict(numbers):
    counts = {}
    for number in numbers:
        counts[int(number)] = counts.get(int(number), 0) + 1
    raise KeyError(counts)


def with_a_list_in_an_attribute(numbers):
    error = RuntimeError("q")
    error.path = [int(number) for number in numbers if number > 0]
    raise error


@pytest.mark.parametrize(
    "program",
    [
        *(with_a_list, with_the_text_of_a_list, with_rows, with_words, with_a_dict),
        with_a_list_in_an_attribute,
    ],
    ids=lambda program: program.__name__,
)
def test_exceptions_hold_lists_that_grew(program):
    ag.check(program, np.array([1, 0, 3, 1]), then=[(np.array([2, 0]),)])


def test_an_assertion_that_never_holds_has_the_values_of_the_run():
    def told(x):
        assert x is None, f"{x} is there"

    def shown(x):
        assert len(x) > 2, x[0]
        return x

    check(told, 3, raises=AssertionError, message="3 is there")
    check(shown, [1.5, 2.0], raises=AssertionError, message="1.5")
    check(shown, [1.5, 2.0, 3.0])


def _fetched(x, attempt):
    if x > attempt:
        raise Refused(x, attempt) if x % 2 else ValueError(f"failed at {attempt}")
    return x * 10


def tried_again(x, limit):
    for attempt in range(limit):
        try:
            return _fetched(x, attempt), attempt
        except ValueError as error:
            last = error
    raise RuntimeError(f"gave up: {last}") from last


def tried_as_often_as_it_takes(x, limit):
    last = None
    for attempt in range(limit):
        try:
            return _fetched(x, attempt), attempt
        except ValueError as error:
            last = error
    if last is None:
        return "never tried"
    raise last


@pytest.mark.parametrize("program", [tried_again, tried_as_often_as_it_takes])
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["chosen", "compiled"])
def test_what_was_caught_last_is_kept_from_turn_to_turn(program, options):
    i = np.int64
    calls = [(i(8), i(3)), (i(8), i(0)), (i(0), i(1)), (i(9), i(2))]
    ag.check(program, i(2), i(5), then=calls, options=options)


def a_value_of_a_loop(n):
    seen = []
    try:
        for i in range(5):
            seen.append(i)
            if i == n:
                raise StopIteration(i)
    except StopIteration as error:
        return seen, error.value, error.args
    return seen


def a_value_of_a_branch(n):
    try:
        if n > 1:
            raise StopIteration(n * 2)
    except StopIteration as error:
        return error.value
    return -1


def a_code(n):
    try:
        for i in range(3):
            if i == n:
                raise SystemExit(i, "stopped") if n > 1 else SystemExit(i)
    except SystemExit as error:
        return error.code, error.args
    return 9


def a_number_and_a_text(n):
    try:
        for i in range(3):
            if i == n:
                raise OSError(i, "stopped", "file")
    except OSError as error:
        return error.errno, error.strerror, error.filename, str(error)
    return 9


@pytest.mark.parametrize("program", [a_value_of_a_loop, a_value_of_a_branch, a_code, a_number_and_a_text])
def test_what_python_itself_keeps_in_an_exception_is_what_was_raised(program):
    ag.check(program, np.int64(2), then=[(np.int64(n),) for n in (1, 0, 7)])


def test_what_python_keeps_beside_the_arguments_is_known_while_tracing_or_refused():
    def named(n):
        try:
            for i in range(3):
                if i == n:
                    raise ImportError("missing", name=f"m{i}", path="p" * i)
        except ImportError as error:
            return error.name, error.path, error.msg
        return 0

    def of_the_run(n):
        try:
            if n > 1:
                raise OSError(2, "missing", f"file{n}")
        except OSError as error:
            return error.errno, error.filename
        return 0

    ag.check(named, np.int64(2), then=[(np.int64(1),), (np.int64(0),), (np.int64(7),)])
    with pytest.raises(
        StateDisagrees, match="`filename` of a caught FileNotFoundError is a value of the run"
    ):
        ag.function(of_the_run)(np.int64(2))


class Heard(Exception):
    """Counts what is set."""

    heard = 0

    def __setattr__(self, name, value):
        Heard.heard += 1
        super().__setattr__(name, value)


class Sealed(Exception):
    def __setattr__(self, name, value):
        raise TypeError(f"{name} is set")


def caught_as_it_was_raised(n):
    try:
        if n > 1:
            raise Sealed("large", n)
        if n < 0:
            raise Sealed("negative", n + 2)
    except Sealed as error:
        return error.args[1]
    return n


def raised_from_another(n):
    try:
        if n > 1:
            raise Heard("large", n)
        if n < 0:
            raise ValueError
    except ValueError as error:
        raise Heard("negative", n) from error
    return n


def raised_again(n):
    try:
        raised_from_another(n)
    except Heard as error:
        print(error)
        raise
    return n


def raised_as_a_cause(n):
    try:
        caught_as_it_was_raised(n)
        if n > 1:
            raise Sealed("large", n)
    except Sealed as error:
        raise KeyError(n) from error
    return n


def made_and_raised_later(n):
    kept = Sealed("kept", n)
    for i in range(n):
        if i > 1:
            raise kept
    return n


@pytest.mark.parametrize(
    "program",
    [caught_as_it_was_raised, raised_from_another, raised_again, raised_as_a_cause, made_and_raised_later],
)
def test_what_raise_sets_the_setattr_of_a_class_does_not_hear_of(program):
    Heard.heard = 0
    ag.check(program, np.int64(0), then=[(np.int64(n),) for n in (2, -1, 3)])
    assert Heard.heard == 0
