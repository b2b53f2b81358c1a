"""`return`, `break` and `continue` in every part of a `try`, its `finally` among them, in all loops."""

import itertools
import linecache
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.options import Options
from autograph.transpiler import Transpiler
from tests.beyond.kit import EXECUTORS, Number, check

LOOPS = {"for": "for i in range(n):", "while": "i = -1\n    while i < n - 1:\n        i = i + 1"}

JUMPS = ("return log", "break", "continue")
PARTS = ("body", "handler", "else")

PROGRAM = """
def program(at, zero, last, n):
    log = 1
    {loop}
        log = log * 3 + i
        try:
            log = log + 5
            {body}
            log = log * 2 + 10 // (zero - i)
        except {caught}:
            log = log + 11
            {handler}
            log = log * 2
        else:
            log = log + 13
            {else}
            log = log * 2
        finally:
            log = log + 7
            {finally}
            log = log * 2
        log = log + 1
    else:
        log = log + 1000
    return log
"""

INPUTS = ((0, 9, 1, 3), (1, 9, 1, 2), (1, 0, 1, 2), (0, 0, 0, 2), (9, 9, 9, 2), (9, 1, 9, 2))
"""The turns in which a part jumps, the body raises, and the `finally` jumps; and how many there are."""

CASES = [
    (loop, {part: jump, "finally": last}, caught)
    for (loop, last), (part, jump), caught in itertools.product(
        itertools.product(LOOPS, (*JUMPS, None)),
        [("body", None), *itertools.product(PARTS, JUMPS)],
        ("ZeroDivisionError", "KeyError"),
    )
    if last is not None or jump is not None
]
"""Every kind of jump in every part of a `try`, whose `finally` jumps in each way or not at all."""


def named(case):
    loop, jumps, caught = case
    shown = [f"{jump.split()[0]} in {part}" for part, jump in jumps.items() if jump]
    return f"{loop}, {', '.join(shown)}, {caught}"


def program_of(case):
    loop, jumps, caught = case
    asked = {part: "at" for part in PARTS} | {"finally": "last"}
    parts = {
        part: f"if {turn} == i:\n                {jumps[part]}" if jumps.get(part) else "pass"
        for part, turn in asked.items()
    }
    text = PROGRAM.format(loop=LOOPS[loop], caught=caught, **parts)
    filename = f"<finally {named(case)}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    namespace = {"__name__": "finally"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["program"]


def outcome(function, arguments):
    try:
        return int(function(*arguments))
    except ZeroDivisionError:
        return "raised"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_jumps_leave_what_they_leave_in_python_and_in_graphs(case):
    program = program_of(case)
    converted = Transpiler(options=Options(on_failure="raise")).convert(program)
    wanted = [outcome(program, each) for each in INPUTS]
    assert [outcome(converted, each) for each in INPUTS] == wanted
    if case[2] == "KeyError" and "body" not in case[1]:
        return  # nothing enters the handler, and the `else` is as in the case that has one
    index = CASES.index(case)
    staged = ag.function(program, executor=EXECUTORS[index % len(EXECUTORS)])
    for each, result in list(zip(INPUTS, wanted, strict=True))[index % 2 :: 2]:
        assert outcome(staged, map(rt.asarray, each)) == result, each


def test_a_finally_that_always_leaves():
    def returns(x):
        try:
            return 10 // x
        finally:
            return x + 1

    def breaks(x, n):
        total = 0
        for i in n:
            try:
                total += 10 // (i - x)
            finally:
                break
        return total

    def continues(x, n):
        total = 0
        for i in n:
            try:
                total += 10 // (i - x)
            finally:
                total += 1
                continue
        return total

    for x in (0, 1, 3):
        check(returns, Number(x))
        check(breaks, Number(x), Number([1, 2, 3]))
        check(continues, Number(x), Number([1, 2, 3]))


