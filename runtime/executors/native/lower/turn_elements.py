"""Which elements of arrays a turn of a loop reads and stores, and which arrays may be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType
from runtime.executors.native.language.elements_read import ElementsRead
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Expression,
    For,
    If,
    Load,
    Number,
    Rows,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_in, changes_of, expressions_in, parts_of
from runtime.executors.native.lower.sums import Sum, sum_of

__all__ = ["ANYWHERE", "Element", "Memories", "TurnElements"]

ANYWHERE = Sum((), -1)
"""A place that nobody knows."""


@dataclass(frozen=True)
class Element:
    """An element that a turn reads or stores.

    Attributes
    ----------
    array : str
        Its array, as that is called before the loop.
    place : Sum
    is_stored, is_certain : bool
        Whether it is stored, and whether that, or reading it, happens in every turn.
    dtype : DType
    """

    array: str
    place: Sum
    is_stored: bool
    is_certain: bool
    dtype: DType


class TurnElements:
    """What a turn of a loop reads and stores."""

    def __init__(self, loop: For) -> None:
        self.loop = loop
        self._changed = frozenset(changed_in(loop.body))
        self.elements: list[Element] = []
        self.found: dict[int, Element] = {}
        """By the identities of what reads and stores."""
        self._exposed: set[str] = set()
        self.variables: dict[str, Variable] = {}

    def look(self) -> bool:
        """Looks at all of them; whether it is known which they are."""
        names: dict[str, str] = {}
        return self._block(self.loop.body, ElementsRead(self._changed), names, is_certain=True) and all(
            names.get(each, each) == each for each in self._exposed
        )

    def _block(
        self, statements: Sequence[Statement], turn: ElementsRead, names: dict[str, str], *, is_certain: bool
    ) -> bool:
        for each in statements:
            parts = [part for value in expressions_in(each) for part in parts_of(value)]
            touched = [part for part in [*parts, each] if isinstance(part, Load | Store)]
            for what in touched:
                root = self._root(what.array.name, names)
                if not self._note(what, turn, root, is_certain=is_certain):
                    return False
            match each:
                case Alias(array, of):
                    names[array.name] = self._root(of.name, names)
                case If(_, then, orelse):
                    arms = []
                    for arm in (then, orelse):
                        inner, own = ElementsRead(self._changed, dict(turn.numbers)), dict(names)
                        if not self._block(arm, inner, own, is_certain=False):
                            return False
                        arms.append(own)
                    if arms[0] != arms[1]:
                        return False
                    names.update(arms[0])
            turn.hear(each)
        return True

    def _root(self, name: str, names: Mapping[str, str]) -> str:
        if name not in names:
            self._exposed.add(name)
        return names.get(name, name)

    def _note(self, what: Load | Store, turn: ElementsRead, root: str, *, is_certain: bool) -> bool:
        """Notes an element; whether it is the same wherever this is read."""
        known = turn.known(what.place)
        place = None if known is None else sum_of(known, {})
        for part in parts_of(known) if known is not None else ():
            if isinstance(part, Variable):
                self.variables[part.name] = part
        where = ANYWHERE if place is None else place
        element = Element(root, where, isinstance(what, Store), is_certain, what.array.dtype)
        self.elements.append(element)
        found = self.found.setdefault(id(what), element)
        return (found.array, found.place) == (root, where)

    def stored(self) -> list[str]:
        """The arrays that a turn stores to."""
        return list(dict.fromkeys(each.array for each in self.elements if each.is_stored))

    def step(self, place: Sum) -> int:
        """How far a place moves from turn to turn."""
        return dict(place.terms).get(self.loop.index.name, 0)

    def is_certain(self, element: Element) -> bool:
        """Whether every turn reads or stores it."""
        alike = [each for each in self.elements if (each.array, each.place) == (element.array, element.place)]
        return any(each.is_certain for each in alike)

    def is_apart(self, array: str, memories: Memories) -> bool:
        """Whether no other array of a turn may be this one."""
        others = {each.array for each in self.elements} - {array}
        return memories.is_own(array) and not any(memories.is_one(array, each) for each in others)


class Memories:
    """Which arrays of a function may be one.

    Parameters
    ----------
    statements : sequence of Statement
        Of the function, with those inside.
    """

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._origin: dict[str, str] = {}
        self._counts: dict[str, list[Expression]] = {}
        aliases = [each for each in statements if isinstance(each, Alias)]
        made = [each for each in statements if isinstance(each, Allocate)]
        for alias in aliases:
            self._origin[self._of(alias.array.name)] = self._of(alias.of.name)
        for each in made:
            self._counts.setdefault(self._of(each.array.name), []).append(each.count)
        loops = [each for each in statements if isinstance(each, For | While | Rows)]
        self._of_turns = {name for loop in loops for name in changes_of(loop)}
        """Numbers that are others in other turns."""
        known = {each.array.name for each in aliases} | {each.array.name for each in made}
        self._others = {self._of(each.of.name) for each in aliases if each.of.name not in known}

    def is_own(self, array: str) -> bool:
        """Whether the function has made the memory that it is."""
        return self._of(array) in self._counts and self._of(array) not in self._others

    def is_one(self, array: str, other: str) -> bool:
        """Whether two names may be of one memory."""
        return self._of(array) == self._of(other)

    def has(self, array: str, count: Expression) -> bool:
        """Whether it has so many elements at least."""
        counts = self._counts.get(self._of(array), [])
        if isinstance(count, Number):
            return all(isinstance(each, Number) and each.value >= count.value for each in counts)
        is_one = isinstance(count, Variable) and count.name not in self._of_turns
        return is_one and all(each == count for each in counts)

    def _of(self, name: str) -> str:
        while name in self._origin and self._origin[name] != name:
            name = self._origin[name]
        return name
