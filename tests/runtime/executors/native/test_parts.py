"""Large loops are done in ranges, by several threads; what they give depends on neither."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.lower import parts
from runtime.executors.native.whole import lowered


@pytest.fixture(autouse=True)
def default_threads():
    yield
    rt.set_num_threads(None)


@pytest.fixture
def short_ranges(monkeypatch):
    """Ranges of a few turns, so that small arrays have many."""
    monkeypatch.setattr(parts, "RANGE", 24)


def sources(function, *arrays):
    """A function as compiled, its program of loops as it reads, and the text of that."""
    specs = [rt.TensorSpec((None,) * np.ndim(each), np.asarray(each).dtype) for each in arrays]
    concrete = ag.function(function, jit_compile=True).get_concrete_function(*specs)
    module = concrete.optimised_module
    loops = lowered(module)
    return concrete, Interpreted(loops, module.entry), str(loops)


def waves(x):
    return np.tanh(x * 0.5 + 0.3) * np.exp(-x * x) + np.sin(x)


def far_waves(x):
    return np.sin(x * 1e12) + np.cos(x)


def moments(x):
    return np.sum(x), np.max(x), np.min(x), np.prod(x), np.any(x > 1.0), np.all(x < 3.0)


def whole_numbers(x):
    k = (x * 100.0).astype(np.int32)
    return np.sum(k), np.max(k), k // 3, k % 7


def again_and_again(x):
    for _ in range(3):
        x = x * 0.5 + np.sum(x)
    return x


def complex_total(x):
    z = x * (1.0 + 2.0j)
    return np.sum(z), z


def as_it_was(x):
    return np.concatenate([x[1:], x[:1]]) - x


X = np.random.default_rng(3).normal(size=500)
PROGRAMS = [waves, far_waves, moments, whole_numbers, again_and_again, complex_total, as_it_was]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_ranges_give_what_the_whole_gives_on_any_number_of_threads(function, short_ranges):
    concrete, interpreted, text = sources(function, X)
    assert " for ranges of " in text
    found = []
    for number in (1, 2, 3):
        rt.set_num_threads(number)
        found.append(several(concrete(X)))
    for each in found[1:]:
        assert [one.tobytes() for one in each] == [one.tobytes() for one in found[0]]
    for compiled, read, plain in zip(
        found[0], several(interpreted.entry(X)), several(function(X)), strict=True
    ):
        np.testing.assert_allclose(compiled, read, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-12)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def test_rows_are_ranges(short_ranges):
    x, spec = X.reshape(50, 10), rt.TensorSpec((50, 10), "float64")
    concrete = ag.function(softmax, jit_compile=True).get_concrete_function(spec)
    assert " for ranges of 1 below 50" in concrete.program.source()
    np.testing.assert_allclose(concrete(x), softmax(x), rtol=1e-14)


def running(x):
    total = np.float64(0.0)
    found = np.zeros(len(x))
    for i in range(len(x)):
        total = total + x[i]
        found[i] = total
    return found


def backwards(x):
    y = x * 2.0
    return np.cumsum(y), np.sort(y)


def columns(x):
    return np.sum(np.reshape(x, (-1, 10)), axis=0)


@pytest.mark.parametrize("function", [running, backwards, columns])
def test_turns_that_need_each_other_stay_in_order(function, short_ranges):
    concrete, interpreted, _ = sources(function, X)
    for compiled, read, plain in zip(
        several(concrete(X)), several(interpreted.entry(X)), several(function(X)), strict=True
    ):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(compiled, read, rtol=1e-12, atol=1e-12)


def test_what_is_short_stays_whole():
    concrete = ag.function(waves, jit_compile=True).get_concrete_function(rt.TensorSpec((1000,), "float64"))
    assert "ranges" not in concrete.program.source()


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="a process cannot be kept to some cores")
def test_there_are_as_many_threads_as_cores():
    assert rt.get_num_threads() == len(os.sched_getaffinity(0))
    rt.set_num_threads(3)
    assert rt.get_num_threads() == 3
    rt.set_num_threads(None)
    assert rt.get_num_threads() == len(os.sched_getaffinity(0))


def test_no_thread_is_too_few():
    with pytest.raises(ValueError, match="0 threads compute nothing"):
        rt.set_num_threads(0)
    with pytest.raises(TypeError):
        rt.set_num_threads(1.5)


def test_many_threads_may_call_at_once(short_ranges):
    rt.set_num_threads(3)
    concrete, _, _ = sources(waves, X)
    expected, wrong = concrete(X).numpy(), []

    def call():
        for _ in range(200):
            if not np.array_equal(concrete(X), expected):
                wrong.append(1)

    callers = [threading.Thread(target=call) for _ in range(6)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert not wrong


PROGRAM = """
import os, sys, threading, warnings
import numpy as np
import autograph as ag, runtime as rt
from runtime.executors.native.lower import parts
parts.RANGE = 24
rt.set_num_threads(3)

@ag.function(jit_compile=True)
def f(x):
    return np.sum(np.exp(-x * x))

x = np.arange(5000.0) * 0.001
first = float(f(x))
"""
FORKED = """
warnings.simplefilter("ignore")
for _ in range(5):
    child = os.fork()
    if not child:
        os._exit(0 if all(float(f(x)) == first for _ in range(50)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert float(f(x)) == first
"""
AT_THE_END = """
import time
def go():
    while True:
        f(x)
for _ in range(3):
    threading.Thread(target=go, daemon=True).start()
time.sleep(0.05)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.parametrize("end", [FORKED, AT_THE_END], ids=["after_a_fork", "at_the_end_of_the_process"])
def test_other_threads_are_no_trouble(end):
    done = subprocess.run([sys.executable, "-c", PROGRAM + end], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def several(found):
    """What a function gives, as arrays."""
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
