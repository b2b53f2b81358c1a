"""The executor: compiles a program once. What that takes is loaded with the first one."""

from __future__ import annotations

from typing import Any

from runtime.executors import clocks
from runtime.executors.numpy_plan import patience as patience_
from runtime.executors.numpy_plan import programs
from runtime.executors.numpy_plan import relays as relays_
from runtime.executors.program import Program
from runtime.graph.module import Module

__all__ = ["NumPyPlan"]


class NumPyPlan:
    """Runs a module as one Python function of NumPy calls.

    Parameters
    ----------
    warned : dict, optional
        Where Python notes which lines have warned, shared by all programs of this executor. By default each
        has its own.
    relays : callable, optional
        What may run a loop in the place of a program.
    """

    name = "numpy"
    optimises = True
    is_complete = True

    def __init__(self, warned: dict[Any, Any] | None = None, relays: relays_.Relays | None = None) -> None:
        self._warned = warned
        self._relays = relays

    def compile(self, module: Module) -> Program:
        """The program that runs `module`."""
        return programs.NumPyProgram(module, warned=self._warned, relays=self._relays)

    def patient(self, module: Module, seconds: float) -> Program:
        """The program that runs `module`, and raises `Lasts` where a run takes more time than that."""
        return programs.NumPyProgram(module, patience=patience_.Patience(seconds), warned=self._warned)

    def clocked(self, module: Module) -> clocks.Clocked:
        """The program that runs `module`, with a clock for each line."""
        clock, lines = clocks.PythonClock(), clocks.Lines()
        program = programs.NumPyProgram(module, clock, lines)
        return clocks.Clocked(program, lines, lambda: clock.spent(lines))
