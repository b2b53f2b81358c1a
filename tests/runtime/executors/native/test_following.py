"""Loops that write rows back a few rows behind those that compute them."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.lower import following
from runtime.executors.native.whole import lowered

SHAPES = [(3, 3), (4, 9), (17, 12), (40, 33)]


def heat(u, n):
    for _ in range(n):
        u[1:-1, 1:-1] += 0.125 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return u


def far(u, n):
    for _ in range(n):
        u[2:] = u[2:] * 0.5 + u[:-2] * 0.25
    return u


def below(u, n):
    for _ in range(n):
        u[:-1] = u[1:] * 0.5 + u[:-1]
    return u


def turned(u, n):
    for _ in range(n):
        u[1:-1] = u[::-1][1:-1] * 0.5 + u[1:-1]
    return u


def mixed(u, n):
    for i in range(n):
        v = u[1:] + u[:-1] * 0.5
        u[1:] = v * (i + 1) - u[1:]
        u[0] = u[1] * 0.25
    return u


def kept(u, n):
    total = u * 0
    for _ in range(n):
        v = u[:-2] + u[2:]
        u[1:-1] = v * 0.25
        total[1:-1] += v
    return u, total


def three_axes(u, n):
    u = np.stack([u, u * 0.5, u + 1, u - 2])
    for _ in range(n):
        u[1:-1, :, 1:] = u[:-2, :, 1:] * 0.5 + u[2:, :, :-1]
    return u


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "program", [heat, far, below, turned, mixed, kept, three_axes], ids=lambda f: f.__name__
)
def test_a_sweep_in_place_gives_numpys_bits(program, shape):
    u = np.random.default_rng(0).integers(-8, 8, shape).astype(np.float64)
    graph = ag.function(lambda u, n: program(u.copy(), n), jit_compile=True)
    for n in (0, 1, 3):
        expected, found = program(u.copy(), n), graph(u, rt.asarray(n))
        pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
        for one, other in pairs:
            np.testing.assert_array_equal(other.numpy(), one)


def source(program, shape):
    graph = ag.function(lambda u, n: program(u.copy(), n), jit_compile=True)
    specs = rt.TensorSpec(shape, "float64"), rt.TensorSpec((), "int64")
    return str(lowered(graph.get_concrete_function(*specs).optimised_module, Beyond.PYTHON))


def test_a_stencil_has_two_rows_in_memory():
    assert "memory(f64, 20)" in source(heat, (30, 12))
    assert "memory(f64, 48)" in source(far, (30, 12))  # four rows, of which three are wanted


def test_rows_that_are_asked_for_once_more_stay():
    assert "memory(f64, 336)" in source(kept, (30, 12))


def test_a_large_array_is_left_to_several_threads(monkeypatch):
    monkeypatch.setattr(following, "_MOST_NUMBERS", 100)
    assert "memory(f64, 280)" in source(heat, (30, 12))
