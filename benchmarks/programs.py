"""The programs of the tests as machine code: what of them is called in Python, and how fast they are.

A program that draws from a generator is traced for each, and is not timed.
"""

from __future__ import annotations

import copy
import time
import warnings
from collections import Counter
from statistics import geometric_mean
from typing import Any

import numpy as np

import autograph as ag
from tests.programs.test_programs import SAME

__all__ = ["report"]

MOST_CAUSES = 12


def report(rounds: int) -> str:
    """The tables, as text."""
    warnings.simplefilter("ignore")
    chosen, whole, causes = Counter[str](), 0, Counter[tuple[str, str]]()
    ratios: dict[str, float] = {}
    for program, calls in SAME:
        arguments = calls[0]
        chosen[_concrete(program, None, arguments).report().executor] += 1
        called = {
            (step.op, step.why)
            for step in _concrete(program, "native", arguments).report().steps
            if "Python" in step.runs
        }
        whole += not called
        causes.update(called)
        if not any(isinstance(each, np.random.Generator) for each in arguments):
            ratios[program.__name__] = _ratio(program, arguments, rounds)
    average, fast = geometric_mean(ratios.values()), sum(ratio < 1 for ratio in ratios.values())
    slow = sorted(ratios.items(), key=lambda item: -item[1])
    return "\n".join(
        [
            f"{len(SAME)} programs, of which {chosen['native']} are machine code without being asked",
            f"jit_compile=True: {whole} call no Python; the others call, most programs first:",
            *[f"  {count:4} {op}: {why}" for (op, why), count in causes.most_common(MOST_CAUSES)],
            f"the NumPy program's time: {average:.2f} on average; less for {fast} of {len(ratios)}; most for",
            *[f"  {ratio:5.2f} {name}" for name, ratio in slow[:MOST_CAUSES]],
        ]
    )


def _concrete(program: Any, executor: str | None, arguments: Any) -> Any:
    staged = ag.function(program, executor=executor)
    staged(*copy.deepcopy(arguments))
    return staged.concrete_functions[0]


def _ratio(program: Any, arguments: Any, rounds: int) -> float:
    """The least time of a call as machine code, in times of the NumPy program's."""
    contenders = [ag.function(program, executor=executor) for executor in ("numpy", "native")]
    least = [float("inf")] * 2
    for _ in range(rounds + 1):  # the first of which traces
        for place, staged in enumerate(contenders):
            given = copy.deepcopy(arguments)
            start = time.perf_counter()
            staged(*given)
            least[place] = min(least[place], time.perf_counter() - start)
    return least[1] / least[0]
