"""Errors of a run say where: ours in their message, and Python's own in a note, with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.errors import Error, as_ours
from runtime.graph.location import UNKNOWN, Location

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


def located(error: Exception, location: Location) -> Exception:
    """The error to raise for what a kernel raised: of our own type where it is about an index or a shape.

    It says the user's file and line, unless a graph further in has already said it. A message that is
    Python's or the user's own stays as it is, and a note says the line.
    """
    error = as_ours(error)
    if location == UNKNOWN:
        return error
    if isinstance(error, Error) and not error.verbatim:
        if not isinstance(error.where, _Running):
            error.where = _Running(location)
    elif not any(str(note).startswith(_OPENING) for note in getattr(error, "__notes__", ())):
        error.add_note(_Running(location).describe())
    return error
