"""What several maps ask for, and what comes together in one, needs no memory of its own."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

X = np.random.default_rng(3).normal(size=(24, 20))


def rule(x, n):
    near = x + np.roll(x, 1, 0)
    return (near > n) | ((near < 0.0) & (x > 0.5))


def power_by_squares(x, _n):
    y = x + 1.0
    y = y * y - y
    y = y * y - y
    return y * y - y


def clipped(x, n):
    y = x * n
    return np.where(y > 1.0, 1.0 - y, np.where(y < -1.0, y + 1.0, y * y))


MEET = [rule, power_by_squares, clipped]


def given_too(x, n):
    y = x * n
    return y, (y + 1.0) * (y - 1.0)


def part_is_given(x, n):
    y = x * n
    z = y + 1.0
    return z, z * (y - 1.0)


def summed_too(x, n):
    y = x * n
    return (y + 1.0) * (y - np.sum(y, axis=1, keepdims=True))


def turned_too(x, n):
    y = x * n
    return (y + 1.0) * (y[::-1] - 1.0)


def repeated(x, n):
    y = x[0] * n
    return (y + 1.0) * (y - 1.0) + x


def written_between(x, n):
    x = x * 1.0
    y = x * n
    z = y + 1.0
    x[0] = 7.0
    return (y - x) * z


def in_a_loop(x, n):
    i = 0
    while i < n:
        y = x * 0.5 + 0.1
        x = np.where(y > 0.0, y - 0.25, y + x)
        i += 1
    return x


def twice_in_one(x, n):
    y = x * n
    z = np.abs(y)
    return (z + y) * (z - y) + z


OTHERS = [
    *[given_too, part_is_given, summed_too, turned_too, repeated, written_between, in_a_loop, twice_in_one]
]


@pytest.mark.parametrize("function", [*MEET, *OTHERS], ids=lambda function: function.__name__)
@pytest.mark.parametrize("is_known", [True, False])
def test_it_is_what_it_is_in_numpy(function, is_known):
    n = np.asarray(3)
    specs = rt.TensorSpec(X.shape if is_known else (None, None), X.dtype), rt.TensorSpec((), n.dtype)
    concrete = ag.function(function, jit_compile=True).get_concrete_function(*specs)
    module = concrete.optimised_module
    read = Interpreted(lowered(module), module.entry).entry(X, n)
    for found, other, wanted in zip(
        several(concrete(X, n)), several(read), several(function(X, n)), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(other, wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("function", MEET, ids=lambda function: function.__name__)
def test_it_has_no_memory_of_its_own(function):
    concrete = ag.function(function, jit_compile=True).get_concrete_function(X, np.asarray(3))
    assert concrete.program.source().count("memory(") == 1


def test_an_element_that_is_asked_for_twice_is_computed_once():
    concrete = ag.function(clipped, jit_compile=True).get_concrete_function(X, np.asarray(3))
    assert concrete.program.source().count("a0[") == 1


def several(found):
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
