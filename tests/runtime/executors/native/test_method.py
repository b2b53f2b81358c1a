"""A call that machine code serves begins in C; every other one is what it is in Python."""

import gc
import signal
import sys
import threading
import traceback
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CheckFailed
from runtime.functions.eagerly import switch
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import open_graphs


def annuity(rate, years):
    worth = 1.0
    while years > 0:
        worth = worth * (1.0 + rate)
        years -= 1
    return worth


RATE, YEARS = rt.asarray(0.05), rt.asarray(30)


@pytest.fixture
def function():
    made = ag.function(annuity, jit_compile=True)
    made(RATE, YEARS)
    return made


def python_calls(run):
    """The functions of Python's that a call goes through."""
    found = []
    gc.collect()  # which calls what others have asked it to call
    gc.disable()
    sys.setprofile(lambda frame, event, _: found.append(frame.f_code.co_name) if event == "call" else None)
    try:
        run()
    finally:
        sys.setprofile(None)
        gc.enable()
    return found


def test_no_line_of_python_runs(function):
    assert python_calls(lambda: function(RATE, YEARS)) == ["<lambda>"]
    assert python_calls(lambda: function.__call__(RATE, YEARS)) == ["<lambda>"]
    assert "__call__" in python_calls(lambda: function(0.05, 3))


def test_a_method_of_the_class_is_what_it_was(function):
    assert PolymorphicFunction.__call__.__doc__.startswith("Runs the graph")
    assert float(PolymorphicFunction.__call__(function, RATE, YEARS)) == annuity(0.05, 30)
    with pytest.raises(TypeError):
        PolymorphicFunction.__call__(annuity, RATE, YEARS)


def test_arguments_by_name_and_wrong_ones_are_told_as_ever(function):
    for _ in range(2):
        assert float(function(years=YEARS, rate=RATE)) == annuity(0.05, 30)
        assert float(function(RATE, years=YEARS)) == annuity(0.05, 30)
        wrong = [((), {}), ((RATE,), {}), ((RATE,) * 3, {}), ((RATE,), {"month": 1})]
        for arguments, names in wrong:
            with pytest.raises(TypeError, match="annuity"):
                function(*arguments, **names)


def test_a_call_from_a_graph_and_one_that_runs_plainly_do_not_take_it(function):
    outer = ag.function(lambda rate, years: function(rate, years) + 1.0)
    assert float(outer(RATE, YEARS)) == annuity(0.05, 30) + 1.0
    before = open_graphs.word.value
    for on in (True, True, False, False):
        ag.run_functions_eagerly(on)
        assert (open_graphs.word.value - before, switch.on) == (int(on), on)
        assert ("annuity" in python_calls(lambda: function(RATE, YEARS))) is on


def test_what_ends_a_run_shows_no_frames_of_ours(function):
    told = []
    function.on_error, hide = lambda error: (told.append(error), hide(error)), function.on_error
    before = sys.getrefcount(function)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        function(RATE, rt.asarray(2**60))
    timer.join()
    assert told == [caught.value]
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[0].name == "test_what_ends_a_run_shows_no_frames_of_ours"
    assert not [frame for frame in frames if "/runtime/" in frame.filename and "tests" not in frame.filename]
    told.clear()
    del caught, frames
    gc.collect()
    assert sys.getrefcount(function) == before


def test_an_error_of_who_hears_of_errors_is_the_one_that_is_raised(function):
    def fail(error):
        raise ValueError("told") from error

    function.on_error = fail
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(ValueError, match="told"):
        function(RATE, rt.asarray(2**60))
    timer.join()


class Renamed(CheckFailed):
    """What an error is called by who hears of it."""


def test_an_error_may_be_given_another_class_by_who_hears_of_it(function):
    def checked(n):
        rt.check(n != 3, "too early")
        return n

    def rename(error):
        error.__class__ = Renamed

    served = PolymorphicFunction(checked)  # without guards, so that the call begins in C
    for _ in range(3):
        served(rt.asarray(9))
    served.on_error = rename
    with pytest.raises(CheckFailed) as caught:
        served(rt.asarray(3))
    assert type(caught.value) is Renamed
    assert str(caught.value).startswith("too early")


def test_calls_that_are_served_are_calls_that_need_no_trace():
    def doubled(x):
        return x * 2.0

    served, unserved = (ag.function(doubled, jit_compile=True) for _ in range(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for length in range(1, 9):
            x = rt.ones((length,))
            assert python_calls(lambda x=x: served(x))[1:] != []
            assert python_calls(lambda x=x: served(x)) == ["<lambda>"]
    for length in range(1, 6):
        unserved(rt.ones((length,)))
    with pytest.warns(ag.RetracingWarning, match="5 calls in a row"):
        unserved(rt.ones((6,)))


def test_it_leaves_no_references_behind(function):
    array = np.arange(6.0)[::2]  # which is left to Python
    item = ag.function(lambda x: x[1] * 2.0, jit_compile=True)
    item(array)
    item(array)
    before = [sys.getrefcount(each) for each in (function, RATE, YEARS, item, array)]
    none = sys.getrefcount(None)
    for _ in range(200):
        function(RATE, YEARS)
        item(array)
    assert abs(sys.getrefcount(None) - none) < 100
    assert [sys.getrefcount(each) for each in (function, RATE, YEARS, item, array)] == before


def test_a_class_below_may_have_a_call_of_its_own():
    class Counted(PolymorphicFunction):
        calls = 0

        def __call__(self, *args, **kwargs):
            self.calls += 1
            return super().__call__(*args, **kwargs)

    counted = Counted(lambda x: x * 2.0, executor="native")
    assert [float(counted(RATE)) for _ in range(3)] == [0.1] * 3
    assert counted.calls == 3


def test_graphs_change_places_while_threads_call():
    function = ag.function(lambda x: x + 1.0, jit_compile=True)
    given = [rt.asarray(np.arange(float(length))) for length in range(1, 5)]
    wrong = []

    def call(own):
        for turn in range(2_000):
            x = given[(own + turn // 3) % 4]
            if not np.array_equal(function(x).numpy(), x.numpy() + 1.0):
                wrong.append(x)

    threads = [threading.Thread(target=call, args=(own,)) for own in range(4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert wrong == []
