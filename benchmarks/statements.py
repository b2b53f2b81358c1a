"""What a statement of a longer program costs: random programs of so many lines, from a function to its code.

python -m benchmarks statements --rounds 3      # least times of so many turns

A statement should cost the same in programs of 50 and of 400.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.rivals.programs import of_text
from runtime.executors.native.llvm import cache

__all__ = ["report"]

_LENGTHS = (50, 100, 200, 400)
_ARGUMENTS = (3, 2, np.arange(5))
_SIMPLE = (
    "{a} = {b} + {c} * {n} % 7",
    "{a} = ({b} - {c}) % 11 + x",
    "found.append({a})",
    "{a} = {a} + xs[{b} % 5]",
)


def report(rounds: int) -> str:
    """The table, as text: milliseconds of the processor for each line of a program."""
    os.environ[cache.VARIABLE] = "off"
    _seconds(_program(_LENGTHS[0], "mixed", 0))  # what is loaded when it is first needed
    lines = [f"{'ms a line, to trace and to compile':36}" + "".join(f"{length:>14}" for length in _LENGTHS)]
    for kind in ("straight", "branches", "loops", "mixed"):
        cells = []
        for length in _LENGTHS:
            turns = [_seconds(_program(length, kind, turn)) for turn in range(rounds)]
            trace, code = (min(each) / length * 1e3 for each in zip(*turns, strict=True))
            cells.append(f"{trace:.2f} + {code:.2f}".rjust(14))
        lines.append(f"{kind:36}{''.join(cells)}")
    return "\n".join(lines)


def _seconds(function: Callable[..., Any]) -> tuple[float, float]:
    """To convert and trace a function, and to make its program."""
    given = [rt.asarray(each) for each in _ARGUMENTS]
    start = time.process_time()
    concrete = ag.function(function).get_concrete_function(*given)
    traced = time.process_time()
    assert concrete.program is not None
    return traced - start, time.process_time() - traced


def _program(length: int, kind: str, seed: int) -> Callable[..., Any]:
    """A function of about so many lines."""
    draw = random.Random(f"{kind} {length} {seed}")  # noqa: S311  # no secret
    lines: list[str] = []

    def simple(indent: str) -> None:
        a, b, c = (draw.choice("abc") for _ in range(3))
        lines.append(indent + draw.choice(_SIMPLE).format(a=a, b=b, c=c, n=draw.randint(1, 5)))

    while len(lines) < length:
        match draw.choice(("straight", "branches", "loops")) if kind == "mixed" else kind:
            case "branches":
                lines.append(f"    if {draw.choice('abc')} > {draw.randint(0, 9)}:")
                simple("        ")
                lines.append("    else:")
                simple("        ")
            case "loops":
                lines.append("    for i in range(n):")
                simple("        ")
                simple("        ")
            case _:
                simple("    ")
    head = "def drawn(x, n, xs):\n    a, b, c, found = 0, 1, 2, []\n"
    return of_text(head + "\n".join(lines) + "\n    return a, b, c, len(found)\n", "drawn")
