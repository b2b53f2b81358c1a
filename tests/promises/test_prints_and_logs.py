"""What a program prints it prints on every call, in program order, whoever prints it."""

# ruff: noqa: T203  (programs are written as users write them)

import contextlib
import io
import pprint
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.errors import InvalidValue, NoConcreteValue
from tests.beyond.kit import Number, check


class Loud:
    """Says what Python calls of it."""

    def __init__(self, value):
        print("made of", value, [1.5, "a"])
        self.value = value

    @property
    def half(self):
        print("half")
        return self.value / 2

    def __len__(self):
        print("len")
        return 3

    def __getitem__(self, index):
        print("item", index)
        return index

    def __add__(self, other):
        print("add", other)
        return self.value + other

    def __eq__(self, other):
        print("equal?")
        return True

    __hash__ = None

    def __enter__(self):
        print("enter", self.value)
        return self

    def __exit__(self, *error):
        print("exit", error[0])

    def __iter__(self):
        print("first")
        yield 1
        print("second")
        yield 2


def plain_text(x):
    print("hello")
    return x


def before_and_after_a_branch(x):
    if x > 0:
        print("positive")
    print("value", x)
    print("end")
    return x


def before_an_error(x):
    print("before")
    if x > 1:
        raise ValueError("too much")
    print("after", end="!\n", flush=True)
    return x


def before_an_error_in_any_case(x):
    print("before")
    raise ValueError("always")


def before_a_line_that_raises(x):
    values = [1.0, 2.0]
    print("asked for", x)
    y = values[x]
    print("found", y)
    return y


def in_a_try(x):
    try:
        print("try")
        if x > 1:
            raise ValueError("no")
        print("went well")
    except ValueError as error:
        print("caught", error)
    else:
        print("else")
    finally:
        print("finally")
    return x


def in_loops(x):
    n = 0
    for i in range(x):
        print("turn", i)
        for j in range(2):
            print("inner")
            if j == i:
                print("same", end=" ")
                break
        else:
            print("no break")
        n += 1
    while n > 0:
        n -= 1
        print("down")
        if n == 1:
            continue
        print("not one")
    return n


def in_callees(x):
    def visit(n):
        print("visit", n)
        if n > 0:
            visit(n - 1)
        print("leave")

    visit(x)
    short = lambda: print("lambda")
    short()
    say = print
    say("alias", x)
    list(map(print, ["mapped", "twice"]))
    return x


def numbers(n):
    print("start")
    for i in range(n):
        print("before", i)
        yield i
        print("after")


def in_generators(x):
    total = sum(numbers(x))
    for number in numbers(x):
        print("got", number)
        total += number
    return total, [2 * number for number in numbers(2)]


def in_what_python_calls(x):
    loud = Loud(x)
    print(len(loud), loud.half, loud[2], loud + 1, loud == 3)
    with Loud(x):
        print("inside")
    for item in Loud(x):
        print(item)
    return x


def through_the_streams(x):
    sys.stdout.write("line\n")
    sys.stdout.write(f"x={x}\n")
    sys.stdout.writelines(["a", "b\n"])
    print("to", "stdout", x, sep="-", file=sys.stdout)
    sys.stdout.flush()
    return sys.stdout.write("four")


def in_libraries(x):
    pprint.pprint({"key": [1, 2]})
    return x


def of_texts(x):
    print()
    print("", "a", sep="|")
    print(f"{x}", "%s" % x, str(x), repr(x), sep=None, end=None)  # noqa: UP031
    print("a", "b", sep="")
    return x


@pytest.mark.parametrize(
    "program",
    [
        *(plain_text, before_and_after_a_branch, in_a_try, in_what_python_calls, through_the_streams),
        *(in_libraries, of_texts),
    ],
)
@pytest.mark.parametrize("x", [1.5, -1.0, 3.0])
def test_prints_happen_on_every_call_in_order(program, x):
    check(program, x)


@pytest.mark.parametrize("program", [in_loops, in_callees, in_generators])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_prints_in_loops_and_callees_happen_as_often_as_the_program_says(program, n):
    check(program, n)


def test_what_is_printed_before_an_error_is_printed():
    check(before_an_error, 1.0)
    check(before_an_error, 3.0, raises=ValueError)
    check(before_an_error_in_any_case, 3.0, raises=ValueError)
    check(before_a_line_that_raises, Number(1))
    check(before_a_line_that_raises, 7, raises=IndexError)


