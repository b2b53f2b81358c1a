"""`np.errstate` in a program: how NumPy tells errors of floats, where the nodes that are made inside run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tracing import tracing
from runtime.errors import GraphError
from runtime.graph.location import caller_location

__all__ = ["Telling", "told_by"]

_KINDS = "divide", "over", "under", "invalid"


def told_by(callee: Any, args: Sequence[Any], modes: dict[str, Any]) -> Callable[[], Any] | None:
    """What a call of `np.errstate` gives while a program is traced; None for `np.seterr`.

    Raises
    ------
    GraphError
        Where it asks for more than warnings or silence: errors of floats show when the graph runs.
    """
    loud = [mode for mode in (*args, *modes.values()) if mode not in {None, "ignore", "warn"}]
    if loud:
        name = callee.__name__
        raise GraphError(
            f"`np.{name}` is asked for {loud[0]!r} in a function that becomes a graph",
            where=caller_location(),
            why="Which operations run, and in which order, is up to the graph, so none is the first one.",
            way_out="Put `with np.errstate(…):` around the call of the function, or test with `np.isfinite`.",
        )
    return (lambda: Telling(**modes)) if callee is np.errstate else None


class Telling(np.errstate):
    """A state that also holds for what is traced inside, whenever that runs."""

    def __init__(self, **modes: Any) -> None:
        super().__init__(**modes)
        everything = modes.get("all")
        wanted = {kind: modes.get(kind) or everything for kind in _KINDS}
        self._told = {kind: mode for kind, mode in wanted.items() if mode}

    def __enter__(self) -> None:
        super().__enter__()
        self._outer = tracing.told
        tracing.told = tuple({**dict(self._outer), **self._told}.items())

    def __exit__(self, *raised: Any) -> None:
        tracing.told = self._outer
        super().__exit__(*raised)
