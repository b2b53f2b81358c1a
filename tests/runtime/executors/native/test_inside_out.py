"""Loops over arrays whose elements need themselves alone go element by element, several of them at a time."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

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


def until_none_is_left(real, imaginary, turns):
    x, y = np.zeros_like(real), np.zeros_like(real)
    count, alive, k = np.zeros(real.shape, np.int64), np.ones(real.shape, bool), 0
    while np.any(alive) and k < turns:
        x, y = np.where(alive, x * x - y * y + real, x), np.where(alive, 2.0 * x * y + imaginary, y)
        alive = alive & (x * x + y * y <= 4.0)
        count = count + alive
        k += 1
    return count, x, k


def by_its_own_test(x, turns):
    k, total = 0, 0.0
    while k < turns and np.any(np.abs(x) > 0.125):
        x = np.where(np.abs(x) > 0.125, x * 0.5 - 0.01, x)
        k += 1
        total += k * 0.5
    return x, k, total


def roots(x, turns):
    wanted = np.abs(x) + 1.0
    root, steps = wanted, np.zeros_like(wanted)
    open_ = np.ones(wanted.shape, bool)
    for _ in range(3):
        root = np.where(open_, root, root)
    while open_.any():
        root = np.where(open_, 0.5 * (root + wanted / root), root)
        steps = np.where(open_, steps + 1.0, steps)
        open_ = (np.abs(root * root - wanted) > 1e-9) & open_ & (steps < turns)
    return root, steps


ALONE = [
    (until_none_is_left, (X.reshape(5, 15), X[::-1].reshape(5, 15).copy(), np.int64(20))),
    (by_its_own_test, (X, np.int64(9))),
    (roots, (X, np.int64(40))),
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


def all_go_on(x, turns):
    while np.any(x < turns):
        x = np.where(x < turns, x + 1.0, x + 0.25)
    return x


def one_looks_back(x, turns):
    before = x
    while np.any(x < turns):
        before = x * 2.0
        x = np.where(x < turns, x + 1.0, x)
    return x, before


def one_wakes_up(x, turns):
    k = 0
    while np.any(x < k % 3) and k < turns:
        x = np.where(x < k % 3, x + 1.0, x)
        k += 1
    return x


def signed_zeros(x, turns):
    y, k = x * 0.0, 0
    while np.any(x < turns):
        y = y + (x < turns)
        x = np.where(x < turns, x + 1.0, x)
    return np.signbit(y)


def by_library(x, turns):
    for _ in range(turns):
        x = np.cos(x)
    return x


NOT_ALONE = [
    (f, (X, np.int64(5)))
    for f in (
        smoothed,
        scaled,
        swapped,
        until,
        all_go_on,
        one_looks_back,
        one_wakes_up,
        signed_zeros,
        by_library,
    )
]


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


def test_numbers_are_checked_before_elements_are_computed():
    def counted(x, first, turns):
        low = x.astype(np.int32)
        k = int(first)
        for _ in range(turns):
            low = low * 3 + k
            k += 1
        return low

    def caught(x, first, turns):
        try:
            return counted(x, first, turns)
        except OverflowError as error:
            print(error)
            return x.astype(np.int32) - 1

    assert "rows " in str(lowered(module_of(counted, (X, np.int64(1), np.int64(3)))))
    for first in (0, 2**31 - 3, 2**31 - 2, 2**31):
        ag.check(caught, X, np.int64(first), np.int64(3))
