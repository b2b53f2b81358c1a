"""Large loops of machine code on one thread, and on as many as there are cores, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.rivals.programs import layernorm, softmax_rows, waves

__all__ = ["report"]

_TURNS = 4
"""Of each program in a round."""


def line(x: Any) -> Any:
    return x * 2.0 + 1.0


def squares(x: Any) -> Any:
    return np.sum(x * x)


PROGRAMS: tuple[tuple[Callable[..., Any], tuple[int, ...]], ...] = (
    (waves, (30_000,)),
    (waves, (100_000,)),
    (waves, (1_000_000,)),
    (line, (1_000_000,)),
    (line, (4_000_000,)),
    (squares, (1_000_000,)),
    (squares, (10_000_000,)),
    (softmax_rows, (1000, 1000)),
    (layernorm, (1000, 1000)),
)


def report(rounds: int) -> str:
    """A table: least times of the clock, and of the processor, on one thread and on several."""
    several = rt.get_num_threads()
    lines = [
        f"| program, float64 | 1 thread | {several} threads | gain | time of the processor |",
        "|---|---:|---:|---:|---:|",
    ]
    for function, shape in PROGRAMS:
        x = np.random.default_rng(0).normal(size=shape)
        concrete = ag.function(function, jit_compile=True).get_concrete_function(
            rt.TensorSpec(shape, "float64")
        )
        alone, together = _least(concrete.program.entry, x, (1, several), rounds)
        size = " × ".join(f"{length:,}" for length in shape)
        lines.append(
            f"| `{function.__name__}`, {size} | {alone[0] * 1e6:,.0f} µs | {together[0] * 1e6:,.0f} µs "
            f"| {alone[0] / together[0]:.2f} × | {together[1] / alone[1]:.2f} × |"
        )
    rt.set_num_threads(None)
    return "\n".join(lines)


def _least(call: Callable[..., Any], x: Any, numbers: tuple[int, ...], rounds: int) -> list[list[float]]:
    """For each number of threads, the least time of the clock and of the processor that a call took."""
    least = [[float("inf"), float("inf")] for _ in numbers]
    for _ in range(_TURNS * rounds):
        for number, best in zip(numbers, least, strict=True):
            rt.set_num_threads(number)
            for _ in range(3):
                clock, processor = time.perf_counter(), time.process_time()
                call(x)
                best[0] = min(best[0], time.perf_counter() - clock)
                best[1] = min(best[1], time.process_time() - processor)
    return least
