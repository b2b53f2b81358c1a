"""State that is none of the program's objects: of a thread, of the interpreter, of classes as a whole."""

import abc
import gc
import sys
import threading
import weakref

import numpy as np

import autograph as ag

TWO = np.int64(2)


class Counter(threading.local):
    def __init__(self):
        self.calls = 0


def test_attributes_of_a_thread_are_read_and_changed():
    local, counter = threading.local(), Counter()
    local.total = 1

    def f(x):
        local.total += x
        counter.calls += 1
        return x + local.total + counter.calls

    def change():
        local.total = 100

    ag.check(f, TWO, then=[(TWO,), change, (TWO,)])


def test_each_thread_reads_its_own_attributes():
    local = threading.local()
    local.mode, local.k = "double", 2

    @ag.function
    def f(x):
        return x * local.k if local.mode == "double" else x - 1

    def in_another_thread():
        local.mode = "less"
        found.append(int(f(TWO)))

    found = [int(f(TWO))]
    thread = threading.Thread(target=in_another_thread)
    thread.start()
    thread.join()
    local.k = 5
    assert [*found, int(f(TWO))] == [4, 1, 10]


def test_an_attribute_that_this_thread_lacks_is_missing():
    local = threading.local()
    local.k = 2

    @ag.function
    def f(x):
        return x * getattr(local, "k", 50)

    found = [int(f(TWO))]
    thread = threading.Thread(target=lambda: found.append(int(f(TWO))))
    thread.start()
    thread.join()
    assert [*found, int(f(TWO))] == [4, 100, 4]


def test_the_dict_of_an_object_may_be_replaced():
    class State:
        pass

    state = State()
    state.mode, state.k = "double", 2

    def f(x):
        state.k += 1
        return x * state.k if state.mode == "double" else x - state.k

    def replace():
        state.__dict__ = {"mode": "less", "k": 10}

    ag.check(f, TWO, then=[(TWO,), replace, (TWO,)])


def test_a_class_that_is_registered_later_is_seen():
    class Shape(abc.ABC):
        pass

    class Square:
        side = 3

    square = Square()

    @ag.function
    def f(x):
        return x + (100 if isinstance(square, Shape) else square.side)

    before = int(f(TWO))
    Shape.register(Square)
    assert (before, int(f(TWO))) == (5, 102)


def test_the_limit_of_recursion_is_that_of_the_run():
    @ag.function
    def f(x):
        return x + sys.getrecursionlimit()

    limit = sys.getrecursionlimit()
    before = int(f(TWO))
    sys.setrecursionlimit(limit + 50)
    try:
        assert int(f(TWO)) - before == 50
    finally:
        sys.setrecursionlimit(limit)


def test_a_function_keeps_nothing_alive_that_only_a_weak_reference_leads_to():
    class Part:
        size = 3

    part = Part()
    reference = weakref.ref(part)

    @ag.function
    def f(x):
        found = reference()
        return x + (-1 if found is None else found.size)

    gc.disable()
    try:
        found = [int(f(TWO))]
        part.size = 10
        found.append(int(f(TWO)))
        del part
        assert reference() is None
        assert [*found, int(f(TWO))] == [5, 12, 1]
    finally:
        gc.enable()
