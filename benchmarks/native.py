"""Loops as machine code, beside plain Python, the NumPy program, and Numba where that is installed.

Each program is written once. Numba compiles it as it stands; plain Python runs it on NumPy's arrays and on
Python's numbers. What they give is compared before anything is timed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, measure_in_turns, table, timed
from benchmarks.rivals.programs import collatz, predators, sieve

__all__ = ["report"]


def fibonacci(n: Any) -> Any:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def bubble_sort(a: Any, n: Any) -> Any:
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                t = a[j]
                a[j] = a[j + 1]
                a[j + 1] = t
    return a


def escape(real: Any, imaginary: Any, n: Any) -> Any:
    """How long each point of the plane stays: loops over an image, and over the turns of a point."""
    total = 0
    for i in range(n):
        for j in range(n):
            x, y, k = 0.0, 0.0, 0
            while k < 50 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + real[j], 2.0 * x * y + imaginary[i]
                k += 1
            total += k
    return total


def _programs() -> list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]]:
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 1000, 100)
    grid = np.linspace(-2.0, 1.0, 64)
    return [
        (collatz, lambda: (837_799,)),
        (predators, lambda: (0.5, 10_000)),
        (fibonacci, lambda: (20,)),
        (sieve, lambda: (np.ones(10_000, bool), 10_000)),
        (bubble_sort, lambda: (numbers.copy(), len(numbers))),
        (escape, lambda: (grid, grid, len(grid))),
    ]


def report(rounds: int) -> str:
    """The table, each program's machine code first.

    Parameters
    ----------
    rounds : int
        Turns that each contender takes.
    """
    scenes = []
    for program, arguments in _programs():
        tensors = tuple(map(rt.asarray, arguments()))
        runs = {
            "machine code": _on(tensors, ag.function(program, jit_compile=True)),
            "the NumPy program": _on(tensors, ag.function(program, executor="numpy")),
            "plain Python": _fresh(arguments, program),
        }
        if importlib.util.find_spec("numba") and program is not fibonacci:  # of which it finds no type
            import numba  # noqa: PLC0415  # a rival: only where it is installed

            runs["Numba"] = _fresh(arguments, numba.njit(program))
        wanted = np.asarray(runs["plain Python"]())
        for name, run in runs.items():
            np.testing.assert_allclose(
                np.asarray(run()), wanted, rtol=1e-9, err_msg=f"{program.__name__}, {name}"
            )
        contenders = [Contender(name, timed(run)) for name, run in runs.items()]
        scenes.append(Scene(program.__name__, contenders))
    return table(measure_in_turns(scenes, rounds))


def _on(tensors: tuple[Any, ...], graph: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: graph(*tensors)


def _fresh(arguments: Callable[[], tuple[Any, ...]], run: Callable[..., Any]) -> Callable[[], Any]:
    """A call with arguments of its own: these programs write into them."""
    return lambda: run(*arguments())
