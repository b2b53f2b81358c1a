"""Loops over arrays whose elements need themselves alone go element by element, several of them at a time."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.run import lowered

X = np.random.default_rng(2).random(75) * 4.0 - 2.0


def escapes(real, imaginary, turns):
    x, y = np.zeros_like(real), np.zeros_like(real)
    count = np.zeros(real.shape, np.int64)
    for _ in range(turns):
        alive = x * x + y * y <= 4.0
        x, y = np.where(alive, x * x - y * y + real, x), np.where(alive, 2.0 * x * y + imaginary, y)
        count = count + alive
    return count


def logistic(x, turns):
    x = np.abs(x) * 0.25
    left = turns
    while left > 0:
        x = 3.5 * x * (1.0 - x)
        left -= 1
    return x, left


def integers(x, turns):
    low = (x * 10.0).astype(np.int32) * 0 + 7
    some = x > 0.0
    for k in range(turns):
        low = low * 3 + k
        some = ~some
    return low, some, np.sum(some)


def numbered(x, turns):
    place = np.arange(75)
    for k in range(turns):
        x = x + place * k
    return x


def again(x, turns):
    total = np.zeros_like(x)
    for _ in range(3):
        y = x * 0.5
        for _ in range(turns):
            y = y * y - 0.5
        total = total + y
        x = x + total
    return x


ALONE = [
    (escapes, (X.reshape(5, 15), X[::-1].reshape(5, 15).copy(), np.int64(20))),
    (logistic, (X, np.int64(9))),
    (integers, (X, np.int64(11))),
    (numbered, (X, np.int64(4))),
    (again, (X, np.int64(6))),
]


def smoothed(x, turns):
    for _ in range(turns):
        x = (x + np.roll(x, 1)) * 0.5
    return x


def scaled(x, turns):
    for _ in range(turns):
        x = x / np.max(x)
    return x


def swapped(x, turns):
    y = x * 2.0
    for _ in range(turns):
        x, y = y, x
    return x - y


def until(x, turns):
    while np.any(x < turns):
        x = x + 1.0
    return x


def by_library(x, turns):
    for _ in range(turns):
        x = np.cos(x)
    return x


NOT_ALONE = [(f, (X, np.int64(5))) for f in (smoothed, scaled, swapped, until, by_library)]


def arrays_of(result):
    return [np.asarray(each) for each in (result if isinstance(result, tuple) else (result,))]


def module_of(f, arrays):
    return ag.function(f).get_concrete_function(*map(rt.asarray, arrays)).optimised_module


def name(each):
    return each.__name__ if callable(each) else ""


@pytest.mark.parametrize(("f", "arrays"), ALONE, ids=name)
def test_elements_that_are_alone_stay_where_they_are_computed(f, arrays):
    module = module_of(f, arrays)
    assert "rows " in str(lowered(module))
    for turns in (arrays[-1], np.int64(0), np.int64(1)):
        given = (*arrays[:-1], turns)
        wanted = arrays_of(f(*given))
        found = Interpreted(lowered(module), module.entry).run(given)
        np.testing.assert_equal([np.asarray(each) for each in found], wanted)
        for options in ({"jit_compile": True}, {}):
            np.testing.assert_equal(arrays_of(ag.function(f, **options)(*given)), wanted)


@pytest.mark.parametrize(("f", "arrays"), NOT_ALONE, ids=name)
def test_other_loops_go_turn_by_turn(f, arrays):
    assert "rows " not in str(lowered(module_of(f, arrays)))
    np.testing.assert_allclose(ag.function(f, jit_compile=True)(*arrays), f(*arrays), rtol=1e-13)


def test_short_arrays_go_turn_by_turn():
    assert "rows " not in str(lowered(module_of(logistic, (X[:15], np.int64(2)))))
