"""Which containers anything but the values at hand holds: those are objects that the program may ask for.

Two lists that two paths leave in a variable are joined item by item where nothing else holds either of them:
nobody can tell that from one of the two. A list that has another name stays the object that it is, and the
variable chooses between objects.

    state = [x, y] if up else [0.0, 0.0]           a list of two numbers, each of them joined
    row = self.first if up else self.second        one of two lists

Python counts the references to an object. Those that the values at hand, and we ourselves, account for are
subtracted; whoever is left may be another name. When in doubt an object is one: that is right in any case.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from autograph.staging.context import staging
from runtime.core.structure import level_of

__all__ = ["OVERHEAD", "Holders", "held_elsewhere", "kept"]


class Holders:
    """The containers in some nests, and how many references the nests themselves account for.

    Attributes
    ----------
    containers : dict of int to container
        By id; tuples, too, for what a tuple holds is held by whoever holds the tuple.
    references : dict of int to int
        By id.
    direct : dict of int to int
        How often each is one of the values themselves, by id.
    """

    def __init__(self) -> None:
        self.containers: dict[int, Any] = {}
        self.references: dict[int, int] = {}
        self.direct: dict[int, int] = {}
        self._children: dict[int, list[int]] = {}
        self._twice: set[int] = set()

    def add(self, values: Iterable[Any], references: int = 1) -> None:
        """Counts values, and everything in them; what is among them twice is held by two of them."""
        values = list(values)
        for value in values:
            self.direct[id(value)] = self.direct.get(id(value), 0) + 1
        known = set(self.containers)
        self._twice |= {key for key in self._walk(values, references) if key not in known}

    def discount(self, values: Iterable[Any]) -> None:
        """Counts further references to the same values, as other rows of them have."""
        self._walk(list(values), 1)

    def _walk(self, values: list[Any], references: int) -> list[int]:
        """Counts; returns the containers that were there already when they were come upon."""
        pending = [(value, references) for value in values]
        values.clear()
        found = []
        while pending:
            value, times = pending.pop()
            level = level_of(value)
            if level is None:
                continue
            key = id(value)
            self.references[key] = self.references.get(key, 0) + times
            if key in self.containers:
                found.append(key)
                continue
            self.containers[key] = value
            children = list(level[1])
            self._children[key] = list(map(id, children))
            pending += [(child, 1) for child in children]
        return found

    def held(self, known: Collection[int] = ()) -> set[int]:
        """The ids of the containers that something else holds, and of those in them.

        Of those that are `known`, only what the values themselves hold twice.
        """
        found = [
            key
            for key in self.containers.keys() - set(known)
            if sys.getrefcount(self.containers[key]) > OVERHEAD + self.references[key] + kept(key)
        ]
        found += self._twice
        seen: set[int] = set()
        while found:
            key = found.pop()
            if key not in seen and key in self.containers:
                seen.add(key)
                found += self._children[key]
        return seen


def held_elsewhere(
    rows: Sequence[Sequence[Any]], copies: Iterable[Sequence[Any]], known: Collection[int]
) -> set[int]:
    """The ids of the containers in some rows that anything else holds; `copies` are rows of the same, too."""
    holders = Holders()
    for row in rows:
        holders.add(row)
    for copy in copies:
        holders.discount(copy)
    return holders.held(known)


def kept(key: int) -> int:
    """How many references we ourselves hold: what was met, what was looked into, and announced places."""
    count = (key in staging.met) + (key in staging.seen) + (key in staging.copies)
    places: set[int] = set()
    journal = staging.journal
    while journal is not None:
        entry = journal.before.get(("contents", key))
        places |= set() if entry is None else {id(entry[0])}
        journal = journal.around
    for known in staging.lasting:
        place = known.get(("contents", key))
        places |= set() if place is None else {id(place)}
    return count + len(places) + sum(held.get(key, 0) for held in staging.holding)


OVERHEAD = 2
"""References to a container while it is looked at: by the dict that it is found in, and by the argument."""
