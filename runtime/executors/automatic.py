"""The executor where none is named: machine code where that gains and no bit differs, or else NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.executors.native.lower.building import Unsupported
from runtime.executors.native.run import Native, said
from runtime.executors.native.suiting import has_loops
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.program import Program, Report
from runtime.graph.module import Module

__all__ = ["Automatic"]


class Automatic:
    """Chooses by the graph alone, so that a program does the same on every call.

    A graph without loops stays on NumPy, and so does one of which machine code might give another bit. The
    report of the program says which of them was chosen, and why.
    """

    name = "auto"
    optimises = True
    is_complete = True

    def __init__(self) -> None:
        self._native = Native()
        self._numpy = NumPyPlan()

    def compile(self, module: Module) -> Program:
        """The program that runs `module`."""
        return self.compile_lending(module, ())

    def compile_lending(self, module: Module, written: Sequence[int]) -> Program:
        """The program that runs `module`, whose last outputs say what inputs hold that are `written`."""
        if not has_loops(module):
            return self._numpy.compile(module)
        try:
            return self._native.in_place_of(self._numpy, module, written)
        except Unsupported as unsupported:
            return _Explained(self._numpy.compile(module), f"no machine code: {said(unsupported)}")


class _Explained(Program):
    """A NumPy program, and why it is no machine code."""

    def __init__(self, program: Program, why: str) -> None:
        self.entry = program.entry
        self._program = program
        self._why = why

    def explain(self, error: Exception) -> Exception:
        return self._program.explain(error)

    def report(self) -> Report:
        return replace(self._program.report(), why=self._why)

    def source(self) -> str:
        return self._program.source()
