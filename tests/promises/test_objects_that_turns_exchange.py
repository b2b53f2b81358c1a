"""Objects that turns of a loop hand from one variable to another stay the objects that they are."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CLASS = """
class P:
    def __init__(self, v):
        self.data = v
        self.k = 0

def same(a, b):
    return a is b

outside = P(7)
"""

HOLDERS = {
    "instances": ("P({})", "{}.data"),
    "dicts": ("{{'d': {}}}", "{}['d']"),
    "lists": ("[{}, 0]", "{}[0]"),
}

LOOPS = {
    "exchanged": "for i in range(n):\n        a, b, c = b, a, c",
    "by a third name": "for i in range(n):\n        t = a; a = b; b = t",
    "three in a ring": "for i in range(n):\n        a, b, c = b, c, a",
    "while": "i = 0\n    while i < n:\n        a, b = b, a\n        i += 1",
    "one handed on": "for i in range(n):\n        c = b; b = a",
    "loops in loops": "for i in range(n):\n        for j in range(i):\n            a, b = b, a\n"
    "        b, c = c, b",
    "some turns": "for i in range(n):\n        if i % 2 == 0:\n            a, b, c = c, a, b",
    "left by an exception": "try:\n        for i in range(n):\n            a, b = b, a\n"
    "            x[n + 8 * (i == 2)]\n    except IndexError:\n        c = a",
    "written into": "for i in range(n):\n        a, b = b, a\n        {a}[0] = i + 10.0",
    "bound anew": "for i in range(n):\n        a, b = b, a\n        {a} = {b} * 2",
    "contents exchanged": "for i in range(n):\n        {a}, {b} = {b}, {a}\n        a, c = c, a",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_arrays_go_with_the_objects_that_hold_them(holder, loop):
    make, array = HOLDERS[holder]
    names = {name: array.format(name) for name in "abc"}
    function = function_of(
        CLASS
        + f"""
def f(x, n):
    a, b, c = {make.format("x + 1")}, {make.format("x * 2")}, {make.format("x - 3")}
    {LOOPS[loop].format(**names)}
    return {array.format("a")} + 0, {array.format("b")} + 0, {array.format("c")} + 0
"""
    )
    converted = ag.function(function)
    for n in (3, 0, 1, 4):
        expected = function(np.array([1.0, 2, 3, 4]), n)
        result = converted(np.array([1.0, 2, 3, 4]), np.int64(n))
        np.testing.assert_array_equal(result, expected)


COMPARED = {
    "`is`": "a is b",
    "`is not`": "a is not b",
    "`==`": "a == b",
    "`!=`": "a != b",
    "`in`": "b in [c, a]",
    "a function": "same(a, b)",
    "outside": "a is outside",
}

HANDED_ON = {
    "from a name that stays": "a = b",
    "from outside": "a = outside",
    "exchanged": "a, b = b, a",
    "a ring": "a, b, c = b, c, b",
    "on some turns": "if i % 2:\n            a = b\n        else:\n            b = c",
    "made anew": "b = P(i)",
    "made anew with two names": "a = P(i); b = a",
}


@pytest.mark.parametrize("handed", HANDED_ON)
@pytest.mark.parametrize("compared", COMPARED)
def test_a_turn_knows_which_objects_the_one_before_has_left(compared, handed):
    function = function_of(
        CLASS
        + f"""
def f(n):
    a, b, c, t = P(1), P(2), P(3), 0
    for i in range(n):
        t += i * ({COMPARED[compared]})
        {HANDED_ON[handed]}
    return t, a.data, b.data, {COMPARED[compared]}
"""
    )
    converted = ag.function(function)
    for n in (4, 0, 1):
        np.testing.assert_array_equal(converted(np.int64(n)), function(n))
