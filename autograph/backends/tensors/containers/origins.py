"""Which containers those may be that statements have made: two of them may be one, or never are.

Where two paths leave lists in a variable, it has a list of its own behind them. In Python that is one of the
two, by the way that the run takes. What one statement has made of two variables is one object where a way of
it is known to have had one object in both.

    longest = row if is_longer else longest    by one way `row`, by the other one what it was
    row = [] if is_longer else row             by one way a new list, by the other one `row`: never the same

So two containers are followed to where they come from at once, the younger one first, and both by one way
where one statement has made both. What a turn of a loop starts with, the loop has started with, or a turn
before has left. One of several objects that a tensor chooses is followed as a whole: its number is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from autograph.backends.tensors.containers.lists import changes_in_place
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, number_of
from autograph.staging import meeting
from autograph.staging.context import staging
from runtime.graph.symbol import Symbol

__all__ = [
    "Origins",
    "is_followed",
    "known_by",
    "may_be_one",
    "new_way",
    "note_made_by",
    "note_origin",
    "origins_of",
]

new_way = itertools.count().__next__
"""A number for a way through a statement, greater than all before."""

_FROM_TURN = -1
"""The way of what a turn before has left."""


class Origins:
    """What a container may be that a statement has made, or one of several objects.

    Parameters
    ----------
    made : container or number
    age : int
        That of the statement: the number of the first of its ways.
    begun : int, optional
        Of what a turn of a loop starts with: when the loop was begun.

    Attributes
    ----------
    ways : dict of int to list
        By the ways through the statement, what it is where the run has taken that.
    """

    def __init__(self, made: Any, age: int, begun: int | None = None) -> None:
        self.made = made
        self.age = age
        self.begun = begun
        self.ways: dict[int, list[Any]] = {}

    def add(self, way: int, original: Any) -> None:
        """Says that it is this one, where the run has taken that way."""
        self.ways.setdefault(way, []).append(original)

    @property
    def is_of_start(self) -> bool:
        """Whether it may be something, of what a turn starts with, that the loop starts with."""
        return any(way != _FROM_TURN for way in self.ways)

    def left(self, by_turn: Iterable[Any]) -> None:
        """Says what the turn has left for the next one, of what a turn starts with."""
        self.ways[_FROM_TURN] = [*by_turn]

    def steps(self, other: Any) -> list[tuple[Any, Any]]:
        """Pairs of which one has to be one object, where it is one with something older."""
        return [
            (each, other)
            for way, found in self.ways.items()
            for each in found
            if way != _FROM_TURN or not self._is_of_turn(other)
        ]

    def steps_with(self, other: Origins) -> list[tuple[Any, Any]]:
        """The same, where it is one with something that the same statement has made."""
        return [
            (one, another)
            for way, found in self.ways.items()
            for one in found
            for another in other.ways.get(way, ())
        ]

    def _is_of_turn(self, other: Any) -> bool:
        """Whether a turn makes an object anew, so that none before has left it."""
        return self.begun is not None and meeting.is_made_since(other, self.begun)


def is_followed(value: Any) -> bool:
    """Whether something is a container, or one of several objects."""
    return isinstance(value, OneOf) or changes_in_place(value)


def note_made_by(way: int, value: Any, begun: int | None) -> None:
    """Notes one of the ways in which a statement may have made this."""
    known = known_by(value)
    staging.origins.setdefault(id(known), Origins(known, way, begun))


def note_origin(way: int, one: Any, value: Any) -> None:
    """Says that a value that a statement has made is this one, where the run has taken this way."""
    found = origins_of(value)
    if found is not None and known_by(one) is not found.made and is_followed(one):
        found.add(way, one)


def origins_of(value: Any) -> Origins | None:
    """What something may be that a statement has made; None of others."""
    found: Origins | None = staging.origins.get(id(known_by(value)))
    return found


def may_be_one(one: Any, other: Any) -> bool:
    """Whether two of these are one object by some ways through the statements that have made them."""
    pending, seen = [(one, other)], set[tuple[int, int]]()
    while pending:
        left, right = map(_original, pending.pop())
        first, second = known_by(left), known_by(right)
        if first is second:
            return True
        if (id(first), id(second)) not in seen:
            seen |= {(id(first), id(second)), (id(second), id(first))}
            pending += _steps(left, right)
    return False


def _steps(one: Any, other: Any) -> list[tuple[Any, Any]]:
    """Pairs of which one has to be one object, where these two are one."""
    first, second = origins_of(one), origins_of(other)
    if isinstance(one, OneOf) and (first is None or not first.ways):
        return [(each, other) for each in candidates_of(one)]
    if isinstance(other, OneOf) and (second is None or not second.ways):
        return [(one, each) for each in candidates_of(other)]
    if first is not None and second is not None and first.age == second.age:
        return first.steps_with(second)
    if first is not None and (second is None or first.age > second.age):
        return first.steps(other)
    return [] if second is None else second.steps(one)


def known_by(value: Any) -> Any:
    """What something has, and nothing else: a choice is told by its number, a container by itself."""
    if not isinstance(value, OneOf):
        return value
    number = number_of(value)
    return number.value if isinstance(number, Symbol) else value


def _original(value: Any) -> Any:
    group = staging.groups.get(id(value))
    return value if group is None else group.original(value)
