"""Memory that turns of loops make is freed after them, and after those alone that make any."""

import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import Allocate, Array, Call, For, If, Variable
from runtime.executors.native.language.walking import makes_often
from runtime.executors.native.llvm.code import Code
from runtime.executors.native.llvm.releasing import begin_turns, end_turn


def runs_of(x, n):
    values, counts, i = [], [], 0
    while i < n:
        j = i
        while j < n and x[j] == x[i]:
            j += 1
        values.append(x[i])
        counts.append(j - i)
        i = j
    return values, counts


def two_that_change_places(x, n):
    one, other = np.zeros(60), x * 1.0
    for i in range(n):
        if x[i] > 2:
            one, other = other, one
        one[i] += x[i]
        if x[i] == 0:
            other = one + i
    return one, other


def some_turns_make_some(x, n):
    kept = x * 1.0
    for i in range(n):
        if i % 3 == 0:
            kept = kept[::-1] + i
        for j in range(i % 4):
            if j == 2:
                kept = kept * 0.5 + x
    return kept


def one_within_another(x, n):
    rows, total = [], 0
    for i in range(n):
        row = []
        for j in range(n):
            if x[j] > x[i]:
                row.append(x[j])
        total += len(row)
        if len(row) > 3:
            rows = row
    return rows, total


X = np.random.default_rng(0).integers(0, 5, 60)


@pytest.mark.parametrize(
    "function", [runs_of, two_that_change_places, some_turns_make_some, one_within_another]
)
def test_what_is_kept_is_what_python_keeps(function):
    ag.check(function, X, np.int64(60), then=[(X[::-1].copy(), np.int64(50))], executors=["native"])


def most_memory():
    """The most that the process has had, in bytes."""
    resource = pytest.importorskip("resource", reason="it is not known how much memory there is")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def test_what_only_some_turns_make_is_given_back():
    @ag.function(jit_compile=True)
    def run(x, n):
        for i in range(n):
            if i % 4 == 0:
                x = x[::-1] * 0.5 + 1.0
        return x

    x = rt.ones((10_000,))
    run(x, rt.asarray(8))
    before = most_memory()
    np.testing.assert_allclose(run(x, rt.asarray(40_000)).numpy(), 2.0)
    assert most_memory() - before < 100e6  # of 800 MB


def test_a_turn_that_has_made_nothing_frees_nothing():
    code, slots = Code(), {}
    mark = begin_turns(code, slots, "mark0")
    end_turn(code, "mark0", mark, ["%kept"])
    lines = [line.strip() for line in code.lines]
    free = next(place for place, line in enumerate(lines) if line.startswith("free"))
    assert "icmp eq i64" in lines[free - 2]
    assert lines[free - 1].endswith(f", label %{lines[free][:-1]}")
    assert "ag_begin_release" not in "".join(lines[:free])
    assert list(slots) == ["%mark0.settled"]


def test_a_turn_that_seldom_makes_memory_is_expected_to_free_none():
    index, test = Variable("i", int64), Variable("t", bool_)
    grow = [Allocate(Array("l", int64), index)]
    assert not makes_often([If(test, grow, [], is_rare=True), For(index, index, [])])
    assert makes_often([If(test, grow, [])])
    assert makes_often([For(index, index, grow)])
    assert makes_often([If(test, [Call("f", (), ())], [], is_rare=True)])
