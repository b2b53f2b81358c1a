"""A program begins with code that is made at once, and gets better code when it lasts: no bit differs."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given

import autograph as ag
import runtime as rt
from runtime.executors.native import whole
from runtime.executors.native.intrinsics.helpers import _HELPERS, _shared_with, shared_text
from runtime.executors.native.llvm import cache, engine
from runtime.executors.native.run import MachineCode, Source
from runtime.executors.native.tiers import patience_with
from tests.runtime.executors.native.random_loops import programs
from tests.runtime.executors.native.test_interpreter import SEVERAL, outcome


@pytest.fixture(autouse=True)
def better_code_from_the_start():
    """Here, code is better when it is worth it."""


def in_c(program):
    """Whether a call of a program is a function in C, as that of its better code is."""
    return type(program.entry) is type(len)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@pytest.mark.parametrize("jit_compile", [None, True])
def test_a_function_that_is_called_often_gets_better_code(jit_compile):
    staged = ag.function(collatz, jit_compile=jit_compile)
    assert int(staged(rt.asarray(27))) == 111
    (concrete,) = staged.concrete_functions
    assert not in_c(concrete.program)
    for _ in range(100):
        assert int(staged(rt.asarray(27))) == 111
    assert in_c(concrete.program)


def added(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total


def test_a_run_that_lasts_is_done_again_by_better_code():
    staged = ag.function(added)
    n = 50_000_000
    assert int(staged(rt.asarray(n))) == sum(range(7)) * (n // 7) + sum(range(n % 7))
    (concrete,) = staged.concrete_functions
    assert in_c(concrete.program)


def on_a_stack_of(size, run):
    """Runs a function in a thread with a stack of so many bytes.

    Others take the stacks that threads have left: a new thread would have one of up to four times the size.
    """
    before, over = threading.stack_size(size), threading.Event()
    others = [threading.Thread(target=over.wait) for _ in range(64)]
    try:
        for other in others:
            other.start()
        with ThreadPoolExecutor(1) as threads:
            threads.submit(run).result()
    finally:
        threading.stack_size(before)
        over.set()
        for other in others:
            other.join()


def deep(n, most):
    return 0 if n >= most else deep(n + 1, most) + 1


def test_a_recursion_may_go_as_deep_as_in_better_code():
    def at_once(most):
        return deep(0, most)

    def run():
        for depth in (100, 6000):
            staged = ag.function(at_once, jit_compile=True)
            assert int(staged(rt.asarray(depth))) == depth
            (concrete,) = staged.concrete_functions
            assert in_c(concrete.program) is (depth > 1000)
        with pytest.raises(RecursionError):
            staged(rt.asarray(10_000_000))

    on_a_stack_of(768 * 1024, run)


def written(x, n):
    for i in range(n):
        x[i % len(x)] += 1.0
    return x[0]


def test_a_run_that_is_done_again_has_changed_nothing_until_then():
    x = np.zeros(4)
    assert float(ag.function(written)(x, rt.asarray(40_000_000))) == 10_000_000
    np.testing.assert_array_equal(x, 10_000_000.0)


@SEVERAL
@given(programs())
def test_random_loops_give_the_same_in_both(case):
    module, program, arrays = case
    code = MachineCode(module, Source(module, lambda: program))
    if code._first is None:
        return
    wanted = outcome(code.run, arrays)
    code._improve()
    assert code._first is None
    np.testing.assert_equal(outcome(code.run, arrays), wanted, err_msg=str(program))


def summed(x):
    return np.sum(x)


def raised_to(x, n):
    total = 0.0
    for i in range(n):
        total = total + x**i
    return total


def rooted(x, n):
    for _ in range(n):
        x = np.sin(x)
    return x


X = rt.asarray(np.linspace(0, 1, 9))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (summed, (X,)),
        (raised_to, (rt.asarray(1.5), rt.asarray(3))),
        (rooted, (rt.asarray(1.5, dtype=rt.float32), rt.asarray(3))),
    ],
)
def test_what_llvm_may_compute_in_another_way_has_better_code_from_the_start(function, arguments):
    concrete = ag.function(function, jit_compile=True).get_concrete_function(*arguments)
    assert in_c(concrete.program)


def waves(x):
    return np.exp(-x * x / 3) + np.sin(x)


def waves_of_one_number(x):
    return np.sin(np.full((5,), 1e6, np.float32)) * x


def tangents(x):
    return np.tan(x) - np.cos(x)


@pytest.mark.parametrize("function", [waves, waves_of_one_number, tangents])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_the_c_library_computes_far_off_is_the_same_in_both(function, dtype):
    x = np.array([0.5, -3.0, 1e5, -1e9, np.inf], dtype)
    concrete = ag.function(function, jit_compile=True).get_concrete_function(rt.asarray(x))
    assert not in_c(concrete.program)
    first = concrete.program.run([x])[0]
    concrete.program._improve()
    assert in_c(concrete.program)
    np.testing.assert_array_equal(concrete.program.run([x])[0], first, strict=True)


@pytest.mark.parametrize("length", [10, 10_000_000])
def test_a_loop_that_is_known_to_be_long_has_better_code_from_the_start(length):
    concrete = ag.function(np.exp, jit_compile=True).get_concrete_function(rt.TensorSpec((length,)))
    assert in_c(concrete.program) is (length > 10)


def test_better_code_that_is_on_disk_is_taken_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    first = ag.function(collatz, jit_compile=True)
    for _ in range(100):
        first(rt.asarray(27))
    again = ag.function(collatz, jit_compile=True).get_concrete_function(rt.asarray(27))
    assert in_c(again.program)


def test_code_gets_better_while_threads_run_it():
    staged = ag.function(added)
    n, found = 3_000_000, list[int]()
    wanted = sum(range(7)) * (n // 7) + sum(range(n % 7))

    def calls():
        found.extend(int(staged(rt.asarray(n))) for _ in range(30))

    threads = [threading.Thread(target=calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 120
    (concrete,) = staged.concrete_functions
    assert in_c(concrete.program)


def test_the_first_code_takes_a_small_part_of_the_time(monkeypatch, llvm_is_asked_once):
    monkeypatch.setattr(llvm_is_asked_once, "disk", None)

    def seconds():
        llvm_is_asked_once.clear()
        start = time.process_time()
        staged = ag.function(collatz, jit_compile=True).get_concrete_function(rt.asarray(27))
        assert staged.program is not None
        return time.process_time() - start

    at_once = min(seconds() for _ in range(5))
    monkeypatch.setattr(whole, "patience_with", lambda _program, _text, **_: None)
    assert at_once < 0.8 * min(seconds() for _ in range(5))


def test_what_calls_python_has_one_code():
    @ag.function(jit_compile=True)
    def of_values(x, n):
        total = 0.0
        for i in range(n):
            total += np.linalg.eigvals(x * i)[0].real
        return total

    concrete = of_values.get_concrete_function(rt.asarray(np.eye(2)), rt.asarray(3))
    program = concrete.program
    assert patience_with(program._source.loops, "", is_repeated=False) is None
    assert not program._library.is_made_at_once
    assert engine.is_there()


def test_what_programs_share_is_made_once_in_a_process(monkeypatch):
    made, make = [], engine._Engine._code

    def code(self, text, effort):
        made.append(text)
        return make(self, text, effort)

    monkeypatch.setattr(engine._Engine, "_code", code)
    for program, argument, wanted in ((collatz, 27, 111), (added, 10, 24)):
        assert int(ag.function(program)(rt.asarray(argument))) == wanted
    first = [text for text in made if "@ag_entry(" in text]
    assert len(first) == 2
    assert all("declare i32 @ag_poll(" in text for text in first)
    assert sum("define i32 @ag_poll(" in text for text in made) <= 1


def test_what_programs_share_has_all_that_it_calls():
    for name in _HELPERS:
        shared = sorted(_shared_with(name))
        text = shared_text(shared)
        defined = set(re.findall(r"^define [^(]*@([\w.]+)\(", text, re.MULTILINE))
        assert set(shared) <= defined, name
        declared = set(re.findall(r"^declare [^(]*@(ag_[\w.]+)\(", text, re.MULTILINE))
        assert declared <= set(shared), name
