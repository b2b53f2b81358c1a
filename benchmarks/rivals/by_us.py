"""Our own two executors."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import autograph as ag
import runtime as rt
from benchmarks.rivals.programs import Program

__all__ = ["VERSION", "as_numpy_program", "compiled"]

VERSION = f"llvmlite {version('llvmlite')}"


def compiled(program: Program) -> Callable[[], Any]:
    """A call of the machine code of a program."""
    return _on_tensors(program, ag.function(program.run, jit_compile=True))


def as_numpy_program(program: Program) -> Callable[[], Any]:
    """A call of its program of NumPy's functions."""
    return _on_tensors(program, ag.function(program.run, executor="numpy"))


def _on_tensors(program: Program, graph: Callable[..., Any]) -> Callable[[], Any]:
    tensors = tuple(map(rt.asarray, program.arguments()))
    return lambda: graph(*tensors)
