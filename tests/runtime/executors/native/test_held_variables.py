"""Graphs that read and write variables are machine code: what these hold comes in and goes out with a run."""

import _thread
import io
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf

EXECUTORS = ["numpy", "native", "auto"]


def made(*starts):
    """Variables, by the names of the alphabet."""
    return [rt.Variable(start, name=name) for start, name in zip(starts, "wcdefg", strict=False)]


def counted(w, c):
    def run(x, n):
        i = 0
        while i < n:
            w.assign(w * 0.5 + x)
            c.assign_add(1)
            i += 1
        return w.value()

    return run


def in_branches(w, c):
    def run(x, n):
        for i in range(n):
            if i % 3 == 0:
                w.assign_sub(x)
            elif i % 3 == 1:
                c.assign(c * 2)
        return c + 1

    return run


def in_the_test(w, c):
    def run(x, n):
        while c < n:
            c.assign_add(2)
            w.assign_add(x * rt.astype(c, rt.float64))

    return run


def in_nests(w, c):
    def run(x, n):
        total = 0.0
        for i in range(n):
            for _ in range(i):
                if rt.max(w) > 10.0:
                    w.assign(rt.zeros((2,)))
                w.assign_add(x)
            c.assign_add(i)
            total += w[0]
        return total, w[1]

    return run


def exchanged(w, c):
    def run(x, n):
        i = 0
        while i < n:
            w.assign(w[::-1] + x)
            i += 1
            c.assign(i * 10)
        c.assign_add(c)
        return w + w, c.value(), w.value()

    return run


def only_read(w, c):
    def run(x, n):
        total = x * 0.0
        while c * n > rt.sum(total):
            total = total + w + 1.0
        return total

    return run


PROGRAMS = [counted, in_branches, in_the_test, in_nests, exchanged, only_read]


def outcomes(program, executor, calls):
    """What calls give and leave in variables, one after the other."""
    w, c = made([1.0, 2.0], 3)
    function = ag.function(program(w, c), executor=executor)
    found = []
    for n in calls:
        result = function(np.array([0.25, 1.5]), rt.asarray(n))
        results = result if isinstance(result, tuple) else (result,)
        found.append([None if each is None else each.numpy().tolist() for each in results])
        found.append([w.numpy().tolist(), c.numpy().tolist(), w.dtype, c.dtype])
    return found, function


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_all_executors_leave_the_same_in_variables(program):
    expected, _ = outcomes(program, "numpy", [4, 0, 7, 1])
    for executor in ("native", "auto", "reference"):
        found, _ = outcomes(program, executor, [4, 0, 7, 1])
        assert found == expected


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_read_or_write_of_a_variable_is_a_call_of_python(program):
    _, function = outcomes(program, "native", [3])
    report = function.concrete_functions[0].report()
    assert set(report.counts) == {"machine code"}
    assert any("VariableOp" in step.op for step in report.steps)


