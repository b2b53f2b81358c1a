"""Errors of a run say where: ours in their message, and Python's own in a note, with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.errors import Error, as_ours
from runtime.graph.graph import Node
from runtime.graph.location import UNKNOWN, Location
from runtime.ops.raising import Raise, Reraise

__all__ = ["Compiled", "located"]

Compiled: TypeAlias = Callable[[Sequence[Any]], list[Any]]
"""Arrays for a graph's inputs to arrays for its outputs."""

_OPENING = "while the graph ran this line:"


@dataclass(frozen=True)
class _Running:
    """The line of a node that was running."""

    location: Location

    def describe(self) -> str:
        return f"{_OPENING}\n{self.location.describe()}"


def located(error: Exception, node: Node | None) -> Exception:
    """The error to raise for what `node` raised: of our own type where a kernel met an index or a shape.

    It says the user's file and line, unless a graph further in has already said it. A message that is
    Python's or the user's own stays as it is, and a note says the line. An exception that the program raises
    keeps its type, too.
    """
    if _is_located(error):
        return error
    raised = node is not None and isinstance(node.op, (Raise, Reraise))
    if not raised:
        error = as_ours(error)
    if node is None or node.location == UNKNOWN:
        return error
    running = _Running(node.location)
    if isinstance(error, Error) and not error.verbatim and not raised:
        error.where = running
    else:
        error.add_note(running.describe())
    return error


def _is_located(error: Exception) -> bool:
    if isinstance(error, Error) and isinstance(error.where, _Running):
        return True
    return any(str(note).startswith(_OPENING) for note in getattr(error, "__notes__", ()))
