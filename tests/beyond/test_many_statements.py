"""Functions with as many statements, one inside of the other, as Python takes."""

import itertools
import linecache
import sys
import threading

import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import check

_numbers = itertools.count()


def program(lines):
    """A function `f(n)` of these lines."""
    text = "\n".join(["def f(n):", *[f"    {line}" for line in lines]]) + "\n"
    filename = f"<many statements {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope = {}
    exec(compile(text, filename, "exec"), scope)
    return scope["f"]


def returns(count):
    return [f"if n == {i}: return {3 * i}" for i in range(count)] + ["return -1"]


def a_long_elif(count):
    branches = [f"elif n == {i}: total = {3 * i}" for i in range(count)]
    return ["total = 0", "if n < 0: total = 1", *branches, "return total"]


def a_long_and(count):
    return ["return " + " and ".join(f"n != {i}" for i in range(10, 10 + count))]


def a_long_or(count):
    return [f"if {' or '.join(f'n == {i}' for i in range(10, 10 + count))}: return 1", "return 0"]


def nested_expressions(count):
    return ["return " + " ".join(f"{2 * i} if n == {i} else" for i in range(count)) + " 0"]


def nested_ifs(count):
    inside = [f"{'    ' * i}if n > {-i}:" for i in range(count)]
    return ["total = 0", *inside, f"{'    ' * count}total = n", "return total"]


def continues(count):
    skips = [f"    if j == {i + 3}: continue" for i in range(count)]
    return ["total = 0", "for j in range(n):", *skips, "    total += j", "return total"]


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (returns, 100),
        (a_long_elif, 100),
        (a_long_and, 100),
        (a_long_or, 100),
        (nested_expressions, 85),
        (nested_ifs, 90),
        (continues, 40),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_many_statements_inside_one_another(lines, count):
    f = program(lines(count))
    check(f, 0)
    check(f, count - 2)


@pytest.mark.parametrize("lines", [a_long_elif, a_long_and], ids=lambda each: each.__name__)
def test_python_stops_at_no_number_of_statements(lines):
    limit = sys.getrecursionlimit()
    f = program(lines(300))
    staged = ag.function(f)
    assert staged(rt.asarray(290)).numpy() == f(290)
    assert staged.concrete_functions[0].graph.depth >= 300
    assert sys.getrecursionlimit() == limit


def test_a_thread_may_have_many_statements_while_another_one_has():
    f, limit = program(returns(120)), sys.getrecursionlimit()
    found = []

    def run(n):
        found.append(int(ag.function(f)(rt.asarray(n))))

    threads = [threading.Thread(target=run, args=(n,)) for n in (7, 119, 200)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(found) == [-1, 21, 357]
    assert sys.getrecursionlimit() == limit
