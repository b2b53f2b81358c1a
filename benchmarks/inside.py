"""What plain Python costs inside of a trace: the doctests of a collection of algorithms.

Each example that is one call is made by a traced function, with arguments that are no tensors: once behind a
look at the clock, which takes many times as long and leaves the processor's caches cold, and three times in a
row.
"""

from __future__ import annotations

import ast
import copy
import doctest
import importlib
import pkgutil
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import autograph as ag
import runtime as rt
from runtime.errors import IntTooLarge, NoConcreteValue

__all__ = ["report"]

PACKAGE = "algorithms"
LONG = (1e-6, 10e-6)
"""Seconds from which on calls are counted once more: what is shorter is all overhead."""
SHOWN = 12


@dataclass(frozen=True)
class Example:
    """A call that a doctest makes."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def report(rounds: int) -> str:
    """The ratios over all examples, and the worst, as a table in Markdown."""
    found = []
    for example in examples():
        own, inside = _own(example, rounds), _inside(example, rounds)
        if inside is not None:
            first, further = inside
            found.append((first / own, further / own, own, first, example.name))
    found.sort(reverse=True)
    lines = [
        "| example | own time | inside of a trace | ratio | ratio in a row |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {name} | {_shown(own)} | {_shown(first)} | {ratio:.1f} | {in_a_row:.1f} |"
        for ratio, in_a_row, own, first, name in found[:SHOWN]
    ]
    for label, least in (("all", 0.0), *((f"those of {_shown(each)} and more", each) for each in LONG)):
        counted = [each for each in found if each[2] >= least]
        ratios, in_a_row = [each[0] for each in counted], [each[1] for each in counted]
        beyond = statistics.median([first - own for _, _, own, first, _ in counted])
        counts = "; ".join(
            f"{sum(ratio <= 3 for ratio in some)} within 3, {sum(ratio <= 6 for ratio in some)} within 6"
            for some in (ratios, in_a_row)
        )
        lines.append(
            f"| **median of {label}** ({len(counted)} calls, {counts} in a row, worst {max(ratios):.1f}) | "
            f"| {_shown(beyond)} more | **{statistics.median(ratios):.2f}** "
            f"| **{statistics.median(in_a_row):.2f}** |"
        )
    return "\n".join(lines)


def _shown(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs"


def examples() -> Iterator[Example]:
    """The calls in the doctests of the package, each function's first."""
    package = importlib.import_module(PACKAGE)
    met: set[Any] = set()
    for entry in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        try:
            module = importlib.import_module(entry.name)
        except ImportError:  # a few of them cannot be imported at all
            continue
        for test in doctest.DocTestFinder().find(module):
            for example in test.examples:
                found = _call_in(example.source, vars(module))
                if found is not None and found.function not in met:
                    met.add(found.function)
                    yield found


def _call_in(source: str, namespace: dict[str, Any]) -> Example | None:
    """The example, where it is one call of a function by name that gives something."""
    tree = ast.parse(source.strip()).body
    call = tree[0].value if len(tree) == 1 and isinstance(tree[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        return None
    try:
        function = namespace[call.func.id]
        arguments = tuple([eval(ast.unparse(each), dict(namespace)) for each in call.args])  # noqa: S307  # theirs
        function(*copy.deepcopy(arguments))
    except Exception:  # noqa: BLE001  # it needs what other examples have made, or shows an error
        return None
    is_python = getattr(function, "__module__", "").startswith(PACKAGE) and not isinstance(function, type)
    return Example(f"`{source.strip()[:60]}`", function, arguments) if is_python else None


def _own(example: Example, rounds: int) -> float:
    times = []
    for _ in range(10 * rounds):
        arguments = copy.deepcopy(example.arguments)
        start = time.perf_counter()
        example.function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


@ag.do_not_convert
def _fresh(example: Example) -> tuple[Any, ...]:
    return copy.deepcopy(example.arguments)


@ag.do_not_convert
def _clock() -> float:
    return time.perf_counter()


def _inside(example: Example, rounds: int) -> tuple[float, float] | None:
    """The seconds of a call inside of a trace, and of each further one in a row.

    None where it touches the world, and is put off to the run. Two looks at the clock with nothing in between
    take some microseconds themselves, which is taken off.
    """
    times: list[float] = []
    in_a_row: list[float] = []
    empty: list[float] = []
    note, note_empty = ag.do_not_convert(times.append), ag.do_not_convert(empty.append)
    note_row = ag.do_not_convert(in_a_row.append)

    @ag.function
    def traced(x: Any) -> Any:
        function = example.function
        for _ in range(rounds):
            arguments = _fresh(example)
            second, third, fourth = _fresh(example), _fresh(example), _fresh(example)
            start = _clock()
            note_empty(_clock() - start)
            start = _clock()
            function(*arguments)
            note(_clock() - start)
            start = _clock()
            function(*second)
            function(*third)
            function(*fourth)
            note_row(_clock() - start)
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            traced(rt.asarray(1.0))
        except (NoConcreteValue, IntTooLarge):
            return None
    first = min(times)
    return max(first - min(empty), 0.0), max(min(in_a_row) - first, 0.0) / 2
