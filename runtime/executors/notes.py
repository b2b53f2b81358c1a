"""Errors of a run say where: the exception stays as it is and gains a note with the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from runtime.graph.location import UNKNOWN, Location

__all__ = ["Compiled", "note_location"]

Compiled: TypeAlias = Callable[[Sequence[Any]], list[Any]]
"""Arrays for a graph's inputs to arrays for its outputs."""

_OPENING = "while the graph ran this line:"


def note_location(error: BaseException, location: Location) -> None:
    """Adds the user's file and line to `error`, unless a graph further in has already done so."""
    notes = getattr(error, "__notes__", ())
    if location == UNKNOWN or any(str(note).startswith(_OPENING) for note in notes):
        return
    error.add_note(f"{_OPENING}\n{location.describe()}")
