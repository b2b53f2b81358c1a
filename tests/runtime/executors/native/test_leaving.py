"""Loops are left where they break: no turn asks for what a `break` has set."""

import re
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import (
    Apply,
    Break,
    Fail,
    Function,
    If,
    Number,
    Set,
    Share,
    Variable,
    While,
    add,
)
from runtime.executors.native.language.walking import inside
from runtime.executors.native.lower.leaving import leaving_early
from runtime.executors.native.whole import lowered

SPECS = rt.TensorSpec((8,), "int64"), rt.TensorSpec((), "int64")


def place_of(x, wanted):
    found = -1
    for i in range(8):
        if x[i] == wanted:
            found = i
            break
    return found


def test_a_loop_that_breaks_is_left(golden, request):
    module = ag.function(place_of).get_concrete_function(*SPECS).optimised_module
    golden(request.path.parents[3] / "golden/loops/place_of.txt", f"{lowered(module)}\n")


def first_that_divides(x, n):
    """Two loops that end early, one inside of the other."""
    total = 0
    for i in range(8):
        if x[i] < 0:
            break
        d = 2
        is_prime = True
        while d * d <= x[i]:
            if x[i] % d == 0:
                is_prime = False
                break
            d += 1
        if not is_prime:
            continue
        total += x[i]
        if total > n:
            return total * 100 + i
    return total


def with_several_ways_out(x, n):
    i, turns = 0, 0
    while True:
        turns += 1
        child = 2 * i + 1
        if child >= 8:
            break
        if child + 1 < 8 and x[child] < x[child + 1]:
            child += 1
        if x[i] >= x[child] + n:
            break
        t = x[i]
        x[i] = x[child]
        x[child] = t
        i = child
    return i * 100 + turns


def with_a_flag_of_its_own(x, n):
    is_over, i = False, 0
    while not is_over and i < 8:
        if x[i] > n:
            is_over = True
        else:
            x[i] += 1
        i += 1
    return i


def with_an_else(x, n):
    i = 0
    while i < 8:
        if x[i] == n:
            break
        i += 1
    else:
        i = -5
    return i


def in_lists(x, n):
    found = []
    for i in range(8):
        for each in found:
            if each == x[i]:
                break
        else:
            found.append(x[i])
        if len(found) > n:
            break
    return len(found)


PROGRAMS = [
    place_of,
    first_that_divides,
    with_several_ways_out,
    with_a_flag_of_its_own,
    with_an_else,
    in_lists,
]
ARRAYS = [np.array(x) for x in ([3, 5, 9, 7, 11, 4, 2, 13], [0] * 8, [9, 8, 7, 6, 5, 4, -3, 2], [1, 2] * 4)]


@pytest.mark.parametrize("function", PROGRAMS)
def test_what_is_found_is_what_python_finds(function):
    compiled = ag.function(function, jit_compile=True)
    concrete = ag.function(function).get_concrete_function(*SPECS)
    module = concrete.optimised_module
    loops = lowered(module)
    assert "break\n" in re.sub(r"if not \w+: break", "", f"{loops}\n")
    interpreted = Interpreted(loops, module.entry)
    for x in ARRAYS:
        for n in (0, 2, 5, 40):
            own, other = x.copy(), x.copy()
            expected = function(own, n)
            assert int(compiled(other, np.asarray(n))) == expected
            assert other.tolist() == own.tolist()
            given = [x.copy(), np.asarray(n)]
            found = interpreted.run(given)
            assert int(found[0]) == expected


I, N, FLAG, TEST = (
    Variable("i", int64),
    Variable("n", int64),
    Variable("found", bool_),
    Variable("going", bool_),
)


def loop(then, *behind, before=()):
    """A loop which a branch ends."""
    is_missing = Apply("logical_not", (FLAG,), bool_)
    asks = Set(TEST, Apply("logical_and", (Apply("less", (I, N), bool_), is_missing), bool_))
    branch = If(Apply("equal", (I, Number(3, int64)), bool_), list(then), [])
    return While([*before, asks], TEST, [branch, *behind, Set(I, add(I, 1))])


def left(statement):
    """Whether a loop is left early."""
    function = leaving_early(Function("f", [I, N, FLAG], [statement], [I]))
    return any(isinstance(each, Break) for each in inside(function.body))


YES = Set(FLAG, Number(True, bool_))


def test_a_loop_is_left_only_where_its_test_is_sure_to_fail():
    is_odd = Apply("equal", (I, Number(1, int64)), bool_)
    assert left(loop([YES]))
    assert not left(loop([Set(FLAG, is_odd)]))
    assert not left(loop([YES], Set(FLAG, is_odd)))
    assert not left(loop([YES], before=[Set(FLAG, is_odd)]))
    assert left(loop([YES, If(is_odd, [Set(I, N)], [Set(N, I)])]))
    assert not left(loop([YES, If(is_odd, [Set(FLAG, is_odd)], [Set(FLAG, TEST)])]))


def test_what_threads_share_or_is_long_is_not_there_twice():
    assert not left(loop([YES], Share("part", (), N, N, ())))
    assert not left(loop([YES], *[Set(N, add(N, 1))] * 80))


def test_a_branch_that_fails_needs_no_way_out():
    assert not left(loop([YES, Fail(0)]))


def steps_for(lines):
    """Calls of Python that a loop of so many branches takes."""
    branches = [If(TEST, [Set(FLAG, TEST)], [YES]) for _ in range(lines)]
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        leaving_early(Function("f", [I, N, FLAG], [loop([YES], *branches)], [I]))
    finally:
        sys.setprofile(before)
    return calls


def test_twice_the_code_takes_twice_the_time():
    assert steps_for(400) < 2.2 * steps_for(200)
