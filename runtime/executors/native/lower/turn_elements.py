"""Which elements of arrays a turn of a loop reads and stores, and which arrays may be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType
from runtime.executors.native.language.elements_read import ElementsRead
from runtime.executors.native.language.loops import Alias, For, If, Load, Statement, Store, Variable
from runtime.executors.native.language.walking import changed_in, expressions_in, parts_of
from runtime.executors.native.lower.memories import MadeMemories
from runtime.executors.native.lower.sums import Sum, sum_of

__all__ = ["ANYWHERE", "Element", "TurnElements"]

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

    def is_apart(self, array: str, memories: MadeMemories) -> bool:
        """Whether no other array of a turn may be this one."""
        others = {each.array for each in self.elements} - {array}
        return memories.is_own(array) and memories.of(array) not in map(memories.of, others)
