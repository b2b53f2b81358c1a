"""Per-line timing: a program with clocks notes when it comes to another line of the user's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from autograph_base.dataclass import dataclass
from runtime.executors.program import Program
from runtime.graph.location import UNKNOWN, Location

__all__ = ["ELSEWHERE", "Clocked", "Lines", "PythonClock", "Spent"]

ELSEWHERE = 0
"""The number of what belongs to no line."""


class Lines:
    """The lines of a program, which clocks know by their numbers."""

    def __init__(self) -> None:
        self.places: list[Location] = [UNKNOWN]
        self._numbers: dict[tuple[str, int], int] = {}

    def number(self, location: Location) -> int:
        """The number of a line; that of no line where it is not known."""
        if location is UNKNOWN or not location.line:
            return ELSEWHERE
        key = location.filename, location.line
        if key not in self._numbers:
            self._numbers[key] = len(self.places)
            self.places.append(location)
        return self._numbers[key]


@dataclass(frozen=True)
class Spent:
    """What a line took: in units of a clock, and how often it was come to."""

    time: float
    count: int


@dataclass(frozen=True)
class Clocked:
    """A program with clocks.

    Attributes
    ----------
    program : Program
    lines : Lines
    spent : callable
        What was spent on each line until now, by its number.
    watched : callable
        A context in which the clocks go.
    """

    program: Program
    lines: Lines
    spent: Callable[[], Sequence[Spent]]
    watched: Callable[[], AbstractContextManager[None]] = nullcontext


class PythonClock:
    """A clock for programs in Python.

    Its own time, as far as it can know that, is nobody's.
    """

    def __init__(self) -> None:
        self._times: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self._line = ELSEWHERE
        self._since = time.perf_counter_ns()

    def lap(self, line: int) -> None:
        """Says that a line begins."""
        now = time.perf_counter_ns()
        before = self._line
        self._times[before] = self._times.get(before, 0) + now - self._since
        self._counts[line] = self._counts.get(line, 0) + 1
        self._line = line
        self._since = time.perf_counter_ns()

    def begin(self) -> None:
        """Says that a call begins."""
        self._line, self._since = ELSEWHERE, time.perf_counter_ns()

    def spent(self, lines: Lines) -> list[Spent]:
        """What was spent on each line, by its number."""
        return [
            Spent(self._times.get(line, 0), self._counts.get(line, 0)) for line in range(len(lines.places))
        ]
