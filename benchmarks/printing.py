"""Loops and recursions in programs that print, or call what only NumPy has, beside plain Python.

python -m benchmarks printing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from benchmarks.later_calls import times

__all__ = ["PROGRAMS", "report"]


def fit(x: np.ndarray, y: np.ndarray, epochs: int) -> tuple[float, float]:
    """A line through points, by steps down the slope, with a print for each epoch."""
    w, b = 0.0, 0.0
    for epoch in range(epochs):
        loss = 0.0
        for i in range(len(x)):
            error = w * x[i] + b - y[i]
            loss += error * error
            w -= 0.01 * error * x[i]
            b -= 0.01 * error
        print(f"epoch {epoch}: {loss:.3f}")
    return w, b


def settled(u: np.ndarray, sweeps: int) -> np.ndarray:
    """The sweeps of Gauss and Seidel over a grid, with a print for some."""
    for sweep in range(sweeps):
        most = 0.0
        for i in range(1, len(u) - 1):
            for j in range(1, len(u) - 1):
                new = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
                most = max(most, abs(new - u[i, j]))
                u[i, j] = new
        if sweep % 10 == 0:
            print(sweep, most)
    return u


def sorted_by_passes(x: np.ndarray) -> np.ndarray:
    """A bubble sort that says how much each pass has exchanged."""
    x, turn = x.copy(), 0
    while True:
        exchanged = 0
        for i in range(len(x) - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
                exchanged += 1
        turn += 1
        print(turn, exchanged)
        if exchanged == 0:
            return x


def rotated(x: np.ndarray, y: np.ndarray, turns: int) -> float:
    """A factorisation of NumPy's in each turn, and a loop over numbers behind it."""
    table = np.outer(x[:5], y[:5]) + np.eye(5)
    total = 0.0
    for _ in range(turns):
        q, r = np.linalg.qr(table)
        table = r @ q
        for i in range(len(x)):
            if x[i] > y[i]:
                total += table[0, 0] * (x[i] - y[i])
            else:
                total -= x[i]
    return total


def drawn(rng: np.random.Generator, turns: int) -> float:
    """Means of random numbers, each of which is printed."""
    total = 0.0
    for turn in range(turns):
        mean = 0.0
        for _ in range(500):
            mean += rng.random() / 500
        print(turn, mean)
        total += mean
    return total


def fibonacci(n: int) -> int:
    """The function that calls itself."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def told(numbers: np.ndarray) -> list[int]:
    """What a recursion gives, which is printed."""
    found = [fibonacci(number) for number in numbers]
    print(found)
    return found


def rooted(parents: np.ndarray, turns: int) -> int:
    """Paths of two steps in a long array, which stay in the NumPy program."""
    place = 0
    for turn in range(turns):
        place = (turn * 7919) % len(parents)
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        if turn % 1000 == 0:
            print(turn, place)
    return place


def _points() -> tuple[np.ndarray, np.ndarray]:
    x, y = np.random.default_rng(0).random((2, 500))
    return x, y


PROGRAMS: Sequence[tuple[Callable[..., Any], Callable[[], Sequence[Any]]]] = (
    (fit, lambda: (*_points(), np.int64(50))),
    (settled, lambda: (np.eye(30), np.int64(100))),
    (sorted_by_passes, lambda: (_points()[0][:200],)),
    (rotated, lambda: (*_points(), np.int64(50))),
    (drawn, lambda: (np.random.default_rng(0), np.int64(50))),
    (told, lambda: (np.arange(12, 18),)),
    (rooted, lambda: (np.maximum(np.arange(300_000) - 1, 0), np.int64(5_000))),
)


def report(rounds: int) -> str:
    """The table, as text."""
    lines = ["function                Python       graph   ratio   what serves the calls"]
    for function, make in PROGRAMS:
        with redirect_stdout(StringIO()):
            plain, graph, why = times(function, make, max(1, rounds // 10), warm=3)
        shown = f"{plain * 1e6:8.0f} µs {graph * 1e6:8.0f} µs {graph / plain:7.2f}   {why}"
        lines.append(f"{function.__name__:20} {shown}")
    return "\n".join(lines)
