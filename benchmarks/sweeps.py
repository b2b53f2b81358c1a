"""Loops over whole arrays of 40,000 elements, as people write them for NumPy, beside NumPy.

python -m benchmarks sweeps
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.later_calls import times

__all__ = ["PROGRAMS", "report"]


def life(board: np.ndarray, turns: int) -> np.ndarray:
    """The game of life, by shifted boards."""
    for _ in range(turns):
        rows = board + np.roll(board, 1, axis=0) + np.roll(board, -1, axis=0)
        around = rows + np.roll(rows, 1, axis=1) + np.roll(rows, -1, axis=1) - board
        board = ((around == 3) | ((around == 2) & (board == 1))).astype(np.int8)
    return board


def heat(u: np.ndarray, turns: int) -> np.ndarray:
    """Heat that spreads, in place."""
    for _ in range(turns):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u


def fields(e: np.ndarray, h: np.ndarray, turns: int) -> np.ndarray:
    """An electric and a magnetic field that drive each other."""
    for turn in range(turns):
        h[:-1] += 0.5 * (e[1:] - e[:-1])
        e[1:] += 0.5 * (h[1:] - h[:-1])
        e[len(e) // 2] += 0.01 * turn
    return e


def escapes(x: np.ndarray, y: np.ndarray, turns: int) -> np.ndarray:
    """Mandelbrot's set, by masks."""
    a, b, found = np.zeros_like(x), np.zeros_like(y), np.zeros(x.shape, np.int64)
    for _ in range(turns):
        inside = a * a + b * b < 4.0
        a, b = np.where(inside, a * a - b * b + x, a), np.where(inside, 2 * a * b + y, b)
        found = found + inside
    return found


def settled(u: np.ndarray, turns: int) -> tuple[np.ndarray, int]:
    """Jacobi's iteration, until nothing changes any more."""
    turn = 0
    while turn < turns:
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        turn += 1
        if np.max(np.abs(v - u)) < 1e-9:
            break
        u = v
    return u, turn


def lorenz(x: np.ndarray, y: np.ndarray, z: np.ndarray, turns: int) -> np.ndarray:
    """Many particles in Lorenz' flow."""
    for _ in range(turns):
        dx, dy, dz = 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z
        x, y, z = x + 0.01 * dx, y + 0.01 * dy, z + 0.01 * dz
    return x + y + z


def shortest(d: np.ndarray) -> np.ndarray:
    """The lengths of shortest paths, by Floyd and Warshall."""
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1])
    return d


def factors(a: np.ndarray) -> np.ndarray:
    """A triangular decomposition, in place."""
    for k in range(len(a) - 1):
        a[k + 1 :, k] = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k : k + 1] * a[k : k + 1, k + 1 :]
    return a


def alike(a: np.ndarray, b: np.ndarray) -> float:
    """The longest common part of two series, row by row."""
    before = np.zeros(len(b) + 1)
    for i in range(len(a)):
        row = np.maximum(before[1:], before[:-1] + (np.abs(b - a[i]) < 0.1))
        before = np.concatenate((np.zeros(1), np.maximum.accumulate(row)))
    return before[-1]


def pendulums(angle: np.ndarray, turns: int) -> np.ndarray:
    """Many pendulums, whose sines are NumPy's."""
    speed = np.zeros_like(angle)
    for _ in range(turns):
        speed = speed - 0.01 * np.sin(angle)
        angle = angle + 0.01 * speed
    return angle


def weights(x: np.ndarray, turns: int) -> np.ndarray:
    """A softmax of rows, again and again."""
    for _ in range(turns):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        x = e / e.sum(axis=1, keepdims=True)
    return x


def above(x: np.ndarray, turns: int) -> int:
    """How many elements exceed limits, by places."""
    found = 0
    for turn in range(turns):
        found += len(np.nonzero(x > 0.04 * turn)[0])
    return found


def ordered(x: np.ndarray, turns: int) -> np.ndarray:
    """Sorting, which is NumPy's."""
    for _ in range(turns):
        x = np.sort(x)[::-1] * 0.5 + x
    return x


_RANDOM = np.random.default_rng(0)


def _table() -> np.ndarray:
    return _RANDOM.random((200, 200))


def _row() -> np.ndarray:
    return _RANDOM.random(40_000)


_TURNS = np.int64(20)

PROGRAMS: Sequence[tuple[Callable[..., Any], Callable[[], Sequence[Any]]]] = (
    (life, lambda: ((_table() < 0.3).astype(np.int8), _TURNS)),
    (heat, lambda: (_table(), _TURNS)),
    (fields, lambda: (np.zeros(40_000), np.zeros(40_000), _TURNS)),
    (escapes, lambda: (_table() * 3 - 2, _table() * 2 - 1, _TURNS)),
    (settled, lambda: (_table(), _TURNS)),
    (lorenz, lambda: (_row(), _row(), _row(), _TURNS)),
    (shortest, lambda: (_table(),)),
    (factors, lambda: (_table() + 200 * np.eye(200),)),
    (alike, lambda: (_row()[:200], _row()[:2_000])),
    (pendulums, lambda: (_row(), _TURNS)),
    (weights, lambda: (_table(), _TURNS)),
    (above, lambda: (_row(), _TURNS)),
    (ordered, lambda: (_row(), _TURNS)),
)


def report(rounds: int) -> str:
    """The table, as text."""
    lines = ["function          NumPy       graph   ratio   what serves the calls"]
    for function, make in PROGRAMS:
        plain, graph, why = times(function, make, max(1, rounds // 10), warm=5)
        shown = f"{plain * 1e6:8.0f} µs {graph * 1e6:8.0f} µs {graph / plain:7.2f}   {why}"
        lines.append(f"{function.__name__:12} {shown}")
    return "\n".join(lines)
