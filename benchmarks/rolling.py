"""Long loops of Python: from decorator to graph, in five turns, in 5,000, and in 5,000 that are unrolled.

python -m benchmarks rolling --rounds 5          # as many turns that the contenders take
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag

__all__ = ["report"]

FEW, MANY = 5, 5000


def smoothed(x: Any, turns: int) -> Any:
    for i in range(turns):
        x = x * 0.5 + i
    return x


def filled(x: Any, turns: int) -> Any:
    out = np.zeros(turns)
    for i in range(1, turns - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out


def decided(x: Any, turns: int) -> Any:
    best = 0
    for i in range(turns):
        if x[i] > x[best]:
            best = i
    return best


def report(rounds: int) -> str:
    """The table, as text."""
    lines = [f"{'':10}{FEW:>10} turns {MANY:>8} turns {'unrolled':>10}"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that of unrolled loops
        for program in (smoothed, filled, decided):
            few, many, unrolled = [
                min(_seconds(program, turns, rolls) for _ in range(count))
                for turns, rolls, count in ((FEW, True, rounds), (MANY, True, rounds), (MANY, False, 1))
            ]
            times = f"{few * 1e3:13.1f} ms {many * 1e3:11.1f} ms {unrolled:8.1f} s"
            lines.append(f"{program.__name__:10}{times}   {many / few:.1f} times the time of {FEW} turns")
    return "\n".join(lines)


def _seconds(program: Callable[..., Any], turns: int, rolls: bool) -> float:
    """From decorator to graph."""
    x = np.arange(float(MANY))
    start = time.process_time()
    function = ag.function(options=ag.Options(rolls=rolls))(program)
    function.get_concrete_function(x, turns)
    return time.process_time() - start
