"""Graphs of which most runs once: NumPy programs, and machine code from when they have been called often.

::

    call 1 … 200                      NumPy program
    call 201, if all is numbers       machine code, which gives the same bits, warnings and errors

To compile one takes as long as some thousand calls of it gain, so one that is called a few times stays as it
is, and one of a few operations, of which a call gains a microsecond, does so for 2,000 calls; one with
thousands of operations outside of its loops for as many calls. One that plain Python calls in a loop, as it
does the innermost functions of a program, is no slower there than Python. A call with large arrays, of which
each operation takes longer, counts as several.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from runtime.core.shapes import size
from runtime.executors.native.beyond import Unsupported
from runtime.executors.program import Given, Program, Report
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.ops.families import Contraction

__all__ = ["CALLS", "CALLS_OF_FEW", "Often", "calls_until"]

CALLS, CALLS_OF_FEW = 200, 2000
"""Calls until machine code is tried; of a graph of few nodes, which gains no more than how it is called."""
_FEW, _MOST = 10, 1000
"""Nodes of a graph: below the first they are few, and beyond the other they take long to compile."""
_ELEMENTS = 1 << 13
"""Of arrays, as many as an operation of NumPy's computes in a few times what it takes to call it."""
_PRODUCTS = 1 << 24
"""Of integers, which NumPy computes in the time in which a product of matrices is compiled."""


def calls_until(module: Module) -> int | None:
    """How often a graph without loops is called until machine code is tried; None where it never is."""
    nodes = [node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes]
    if len(nodes) > _MOST or (len(nodes) < _FEW and all(type(node.op) is Const for node in nodes)):
        return None
    products = sum(map(_products_of_integers, nodes))
    calls = CALLS_OF_FEW if len(nodes) < _FEW else CALLS
    return min(calls, _PRODUCTS // products) if products else calls


def _products_of_integers(node: Node) -> int:
    """How many integers a node multiplies, about: NumPy has no library for that."""
    if not isinstance(node.op, Contraction) or not node.outputs[0].dtype.is_integer:
        return 0
    counts = [
        size(value.shape) if value.shape is not None else None for value in (*node.inputs, *node.outputs)
    ]
    known = [each for each in counts if isinstance(each, int)]
    return math.isqrt(math.prod(known)) if len(known) == len(counts) else 0


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
    again : tuple of types, optional
        Exceptions that end those calls at once: the other program does the run again, of which nothing has
        shown outside.
    """

    def __init__(
        self,
        program: Program,
        compiled: Callable[[Program], Program],
        *,
        calls: int = CALLS,
        again: tuple[type[BaseException], ...] = (),
    ) -> None:
        self._again = again
        self.may_hold = program.may_hold
        self._program = program
        self._compiled = compiled
        self._left = calls
        self._waiting: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._first = program.entry
        self.entry = self._counted

    def _counted(self, *arrays: Any) -> Any:
        self._left -= 1 + sum([each.size for each in arrays if isinstance(each, np.ndarray)]) // _ELEMENTS
        if self._left >= 0:
            try:
                return self._first(*arrays)
            except self._again:
                self._left = 0
        self._change()
        return self.entry(*arrays)

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

    def lasting(self) -> Program:
        self._change()
        return self._program.lasting()

    def quicker(self, given: Given, /) -> Callable[..., Any] | None:
        return self._program.quicker(given)

    def explain(self, error: Exception) -> Exception:
        return self._program.explain(error)

    def report(self) -> Report:
        return self._program.report()

    def source(self) -> str:
        return self._program.source()
