"""`ag.profile`: how long each line takes, and how often a run comes to it."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CompileError
from runtime.executors.native.llvm import engine

BOTH = pytest.mark.parametrize("executor", ["numpy", "native"])


def walk(x, turns):
    total = 0.0
    for i in range(turns):
        if i % 4 == 0:
            total += x[i % 3]
        total = total * 0.5
    return total


def counts(found):
    """How often a run comes to each line, by its text."""
    return {line.location.source: line.count for line in found.lines}


@BOTH
def test_it_says_how_often_a_run_comes_to_each_line(executor):
    x = rt.asarray([1.0, 2.0, 3.0])
    found = ag.profile(ag.function(walk, executor=executor), x, rt.asarray(100))
    assert (found.name, found.executor) == ("walk", executor)
    assert found.calls > 1
    assert counts(found)["total += x[i % 3]"] == 25
    assert counts(found)["total = total * 0.5"] == 100


def heavy(x):
    light = x[0] + 1.0
    ordered = np.sort(x)
    return ordered[0] + light


@BOTH
def test_the_line_that_takes_the_time_is_known(executor):
    found = ag.profile(ag.function(heavy, executor=executor), np.random.default_rng(0).normal(size=20_000))
    slowest = max(found.lines, key=lambda line: line.seconds)
    assert slowest.location.source == "ordered = np.sort(x)"
    assert 0.5 * found.seconds < sum(line.seconds for line in found.lines) <= 1.001 * found.seconds


def test_a_table_stands_beside_the_source():
    lines = str(ag.profile(walk, rt.asarray([1.0, 2.0, 3.0]), rt.asarray(8))).splitlines()
    assert lines[0].startswith("walk on ")
    first = walk.__code__.co_firstlineno
    assert lines[2] == f'File "{__file__}", line {first}, in walk'
    assert lines[3].split() == ["time", "share", "runs"]
    assert [line.partition("│")[2] for line in lines[4:6]] == [" def walk(x, turns):", "     total = 0.0"]
    assert lines[8].split("│")[0].split()[-2:] == ["2", str(first + 4)]
    assert len(lines) == 4 + 7


def scaled(x):
    return x * inner(x)


def inner(x):
    return np.max(np.abs(x))


def polynomial(x):
    square = x * x
    cube = square * x
    return (((cube * 2.0 + square * 3.0) * x - cube * 4.0) * x + square / 5.0) * x - 6.0


def test_what_becomes_machine_code_in_later_calls_is_profiled_as_that():
    staged = ag.function(polynomial)
    x = rt.asarray(2.0)
    assert staged.get_concrete_function(x).report().executor == "numpy"
    assert ag.profile(staged, x).executor == "native"
    assert staged.get_concrete_function(x).report().executor == "native"


def test_functions_that_are_called_have_tables_of_their_own():
    text = str(ag.profile(scaled, rt.asarray([1.0, 2.0])))
    assert "in scaled\n" in text
    assert "in inner\n" in text


def test_a_function_that_prints_is_called_once(capfd):
    def told(x):
        print("once")
        return x * 2

    found = ag.profile(ag.function(told), rt.asarray([1.0]))
    assert capfd.readouterr().out == "once\n"
    assert found.calls == 1


def test_an_array_that_is_written_into_is_changed_once():
    def bump(x):
        x[0] = x[0] + 1.0
        return np.sum(x)

    x = np.zeros(3)
    assert ag.profile(bump, x).calls == 1
    assert x[0] == 1.0


def test_what_a_function_raises_is_raised():
    with pytest.raises(IndexError, match="out of bounds"):
        ag.profile(lambda x, i: x[i], rt.asarray([1.0, 2.0]), rt.asarray(5))


def test_an_executor_without_clocks_says_so():
    with pytest.raises(CompileError, match="runs on the executor 'reference', which has no clocks"):
        ag.profile(ag.function(scaled, executor="reference"), rt.asarray([1.0]))


def deeper(n):
    if n == 0:
        return 0
    return deeper(n - 1) + n


@BOTH
def test_functions_that_call_themselves_have_clocks(executor):
    found = ag.profile(ag.function(deeper, executor=executor), rt.asarray(6))
    assert counts(found)["if n == 0:"] >= 7


def fails_inside(x):
    total = 0.0
    for each in x:
        try:
            if each > 1:
                raise ValueError("large")
            total += each
        except ValueError:
            total -= 1.0
    return total


@BOTH
def test_clocks_change_no_result_where_exceptions_are_caught(executor):
    staged = ag.function(fails_inside, executor=executor)
    x = rt.asarray([1.0, 2.0, 0.5])
    assert counts(ag.profile(staged, x))["total -= 1.0"] >= 1
    assert float(staged(x)) == 0.5


@pytest.mark.skipif(not engine.is_there(), reason="llvmlite is not installed")
def test_loops_in_one_that_prints_are_timed_as_the_machine_code_that_they_become(capsys):
    def added(x, n):
        total = 0.0
        for turn in range(n):
            for each in x:
                total += each * turn
            print(turn, total)
        return total

    found = ag.profile(added, np.arange(50.0), np.int64(3))
    assert found.executor == "native"
    assert capsys.readouterr().out == "0 0.0\n1 1225.0\n2 3675.0\n"
    runs = {each.location.line - added.__code__.co_firstlineno: each.count for each in found.lines}
    assert runs[4] >= 3 * 50
