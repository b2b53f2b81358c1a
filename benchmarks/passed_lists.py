"""Later calls of functions that are passed lists of lists, beside plain Python.

python -m benchmarks passed_lists --rounds 5

Each call has other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.later_calls import times

__all__ = ["PROGRAMS", "report"]

_LENGTHS = (10, 100, 1000)
_WIDTH = 5
_MOST_PRODUCTS = 100
"""Rows of matrices, whose products take as much time as the third power of these."""
_NUMBERS = np.random.default_rng(1)

Rows = list[list[float]]
Program = tuple[Callable[..., Any], Callable[[int], Sequence[Any]], int]
"""A function, what makes its arguments for so many rows, and the most of these."""


def total(rows: Rows) -> float:
    """Reads all."""
    found = 0.0
    for row in rows:
        for number in row:
            found += number
    return found


def sums(rows: Rows) -> list[float]:
    """Gives a number for each list."""
    return [sum(row) for row in rows]


def turned(rows: Rows) -> Rows:
    """Gives lists of lists."""
    return [[row[column] for row in rows] for column in range(len(rows[0]))]


def scaled(rows: Rows, by: float) -> None:
    """Changes all."""
    for row in rows:
        for column in range(len(row)):
            row[column] *= by


def first(rows: Rows) -> float:
    """Reads one number, and changes it."""
    rows[0][0] += 1.0
    return rows[0][0]


def degrees(pairs: list[tuple[int, int]], count: int) -> list[int]:
    """Reads tuples."""
    found = [0] * count
    for one, other in pairs:
        found[one] += 1
        found[other] += 1
    return found


def cheapest(rows: Rows) -> float:
    """Fills a table of its own."""
    least = [0.0] * len(rows[0])
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            if i == 0:
                least[j] = number + (least[j - 1] if j > 0 else 0.0)
            elif j == 0:
                least[j] += number
            else:
                least[j] = min(least[j], least[j - 1]) + number
    return least[-1]


def product(one: Rows, other: Rows) -> Rows:
    """Works long."""
    found = [[0.0] * len(other[0]) for _ in one]
    for i in range(len(one)):
        for j in range(len(other[0])):
            for k in range(len(other)):
                found[i][j] += one[i][k] * other[k][j]
    return found


def _rows(count: int, width: int = _WIDTH) -> Rows:
    rows: Rows = _NUMBERS.random((count, width)).tolist()
    return rows


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(one, other) for one, other in _NUMBERS.integers(0, 50, (count, 2)).tolist()]


PROGRAMS: Sequence[Program] = (
    (total, lambda count: (_rows(count),), 1000),
    (sums, lambda count: (_rows(count),), 1000),
    (turned, lambda count: (_rows(count),), 1000),
    (scaled, lambda count: (_rows(count), 2.0), 1000),
    (first, lambda count: (_rows(count),), 1000),
    (degrees, lambda count: (_pairs(count), 50), 1000),
    (cheapest, lambda count: (_rows(count),), 1000),
    (product, lambda count: (_rows(count, count), _rows(count, count)), _MOST_PRODUCTS),
)


def report(rounds: int) -> str:
    """The table, as text."""
    lines = ["function   rows       Python        graph    ratio   what serves the calls"]
    for function, make, most in PROGRAMS:
        for count in _LENGTHS:
            if count <= most:
                plain, graph, why = times(function, lambda make=make, count=count: make(count), rounds)
                lines.append(
                    f"{function.__name__:9} {count:5} {plain * 1e6:9.1f} µs {graph * 1e6:9.1f} µs "
                    f"{graph / plain:8.2f}   {why}"
                )
    return "\n".join(lines)
