"""Containers whose values a list of the graph has taken over: they are no longer the elements of that list.

A list that grows in a graph keeps its elements as values of the graph. A row that is put into it is copied,
and a row that is read is another copy. Nobody can tell as long as none of them changes; a change is refused.

    rows.append(row)         `rows` has the numbers of `row`
    row.append(x)            refused: in Python, `rows[-1]` would have `x`, too
    rows[i][j] = x           written to `rows`, where nobody holds a row of it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.staging import heap
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
        """Lets it be changed by who writes it back to the list: nobody may read what was there before."""
        others = [each for each in staging.copies.values() if each is not self and each.home is self.home]
        outdated = {id(each.value): (each.value, _Outdated(each)) for each in others}
        heap.outdate({**staging.outdated, **outdated})
        del staging.copies[id(self.value)]


@dataclass
class _Outdated:
    """A container whose list has been written to since.

    Parameters
    ----------
    copied : Copied
    """

    copied: Copied

    def refuse(self) -> None:
        """Says that it is read."""
        kind = getattr(self.copied.value, "built", type(self.copied.value)).__name__
        raise StateDisagrees(
            f"a {kind} that is an element of a list which grows in a graph is read after the list changed",
            where=caller_location(),
            why="The list keeps the values of its elements: what was taken before does not see the change.",
            way_out="Take the element from the list again: `rows[i]`.",
        )


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
