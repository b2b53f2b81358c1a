"""What a graph had done before it raises is done: the world is left as plain Python leaves it."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import LostChangesWarning

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


def test_where_it_was_printed_before_the_changes_are_lost_with_a_warning(capsys):
    log = []

    @ag.function
    def f(x):
        log.append(x)
        print("here")
        if x > 0:
            raise ValueError("no")
        return x

    with (
        pytest.warns(LostChangesWarning, match="f.. raised ValueError"),
        pytest.raises(ValueError, match="no"),
    ):
        f(np.float64(1.0))
    assert log == []
    assert capsys.readouterr().out == "here\n"
