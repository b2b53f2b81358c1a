"""A small function from its text to its first result, beside Numba and JAX: nobody has seen it before.

python -m benchmarks new_functions --rounds 15      # so many functions in each turn of a contender

Each contender has a process for a turn, and turns are taken; no machine code is on disk, but Python's own
code is. Numba and JAX are looked for in this Python, then in those that AUTOGRAPH_RIVALS names, as in PATH.
What a process takes from its beginning to its first result, with all that it loads, is told beside that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["report"]

_TURNS = 3
_LOOP = """
def loop(n):
    total, k = NUMBER, 0
    while k < n:
        total = total + k * k % 7
        k = k + 1
    return total
"""
_LOOP_OF_JAX = """
def loop(n):
    def turn(state):
        total, k = state
        return total + k * k % 7, k + 1

    return lax.while_loop(lambda state: state[1] < n, turn, (NUMBER, 0))[0]
"""
_EXPRESSION = """
def expression(x):
    return np.exp(-x * x) + NUMBER.0
"""
_CONTENDERS = {"machine code": "_ours", "NumPy program": "_ours_on_numpy", "Numba": "_numba", "JAX": "_jax"}

Compiled = Callable[..., Any]
Contender = tuple[dict[str, Any], str, Callable[[Compiled], Compiled], Callable[[Any], Any]]
"""What names stand for, the text of the loop, what compiles a function, and what makes its argument."""


def report(rounds: int) -> str:
    """The table, as text."""
    taken: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(_TURNS):
            for name in _CONTENDERS:
                found = _turn(name, rounds, folder)
                if found is not None:
                    taken.setdefault(name, []).append(found)
    least = {name: [min(each) for each in zip(*turns, strict=True)] for name, turns in taken.items()}
    own = least["machine code"]
    lines = [
        f"{'ms of the processor':20}{'loop over numbers':>22}{'expression, `exp`':>22}{'a new process':>16}"
    ]
    for name, (loop, expression, first) in least.items():
        cells = [
            f"{each * 1e3:.1f} ({each / mine:.1f} ×)"
            for each, mine in zip((loop, expression), own, strict=False)
        ]
        lines.append(f"{name:20}{cells[0]:>22}{cells[1]:>22}{first * 1e3:>16.0f}")
    return "\n".join(lines)


def _turn(name: str, rounds: int, folder: str) -> list[float] | None:
    """Least seconds for the loop and for the expression, and those of the process up to its first result."""
    environment = os.environ | {
        "AUTOGRAPH_CACHE": "off",
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": folder,
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    own = name in {"machine code", "NumPy program"}
    others = [] if own else filter(None, os.environ.get("AUTOGRAPH_RIVALS", "").split(os.pathsep))
    for python in [sys.executable, *others]:
        command = [python, "-m", "benchmarks.new_functions", _CONTENDERS[name], str(rounds)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # the Pythons that the caller names
        if done.returncode == 0:
            return [float(each) for each in done.stdout.split()]
        if "ModuleNotFoundError" not in done.stderr:
            raise RuntimeError(f"{name} under {python}:\n{done.stderr}")
    return None


# ── in the process of a contender ──


def _ours(executor: str | None = None) -> Contender:
    import autograph as ag  # noqa: PLC0415  # each process has one of them
    import runtime as rt  # noqa: PLC0415  # likewise

    def compiled(function: Compiled) -> Compiled:
        made: Compiled = ag.function(function, jit_compile=None if executor else True, executor=executor)
        return made

    return {"np": np}, _LOOP, compiled, rt.asarray


def _ours_on_numpy() -> Contender:
    return _ours("numpy")


def _numba() -> Contender:
    import numba  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  # likewise

    return {"np": np}, _LOOP, numba.njit, lambda given: given


def _jax() -> Contender:
    import jax  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  # likewise

    jax.config.update("jax_enable_x64", True)

    def compiled(function: Compiled) -> Compiled:
        made = jax.jit(function)
        return lambda *given: made(*given).block_until_ready()

    return {"np": jax.numpy, "lax": jax.lax}, _LOOP_OF_JAX, compiled, jax.numpy.asarray


def _seconds(contender: Contender, text: str, name: str, number: int, given: Any) -> float:
    """From a function that is new to its first result, in seconds of the processor."""
    from benchmarks.rivals.programs import of_text  # noqa: PLC0415  # it loads what one of them may have to

    names, _, compiled, _ = contender
    function = of_text(text.replace("NUMBER", str(number)), name)
    function.__globals__.update(names)
    start = time.process_time()
    compiled(function)(given)
    return time.process_time() - start


def main(arguments: Sequence[str]) -> None:
    """Prints the least seconds of the loop and of the expression, and those of all up to the first result."""
    name, rounds = arguments
    contender: Contender = globals()[name]()
    _, loop, _, given = contender
    count, row = given(10), given(np.linspace(0.0, 1.0, 100))
    _seconds(contender, loop, "loop", 0, count)
    first = time.process_time()
    _seconds(contender, _EXPRESSION, "expression", 0, row)
    numbers = range(1, int(rounds) + 1)
    loops = [_seconds(contender, loop, "loop", number, count) for number in numbers]
    expressions = [_seconds(contender, _EXPRESSION, "expression", number, row) for number in numbers]
    print(min(loops), min(expressions), first)


if __name__ == "__main__":
    main(sys.argv[1:])
