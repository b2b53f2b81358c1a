"""`ag.profile`: how long each line of a function takes when its graph runs."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.tracing.function import function
from runtime.functions.bound import BoundFunction
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.functions.profiling import measured
from runtime.graph.frames import shows_callers_alone
from runtime.graph.location import Location

__all__ = ["Line", "Profile", "duration", "profile"]


@dataclass(frozen=True)
class Line:
    """What a line of the program takes in a run.

    Attributes
    ----------
    location : Location
    seconds : float
    count : float
        How often a run comes to it, from another line.
    """

    location: Location
    seconds: float
    count: float


@dataclass(frozen=True)
class Profile:
    """How long each line of a function takes.

    `print` shows a table beside the source.

    Attributes
    ----------
    name : str
    executor : str
        ``"native"`` is machine code, ``"numpy"`` a NumPy program.
    seconds : float
        What a run of the graph takes without clocks, the least of several; of a function that is called once,
        what the call takes.
    calls : int
        How often it was called with clocks.
    lines : tuple of Line
        Those that take time, in the order of the files.
    """

    name: str
    executor: str
    seconds: float
    calls: int
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        called = f"{self.calls:,} calls" if self.calls > 1 else "one call"
        title = f"{self.name} on {self.executor}: {duration(self.seconds)} a run, by {called}"
        return "\n".join([title, *_tables(self)])


@shows_callers_alone
def profile(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Profile:
    """How long each line of a function takes, when its graph runs with some arguments.

    The graph is run with a clock between its lines, and without: that tells how much of a run's time belongs
    to each line. A function that prints, changes variables or writes into its arguments is called once; any
    other one many times, for a third of a second in all. What several lines compute together belongs to the
    one that asks for it.

    Parameters
    ----------
    f : callable
        A function, or what `function` made of one.
    *args, **kwargs
        What it is called with.

    Returns
    -------
    Profile

    Raises
    ------
    CompileError
        When the function runs on an executor that has no clocks.

    Examples
    --------
    >>> import runtime as rt
    >>> def norm(x):
    ...     squares = x * x
    ...     return rt.sqrt(rt.sum(squares))
    >>> found = profile(norm, rt.ones((1000,)))
    >>> [(line.location.source, line.count) for line in found.lines]
    [('squares = x * x', 1.0), ('return rt.sqrt(rt.sum(squares))', 1.0)]
    """
    staged = f if isinstance(f, PolymorphicFunction | BoundFunction) else function(f)
    found = measured(staged.get_concrete_function(*args, **kwargs), args, kwargs)
    lines = [Line(place, seconds, count) for place, (seconds, count) in found.lines.items()]
    lines.sort(key=lambda line: (line.location.filename, line.location.line))
    return Profile(staged.name, found.executor, found.seconds, found.calls, tuple(lines))


# ── the table ──

_HEAD = f"{'time':>9}  {'share':>6}  {'runs':>9}"


def _tables(found: Profile) -> Iterator[str]:
    """A table for each function, the source on the right."""
    left = sorted(found.lines, key=lambda line: (line.location.filename, line.location.first_line))
    while left:
        place = left[0].location
        last = _last_line(place)
        inside = [line for line in left if _is_inside(line.location, place, last)]
        left = [line for line in left if line not in inside]
        yield ""
        yield f'File "{place.filename}", line {place.first_line}, in {place.function}'
        yield f"  {_HEAD}"
        yield from _table(place, last, {line.location.line: line for line in inside}, found.seconds)


def _last_line(place: Location) -> int:
    """Where the function of a place ends."""
    source = linecache.getlines(place.filename)[place.first_line - 1 :]
    return max(place.line, place.first_line + len(inspect.getblock(source)) - 1 if source else 0)


def _is_inside(line: Location, place: Location, last: int) -> bool:
    """Whether a line is of the function that begins where `place` says; blocks in it begin later."""
    return line.filename == place.filename and place.first_line <= line.line <= last


def _table(place: Location, last: int, lines: Mapping[int, Line], whole: float) -> Iterator[str]:
    width = len(str(last))
    for number in range(place.first_line, last + 1):
        line = lines.get(number)
        numbers = "" if line is None else _numbers(line, whole)
        text = linecache.getline(place.filename, number).rstrip("\n")
        yield f"  {numbers:{len(_HEAD)}}  {number:>{width}} │ {text}".rstrip()


def _numbers(line: Line, whole: float) -> str:
    share = line.seconds / whole if whole else 0.0
    return f"{duration(line.seconds):>9}  {share:>6.1%}  {line.count:>9,.6g}"


def duration(seconds: float) -> str:
    """A time as a person reads it, in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
