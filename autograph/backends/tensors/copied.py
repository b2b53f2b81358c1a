"""Containers whose values a list of the graph has taken over: they are no longer the elements of that list.

A list that grows in a graph keeps its elements as values of the graph. A row that is put into it is copied,
and a row that is read is another copy. Nobody can tell as long as none of them changes; a change is refused.

    rows.append(row)         `rows` has the numbers of `row`
    row.append(x)            refused: in Python, `rows[-1]` would have `x`, too
    rows[i][j] = x           written to `rows`, where nobody holds a row of it
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from autograph.backends.tensors.holding import OVERHEAD, kept
from autograph.staging.context import staging
from runtime.core.structure import level_of
from runtime.errors import StateDisagrees
from runtime.graph.build import is_strict
from runtime.graph.location import caller_location

__all__ = ["Copied", "mark"]


@dataclass
class Copied:
    """A container that is, or was, an element of a list of the graph.

    Parameters
    ----------
    value : container
    home : object
        The list.
    """

    value: Any
    home: Any

    def refuse(self) -> None:
        """Says that it is about to be changed."""
        kind = getattr(self.value, "built", type(self.value)).__name__
        raise StateDisagrees(
            f"a {kind} that is an element of a list which grows in a graph is changed in place",
            where=caller_location(),
            why="The list keeps the values of its elements, so it would not see the change.",
            way_out="Make a new element, and assign that: `rows[i] = rows[i] + [x]`.",
        )

    def give_back(self) -> None:
        """Lets it be changed once, by who writes it back to the list: where no other element is held."""
        for other in list(staging.copies.values()):
            if other is not self and other.home is self.home and other.is_held:
                self.refuse()
        del staging.copies[id(self.value)]

    @property
    def is_held(self) -> bool:
        """Whether anybody but us has it; that we have it is counted among what is kept."""
        return sys.getrefcount(self.value) > OVERHEAD - 1 + kept(id(self.value))


def mark(element: Any, home: Any, changes: Any) -> Any:
    """The element, after all containers in it that may change are known to be copied."""
    if not is_strict():
        pending = [element]
        while pending:
            value = pending.pop()
            if changes(value):
                staging.copies[id(value)] = Copied(value, home)
            level = level_of(value)
            pending += [] if level is None else level[1]
    return element
