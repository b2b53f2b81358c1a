"""What a graph had done before it raises is done: the world is left as plain Python leaves it."""

import io
import sys
import threading
from contextlib import redirect_stdout
from types import ModuleType

import numpy as np
import pytest

import autograph as ag
from autograph.tracing.snapshot import Snapshot
from runtime.core.printed import without_first
from runtime.errors import LostChangesWarning
from tests.promises.kit import function_of

CALLS = [(np.float64(2.0),), (np.float64(5.0),), (np.float64(-3.0),)]


def test_a_graph_that_raises_leaves_what_python_leaves():
    log, table = [], {"n": 0}

    def f(x):
        log.append(x)
        table["n"] += 1
        if x > 2:
            raise ValueError("too large")
        log.append(-x)
        return x

    ag.check(f, np.float64(1.0), then=CALLS)


def test_a_function_that_always_raises():
    log = []

    def f(x):
        log.append("in")
        if x is not None:
            log.append(x)
        raise KeyError("k")

    ag.check(f, np.float64(1.0), then=CALLS)


def test_a_function_that_calls_an_instance_which_cannot_be_called():
    log = []

    class Plain:
        pass

    def f(x):
        log.append(x * 2)
        return Plain()(x)

    ag.check(f, np.float64(1.0), then=CALLS)


@pytest.mark.parametrize("wrong", ["c.append(1)", "c.upper()", "c.shape.size"])
@pytest.mark.parametrize("made", ["{n}", "{n: 1.0}"])
def test_a_function_that_asks_a_container_of_the_graph_for_what_that_of_python_s_has_not(made, wrong):
    log = []
    program = function_of(f"def f(n):\n    log.append(n)\n    c = {made}\n    {wrong}", log=log)
    ag.check(program, np.int64(2), then=[(np.int64(1),)])


def test_a_handler_sees_what_happened_before():
    log = []

    def f(x):
        try:
            log.append(x)
            if x > 1:
                raise ValueError("x")
        except ValueError:
            log.append(-1.0)
        finally:
            log.append(0.0)
        return x

    ag.check(f, np.float64(1.0), then=CALLS)


def test_what_was_printed_is_not_printed_again(capsys):
    account = {"balance": 10.0, "log": []}

    @ag.function
    def withdraw(amounts):
        for amount in amounts:
            print("withdraw", amount)
            account["log"].append(amount)
            if amount > account["balance"]:
                print("refused", file=sys.stderr)
                raise ValueError("too much")
            account["balance"] -= amount

    with pytest.raises(ValueError, match="too much"):
        withdraw(np.array([4.0, 3.0, 5.0, 1.0]))
    assert account == {"balance": 3.0, "log": [4.0, 3.0, 5.0]}
    shown = capsys.readouterr()
    assert shown.out == "withdraw 4.0\nwithdraw 3.0\nwithdraw 5.0\n"
    assert shown.err == "refused\n"


CROWD = [[number] for number in range(30_000)]


def test_more_objects_than_are_looked_into_hide_no_change():
    kept = []

    @ag.function
    def f(x):
        for each in x:
            kept.append(each + len(CROWD))
            if each > 2:
                raise ValueError("too large")

    with pytest.raises(ValueError, match="too large"):
        f(np.array([1.0, 3.0, 1.0]))
    assert kept == [30_001.0, 30_003.0]


def test_a_function_that_names_sys_is_not_said_to_reach_all_that_is_alive(monkeypatch):
    others = ModuleType("others")
    others.objects = CROWD
    monkeypatch.setitem(sys.modules, "others", others)

    def f(x):
        return x, sys.maxsize

    assert Snapshot([f]).is_whole


def test_only_what_the_same_thread_printed_is_left_out():
    out = io.StringIO()
    with redirect_stdout(out), without_first({"stdout": 5}):
        print("ab")
        other = threading.Thread(target=print, args=("others",))
        other.start()
        other.join()
        print("cdef")
    assert out.getvalue() == "others\nef\n"


def test_where_random_numbers_were_drawn_before_the_changes_are_lost_with_a_warning():
    log, rng = [], np.random.default_rng(3)

    @ag.function
    def f(x):
        log.append(x)
        if rng.random() < x:
            raise ValueError("no")
        return x

    with (
        pytest.warns(LostChangesWarning, match="f.. raised ValueError"),
        pytest.raises(ValueError, match="no"),
    ):
        f(np.float64(1.0))
    assert log == []


def test_a_list_that_a_test_chooses_is_changed_where_the_function_always_raises():
    def program(n, v, items, table):
        target = items if n > 1 else table["n"]
        target.append(v)
        raise KeyError("no")

    def arguments(n):
        return np.int64(n), np.float64(2.0), [1.0, 2.0], {"n": [0.0]}

    ag.check(program, *arguments(3), then=[arguments(0), arguments(3)])


def test_what_a_graph_raises_when_it_has_changed_something_has_no_signal_of_ours_behind_it():
    log = []

    @ag.function
    def f(x):
        log.append(x)
        if x > 2:
            raise ValueError("too large")
        return x

    for _ in range(3):  # the first call, the second, and those that take the shortest way
        assert f(np.float64(1.0)) == 1.0
        with pytest.raises(ValueError, match="too large") as raised:
            f(np.float64(3.0))
        assert raised.value.__context__ is None
    assert len(log) == 6
