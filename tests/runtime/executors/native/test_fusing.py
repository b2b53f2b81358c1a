"""Loops that are one after the other become one, where no turn needs what a later turn of the first does."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.whole import lowered


def loops_of(function, *shapes):
    """The loops of a function as text."""
    specs = [rt.TensorSpec(shape, rt.float64) for shape in shapes]
    module = ag.function(function).get_concrete_function(*specs).optimised_module
    return str(lowered(module))


def layernorm(x):
    off = x - np.mean(x, axis=-1, keepdims=True)
    return off / np.sqrt(np.mean(off * off, axis=-1, keepdims=True) + 1e-5)


def test_what_goes_by_rows_is_one_loop_over_rows(golden, request):
    golden(request.path.parents[3] / "golden/loops/layernorm.txt", f"{loops_of(layernorm, (8, 16))}\n")


def two_uses(x):
    y = np.exp(x)
    return y, np.sum(y), np.max(y)


def a_total_first(x):
    return np.exp(x - np.max(x))


def in_reverse(x):
    y = np.exp(x)
    return y + y[::-1]


def shifted(x):
    y = np.exp(x)
    return y[1:], y[1:] * 2.0 + y[:-1]


def transposed(x):
    y = np.exp(x)
    return y + y.T


def rows_and_columns(x):
    y = np.exp(x)
    return y / np.sum(y, axis=1, keepdims=True) + np.sum(y, axis=0) * np.sum(y)


def neighbours(x):
    y = np.exp(x)
    z = np.concatenate([y[1:], y[:1]])
    return np.sum(z * y), y + z


def waves(x):
    y = np.sin(x)
    return y, y * y + np.cos(y), np.sum(y)


def again_and_again(x):
    for _ in range(3):
        y = x * 0.5
        x = y / (1.0 + np.sum(y * y, axis=-1, keepdims=True))
    return x, y


def in_a_loop(x, n):
    total = x * 0.0
    for i in range(n):
        y = np.exp(x * 0.1)
        total = total + y / np.sum(y) + y[::-1] * i
        x = total - y
    return total, x


@pytest.mark.parametrize(
    ("function", "shape", "count"),
    [(two_uses, (36,), 1), (waves, (36,), 3), (layernorm, (6, 6), 1), (again_and_again, (6, 6), 2)],
)
def test_so_many_loops_are_left(function, shape, count):
    assert loops_of(function, shape).count("\n    for ") == count


@pytest.mark.parametrize(
    "function",
    [
        two_uses,
        a_total_first,
        in_reverse,
        shifted,
        transposed,
        rows_and_columns,
        neighbours,
        waves,
        layernorm,
    ],
)
def test_results_are_numpy_s(function):
    graph = ag.function(function, jit_compile=True)
    for shape in [(6, 6)] if function is transposed else [(6, 6), (1, 7), (7, 1)]:
        x = np.random.default_rng(0).normal(0, 1, shape)
        found, wanted = graph(rt.asarray(x)), function(x)
        pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


def test_results_of_a_staged_loop_are_numpy_s():
    x = np.random.default_rng(0).normal(0, 1, (5, 4))
    found = ag.function(in_a_loop, jit_compile=True)(rt.asarray(x), rt.asarray(4))
    for one, other in zip(found, in_a_loop(x, 4), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
