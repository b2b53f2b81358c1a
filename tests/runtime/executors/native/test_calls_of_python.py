"""What has no machine code is a call of Python, between parts that have."""

import gc
import re
import signal
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt

LINE = re.compile("line [0-9]+, in .*\n.*")


def told(error):
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


def trimmed(x, n):
    total = 0.0
    for i in range(n):
        ordered = np.sort(x * (i + 1))
        total += ordered[1]
        x[i % 3] = ordered[0] - i
    return total, x


def inverted(a, n):
    for _ in range(n):
        a = np.linalg.inv(a) + np.eye(2)
    return a


def iterated(z, n):
    turns = 0
    while abs(z) < 2.0 and turns < n:
        z = z * z + (0.25 + 0.1j)
        turns += 1
    return z, turns


def sums(x, n):
    rows = []
    for i in range(n):
        rows.append(x + i)
        if i % 2 == 1:
            rows[0] = rows[0] * 2.0
    return rows, sum(rows)


def halves(x):
    """Arrays of float16, which machine code has no numbers for."""
    y = x
    while y.sum() > 1:
        y = y / 2
    return y


def quotients(divisors):
    total, failed = 0, 0
    for d in divisors:
        try:
            if d == 0:
                raise ZeroDivisionError("no", d)
            total = total + 100 // d
            if total > 1000:
                raise ValueError("too much", total)
        except ZeroDivisionError:
            failed = failed + 1
        except ValueError as error:
            total = error.args[1] - 1000
        finally:
            failed = failed + 10
    return total, failed


def countdown(n, bad):
    if n == 0:
        return 0
    try:
        if n == bad:
            raise KeyError(n)
        return countdown(n - 1, bad) + 1
    except KeyError:
        return 100


def retried(x, n):
    """What was in names before something was raised, is there after it: arrays, lists and numbers."""
    tries, log, best = 0, [], x
    for i in range(n):
        try:
            best = best * 2.0
            log.append(i)
            for j in range(3):
                best = best + j
                if best.sum() > 100.0:
                    raise OverflowError("large", i, j)
            tries = tries + 1
        except OverflowError as error:
            best = best / 16.0
            tries = tries + error.args[2]
            log.append(-i)
    return best, log, tries


def nested(n):
    inner, outer = 0, 0.0
    while n > 0:
        try:
            outer = outer + 0.5
            try:
                if n % 3 == 0:
                    raise KeyError(n)
                if n % 5 == 0:
                    raise IndexError("five")
                inner = inner + n
            except KeyError:
                inner = inner - 100
            outer = outer + 1
        except LookupError as error:
            outer = outer * 2 + len(error.args)
        n = n - 1
    return inner, outer


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (trimmed, (np.arange(100.0) % 7, np.int64(4))),
        (inverted, (np.array([[2.0, 1.0], [1.0, 3.0]]), np.int64(3))),
        (iterated, (np.complex128(0.1 + 0.2j), np.int64(50))),
        (sums, (np.arange(3.0), np.int64(4))),
        (halves, (np.array([4.0, 2.0], np.float16),)),
        (quotients, (np.array([5, 0, 7, 0, 1]),)),
        (quotients, (np.array([1] * 20),)),
        (retried, (np.arange(3.0), np.int64(9))),
        (nested, (np.int64(31),)),
        (countdown, (np.int64(5), np.int64(2))),
        (countdown, (np.int64(5), np.int64(9))),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_program_with_calls_of_python_does_what_python_does(program, arguments):
    ag.check(program, *arguments, executors=["native"], ulps=64)


def test_the_report_says_what_is_called_and_why():
    concrete = ag.function(trimmed, jit_compile=True).get_concrete_function(rt.ones((100,)), rt.asarray(2))
    steps = {step.op: step for step in concrete.report().steps}
    assert (steps["Sort"].runs, steps["Sort"].why) == ("call of Python", "NumPy orders many elements")
    assert {step.runs for name, step in steps.items() if name != "Sort"} == {"machine code"}


def ordered(x, n):
    total = 0.0
    while n > 0:
        try:
            total += np.sort(x)[n]
        except IndexError:
            total -= 1.0
        n -= 1
    return total


def test_a_try_calls_python_where_what_it_guards_does():
    ag.check(ordered, np.arange(100.0) % 7, np.int64(103), executors=["native"])
    concrete = ag.function(ordered, jit_compile=True).get_concrete_function(rt.ones((100,)), rt.asarray(2))
    assert {step.op for step in concrete.report().steps if "Python" in step.runs} == {"Sort", "Try"}
    concrete = ag.function(nested, jit_compile=True).get_concrete_function(rt.asarray(2))
    assert {step.runs for step in concrete.report().steps} == {"machine code"}


def largest(x, n):
    while n > 1:
        x = x[: len(x) - n]
        n = n - 1
    return x.max()


def mixed(x, y, n):
    total = 0.0
    while n > 0:
        total += (x[n:] + y[1:]).sum()
        n -= 1
    return total


