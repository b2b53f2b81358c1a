"""Compiled programs on the user's lines: warnings and tracebacks of a run show the program that was traced.

A function of a plan computes what a function of the user's, or a block of one, says; its code object takes
over the file, the name and the lines. Where it was made of several files it stays on its own lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from types import CodeType
from typing import TypeAlias

from runtime.graph.location import Location

__all__ = ["Position", "on_lines_of"]

Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]
"""First and last line, first and last column."""

_LONG, _NONE = 14, 15
"""Forms of an entry in a table of lines: with lines and columns, and without."""
_MOST_UNITS = 8
"""Code units that one entry may cover."""
_NOWHERE: Position = (None, None, None, None)


def on_lines_of(code: CodeType, locate: Callable[[Position], Location | None]) -> CodeType:
    """The code on the user's lines; the code itself where these are of several files, or of none.

    Parameters
    ----------
    code : CodeType
    locate : callable
        Takes a position in the program, and says what line of the user's it stands for.
    """
    units = list(map(locate, code.co_positions()))
    spans = {location: location.positions() for location in set(units) if location is not None}
    lines = [line for line, *_ in spans.values() if line is not None]
    if not lines or len({location.filename for location in spans}) != 1:
        return code
    outermost = min(spans, key=lambda location: location.first_line)
    positions = [_NOWHERE if location is None else spans[location] for location in units]
    return code.replace(
        co_filename=outermost.filename,
        co_name=outermost.function,
        co_qualname=outermost.function,
        co_firstlineno=min(lines),
        co_linetable=bytes(_table(positions, min(lines))),
    )


def _table(positions: Iterable[Position], line: int) -> Iterator[int]:
    """The table of lines of a code object whose units have these positions; it begins at `line`.

    The format is that of CPython, `Objects/locations.md`: an entry says how many units it covers, and how far
    its line is from the one before.
    """
    for position, units in groupby(positions):
        count = len(list(units))
        first, last, start, end = position
        while count > 0:
            covered = min(count, _MOST_UNITS)
            count -= covered
            if first is None or last is None or start is None or end is None:
                yield 0x80 | _NONE << 3 | covered - 1
                continue
            yield 0x80 | _LONG << 3 | covered - 1
            yield from _signed(first - line)
            for number in (last - first, start + 1, end + 1):
                yield from _unsigned(number)
            line = first


def _signed(number: int) -> Iterator[int]:
    return _unsigned(-number << 1 | 1 if number < 0 else number << 1)


def _unsigned(number: int) -> Iterator[int]:
    """Six bits to a byte, the lowest first; all but the last are marked."""
    while number >= 64:
        yield 0x40 | number & 0x3F
        number >>= 6
    yield number