def test_finallys_within_each_other():
    def program(x, y):
        log = 0
        try:
            try:
                log = 10 // x
            finally:
                log += 1
                if y > 0:
                    return log
        except ZeroDivisionError:
            log -= 100
        finally:
            log *= 2
            if y == 0:
                return log
        return log - 7

    for x in (0, 5):
        for y in (-1, 0, 1):
            check(program, Number(x), Number(y))


def test_functions_and_expressions_in_a_finally_that_is_copied():
    def program(x, y):
        total = 0
        try:
            total = 10 // x
        finally:

            def more(by):
                if by > 2:
                    return by
                return -by

            total += more(y) + sum([more(k) if k > y else k for k in (1, 2, 3)])
            total += max((y, 1), key=lambda z: z * 2 if z > 0 else z)
            match total:
                case 3:
                    return 33
                case _:
                    total += 1
            if y > 1:
                return total
        return total * 100

    for x in (0, 5):
        for y in (1, 2, 4):
            try:
                program(x, y)
            except ZeroDivisionError:
                check(program, Number(x), Number(y), raises=ZeroDivisionError, message="")
            else:
                check(program, Number(x), Number(y))


def test_a_generator_s_consumer_and_a_callee_with_jumps_in_a_finally():
    def safe(x):
        while True:
            try:
                return 10 // x
            finally:
                if x == 0:
                    break
        return -1

    def numbers(n):
        for i in range(n):
            try:
                k = 10 // (i - 1)
            finally:
                if i == 1:
                    continue
            yield k

    def program(n):
        total = 0
        for k in numbers(n):
            total += k * safe(k + 10)
        return total

    check(program, Number(3))


def test_the_exception_in_flight_is_seen_in_the_finally():
    convert = Transpiler(options=Options(on_failure="raise")).convert
    seen = []

    def looks(n):
        for i in range(2):
            try:
                if i < n:
                    raise KeyError(i)
            finally:
                seen.append(sys.exc_info()[0])
                if i == 0:
                    continue
                seen.append(i)
        return n

    def chains():
        try:
            raise KeyError(1)
        finally:
            if seen == 3:
                return
            raise ValueError(2)

    def again():
        try:
            raise KeyError(1)
        finally:
            if seen == 3:
                return
            raise  # noqa: PLE0704  # the exception in flight

    assert convert(looks)(1) == 1
    assert seen == [KeyError, None, 1]
    with pytest.raises(ValueError, match="2") as raised:
        convert(chains)()
    assert type(raised.value.__context__) is KeyError
    with pytest.raises(KeyError):
        convert(again)()
    with pytest.raises(KeyError) as raised:
        convert(looks)(2)
    assert raised.traceback[-1].lineno - looks.__code__.co_firstlineno == 3


def test_except_star_and_a_finally_with_a_jump():
    convert = Transpiler(options=Options(on_failure="raise")).convert

    def program(kind):
        for _ in range(2):
            try:
                raise ExceptionGroup("g", [kind(1)])
            except* KeyError:
                pass
            finally:
                if kind is not ValueError:
                    break
        return kind.__name__

    assert convert(program)(KeyError) == "KeyError"
    assert convert(program)(TypeError) == "TypeError"
    with pytest.raises(ExceptionGroup):
        convert(program)(ValueError)


def test_what_is_raised_in_a_loop_that_is_traced_anew_has_no_signal_of_ours_behind_it():
    def program(n, v):
        rows = [[v], [v], [v]]
        for i in range(n):
            try:
                if v > 0.5:
                    raise KeyError(n)
            except LookupError:
                rows[2].pop()
                rows[n % 3].append(1.0)
            finally:
                for row in rows:
                    row[0] = 1.5
        return rows

    calls = [(np.int64(2), np.float64(1.0)), (np.int64(0), np.float64(1.0))]
    ag.check(program, np.int64(3), np.float64(2.0), then=calls)

    with pytest.raises(IndexError) as caught:
        ag.function(program)(np.int64(3) + 1, np.float64(2.0))
    context = caught.value.__context__
    while context is not None:
        assert not type(context).__module__.startswith("autograph")
        context = context.__context__
