"""Warnings of what a trace did: unrolled loops, large constants, and leaks."""

import functools
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import LargeConstantWarning, LeakWarning, UnrollingWarning
from runtime.functions import trace_warnings
from runtime.functions.polymorphic import PolymorphicFunction

COUNT = 0


@pytest.fixture(autouse=True)
def nothing_was_said(monkeypatch):
    monkeypatch.setattr(trace_warnings, "_told", {})


@pytest.fixture
def silent():
    """Every warning is an error, in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# ── unrolled loops ──


def test_a_loop_of_many_turns_is_named_with_its_line():
    @ag.function(options=ag.Options(rolls=False))
    def f(x):
        for _ in range(400):
            x = x + 1
        return x

    with pytest.warns(UnrollingWarning, match=r"for _ in range\(400\):") as caught:
        f(rt.asarray(1.0))
    assert (caught[0].filename, caught[0].lineno) == (__file__, f.python_function.__code__.co_firstlineno + 2)


def test_many_numbers_that_are_returned_are_no_loop_of_the_caller(silent):
    @ag.function
    def squares(n):
        return [i * i for i in range(n)]

    for count in (700,):
        assert len(squares(count)) == count


def test_what_a_pass_makes_of_one_operation_is_no_loop_of_the_caller(silent):
    @ag.function
    def parts(x):
        return rt.unstack(x)

    for _ in range(1):
        assert len(parts(np.arange(1200.0))) == 1200


def test_a_loop_whose_operations_are_in_a_callee_is_found_while_it_runs():
    def twice(x):
        return x * 2

    @ag.function
    def f(x):
        turns = []
        while len(turns) < 600:
            x = twice(x)
            turns.append("one more")
        return x

    with pytest.warns(UnrollingWarning, match=r"while len\(turns\) < 600:(.|\n)*return x \* 2"):
        f(rt.asarray(1.0))


def test_of_loops_in_one_another_each_is_shown_once_and_which_is_not_rolled():
    @ag.function
    def f(x):
        rows = []
        for i in range(60):
            rows.append([x * (i + j) for j in range(7)])
        return rows

    with pytest.warns(UnrollingWarning) as caught:
        f(rt.asarray(1.0))
    first = f.python_function.__code__.co_firstlineno + 3
    assert caught[0].message.details == (
        f"line {first}: for i in range(60):",
        f"line {first + 1}: rows.append([x * (i + j) for j in range(7)])",
        f"line {first} is not rolled into one loop of the graph: a list of Python's grows",
    )


def test_the_warning_comes_before_the_loop_ends():
    turns = []

    @ag.function
    def f(x):
        for turn in range(10**9):
            turns.append(turn)
            x = x + 1
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UnrollingWarning):
            f(rt.asarray(1.0))
    assert len(turns) < 1000


def test_a_loop_that_leaves_nothing_in_the_graph_may_be_long(silent):
    @ag.function
    def f(x):
        total = 0
        for i in range(5000):
            total += i
        return x + total

    assert f(rt.asarray(0)).numpy() == sum(range(5000))


def test_a_staged_loop_and_a_short_one_are_fine(silent):
    @ag.function
    def f(x):
        for _ in range(50):
            x = x + 1
        for _ in rt.arange(5000):
            x = x + 1
        return x

    f(rt.asarray(0))


def test_the_loop_around_the_call_is_not_blamed(silent):
    @ag.function
    def f(x):
        return functools.reduce(lambda total, _: total + 1, range(600), x)

    for value in (1, 1.0):
        f(rt.asarray(value))


# ── large constants ──


def test_a_large_array_in_the_graph_is_named_with_its_line():
    @ag.function
    def f(x):
        table = np.zeros((512, 512))
        return x + table

    with pytest.warns(LargeConstantWarning, match=r"2.0 MB(.|\n)*return x \+ table"):
        f(rt.asarray(1.0))


def test_a_small_array_and_a_large_argument_are_fine(silent):
    small = np.zeros(100)

    @ag.function
    def f(x, table):
        return x + table.sum() + small.sum()

    f(rt.asarray(1.0), rt.zeros((512, 512)))


# ── tensors left outside ──


def leaving(statement):
    """What is warned of after a trace of a function with this statement."""

    class Model:
        last = None

    model, kept, table = Model(), [], {}

    def f(x):
        statement(model, kept, table, x)
        return x

    with pytest.warns(LeakWarning) as caught:
        PolymorphicFunction(f)(rt.asarray(1.0))
    return str(caught[0].message)


def test_a_tensor_in_a_list_is_found():
    assert "`kept[0]` holds a tensor of the graph `f`" in leaving(lambda m, kept, t, x: kept.append(x + 1))


def test_a_tensor_in_an_attribute_is_found():
    assert "`model.last`" in leaving(lambda model, k, t, x: setattr(model, "last", x + 1))


def test_a_tensor_deep_in_a_dict_is_found():
    assert "`table['a'][0]`" in leaving(lambda m, k, table, x: table.update(a=[x + 1]))


def test_a_tensor_in_an_argument_is_found():
    class Model:
        def __init__(self):
            self.seen = []

        @ag.function(effects="trace")
        def step(self, x):
            self.seen.append(x * 2)
            return x

    with pytest.warns(LeakWarning, match=r"`self.seen\[0\]`(.|\n)*append\(x \* 2\)"):
        Model().step(rt.asarray(1.0))


def test_numbers_of_python_may_be_left_anywhere(silent):
    calls = []

    @ag.function
    def f(x):
        global COUNT
        COUNT += 1
        calls.append(COUNT)
        return x

    f(rt.asarray(1.0))
    f(rt.asarray(1))
    assert len(calls) == 2


def test_each_place_is_told_once():
    kept = []

    @ag.function(effects="trace")
    def f(x):
        kept.append(x + 1)
        return x

    with pytest.warns(LeakWarning):
        f(rt.asarray(1.0))
    kept.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(rt.asarray(1))
