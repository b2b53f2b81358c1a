"""Calls: arguments, builtins, and functions that look at their caller."""

import math
import sys

import numpy as np
import pytest

import autograph as ag

GLOBAL = []


def test_calls_evaluate_callee_then_arguments_in_order(same_log, make):
    def f(log):
        def call(*args, **kwargs):
            log.append((len(args), list(kwargs)))

        def arg(value):
            log.append(value)
            return value

        more, options, again = [arg(2)], {"m": arg(6)}, {"k": 1}
        make(log, "x"), call(arg(1), *more, k=arg(4), *[arg(5)], **options, n=arg(7))
        return call(**again, k=arg(2))

    same_log(f)


def test_call_errors_have_pythons_types(check):
    def f(x):
        return x(1, *2)

    def g(x):
        return x(**3)

    def h(x):
        return x.missing()

    for function in (f, g, h):
        check(lambda x, function=function: kind_of(function, x), (len,), (None,))


def kind_of(function, x):
    try:
        return function(x)
    except (TypeError, AttributeError) as error:
        return type(error).__name__


def test_dict_and_slice_may_mean_something_else(check):
    def f(n):
        dict = slice = None
        box = lambda **options: options
        options = {"b": 2}
        return box(a=n, **options), [1, 2, 3][n:], dict, slice

    check(f, (1,))


def test_builtins_are_the_builtins(check):
    def f(items):
        return (
            len(items),
            list(range(1, 5, 2)),
            list(enumerate(items, 1)),
            list(zip(items, items)),
            (int("12", 8), float("2.5"), bool([]), abs(-3)),
            (max(items), min(items, key=lambda v: -v), sum(items, start=1), any(items), all(items)),
            sorted(items, reverse=True),
            isinstance(items, list),
        )

    check(f, ([3, 1, 2],))


def test_print_prints(convert, capsys):
    def f(x):
        print("x is", x, sep=": ", end="!\n")

    convert(f)(3)
    assert capsys.readouterr().out == "x is: 3!\n"


def test_frame_readers_see_the_users_module(convert):
    def f():
        return globals()["GLOBAL"] is GLOBAL, eval("GLOBAL", {"GLOBAL": 3})

    assert convert(f)() == (True, 3)


def test_a_format_string_is_evaluated_as_written(check):
    def f(x):
        return f"{x!r:>{len(x) + 2}} {x if x else 'none'} {x=}"

    check(f, ("ab",), ("",))


def test_functions_of_numbers_are_called_at_once_where_a_graph_is_traced():
    def total(x, n):
        found = 0.0
        for i in range(n):
            found += math.sqrt(i) * math.floor(i * 0.3) + math.gcd(i, 12)
        return x + found

    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    x = np.ones(2)
    assert np.array_equal(ag.function(total)(x, 5), total(x, 5))
    counts = []
    before = sys.getprofile()
    for n in (4, 15):  # are not many, so no turn stands for others
        calls = 0
        sys.setprofile(count)
        try:
            ag.function(total).get_concrete_function(x, n)
        finally:
            sys.setprofile(before)
        counts.append(calls)
    assert (counts[1] - counts[0]) / 11 < 3 * 20


def test_functions_of_numbers_raise_what_python_raises():
    @ag.function
    def root(x, number):
        return x * math.sqrt(number)

    with pytest.raises(ValueError, match="math domain error"):
        root(np.ones(2), -1.0)
