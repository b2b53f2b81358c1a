"""Lengths that only a run knows, and are alike, have one name: nobody looks whether they fit each other."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, float64, int64
from runtime.executors.native.language.expressions import Apply, Number, Variable, add, folded, multiply


def factors(a):
    a = a.copy()
    for k in range(len(a) - 1):
        a[k + 1 :, k] = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k : k + 1] * a[k : k + 1, k + 1 :]
    return a


def substituted(a):
    x = np.ones(len(a))
    for i in range(len(a)):
        x[i + 1 :] -= a[i + 1 :, i] * x[i]
    return x


def halves(a):
    total = 0.0
    while len(a) > 1:
        total += np.max(a[: len(a) // 2, 0] * a[len(a) - len(a) // 2 :, 0])
        a = a[: len(a) // 2]
    return total


@pytest.mark.parametrize("program", [factors, substituted, halves])
def test_parts_of_lengths_that_are_alike_are_never_handed_to_python(program):
    a = np.random.default_rng(0).random((30, 30)) + 0.1
    graph = ag.function(program, jit_compile=True)
    np.testing.assert_array_equal(graph(a.copy()), program(a.copy()))
    assert "python0" not in graph.concrete_functions[0].program.source()


def unequal(a, n):
    total = 0.0
    for i in range(n):
        total += np.sum(a[i:] * a[: len(a) - 2])
    return total


def test_lengths_that_are_not_alike_are_refused_as_in_numpy():
    a = np.arange(12.0)
    for options in ({}, {"jit_compile": True}):
        graph = ag.function(unequal, **options)
        with pytest.raises(ValueError, match=r"could not be broadcast|do not broadcast"):
            graph(a, rt.asarray(3))


X, Y = Variable("x", int64), Variable("y", bool_)
TRUE = Number(True, bool_)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        (Apply("maximum", (Number(3, int64), Number(5, int64)), int64), Number(5, int64)),
        (Apply("less", (Number(3, int64), Number(5, int64)), bool_), TRUE),
        (Apply("equal", (X, X), bool_), TRUE),
        (Apply("maximum", (X, X), int64), X),
        (Apply("less", (X, X), bool_), Number(False, bool_)),
        (Apply("logical_and", (TRUE, Y), bool_), Y),
        (Apply("logical_or", (Y, TRUE), bool_), TRUE),
        (Apply("select", (Apply("logical_not", (TRUE,), bool_), X, add(X, 1)), int64), add(X, 1)),
        (Apply("floor_divide", (Apply("add", (X, Number(0, int64)), int64), Number(1, int64)), int64), X),
        (Apply("less", (X, Number(5, int64)), bool_), Apply("less", (X, Number(5, int64)), bool_)),
        (multiply(X, 2), multiply(X, 2)),
    ],
)
def test_what_is_known_beforehand_is_folded(expression, wanted):
    assert folded(expression) == wanted


def test_floats_are_not_folded():
    half = Apply("maximum", (Number(0.5, float64), Number(0.25, float64)), float64)
    assert folded(half) == half
