"""Joined arrays are read where their parts are: a loop over them goes piece by piece, from seam to seam."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

X = np.random.default_rng(5).normal(size=(20, 16))


def heat(u, n):
    for _ in range(n):
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        u = u + 0.1 * (around - 4 * u)
    return u


def life(u, n):
    alive = u > 0.5
    for _ in range(n):
        cells = alive.astype(np.int64)
        near = np.zeros_like(cells)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i != 0 or j != 0:
                    near = near + np.roll(cells, (i, j), (0, 1))
        alive = (near == 3) | (alive & (near == 2))
    return alive


def many_seams(u, n):
    total = u * n
    for k in (1, 2, 3, 5, 7):
        total = total + np.roll(u, k, 0) * np.roll(u, -k, 1)
    return total


def parts_of_parts(u, n):
    joined = np.concatenate([u[2:], u[:2] * n, u[5:9]])
    return joined[1:-1, 3:] + joined[2:, :-3] * 2.0, joined[::-1], joined[::3, 1] - joined[::3, 2], joined.T


def folded(u, _n):
    turned = np.roll(u, 3, 1)
    return np.sum(turned * u), np.max(turned, axis=0), np.cumsum(turned, axis=1), turned[[0, 5], [1, 2]]


def written_after(u, n):
    u = u * 1.0
    turned = np.roll(u, 1, 0)
    u[0] = n
    u[:, 1] = turned[:, 0]
    return turned + u, turned


def flat(u, n):
    x = np.reshape(u, (-1,))
    return x - np.roll(x, 1), np.hstack([x[5:], x[:5], x]) * n


def one_row_for_all(u, n):
    row = np.roll(np.reshape(u, (-1,)), 2)
    table = np.reshape(u, (-1, 1))[:20]
    return row + table * n


def cubes(u, n):
    x = np.reshape(u, (4, 8, 10))
    return np.roll(x, (1, 2, 3), (0, 1, 2)) + np.roll(x, -1, 2) * n + np.roll(x, 1, 0)


def edges(u, n):
    for _ in range(n):
        u = np.pad(u[1:-1, 1:-1] * 0.5 + u[:-2, 1:-1] * 0.25 + u[2:, 2:] * 0.25, 1)
    return u


def margins(u, n):
    alive = (u > 0.5).astype(np.int64)
    for _ in range(n):
        p = np.pad(alive, 1)
        near = p[:-2, :-2] + p[:-2, 1:-1] + p[:-2, 2:] + p[1:-1, :-2]
        near = near + p[1:-1, 2:] + p[2:, :-2] + p[2:, 1:-1] + p[2:, 2:]
        alive = ((near == 3) | ((near == 2) & (alive == 1))).astype(np.int64)
    return alive


def wide_margins(u, n):
    p = np.pad(u, ((30, 2), (0, 40)), constant_values=n)
    return p[5:] * 2.0 + p[:-5], np.sum(p), p.T, p[::2, 3], np.cumsum(p, axis=0), np.pad(p[:5, :5], 1)


def mirrored(u, n):
    for mode in ("edge", "wrap", "reflect", "symmetric"):
        p = np.pad(u, 1, mode=mode)
        u = u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] * n + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    return u


def picked_in_runs(u, _n):
    p = np.take(u, [-1, *range(20), 0, 0, 0], axis=0)
    q = np.pad(u, ((3, 0), (0, 5)), mode="reflect")
    return (
        p * 2.0,
        np.sum(p),
        np.cumsum(q, axis=0),
        p.T,
        p[::2, 3],
        q[1:] - q[:-1],
        np.take(p, [3, 3], axis=1),
    )


PROGRAMS = [
    *[heat, life, many_seams, parts_of_parts, folded],
    *[written_after, flat, one_row_for_all, cubes, edges, margins, wide_margins],
    *[mirrored, picked_in_runs],
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_joined_arrays_are_what_they_are_in_numpy(function):
    n = np.asarray(3)
    concrete = ag.function(function, jit_compile=True).get_concrete_function(X, n)
    module = concrete.optimised_module
    read = Interpreted(lowered(module), module.entry).entry(X, n)
    for found, other, wanted in zip(
        several(concrete(X, n)), several(read), several(function(X, n)), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(other, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("function", "arrays"), [(heat, 1), (life, 2), (margins, 1)])
def test_what_is_shifted_is_not_copied(function, arrays):
    concrete = ag.function(function, jit_compile=True).get_concrete_function(X, np.asarray(3))
    turn = re.split(r"while True:|for \w+\.turn in range\(.*\):", concrete.program.source())[1]
    assert turn.count("memory(") == arrays


def several(found):
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
