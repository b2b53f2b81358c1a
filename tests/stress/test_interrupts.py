"""Ctrl-C ends whatever machine code does within 50 ms, and leaves everything usable.

The signal comes after some time of the processor, and that is what counts: others may use it meanwhile. They
slow the processor, too, so that one of a few tries has to be in time: what never asks is late in each.
"""

import functools
import signal
import time

import numpy as np
import pytest

import autograph as ag
import runtime as rt

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such timers")
AFTER, WITHIN, TRIES = 0.06, 0.05, 5


def numbers(n):
    i = 0
    while i < n:
        i = i + 1 if i % 3 else i + 2
    return i


def short_loops(n):
    total = 0
    for i in range(n):
        j = 0
        while j < 50_000:
            j += 1 + i % 2
        total += j
    return total


def small_arrays(n):
    x = np.ones(8)
    for _ in range(n):
        x = x * 0.999 + 0.5
    return x


def large_arrays(n):
    x = np.ones(200_000 + n % 2)
    for _ in range(n):
        x = x * 0.999 + 0.5
    return np.sum(x)


def one_array(n):
    x = np.arange(n) * 1e-9
    return np.sum(np.tan(x) * np.tan(x + 1.0) + np.tan(x + 2.0))


def rows(n):
    x = np.ones((3, 1)) * np.arange(n)
    return np.sum(np.tan(x) + np.tan(x + 1.0))


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def lists(n):
    found = []
    for i in range(n):
        found.append(i)
        if len(found) > 1000:
            found = [i]
    return len(found)


def digits_of_many(n):
    total = 0
    for i in range(n):
        left = i + 10**17
        while left > 0:
            total += left % 10
            left //= 10
    return total


def digits(n):
    total = 0
    while n > 0:
        total = total * 7 % 1001 + n % 10
        n //= 10
    return total


def calls_of_short_loops(n):
    if n < 2:
        return digits(n + 10**17)
    return calls_of_short_loops(n - 1) + calls_of_short_loops(n - 2)


def lateness(f, *args):
    """How long after the signal the call ends, in seconds of the processor."""

    def handler(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, handler)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, AFTER)
    try:
        with pytest.raises(KeyboardInterrupt):
            f(*args)
        return time.process_time() - start - AFTER
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize(
    ("f", "large", "small"),
    [
        (numbers, 10**12, 9),
        (short_loops, 10**9, 1),
        (small_arrays, 10**9, 2),
        (large_arrays, 10**9, 1),
        (one_array, 60_000_000, 10),
        (rows, 20_000_000, 10),
        (fibonacci, 60, 10),
        (lists, 10**10, 2000),
        (digits_of_many, 10**12, 10),
        (calls_of_short_loops, 60, 10),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_runs_is_interrupted_soon(f, large, small):
    staged = ag.function(f, jit_compile=True)
    expected = staged(rt.asarray(small))
    assert any(lateness(staged, rt.asarray(large)) < WITHIN for _ in range(TRIES))
    assert np.array_equal(staged(rt.asarray(small)), expected)


class Late(KeyboardInterrupt):
    """What a program raises where time is over."""


def at_the_end(x, n, tick):
    print("begun")
    y = x[n] * 2
    tick()
    return y


def in_a_branch(x, n, tick):
    print("begun")
    y = x[n]
    if y > 0:
        tick()
        y = y * 2
    return y


def in_a_try(x, n, tick):
    y = 0.0
    try:
        for i in range(n):
            tick()
            y += x[i]
    except IndexError:
        y = -1.0
    return y


@pytest.mark.parametrize("error", [Late, TimeoutError])
@pytest.mark.parametrize("program", [at_the_end, in_a_branch, in_a_try])
def test_what_a_handler_of_a_signal_raises_while_a_function_is_traced_is_no_part_of_its_graph(program, error):
    class Clock:
        def alarm(self, *_):
            raise error("time is over")

    @ag.do_not_convert
    def tick():
        if late:
            late.clear()
            signal.raise_signal(signal.SIGUSR1)

    late, x = [True], np.array([1.0, 2.0, 3.0])
    before = signal.signal(signal.SIGUSR1, functools.partial(Clock().alarm))
    try:
        graph = ag.function(program)
        with pytest.raises(error, match="time is over"):
            graph(x, np.int64(1), tick)
        assert graph(x, np.int64(1), tick) == program(x, np.int64(1), tick)
        assert graph(x, np.int64(2), tick) == program(x, np.int64(2), tick)
    finally:
        signal.signal(signal.SIGUSR1, before)
