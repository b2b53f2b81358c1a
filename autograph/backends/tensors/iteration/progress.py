"""The state of a staged iterator: not started, exhausted, or left by a loop at an unknown position."""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.staging.meeting import note_made
from autograph.staging.notes import listener, note
from autograph.staging.places import Attribute
from runtime.errors import GraphError
from runtime.graph.build import is_symbolic

__all__ = ["EXHAUSTED", "FRESH", "LEFT", "Progress", "refuse_to_go_on"]

FRESH, EXHAUSTED, LEFT = 0, 1, 2


class Progress:
    """Base class of iterators of a graph, whose items are asked for once.

    Attributes
    ----------
    label : str
        What users call it.
    """

    label = "a generator expression"

    def __init__(self) -> None:
        self._progress: Any = FRESH
        self._made_under = listener()
        note_made(self)

    def starts(self) -> bool:
        """Whether there may be items; where a tensor decides that, nobody can go on with the iterator."""
        if is_symbolic(self._progress) or self._progress == LEFT:
            refuse_to_go_on(self.label)
        return bool(self._progress == FRESH)

    def become(self, progress: int) -> None:
        """Says how far it is, to the statements around, which may not happen, or happen again."""
        if listener() is not self._made_under:
            note(Attribute(self, "_progress", self.label))
        self._progress = progress


def refuse_to_go_on(label: str) -> NoReturn:
    """Says that nobody knows where an iterator stands.

    Raises
    ------
    GraphError
        Always.
    """
    raise GraphError(
        f"{label} is asked for items again",
        why="A loop of the graph may have left it early, and its place is not kept.",
        way_out="Make it again, or keep its items in a list.",
    )