def powers(k, n):
    total = 0
    while n < 3:
        total += k**n
        n += 1
    return total


@pytest.mark.parametrize(
    ("program", "arguments", "others"),
    [
        (largest, (np.arange(9.0), np.int64(3)), [(np.arange(3.0), np.int64(3))]),
        (
            mixed,
            (np.arange(3.0), np.arange(3.0), np.int64(1)),
            [
                (np.arange(3.0), np.arange(3.0), np.int64(2)),
                (np.arange(3.0), np.arange(2.0), np.int64(1)),
                (np.arange(3.0), np.arange(4.0), np.int64(1)),
            ],
        ),
        (powers, (np.int64(3), np.int64(0)), [(np.int64(3), np.int64(-1))]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_only_the_run_knows_to_fit_is_left_to_numpy_where_it_does_not(program, arguments, others):
    ag.check(program, *arguments, then=others, executors=["native"], ulps=8)
    specs = [rt.TensorSpec((None,) * np.ndim(each), rt.as_dtype(each.dtype)) for each in arguments]
    for given in [arguments, *others]:
        found = []
        for executor in ("numpy", "native"):
            staged = ag.function(program, input_signature=specs, executor=executor)
            try:
                found.append(staged(*map(rt.asarray, given)).numpy())
            except (ValueError, rt.errors.Error) as error:
                found.append((type(error), LINE.search(told(error))[0]))
        np.testing.assert_equal(found[1], found[0])


def test_what_is_printed_and_kept_in_a_variable_comes_in_order(capsys):
    total = rt.Variable(1.0)

    @ag.function(jit_compile=True)
    def added(x, n):
        for i in range(n):
            total.assign_add(x)
            print(i, total.read_value())
        return total.read_value()

    assert float(added(rt.asarray(2.0), rt.asarray(3))) == 7.0
    assert capsys.readouterr().out.split() == ["0", "3.0", "1", "5.0", "2", "7.0"]
    assert float(total.read_value()) == 7.0


def test_random_draws_are_those_of_numpy():
    @ag.function(jit_compile=True)
    def drawn(generator, n):
        total = 0.0
        for _ in range(n):
            total += generator.random()
        return total

    expected = np.random.default_rng(5)
    wanted = sum(expected.random() for _ in range(4))
    given = np.random.default_rng(5)
    assert float(drawn(given, rt.asarray(4))) == wanted
    assert given.random() == expected.random()


def test_a_function_may_keep_what_it_is_given():
    kept = []

    @ag.function(jit_compile=True)
    def shown(x, n):
        for i in range(n):
            x[0] = i
            ag.host_call(lambda each: kept.append(each), x, result=None)
        return x

    shown(rt.zeros((2,)), rt.asarray(3))
    gc.collect()
    assert [each.tolist() for each in kept] == [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]


def test_what_a_function_raises_is_its_own_with_the_line():
    class Mine(Exception):
        pass

    def fails(x):
        raise Mine(float(x))

    @ag.function(jit_compile=True)
    def called(x, n):
        while n > 0:
            x = x * 2
            n -= 1
            if n == 1:
                ag.host_call(fails, x, result=None)
        return x

    for _ in range(3):
        with pytest.raises(Mine, match=r"^8\.0") as caught:
            called(rt.asarray(1.0), rt.asarray(4))
        assert "ag.host_call(fails, x, result=None)" in caught.value.__notes__[0]
    assert float(called(rt.asarray(1.0), rt.asarray(1))) == 2.0


def test_objects_that_a_turn_of_a_loop_makes_live_no_longer():
    living = weakref.WeakSet()

    class Thing:
        def __init__(self, n):
            assert len(living) < 5
            self.n = n
            living.add(self)

    @ag.function(jit_compile=True)
    def made(n):
        total = 0
        while n > 0:
            thing = ag.host_call(Thing, n, result=object)
            total += ag.host_call(lambda each: int(each.n), thing, result=int)
            n -= 1
        return total

    assert int(made(rt.asarray(50))) == 1275
    gc.collect()
    assert not living


def test_ctrl_c_passes_through_what_catches_other_errors():
    @ag.function(jit_compile=True)
    def spin(n, d):
        while n != 1:
            try:
                if d == 0:
                    raise ZeroDivisionError
                n = n + 2
            except ZeroDivisionError:
                n = n + 4
        return n

    assert int(spin(rt.asarray(-3), rt.asarray(0))) == 1
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        spin(rt.asarray(0), rt.asarray(1))
    assert int(spin(rt.asarray(-1), rt.asarray(1))) == 1


def test_where_arrays_lie_in_another_way_it_is_refused(monkeypatch):
    monkeypatch.setattr("runtime.executors.native.calls.passing.is_known", lambda: False)
    with pytest.raises(rt.errors.CompileError, match="cannot call Python here"):
        ag.function(trimmed, jit_compile=True)(rt.ones((100,)), rt.asarray(2))