def test_output_may_be_redirected_around_a_call_and_in_it():
    log = io.StringIO()

    @ag.function
    def f(x):
        print("outside", x)
        with contextlib.redirect_stdout(log):
            print("inside", x)
        print("to the log", file=log)
        print("to stderr", file=sys.stderr)
        return x

    for number in (1.0, 2.0):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            f(rt.asarray(number))
        assert out.getvalue() == f"outside {number}\n"
        assert err.getvalue() == "to stderr\n"
    assert log.getvalue() == "inside 1.0\nto the log\ninside 2.0\nto the log\n"


def test_a_file_needs_no_more_than_write():
    class Log:
        def __init__(self):
            self.texts = []

        def write(self, text):
            self.texts.append(text)

    log = Log()

    @ag.function
    def f(x):
        print("x is", x, file=log)
        return x

    f(rt.asarray(1))
    f(rt.asarray(2))
    assert "".join(log.texts) == "x is 1\nx is 2\n"


def test_the_streams_are_as_they_were_after_a_trace():
    before = sys.stdout, sys.stderr

    @ag.function
    def f(x):
        raise TypeError("the program is wrong")

    with pytest.raises(TypeError):
        f(rt.asarray(1.0))
    assert (sys.stdout, sys.stderr) == before


def test_text_of_a_tensor_that_is_made_by_code_of_python_s_is_refused():
    @ag.do_not_convert
    def told(value):
        print("value: " + str(value))

    @ag.function
    def f(x):
        told(x)
        return x

    with pytest.raises(NoConcreteValue, match="in a text that was made while it was traced"):
        f(rt.asarray(1.0))


def test_effects_may_be_asked_for_while_tracing(capsys):
    def f(x):
        print("traced")
        if x > 0:
            print("positive")
        return x

    for function in (ag.function(f, effects="trace"), tf.function(f)):
        function(rt.asarray(1.0))
        assert capsys.readouterr().out == "traced\npositive\n"
        function(rt.asarray(2.0))
        assert capsys.readouterr().out == "positive\n"


def test_recursion_keeps_to_the_rule_of_its_function(capsys):
    def down(n):
        print("traced")
        if n > 0:
            down(n - 1)
        return n

    f = ag.function(lambda n: down(n), effects="trace")  # the function itself is a callee
    f(rt.asarray(3))
    assert set(capsys.readouterr().out.splitlines()) == {"traced"}
    f(rt.asarray(2))
    assert capsys.readouterr().out == ""


def test_effects_are_of_two_kinds():
    with pytest.raises(InvalidValue, match="neither 'run' nor 'trace'"):
        ag.function(lambda x: x, effects="never")


def test_what_is_printed_is_as_numpy_shows_it():
    def f(x):
        print(x, [x, 2.5], (x,), {"k": x})
        return x

    check(f, 1.0)
    check(f, [1.0, 2.0])
    check(f, True)
    check(f, np.float32(0.1))


def test_what_is_printed_before_an_exception_of_python_is_printed():
    def an_index(x):
        print("before", x)
        items = [1]
        return items[5 + len(items)]

    def a_key(x):
        for i in range(3):
            print(i, x)
            if i == 1:
                {}["k"]

    def a_name(x):
        print("before", x)
        return undefined_name  # noqa: F821  # which is what is tested

    def an_attribute(x):
        print("before", x)
        return None.missing

    def after_a_handler(x):
        print("before", x)
        try:
            int("x")
        except ValueError as error:
            print("caught", error)
        int("y")

    def after_a_loop(x):
        total = 0
        for i in range(x):
            print("turn", i)
            total += i
        print("end", total)
        [].pop()

    for program in (an_index, a_key, a_name, an_attribute, after_a_handler, after_a_loop):
        ag.check(program, np.int64(2), then=[(np.int64(1),)])


def test_a_tensor_may_choose_what_stands_between_and_behind_what_is_printed():
    def program(xs, n):
        first, second = io.StringIO(), io.StringIO()
        for i, x in enumerate(xs):
            print(x, i, sep="-" if x > 1 else None, end=";\n" if i else ",")
        print(n, file=first if n > 1 else second)
        print(1, n, sep="ab"[n % 2], end=None if n > 1 else f"{n}\n")
        return first.getvalue(), second.getvalue()

    ag.check(program, np.array([1, 2]), np.int64(2), then=[(np.array([5, 0]), np.int64(1))])


@pytest.mark.parametrize("name", ["sep", "end"])
def test_what_stands_there_and_is_no_string_raises_as_in_python(name):
    ag.check(lambda n: print(1, n, **{name: 3 if n else "-"}), np.int64(2), then=[(np.int64(0),)])
    ag.check(lambda n: print(1, n, **{name: n}), np.int64(2))
