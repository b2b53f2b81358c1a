"""From decorator to result: random programs of ninety lines, nested statements, and a full memory.

python -m benchmarks nesting --rounds 100        # as many programs
"""

from __future__ import annotations

import contextlib
import io
import linecache
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import autograph as ag
import runtime as rt
from tests.properties.grammar import LARGE, Program

__all__ = ["report"]

LINES = 90
SIZE = replace(LARGE, lines=LINES)
SLOW = 0.5
"""Seconds that no ordinary program of a hundred statements is to take."""
DEPTHS = range(1, 7)
ALIVE = 1_000_000

OPENINGS: dict[str, Callable[[int], list[str]]] = {
    "if": lambda level: [f"if n > {level}:"],
    "for": lambda level: [f"for i{level} in range(n):"],
    "while": lambda level: [f"i{level} = 0", f"while i{level} < n:", f"    i{level} += 1"],
}
BODY = ("total += n", "found = n", "items.append(n)", "box.value = box.value + n")


class Box:
    """An object with a number."""

    def __init__(self) -> None:
        self.value = 0


def report(rounds: int) -> str:
    """The tables, as text."""
    programs = [Program.from_seed(seed, size=SIZE).live() for seed in range(rounds)]
    taken = [_seconds(program.function, program.calls[0]) for program in programs]
    slow = sum(each > SLOW for each in taken)
    times = f"median {median(taken):.3f} s, worst {max(taken):.3f} s, all {sum(taken):.1f} s"
    lines = [
        f"{len(taken)} random programs of {LINES} lines, from decorator to result:",
        f"  {times}; over {SLOW} s: {slow / len(taken):.0%}",
        "",
        "statements inside one another, by depth:",
    ]
    for kind in OPENINGS:
        times = [_nested(kind, depth) for depth in DEPTHS]
        lines += [f"  {kind:6}{'  '.join(f'{each * 1e3:6.0f} ms' for each in times)}"]
    before = _nested("while", 3)
    alive = [[number] for number in range(ALIVE)]
    after = _nested("while", 3)
    lines += ["", f"three loops with {len(alive):,} more objects alive: {after / before:.2f} times the time"]
    return "\n".join(lines)


def _seconds(function: Callable[..., Any], arguments: Sequence[Any]) -> float:
    """From decorator to result; what the program raises is a result, and what is refused."""
    start = time.process_time()
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        ag.function(function)(*arguments)
    return time.process_time() - start


def _nested(kind: str, depth: int) -> float:
    """The seconds of a function with so many statements inside one another; the least of three."""
    lines = ["def program(n, box):", "    total, found, items = 0, None, []"]
    for level in range(depth):
        indent = "    " * (level + 1)
        lines += [indent + line for line in OPENINGS[kind](level)]
    lines += ["    " * (depth + 1) + line for line in BODY]
    lines += ["    return total, found, items, box.value"]
    text = "\n".join(lines) + "\n"
    filename = f"<nested {kind} {depth}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    taken = []
    for _ in range(3):
        scope: dict[str, Any] = {}
        exec(compile(text, filename, "exec"), scope)  # noqa: S102  # a program of our own
        taken.append(_seconds(scope["program"], [rt.asarray(2), Box()]))
    return min(taken)
