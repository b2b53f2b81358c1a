"""Loops that print are machine code around the prints, by default, too, and print what Python prints."""

import io
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native import whole
from runtime.executors.native.patience import Patience

EXECUTORS = ["numpy", "native", "auto"]


def progress(x, n):
    i = 0
    while i < n:
        x = x * 0.5 + 1.0
        if i % 3 == 0:
            print("step", i, "value", x, f"{x:.3f}", [x, i], end=";\n")
        i += 1
    return x


def rows(x, n):
    total = 0.0
    for i in range(n):
        total += x[i].sum()
        print(x[i], total, file=sys.stderr)
    return total


def collected(x, n):
    found = []
    for i in range(n):
        if x[i] > 0.5:
            found.append(x[i])
            print(len(found), found)
    print(f"{len(found):>4} found", flush=True)
    return found


CALLS = {progress: (1.0, 7), rows: (np.arange(6.0).reshape(3, 2), 3), collected: (np.linspace(0, 1, 5), 5)}


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_a_loop_that_prints_does_so_as_in_python(function):
    ag.check(function, *CALLS[function])


def test_a_loop_that_prints_is_machine_code_by_default(capsys):
    graph = ag.function(progress)
    graph(rt.asarray(1.0), rt.asarray(4))
    report = graph.concrete_functions[0].report()
    assert report.executor == "native"
    assert report.counts["call of Python"] == 1
    assert capsys.readouterr().out.count("step") == 2


def divided(x, n):
    i = 0
    while i < n:
        print("before", i)
        x = x / (2.0 - i)
        print("after", x)
        i += 1
    return x


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_has_raised_a_flag_is_warned_of_before_what_is_printed_behind_it(executor, capsys):
    graph = ag.function(divided, executor=executor)
    said = []

    def show(message, *_):
        said.append((str(message), capsys.readouterr().out.count("\n")))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        found = graph(rt.asarray(1.0), rt.asarray(4))
    assert float(found) == -np.inf
    rest = capsys.readouterr().out
    if executor == "native":  # which never warns: docs/native.md
        assert (said, rest.count("\n")) == ([], 8)
    else:
        assert said == [("divide by zero encountered in scalar divide", 5)]
        assert rest == "after inf\nbefore 3\nafter -inf\n"


@pytest.mark.parametrize("executor", ["numpy", "auto"])
def test_what_numpy_raises_is_raised_before_what_is_printed_behind_it(executor, capsys):
    graph = ag.function(divided, executor=executor)
    for _ in range(3):
        with np.errstate(all="raise"), pytest.raises(FloatingPointError):
            graph(rt.asarray(1.0), rt.asarray(4))
        assert capsys.readouterr().out.splitlines()[-1] == "before 2"


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_run_that_raises_prints_each_line_once(executor, capsys):
    def filled(x, n):
        total = 0
        for i in range(n):
            print(i)
            total += x[i]
        return total

    graph = ag.function(filled, executor=executor)
    for _ in range(6):  # machine code that gives way is left alone for some calls
        with pytest.raises(IndexError):
            graph(np.arange(3), rt.asarray(5))
        assert capsys.readouterr().out == "0\n1\n2\n3\n"
    assert int(graph(np.arange(3), rt.asarray(2))) == 1


@pytest.mark.parametrize("executor", EXECUTORS)
def test_flags_that_printing_raises_are_not_the_programs(executor, capsys):
    @ag.function(executor=executor)
    def shown(x, n):
        i = 0
        while i < n:
            x = x * 1.5
            print(x)
            i += 1
        return x

    x = np.array([np.nan, np.inf, 1e-310, 1e300])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown(x, rt.asarray(3))
    assert capsys.readouterr().out.count("nan") == 3


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_stream_that_raises_ends_the_run(executor, monkeypatch):
    class Full(io.StringIO):
        def write(self, text):
            if len(self.getvalue()) > 20:
                raise OSError("no space left")
            return super().write(text)

    stream = Full()
    monkeypatch.setattr(sys, "stdout", stream)
    graph = ag.function(progress, executor=executor)
    with pytest.raises(OSError, match="no space left"):
        graph(rt.asarray(1.0), rt.asarray(100))


def test_what_a_stream_does_while_it_prints_does_not_change_a_run(monkeypatch):
    class Calling(io.StringIO):
        def write(self, text):
            if text.startswith("step 3"):
                inner.append(float(graph(rt.asarray(9.0), rt.asarray(1))))
            return super().write(text)

    graph, inner, stream = ag.function(progress), [], Calling()
    monkeypatch.setattr(sys, "stdout", stream)
    found = float(graph(rt.asarray(1.0), rt.asarray(5)))
    monkeypatch.undo()
    assert (found, inner) == (float(progress(np.float64(1.0), 5)), [5.5])
    assert stream.getvalue().count("step") == 3


def test_a_run_that_lasts_is_done_again_by_better_code_and_prints_each_line_once(monkeypatch, capsys):
    monkeypatch.setattr(whole, "patience_with", lambda _program, _text, **_: Patience(33))

    @ag.function
    def lasting(x, n):
        i = 0
        while i < n:
            x = x * 0.75 + 1.0
            if i % 2_000_000 == 0:
                print(i)
            i += 1
        return x

    lasting(rt.asarray(1.0), rt.asarray(20_000_000))
    assert capsys.readouterr().out.splitlines() == [str(i) for i in range(0, 20_000_000, 2_000_000)]
    assert not lasting.concrete_functions[0].program._library.is_made_at_once
