"""`np.errstate` in a trace: the nodes made inside keep it, and run under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ContextDecorator
from typing import Any

import numpy as np

from autograph.staging.functions import closed_over
from runtime.core import float_errors
from runtime.errors import GraphError
from runtime.graph.location import caller_location

__all__ = ["told_by", "told_within"]


def told_by(callee: Any, args: Sequence[Any], modes: dict[str, Any]) -> Callable[[], Any] | None:
    """What a call of `np.errstate` gives while a program is traced; None for `np.seterr`.

    Raises
    ------
    GraphError
        Where it asks for a call or a line for each error, and where `np.seterr` asks for exceptions: errors
        of floats show when the graph runs, and a state without an end has nothing to be raised into.
    """
    known = {None, "ignore", "warn", "raise"} if callee is np.errstate else {None, "ignore", "warn"}
    others = [mode for mode in (*args, *modes.values()) if mode not in known]
    if others:
        name = callee.__name__
        raise GraphError(
            f"`np.{name}` is asked for {others[0]!r} in a function that becomes a graph",
            where=caller_location(),
            why="Errors of floats show when the graph runs, and now the graph is traced.",
            way_out="Put `with np.errstate(…):` around the call of the function, or test with `np.isfinite`.",
        )
    return (lambda: float_errors.Telling(**modes)) if callee is np.errstate else None


_DECORATED = np.errstate()(print).__code__


def told_within(function: Any) -> Any:
    """A function that `np.errstate` decorates, as one that a state of ours decorates; any other is itself."""
    if getattr(function, "__code__", None) is not _DECORATED:
        return function
    held = closed_over(function)
    return _Decorator(_modes_of(held["self"]))(held["func"])


def _modes_of(state: Any) -> dict[str, Any]:
    """What a state asks for: what is the same in whatever state it is entered."""
    found = []
    for outer in ("ignore", "warn"):
        with np.errstate(all=outer):
            found.append(state(np.geterr)())
    return {kind: mode for kind, mode in found[0].items() if mode == found[1][kind]}


class _Decorator(ContextDecorator):
    """Has a function run in a state; each call in one of its own."""

    def __init__(self, modes: dict[str, Any]) -> None:
        self._modes = modes

    def _recreate_cm(self) -> Any:
        entered = told_by(np.errstate, (), self._modes)
        assert entered is not None, "`np.errstate` is one that is entered"
        return entered()
