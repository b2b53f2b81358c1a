"""A run of machine code that fails raises what the NumPy program raises, with the user's line."""

import signal
import threading
import traceback

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def both(program, *arguments):
    """What a program raises on NumPy, and as machine code."""
    errors = []
    for executor in ("numpy", "native"):
        with pytest.raises(Exception) as caught:
            ag.function(program, executor=executor)(*map(rt.asarray, arguments))
        errors.append(caught.value)
    return errors


def pick(a, i):
    return a[i]


def write(a, i):
    a[i] = 1.0
    return a


def divide(a, b):
    return a // b if a > 3 else a


def asserted(x):
    assert x > 0, "x is positive"
    return x


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (pick, (np.arange(5.0), 7)),
        (pick, (np.arange(5.0), -6)),
        (write, (np.arange(5.0), 5)),
        (divide, (7, 0)),
    ],
)
def test_errors_are_those_of_the_numpy_program(program, arguments):
    on_numpy, native = both(program, *arguments)
    assert type(native) is type(on_numpy)
    assert str(native) == str(on_numpy)
    assert getattr(native, "__notes__", None) == getattr(on_numpy, "__notes__", None)


def test_a_failed_run_leaves_everything_usable():
    picked = ag.function(pick, jit_compile=True)
    for _ in range(100):
        with pytest.raises(IndexError):
            picked(rt.ones((1000,)), rt.asarray(1000))
    assert float(picked(rt.ones((1000,)), rt.asarray(999))) == 1.0


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def test_recursion_without_end_is_a_recursion_error():
    staged = ag.function(depth, jit_compile=True)
    assert int(staged(rt.asarray(5000))) == 5000
    with pytest.raises(RecursionError):
        staged(rt.asarray(1_000_000))


def among_many(n, a):
    """Each call has many numbers of its own, which it wants after the calls in it."""
    if n == 0:
        return np.sum(a)
    own = [a[i] * n for i in range(60)]
    rest = among_many(n - 1, a) + among_many(np.minimum(n - 1, 0), a)
    for each in own:
        rest = rest * 0.5 + each
    return rest


def test_recursion_of_an_ordinary_depth_stays_in_machine_code():
    staged = ag.function(among_many, jit_compile=True)
    a = np.linspace(0.0, 1.0, 60)
    for depth in (3, 900):
        assert float(staged(rt.asarray(depth), rt.asarray(a))) == float(among_many(depth, a))


def test_recursion_goes_as_deep_as_the_thread_has_room():
    staged = ag.function(depth, jit_compile=True)
    assert int(staged(rt.asarray(1))) == 1
    found = {}

    def ask(size):
        try:
            found[size] = int(staged(rt.asarray(40_000)))
        except RecursionError:
            found[size] = None

    before = threading.stack_size()
    try:
        for size in (1 << 20, 1 << 25):
            threading.stack_size(size)
            thread = threading.Thread(target=ask, args=(size,))
            thread.start()
            thread.join()
    finally:
        threading.stack_size(before)
    assert found == {1 << 20: None, 1 << 25: 40_000}


def test_a_loop_without_end_is_interrupted():
    @ag.function(jit_compile=True)
    def spin(n):
        while n != 1:
            n = n + 2
        return n

    assert int(spin(rt.asarray(-1))) == 1
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        spin(rt.asarray(0))
    shown = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert shown == [__file__], "the line that calls, and nothing of ours"
    assert int(spin(rt.asarray(1))) == 1


def test_without_llvmlite_the_way_out_is_to_install_it(monkeypatch):
    monkeypatch.setattr("runtime.executors.native.llvm.engine.is_there", lambda: False)
    with pytest.raises(rt.errors.CompileError, match=r"pip install 'autograph-runtime\[native\]'"):
        ag.function(pick, jit_compile=True)(rt.ones((2,)), rt.asarray(0))


def test_threads_run_the_same_code():
    staged = ag.function(depth, jit_compile=True)
    staged(rt.asarray(1))
    found = []
    threads = [
        threading.Thread(
            target=lambda n=n: found.extend([int(staged(rt.asarray(n))) == n for _ in range(50)])
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 400


def whole_parts(x):
    total = 0
    for i in range(len(x)):
        total += int(x[i]) % 1000
    return total


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 2.0**63, -1e300])
def test_floats_that_are_no_integers_are_told_apart(number):
    one, other = both(whole_parts, np.array([1.5, number, 2.0]))
    assert type(one) is type(other)
    assert str(one) == str(other)


def test_a_float_is_looked_at_once_before_it_becomes_an_integer():
    x = np.array([1.5, -7.9, -(2.0**63), 9e18, 0.0])
    graph = ag.function(whole_parts, jit_compile=True)
    assert int(graph(x)) == whole_parts(x)
    source = graph.concrete_functions[0].program.source()
    assert source.count("\n    if ") == source.count("\n        if ") == len(x)
    assert source.count("\n            if ") == 2 * len(x)
