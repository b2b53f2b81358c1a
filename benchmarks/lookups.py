"""Dicts and sets whose keys only the run knows: two sizes of each program, beside plain Python.

python -m benchmarks lookups
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.later_calls import times

__all__ = ["PROGRAMS", "report"]


def pairs_with_sum(numbers: np.ndarray, total: int) -> int:
    """Numbers that have been seen."""
    seen: dict[int, int] = {}
    found = 0
    for index, number in enumerate(numbers):
        if total - number in seen:
            found += index - seen[total - number]
        seen[number] = index
    return found


def distinct(numbers: np.ndarray) -> int:
    """Elements of a set."""
    found = set()
    for number in numbers:
        found.add(number)
    return len(found)


def longest_collatz(limit: int) -> int:
    """What is known of numbers before."""
    known, longest = {1: 0}, 0
    for start in range(1, limit):
        number, turns = start, 0
        while number not in known:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            turns += 1
        known[start] = turns + known[number]
        longest = max(longest, known[start])
    return longest


def leaper(size: int) -> int:
    """Squares, as pairs, that a search has come to."""
    seen, waiting, farthest = {(0, 0)}, deque([(0, 0, 0)]), 0
    while waiting:
        row, column, turns = waiting.popleft()
        farthest = max(farthest, turns)
        for down, right in ((1, 2), (2, 1), (-1, 2), (2, -1)):
            square = (row + down, column + right)
            if 0 <= square[0] < size and 0 <= square[1] < size and square not in seen:
                seen.add(square)
                waiting.append((*square, turns + 1))
    return farthest


def _numbers(count: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, count, count)


PROGRAMS: Sequence[tuple[Callable[..., Any], Sequence[Callable[[], Sequence[Any]]]]] = (
    (pairs_with_sum, [lambda: (_numbers(1_000), np.int64(900)), lambda: (_numbers(30_000), np.int64(9_000))]),
    (distinct, [lambda: (_numbers(1_000),), lambda: (_numbers(30_000),)]),
    (longest_collatz, [lambda: (np.int64(1_000),), lambda: (np.int64(20_000),)]),
    (leaper, [lambda: (np.int64(10),), lambda: (np.int64(60),)]),
)


def report(rounds: int) -> str:
    """The table, as text."""
    lines = ["function           Python       graph   ratio   what serves the calls"]
    for function, sizes in PROGRAMS:
        for make in sizes:
            plain, graph, why = times(function, make, max(1, rounds // 10), warm=3)
            shown = f"{plain * 1e6:8.0f} µs {graph * 1e6:8.0f} µs {graph / plain:7.2f}   {why}"
            lines.append(f"{function.__name__:15} {shown}")
    return "\n".join(lines)
