"""How much slower converted code is than the original: outside of a trace, and in one without tensors.

By the processor's time: what else the machine does is no part of it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.transpiler import Transpiler
from benchmarks.corpus import CALLS
from benchmarks.harness import Contender, Result, Scene, measure, timed
from benchmarks.loops import LOOPS
from benchmarks.packages import Always, Never, imported

__all__ = ["report"]

BACKENDS = {"original": None, "outside": Never(), "inside": Always()}
"""The three forms: as it is, converted with nothing that stages, and converted with what might."""

GOALS = {"calls": 3.0, "loops": 1.5}


@dataclass(frozen=True)
class Row:
    """One function: its name, and the work of its three forms."""

    name: str
    work: Sequence[Callable[[], Any]]


def report(rounds: int) -> str:
    """Two tables in Markdown, with the median of each group beneath its rows."""
    tables = []
    for group, goal in GOALS.items():
        results = [_measured(row, rounds) for row in ROWS[group]()]
        lines = ["| function | original | outside of a trace | inside of a trace |", "|---|---:|---:|---:|"]
        lines += [_line(result) for result in results]
        outside, inside = (statistics.median(_ratio(result, form) for result in results) for form in (1, 2))
        lines.append(f"| **median of {group}** (goal {goal}) | | **{outside:.2f}** | **{inside:.2f}** |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def _calls() -> Iterator[Row]:
    for package, calls in CALLS.items():
        modules = [imported(package, backend) for backend in BACKENDS.values()]
        for name, prepare in calls.items():
            yield Row(f"{package}: {name}", [prepare(module) for module in modules])


def _loops() -> Iterator[Row]:
    for function, arguments in LOOPS.items():
        forms = [_form(function, backend) for backend in BACKENDS.values()]
        yield Row(function.__name__, [_called(form, arguments) for form in forms])


ROWS = {"calls": _calls, "loops": _loops}


def _form(function: Callable[..., Any], backend: Never | None) -> Any:
    return function if backend is None else Transpiler([backend]).convert(function)


def _called(function: Callable[..., Any], arguments: Sequence[Any]) -> Callable[[], Any]:
    return lambda: function(*arguments)


def _measured(row: Row, rounds: int) -> Result:
    values = [repr(work()) for work in row.work]
    assert len(set(values)) == 1 or " at 0x" in values[0], f"{row.name}: {values}"
    forms = [
        Contender(form, timed(work, 0.002, time.process_time))
        for form, work in zip(BACKENDS, row.work, strict=True)
    ]
    return measure(Scene(row.name, forms), rounds)


def _ratio(result: Result, form: int) -> float:
    return result.seconds[form] / result.seconds[0]


def _line(result: Result) -> str:
    ratios = f"{_ratio(result, 1):.2f} | {_ratio(result, 2):.2f}"
    return f"| {result.scene.title} | {result.seconds[0] * 1e6:.3g} µs | {ratios} |"
