"""Threads that trace, compile and call at once: each gets what plain Python gives it, none waits long."""

import random
import sys
import threading
import time
import warnings

import numpy as np

import autograph as ag
import runtime as rt

THREADS, SECONDS = 8, 3.0


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def kept(x, limit):
    found = []
    for v in x:
        if v > limit:
            found.append(v)
    return found


def bump(x):
    for i in range(len(x)):
        x[i] = x[i] * 2 + 1
    return np.sum(x)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def tried(x, i):
    try:
        return x[i]
    except IndexError:
        return -1.0


def refused(x, i):
    if i > 3:
        raise ValueError(f"{i} is large")
    return x + i


PROGRAMS = {
    collatz: lambda pick: (np.asarray(pick.randint(1, 300)),),
    kept: lambda pick: (np.arange(float(pick.randint(1, 6))), np.asarray(float(pick.randint(0, 4)))),
    bump: lambda pick: (np.arange(pick.randint(1, 6)).astype(pick.choice(["float32", "int64"])),),
    factorial: lambda pick: (np.asarray(pick.randint(0, 12)),),
    tried: lambda pick: (np.arange(float(pick.randint(1, 6))), np.asarray(pick.randint(0, 9))),
    refused: lambda pick: (np.arange(pick.randint(1, 6)), np.asarray(pick.randint(0, 6))),
}
OPTIONS = ({}, {"executor": "numpy"}, {"jit_compile": True}, {"reduce_retracing": True})


def outcome(f, arguments):
    """What a call gives, or the class and the text of what it raises."""
    try:
        return f(*[argument.copy() for argument in arguments])
    except (ValueError, IndexError) as error:
        return type(error), str(error)


def is_same(one, other):
    if isinstance(one, list):
        return len(one) == len(other) and all(map(np.array_equal, one, other))
    return one == other if isinstance(one, tuple) else np.array_equal(one, other)


def test_threads_trace_compile_and_call_at_once():
    shared = [ag.function(f, **options) for f in PROGRAMS for options in OPTIONS]
    wrong, calls = [], [0] * THREADS
    end = time.monotonic() + SECONDS

    def work(number):
        pick = random.Random(number)
        while time.monotonic() < end:
            if pick.random() < 0.8:
                staged = pick.choice(shared)
            else:
                staged = ag.function(pick.choice([*PROGRAMS]), **pick.choice(OPTIONS))
            f = staged.python_function
            arguments = PROGRAMS[f](pick)
            try:
                found, expected = outcome(staged, arguments), outcome(f, arguments)
                if not is_same(found, expected):
                    wrong.append((f.__name__, arguments, found, expected))
            except BaseException as error:  # noqa: BLE001  # whatever it is, the test says it
                wrong.append((f.__name__, arguments, error))
            calls[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rt.errors.RetracingWarning)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong, wrong[0]
    assert min(calls) > 0


def turns(n, x):
    """As many turns; the last reads past the end of `x`, where that has one element."""
    i = 0
    while i < n:
        i = i + 1 if i % 3 else i + 2
    return i + x[i // n]


def test_long_runs_let_go_of_the_lock_of_python():
    staged = ag.function(turns, jit_compile=True)
    arguments = np.asarray(400_000_000), np.zeros(2, np.int64)
    staged(np.asarray(9), arguments[1])  # traced and compiled
    times, may_end = [], threading.Event()

    def work():
        times.append(time.thread_time())
        staged(*arguments)
        times.append(time.thread_time())
        may_end.wait()

    thread = threading.Thread(target=work)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1.0)  # who has the lock keeps it
    try:
        thread.start()
        clock, seen = time.pthread_getcpuclockid(thread.ident), []
        while len(times) < 2:
            time.sleep(0.001)
            seen.append(time.clock_gettime(clock))
    finally:
        sys.setswitchinterval(interval)
        may_end.set()
        thread.join()
    start, end = times
    margin = (end - start) / 10
    assert any(start + margin < each < end - margin for each in seen)  # this thread ran in the midst of it


def test_long_runs_in_threads_give_and_raise_what_they_do_alone():
    staged = ag.function(turns, jit_compile=True)
    found = {}

    def work(number):
        try:
            found[number] = int(staged(np.asarray(3_000_000 + number), np.zeros(1 + number % 2, np.int64)))
        except IndexError as error:
            found[number] = str(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(6):
        if number % 2:
            assert found[number] in {3_000_000 + number, 3_000_001 + number}
        else:
            assert "index 1 is out of bounds" in found[number]
