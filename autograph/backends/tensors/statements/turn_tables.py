"""Numbers by turn that need no table: they go up in groups, as `i // 4` does, or around, as `i % 50`."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["circle_of", "steps_of"]

_FEWEST = 8
"""Numbers by turn that are looked up where they are fewer, whatever they are."""
_LARGE = 1 << 40
"""Likewise, where one is larger: parts of sums would be larger still."""


def steps_of(numbers: np.ndarray[Any, Any]) -> tuple[int, int, int] | None:
    """Numbers as sums of a quotient and a remainder, as `i // 4` and `i % 4` are; None where they are others.

    Those of so many turns go up by the last factor from one to the next, and from one such group to the next
    the first goes up by the factor before.
    """
    if numbers.dtype.kind != "i" or len(numbers) < _FEWEST or np.abs(numbers).max() > _LARGE:
        return None
    rises = np.diff(numbers)
    [others] = np.nonzero(rises != rises[0])
    length = int(others[0]) + 1 if len(others) else 0
    if not 1 < length <= len(numbers) // 2:
        return None
    within, by_step = int(rises[0]), int(numbers[length] - numbers[0])
    turns = np.arange(len(numbers))
    is_such = np.array_equal(numbers, numbers[0] + turns // length * by_step + turns % length * within)
    return (length, by_step, within) if is_such else None


def circle_of(numbers: np.ndarray[Any, Any]) -> tuple[int, int] | None:
    """Numbers that go around, as `(i + 3) % 50` does: by which steps, and how many there are of them.

    None where they are others.
    """
    if numbers.dtype.kind != "i" or len(numbers) < _FEWEST or numbers.min() < 0 or numbers.max() > _LARGE:
        return None
    rises = np.unique(np.diff(numbers))
    if len(rises) != 2:
        return None
    around = int(rises[1] - rises[0])
    step = int(min(rises, key=abs))
    is_such = np.array_equal(numbers, (numbers[0] + np.arange(len(numbers)) * step) % around)
    return (step, around) if is_such else None
