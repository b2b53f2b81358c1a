"""A `try` is machine code: what catches an exception is a branch, and the exception is a number."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.spec import ListSpec
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

CODES = np.array([3, 0, 7, 8, 2, 6, 0, 9, 4, 1, 5, 2])
TURNS = np.int64(len(CODES))


def quotients(xs, n):
    total, good, turns = 0, 0, 0
    for i in range(n):
        try:
            found = 1000 // int(xs[i])
        except ZeroDivisionError:
            total -= 1
            continue
        else:
            good += 1
        finally:
            turns += 1
        total += found
    return total, good, turns


def histogram(xs, n):
    counts = np.zeros(5, dtype=np.int64)
    missed = 0
    for i in range(n):
        try:
            counts[xs[i]] += 1
        except IndexError:
            missed += 1
    return counts, missed


def stopped(xs, n):
    """What is raised in a loop ends it, and is caught outside."""
    i = 0
    try:
        while i < n:
            if xs[i] == 8:
                raise StopIteration
            i += 1
    except StopIteration:
        i += 100
    return i


def numbers_of(xs, n):
    """Arguments and attributes of what was raised, which are numbers of several kinds."""
    total = 0.0
    for i in range(n):
        try:
            if xs[i] > 5:
                raise ValueError(i, xs[i] * 0.5, np.uint8(7))
            if xs[i] > 2:
                error = KeyError("far")
                error.code = np.float32(xs[i]) / 3
                raise error
        except ValueError as error:
            place, half, seven = error.args
            total += place + half * seven
        except KeyError as error:
            total += error.code
    return total


def of_two_places(xs, n):
    """One handler for two lines, which say different things."""
    total = 0
    for i in range(n):
        try:
            if xs[i] > 5:
                raise ValueError(xs[i])
            if xs[i] < 3:
                raise ValueError(-1)
        except ValueError as error:
            total = 3 * total + error.args[0]
    return total


def checked(x):
    if x < 3:
        raise ValueError("too small")
    return x * 2


def in_a_call(xs, n):
    total = 0
    for i in range(n):
        try:
            total += checked(xs[i])
        except ValueError:
            total += 100
    return total


def down(n):
    if n <= 0:
        if n == 0:
            return 0
        raise ValueError("below")
    return down(n - 1) + 1


def in_recursion(xs, n):
    total = 0
    for i in range(n):
        try:
            total += down(xs[i] - 3)
        except ValueError:
            total += 100
    return total


def nested(xs, n):
    a, b, c = 0, 0, 0
    for i in range(n):
        try:
            a += 1
            try:
                a += 10 // int(xs[i])
                if xs[i] > 5:
                    raise KeyError(3)
            except ZeroDivisionError as error:
                b += 1
                raise ValueError("x") from error
            finally:
                c += 1
        except (ValueError, KeyError):
            a += 100
    return a, b, c


def again(xs, n):
    total = 0
    for i in range(n):
        try:
            try:
                if xs[i] > 5:
                    raise ValueError(xs[i])
                total += 1
            except ValueError:
                total += 10
                raise
        except ValueError as error:
            total += error.args[0]
    return total


def kept(xs, n):
    """An exception that comes from outside of the `try` in which it is raised again."""
    total = 0
    for i in range(n):
        try:
            if xs[i] > 5:
                raise ValueError(xs[i])
        except ValueError as error:
            try:
                if xs[i] > 6:
                    raise error
                total += 1
            except ValueError:
                total = 3 * total + 10
    return total


def chained(xs, n):
    """The text of an exception goes into the branch in which another one is raised."""
    total = 0
    for i in range(n):
        try:
            try:
                total += 10 // int(xs[i])
            except ZeroDivisionError:
                if total > 5:
                    raise ValueError("late")
                total += 1
        except ValueError:
            total -= 3
    return total


def retried(xs, n):
    tries, i = 0, 0
    while i < n:
        try:
            tries += 1
            if tries % 3 != 0:
                raise RuntimeError("again")
            i += 1
        except RuntimeError:
            continue
    return tries + xs[0]


def grown(xs, n):
    found, bad = [], 0
    for i in range(n):
        try:
            found.append(xs[i])
            if xs[i] > 6:
                raise ValueError(i)
            found.append(1000 // int(xs[i]))
        except ZeroDivisionError:
            bad += 1
        except ValueError as error:
            bad += error.args[0] * 100
    return np.array(found), bad


def popped(xs, n):
    stack, total = [], 0
    for i in range(n):
        if xs[i] % 2 == 0:
            stack.append(xs[i])
        else:
            try:
                total += stack.pop()
            except IndexError:
                total -= 1000
    return total


def written(xs, n):
    ys = np.zeros(8, dtype=np.int64)
    for i in range(n):
        try:
            ys[i] = 7
            ys[xs[i]] = i
            ys[i] = 8
        except IndexError:
            ys[0] -= 1
    return ys


PROGRAMS = [
    quotients,
    histogram,
    stopped,
    numbers_of,
    of_two_places,
    in_a_call,
    in_recursion,
    nested,
    again,
    kept,
    chained,
    retried,
    grown,
    popped,
    written,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_caught_is_machine_code_without_being_asked(program):
    ag.check(program, CODES, TURNS)
    concrete = ag.function(program).get_concrete_function(rt.asarray(CODES), rt.asarray(TURNS))
    assert {step.runs for step in concrete.report().steps} == {"machine code"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_interpreter_of_loops_lands_where_python_does(program):
    module = ag.function(program).get_concrete_function(rt.asarray(CODES), rt.asarray(TURNS)).optimised_module
    results = program(CODES, TURNS)
    wanted = results if isinstance(results, tuple) else (results,)
    for beyond in Beyond:
        found = Interpreted(lowered(module, beyond), module.entry).run([CODES, TURNS])
        for one, each in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, each)


OBJECTS = [quotients, nested, again, kept, chained, in_recursion]
"""Programs in which an exception is raised again, or from another, or by a function that calls itself: these
are objects under `jit_compile=True`.
"""


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each not in OBJECTS])
def test_what_is_caught_calls_no_python_where_code_was_asked_for(program):
    concrete = ag.function(program, jit_compile=True).get_concrete_function(
        rt.asarray(CODES), rt.asarray(TURNS)
    )
    assert {step.runs for step in concrete.report().steps} == {"machine code"}


def test_an_exception_that_is_asked_for_its_text_under_jit_compile_is_made():
    def said(x):
        text = ""
        try:
            if x > 3:
                raise ValueError(f"{x} is too large", x)
        except ValueError as error:
            text = str(error)
        print(text)
        return x + 1

    ag.check(said, np.int64(7), executors=["native", "numpy"])
    ag.check(said, np.int64(2), executors=["native", "numpy"])


@pytest.mark.parametrize("jit_compile", [None, True])
def test_what_nobody_catches_goes_on_with_its_message_and_its_line(jit_compile):
    @ag.function(jit_compile=jit_compile)
    def summed(xs, n):
        total = 0
        for i in range(n):
            try:
                if xs[i] > 8:
                    raise ValueError(f"{i}: {xs[i]:.2f} of {n} is too large")
                total += 100 // int(xs[i])
            except KeyError:
                total -= 1
        return total

    with pytest.raises(ZeroDivisionError) as divided:
        summed(rt.asarray(CODES), rt.asarray(TURNS))
    assert "total += 100 // int(xs[i])" in divided.value.__notes__[0]
    with pytest.raises(ValueError, match="too large") as raised:
        summed(rt.asarray(CODES + (CODES == 0)), rt.asarray(TURNS))
    assert str(raised.value) == "7: 9.00 of 12 is too large"
    assert 'raise ValueError(f"' in raised.value.__notes__[0]


def test_what_numpy_warns_of_inside_of_a_try_is_told():
    def shares(xs, n):
        total = 0.0
        for i in range(n):
            try:
                total += 1.0 / xs[i]
                if xs[i] > 6.0:
                    raise ValueError
            except ValueError:
                total -= 1.0
        return total

    ag.check(shares, CODES + 0.5, TURNS)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert np.isinf(float(ag.function(shares)(rt.asarray(CODES + 0.0), rt.asarray(TURNS))))


def test_a_recursion_without_end_is_a_recursion_error_in_what_catches_others():
    def endless(n):
        return 0 if n < 0 else endless(n + 1) + 1

    def caught(n, kind_is_right):
        total = 0
        while n > 0:
            try:
                if kind_is_right:
                    raise ValueError
                total += endless(n)
            except ValueError:
                total += 1
            n -= 1
        return total

    for jit_compile in (None, True):
        staged = ag.function(caught, jit_compile=jit_compile)
        assert int(staged(rt.asarray(3), rt.asarray(True))) == 3
        with pytest.raises(RecursionError):
            staged(rt.asarray(3), rt.asarray(False))


def test_a_list_beside_a_try_grows_without_a_copy():
    def found(xs, n):
        shares, missed = [], 0
        for i in range(n):
            try:
                share = 1000 // int(xs[i])
            except ZeroDivisionError:
                missed += 1
            else:
                shares.append(share)
        return np.array(shares), missed

    ag.check(found, CODES, TURNS)
    concrete = ag.function(found).get_concrete_function(rt.asarray(CODES), rt.asarray(TURNS))
    nodes = [node for graph in concrete.optimised_module.entry.walk() for node in graph.nodes]
    kept = [value.spec for node in nodes if node.op.name == "Checkpoint" for value in node.inputs[1:]]
    assert not any(isinstance(spec, ListSpec) for spec in kept)