def test_a_loop_over_variables_is_machine_code_without_being_asked():
    _, function = outcomes(in_branches, "auto", [3])
    report = function.concrete_functions[0].report()
    assert (report.executor, set(report.counts)) == ("native", {"machine code"})


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_raises_half_way_has_changed_what_it_changed_in_python(executor):
    w, c = made(0.0, 0)

    @ag.function(executor=executor)
    def filled(x, n):
        for i in range(n):
            c.assign_add(1)
            w.assign_add(x[i])
        return c.value()

    x = np.array([1.0, 2.0, 4.0])
    assert filled(x, rt.asarray(3)) == 3
    with pytest.raises(IndexError):
        filled(x, rt.asarray(5))
    assert (w.numpy(), c.numpy()) == (14.0, 7)
    assert filled(x, rt.asarray(2)) == 9


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_numpy_warns_of_is_warned_of_once_and_changes_variables_once(executor):
    w, c = made(1.0, 0)

    @ag.function(executor=executor)
    def divided(x, n):
        i = 0
        while i < n:
            w.assign(w / x)
            c.assign_add(1)
            i += 1
        return c.value()

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert divided(rt.asarray(0.0), rt.asarray(1)) == 1
    assert (w.numpy(), c.numpy()) == (np.inf, 1)
    assert len(said) == (executor != "native")  # which never warns: docs/native.md


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_array_that_a_variable_gets_is_its_own(executor):
    w, c = made([1.0, 2.0], 0)

    @ag.function(executor=executor)
    def kept(x, n):
        while c < n:
            c.assign_add(1)
            w.assign(x)
            x[0] = x[0] + 1.0

    x = np.array([5.0, 6.0])
    kept(x, rt.asarray(2))
    assert x.tolist() == [7.0, 6.0]
    assert w.numpy().tolist() == [6.0, 6.0]
    x[:] = 0.0
    assert w.numpy().tolist() == [6.0, 6.0]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_caught_exception_leaves_in_variables_what_was_written_before(executor):
    w, c = made(0.0, 0)

    @ag.function(executor=executor)
    def caught(n, k):
        try:
            while n > 0:
                c.assign_add(10 // k)
                k = k - 1
                n = n - 1
        except ZeroDivisionError:
            w.assign_add(1.0)
        return c.value()

    assert caught(rt.asarray(2), rt.asarray(2)) == 15
    assert caught(rt.asarray(9), rt.asarray(2)) == 30
    assert w.numpy() == 1.0


@pytest.mark.parametrize("executor", EXECUTORS)
def test_functions_that_are_called_share_variables_with_their_callers(executor):
    w, c = made([1.0, 2.0], 0)

    @ag.function
    def step(x):
        c.assign_add(1)
        w.assign(w + x)
        return rt.sum(w)

    @ag.function(executor=executor)
    def run(x, n):
        last = 0.0
        while last < n:
            last = step(x) + step(w)
        return last

    assert float(run(np.array([1.0, 0.0]), rt.asarray(100.0))) == 117.0
    assert (w.numpy().tolist(), c.numpy()) == ([46.0, 32.0], 8)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_recursion_over_a_variable_stays_a_recursion(executor):
    (c,) = made(0)

    def visit(n):
        c.assign_add(1)
        if n > 1:
            visit(n - 1)
            visit(n - 2)

    run = ag.function(visit, executor=executor)
    run(rt.asarray(6))
    assert c.numpy() == 25


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_variable_of_any_length_keeps_its_lengths(executor):
    v = rt.Variable([1.0], shape=(None,))

    @ag.function(executor=executor)
    def longer(n):
        i = 0
        while i < n:
            v.assign(rt.concat([v, v]))
            i += 1
        return v.value()

    assert longer(rt.asarray(3)).shape == (8,)
    assert v.numpy().tolist() == [1.0] * 8


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_is_printed_and_called_sees_variables_as_they_are(executor, capsys):
    w, c = made(0.0, 0)
    seen = []

    @ag.function(executor=executor)
    def told(n):
        while c < n:
            c.assign_add(1)
            w.assign_add(0.5)
            print(w.value())
            ag.host_call(lambda: seen.append(float(w)))

    told(rt.asarray(2))
    assert capsys.readouterr().out == "0.5\n1.0\n"
    assert seen == [0.5, 1.0]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_training_loop_learns_the_same_weights(executor):
    w, b = tf.Variable(tf.zeros((2,)), name="w"), tf.Variable(0.0, name="b")

    @tf.function(jit_compile=executor == "native")
    def train(x, y, turns):
        loss = tf.constant(0.0)
        for _ in tf.range(turns):
            error = tf.linalg.matvec(x, w) + b - y
            w.assign_sub(0.1 * tf.reduce_mean(x * error[:, tf.newaxis], axis=0))
            b.assign_sub(0.1 * tf.reduce_mean(error))
            loss = tf.reduce_mean(error**2)
        return loss

    x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
    y = tf.constant([3.0, 2.0, 4.0, 4.0])
    assert float(train(x, y, tf.constant(3000))) < 1e-6
    assert np.allclose(w.numpy(), [2.0, 1.0], atol=1e-2)
    assert np.allclose(b.numpy(), 1.0, atol=1e-2)


def test_ctrl_c_leaves_a_variable_as_it_was_before_the_call():
    (c,) = made(7)

    @ag.function(executor="native")
    def endless(n):
        while n > 0:
            c.assign_add(1)
            n = n + c % 1
        return n

    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        endless(rt.asarray(1))
    timer.join()
    assert c.numpy() == 7


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_raises_behind_prints_has_printed_once(executor, capsys):
    w, c = made(0.0, 0)

    @ag.function(executor=executor)
    def filled(x, n):
        for i in range(n):
            c.assign_add(1)
            print("at", i, c.value())
            w.assign_add(x[i])

    with pytest.raises(IndexError):
        filled(np.array([1.0, 2.0]), rt.asarray(3))
    assert capsys.readouterr().out == "at 0 1\nat 1 2\nat 2 3\n"
    assert (w.numpy(), c.numpy()) == (3.0, 3)


class Late(Exception):
    """What a handler of signals raises."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers of signals")
@pytest.mark.parametrize("executor", ["native", "auto"])
def test_what_a_handler_of_signals_raises_ends_the_run(executor):
    (c,) = made(7)

    @ag.function(executor=executor)
    def endless(n):
        while n > 0:
            c.assign_add(1)
            n = n + c % 1
        return n

    def late(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Late):
            endless(rt.asarray(1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_numpy_raises_in_the_middle_leaves_what_was_written_before(executor):
    w, c = made([[2.0, 0.0], [0.0, 4.0]], 0)

    @ag.function(executor=executor)
    def inverted(n):
        for i in range(n):
            c.assign_add(1)
            w.assign(rt.linalg.inv(w))
            if i == 2:
                w.assign(w * 0.0)

    with pytest.raises(np.linalg.LinAlgError):
        inverted(rt.asarray(9))
    assert c.numpy() == 4
    assert w.numpy().tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("executor", ["native", "auto"])
def test_runs_in_several_threads_count_what_each_of_them_counts(executor, monkeypatch):
    c, w = rt.Variable(0), rt.Variable([0.0, 0.0])

    @ag.function(executor=executor)
    def counted(n):
        for _ in range(n):
            c.assign_add(1)
            print(end="")  # Python may change threads here
        w.assign(w + 1.0)

    class Yielding(io.StringIO):
        def write(self, text):
            time.sleep(0)
            return len(text)

    monkeypatch.setattr(sys, "stdout", Yielding())
    threads = [threading.Thread(target=lambda: [counted(rt.asarray(9)) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (c.numpy(), w.numpy().tolist()) == (720, [80.0, 80.0])


@pytest.mark.parametrize("executor", EXECUTORS)
def test_several_functions_write_one_variable(executor):
    (w,) = made([1.0, 2.0, 5.0])

    def added(n):
        for _ in range(n):
            w.assign(w + 1.0)

    def doubled(n):
        for _ in range(n):
            w.assign(w * 2.0)

    for function in (added, doubled, added):
        ag.function(function, executor=executor)(rt.asarray(2))
    assert w.numpy().tolist() == [14.0, 18.0, 30.0]
