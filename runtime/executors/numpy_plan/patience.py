"""A program that gives up when a run takes long: its caller repeats the run in a quicker way.

::

    while heap:                          while heap:
        nearest = heap.pop()      ⇒          look_at_the_clock()      raises `Lasts`, once its time is over
        ...                                  nearest = heap.pop()
                                             ...

So does each function but the first, as it may call itself.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from time import perf_counter

from runtime.executors.numpy_plan.syntax import call, name

__all__ = ["Lasts", "Patience", "with_looks"]


class Lasts(BaseException):
    """A run has taken all of the time that it was given. No handler of a program catches it."""


class Patience:
    """How long one run may take.

    Parameters
    ----------
    seconds : float
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends = math.inf

    def begin(self) -> None:
        """The time of a run begins."""
        self._ends = perf_counter() + self._seconds

    def look(self) -> None:
        """Ends the run, where its time is over."""
        if perf_counter() > self._ends:
            raise Lasts

    def end(self) -> None:
        """Lets others, which run meanwhile or afterwards, take any time."""
        self._ends = math.inf


def with_looks(body: Sequence[ast.stmt], look: str, *, is_called: bool = False) -> list[ast.stmt]:
    """Statements which call `look` in each turn of their loops, and first where they are called often."""
    pending: list[ast.AST] = list(body)
    while pending:
        statement = pending.pop()
        for block in _BLOCKS:
            pending += getattr(statement, block, ())
        if isinstance(statement, ast.While):
            statement.body.insert(0, _called(look))
    return [*([_called(look)] if is_called else []), *body]


_BLOCKS = "body", "orelse", "handlers", "finalbody"
"""What statements have of other statements: no loop is in an expression."""


def _called(look: str) -> ast.stmt:
    return ast.Expr(call(name(look)))
