"""Graphs of which most runs once: NumPy programs, and machine code from when they have been called often.

::

    call 1 … 200                      NumPy program
    call 201, if all is numbers       machine code, which gives the same bits, warnings and errors

To compile one takes as long as some thousand calls of it gain, so one that is called a few times stays as it
is; one with thousands of operations outside of its loops does so for as many calls. One that plain Python
calls in a loop, as it does the innermost functions of a program, is no slower there than Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from runtime.executors.native.lower.building import Unsupported
from runtime.executors.program import Given, Program, Report
from runtime.graph.module import Module

__all__ = ["CALLS", "Often", "may_gain"]

CALLS = 200
"""Calls until machine code is tried."""
_LEAST, _MOST = 10, 1000
"""Nodes of a graph that is tried: of few, a call from Python takes as long; many take long to compile."""


def may_gain(module: Module) -> bool:
    """Whether a graph without loops is neither too short nor too long."""
    count = sum(len(inner.nodes) for graph in module.graphs() for inner in graph.walk())
    return _LEAST <= count <= _MOST


class Often(Program):
    """A program that another one takes the place of when it has been called often.

    Parameters
    ----------
    program : Program
        What runs until then.
    compiled : callable
        Gives the other one, in which `program` does what is left to it; raises `Unsupported` where there is
        none.
    calls : int
        Calls until then.
    """

    def __init__(
        self, program: Program, compiled: Callable[[Program], Program], *, calls: int = CALLS
    ) -> None:
        self.may_hold = program.may_hold
        self._program = program
        self._compiled = compiled
        self._left = calls
        self._waiting: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._first = program.entry
        self.entry = self._counted

    def _counted(self, *arrays: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            self._change()
            return self.entry(*arrays)
        return self._first(*arrays)

    def _change(self) -> None:
        """Has the other program run from now on, or none."""
        with self._lock:
            if self.entry == self._counted:
                with suppress(Unsupported):  # it stays as it is
                    self._program = self._compiled(self._program)
                self.entry = self._program.entry
                self.may_hold = self._program.may_hold
                waiting, self._waiting = self._waiting, []
                for tell in waiting:
                    tell()

    def when_it_changes(self, tell: Callable[[], None]) -> None:
        self._waiting.append(tell)

    def quicker(self, given: Given, /) -> Callable[..., Any] | None:
        return self._program.quicker(given)

    def explain(self, error: Exception) -> Exception:
        return self._program.explain(error)

    def report(self) -> Report:
        return self._program.report()

    def source(self) -> str:
        return self._program.source()
