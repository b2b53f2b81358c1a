"""Which elements a turn of a loop has read before, whatever names their indices have."""

from __future__ import annotations

from dataclasses import field

from autograph_base.dataclass import dataclass
from runtime.executors.native.language.loops import Expression, Load, Set, Statement, Variable
from runtime.executors.native.language.walking import changes_of, expressions_in, parts_of, with_parts

__all__ = ["ElementsRead"]

_DEEPEST = 16
"""Parts of an index."""


@dataclass
class ElementsRead:
    """What is known in the middle of a turn: which elements it has read.

    Attributes
    ----------
    changed : frozenset of str
        The numbers that turns change; the index is none of them.
    numbers : dict of str to Expression
        What numbers of the turn are, of those that stay.
    read : set of (str, Expression)
        The elements that were read, by the names of their arrays.
    """

    changed: frozenset[str]
    numbers: dict[str, Expression] = field(default_factory=dict)
    read: set[tuple[str, Expression]] = field(default_factory=set)

    def known(self, place: Expression) -> Expression | None:
        """An index, of the numbers that stay; None where it is made of others."""

        def read(part: Expression) -> Expression:
            if isinstance(part, Variable):
                return self.numbers.get(part.name, part)
            return with_parts(part, read)

        found = read(place)
        parts = list(parts_of(found))
        is_known = all(
            not isinstance(part, Load) and not (isinstance(part, Variable) and part.name in self.changed)
            for part in parts
        )
        return found if is_known and len(parts) <= _DEEPEST else None

    def look(self, statement: Statement) -> None:
        """Notes the elements that a statement itself reads."""
        for expression in expressions_in(statement):
            for part in parts_of(expression):
                if isinstance(part, Load) and (place := self.known(part.place)) is not None:
                    self.read.add((part.array.name, place))

    def hear(self, statement: Statement) -> None:
        """Forgets what a statement changes, and learns what it sets."""
        names = changes_of(statement)
        for name in names:
            self.numbers.pop(name, None)
        self.read = {each for each in self.read if each[0] not in names}
        if isinstance(statement, Set) and (now := self.known(statement.value)) is not None:
            self.numbers[statement.variable.name] = now
