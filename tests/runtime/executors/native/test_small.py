"""Loops in a form for small arguments, in which no whole number gets too large."""

import math

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import IntTooLarge
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import Apply, Fail, For, If, While
from runtime.executors.native.language.walking import inside
from runtime.executors.native.whole import lowered


def squares(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def products(n, m):
    """Two arguments, and loops in one another."""
    total = 0
    for i in range(n):
        for j in range(m):
            if (i ^ j) % 3:
                total += i * j - (i << 2)
    return total


def scaled(n, factor):
    """An argument that is no number of turns."""
    total, factor = 0, int(factor)
    for i in range(n):
        total = total + factor * factor
    return total


def growing(n):
    """What grows too large for a few turns, too."""
    x = 1
    for i in range(n):
        x = x * 3 + i * i
    return x


def reversed_bits(bits):
    """What doubles in each turn."""
    total = 0
    for i in range(5):
        found, left = 0, i
        for _ in range(bits):
            found, left = found << 1 | left & 1, left >> 1
        total = total * 3 % 1009 + found % 101
    return total


def hypotenuses(n):
    """Floats of whole numbers, as whole numbers."""
    count = 0
    for i in range(1, n):
        for j in range(i, n):
            square = i * i + j * j
            root = int(math.sqrt(square))
            if root * root == square:
                count += root
    return count


def outcome(run, *arguments):
    """What a run gives, or that a number is too large."""
    try:
        return int(run(*arguments))
    except IntTooLarge:
        return None


def as_python(function, *arguments):
    found = function(*arguments)
    return found if -(2**63) <= found < 2**63 else None


@pytest.mark.parametrize(
    ("function", "cases"),
    [
        (squares, [(0,), (5,), (1000,), (-3,), (40_000,)]),
        (products, [(3, 4), (50, 60), (-2, 5), (4, -1), (2, 70_000)]),
        (scaled, [(3, 7), (5, -1000), (3, 2**31), (2, 2**31 + 5), (1, 2**32), (0, 2**40), (4, -(2**31))]),
        (growing, [(3,), (39,), (40,), (60,)]),
        (reversed_bits, [(0,), (5,), (31,), (-2,), (60,), (61,), (62,)]),
        (hypotenuses, [(0,), (40,), (-3,)]),
    ],
)
def test_small_and_large_arguments_give_what_python_gives(function, cases):
    graph = ag.function(function)
    module = ag.function(function).get_concrete_function(*map(rt.asarray, cases[0])).optimised_module
    interpreted = Interpreted(lowered(module), module.entry).run
    for case in cases:
        wanted = as_python(function, *case)
        assert outcome(graph, *map(rt.asarray, case)) == wanted
        if max(case) < 1000:
            assert outcome(lambda *given: interpreted(given)[0], *map(np.asarray, case)) == wanted
    assert graph.concrete_functions[0].report().executor == "native"


def forms(function, *arguments):
    """What is asked for two forms of loops, each with how often it may fail where arguments are small."""
    module = ag.function(function).get_concrete_function(*map(rt.asarray, arguments)).optimised_module
    return [
        sum(isinstance(each, Fail) for each in inside(statement.then))
        for statement in inside(lowered(module).functions[-1].body)
        if isinstance(statement, If)
        and isinstance(statement.test, Apply)
        and any(isinstance(each, For | While) for each in statement.then)
        and any(isinstance(each, For | While) for each in statement.orelse)
    ]


def test_where_arguments_are_small_nothing_is_asked():
    assert forms(squares, 3) == [0]
    assert forms(products, 3, 4) == [0]
    assert forms(scaled, 3, 4) == [0]
    assert set(forms(reversed_bits, 3)) == {0}
    assert forms(hypotenuses, 3) == [0]


def test_what_may_grow_too_large_of_small_arguments_is_asked_for():
    [left] = forms(growing, 3)
    assert left == 2  # a product by three, and a sum


def plain(x, n):
    for i in range(n):
        x = x * 0.5 + i
    return x


def test_loops_that_ask_for_nothing_are_written_once():
    assert forms(plain, 1.0, 3) == []
