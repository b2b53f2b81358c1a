"""Objects that a structure refers to by number.

The graph holds the numbers, and the structure of what it gives says which objects they stand for. For another
call these may be others: those among its own arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.core.structure import Level, Structure

__all__ = ["Roster", "rosters_in", "with_rosters"]


class Roster(ABC):
    """What stands in a structure for objects by their numbers: `extra` of one.

    Attributes
    ----------
    kind : type
        The class of all of them.
    objects : list of object
    """

    __slots__ = ()
    kind: Any
    objects: list[Any]

    @abstractmethod
    def with_objects(self, objects: Sequence[Any]) -> Roster:
        """The same, for a run in which other objects are in their places."""


def rosters_in(part: Any) -> Iterator[Roster]:
    """The rosters in a level, a structure, or what either says beside (`extra`)."""
    if isinstance(part, Roster):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from rosters_in(each)
    elif isinstance(part, Level | Structure):
        yield from rosters_in(part.extra)
        if isinstance(part, Structure):
            yield from rosters_in(part.children)


def with_rosters(part: Any, now: Mapping[int, Roster]) -> Any:
    """The same level or structure with others in the places of its rosters, by the ids of these."""
    if isinstance(part, Roster):
        return now[id(part)]
    if isinstance(part, tuple):
        return tuple([with_rosters(each, now) for each in part])
    if isinstance(part, Level):
        return Level(part.kind, part.keys, with_rosters(part.extra, now))
    if isinstance(part, Structure):
        return Structure(
            part.kind, part.keys, with_rosters(part.children, now), with_rosters(part.extra, now)
        )
    return part
