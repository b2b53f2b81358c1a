"""Errors of a run say where: the exception gains a note with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from runtime.errors import as_ours
from runtime.graph.location import UNKNOWN, Location

__all__ = ["Compiled", "located"]

Compiled: TypeAlias = Callable[[Sequence[Any]], list[Any]]
"""Arrays for a graph's inputs to arrays for its outputs."""

_OPENING = "while the graph ran this line:"


def located(error: Exception, location: Location) -> Exception:
    """The error to raise for what a kernel raised: of our own type where it is about an index or a shape.

    It says the user's file and line in a note, unless a graph further in has already added one.
    """
    error = as_ours(error)
    notes = getattr(error, "__notes__", ())
    if location != UNKNOWN and not any(str(note).startswith(_OPENING) for note in notes):
        error.add_note(f"{_OPENING}\n{location.describe()}")
    return error
