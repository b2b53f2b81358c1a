"""Garbage waits while a function is traced and compiled, and not longer."""

import functools
import gc
import threading
import weakref

import pytest

import autograph as ag
import runtime as rt
from autograph_base.garbage import garbage_waits
from runtime.functions.polymorphic import PolymorphicFunction

USUAL = gc.get_threshold()


def add_often(x):
    return functools.reduce(lambda total, _: total + 1.0, range(300), x)


def test_a_first_call_is_not_interrupted_by_collections():
    phases = []
    note = lambda phase, info: phases.append(phase)
    gc.callbacks.append(note)
    try:
        concrete = PolymorphicFunction(add_often).get_concrete_function(rt.TensorSpec((), rt.float64))
        traced = len(phases)
        assert concrete.program
    finally:
        gc.callbacks.remove(note)
    assert len(concrete.graph.nodes) >= 300
    assert traced <= 2  # start and stop of one, when the collector is as it was
    assert gc.get_threshold() == USUAL


def test_a_program_that_fails_leaves_the_collector_as_it_was():
    @ag.function
    def fails(x):
        raise KeyError(x.shape)

    with pytest.raises(KeyError):
        fails(rt.asarray(1.0))
    assert gc.get_threshold() == USUAL


def test_what_a_program_sets_itself_stays():
    try:
        with garbage_waits:
            gc.set_threshold(1234, 5, 6)
        assert gc.get_threshold() == (1234, 5, 6)
        gc.set_threshold(0)
        with garbage_waits:
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*USUAL)


def test_the_last_thread_gives_the_usual_threshold_back():
    entered, leave = threading.Event(), threading.Event()

    def wait():
        with garbage_waits:
            entered.set()
            leave.wait()

    thread = threading.Thread(target=wait)
    with garbage_waits:
        thread.start()
        entered.wait()
    assert gc.get_threshold() != USUAL
    leave.set()
    thread.join()
    assert gc.get_threshold() == USUAL


def test_the_garbage_of_a_program_is_collected_while_it_is_traced():
    class Ring:
        def __init__(self):
            self.own = self

    first = []

    @ag.function
    def makes_rings(x):
        first.append(weakref.ref(Ring()))
        for _ in range(150_000):
            Ring()
        assert first[0]() is None
        return x

    assert float(makes_rings(rt.asarray(1.0))) == 1.0
