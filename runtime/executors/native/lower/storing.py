"""An element that a turn has read, and that some turns store anew, is stored in every turn.

::

    for j in range(n):                      for j in range(n):
        t = row[j] + x                          t = row[j] + x
        less = t < y[j]                         less = t < y[j]
        if less:                        ⇒       if less:
            y[j] = t                                now = t
                                                else:
                                                    now = y[j]
                                                y[j] = now

There is no branch around a store then, but a choice between two numbers: vectors of it need no mask, with
which some processors store element by element, and an element that all turns share stays in a register.
Only where the index is known from the turn: of elements from anywhere, a store would have the next turn wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from runtime.core.dataclass import dataclass
from runtime.executors.native.language.loops import (
    Alias,
    Expression,
    Fail,
    Fold,
    For,
    Function,
    If,
    Lap,
    Load,
    Set,
    Statement,
    Store,
    Variable,
)
from runtime.executors.native.language.walking import (
    as_before,
    changed_in,
    changes_of,
    expressions_in,
    having,
    kinds_in,
    parts_of,
    with_blocks,
    with_parts,
)

__all__ = ["storing_anyway"]

_PLAIN: frozenset[type] = frozenset({Alias, Fail, Fold, If, Lap, Set, Store})
"""What a turn may be made of."""
_LARGEST = 8
"""Statements of a branch that is little next to a store."""
_DEEPEST = 16
"""Parts of an index."""


@having(For, Store)
def storing_anyway(function: Function) -> Function:
    """A function whose loops store where that is all that a branch decides about."""
    made: list[Variable] = []

    def block(statements: Sequence[Statement]) -> list[Statement]:
        return [statement(each) for each in statements]

    def statement(each: Statement) -> Statement:
        inner = with_blocks(each, block)
        if isinstance(inner, For) and kinds_in(inner.body) <= _PLAIN and Store in kinds_in(inner.body):
            turn = as_before(_turn(inner, made), inner.body)
            return inner if turn is inner.body else For(inner.index, inner.count, turn)
        return inner

    body = block(function.body)
    return Function(function.name, function.parameters, body, function.results, function.own)


@dataclass
class _Turn:
    """What is known in the middle of a turn.

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


def _turn(loop: For, made: list[Variable]) -> list[Statement]:
    turn = _Turn(frozenset(changed_in(loop.body)))
    found: list[Statement] = []
    for each in loop.body:
        turn.look(each)
        new = _stored(each, turn, made) if isinstance(each, If) else None
        found += [each] if new is None else new
        turn.hear(each)
    return found


def _stored(branch: If, turn: _Turn, made: list[Variable]) -> list[Statement] | None:
    """A branch, and stores behind it; None where it stays as it is."""
    stores = [each for each in branch.then if isinstance(each, Store)]
    kinds = kinds_in([*branch.then, *branch.orelse])
    if not stores or not kinds <= {Set, Store, Alias} or Store in kinds_in(branch.orelse):
        return None
    first = next(place for place, each in enumerate(branch.then) if isinstance(each, Store))
    later = [part for each in branch.then[first:] for one in expressions_in(each) for part in parts_of(one)]
    if branch.is_rare or len(branch.then) > _LARGEST or any(isinstance(part, Load) for part in later):
        return None
    inner = _Turn(turn.changed, dict(turn.numbers), turn.read)
    for each in branch.then:
        if isinstance(each, Set):
            inner.hear(each)
    names = changed_in([*branch.then, *branch.orelse])
    then, orelse, after = list(branch.then), list(branch.orelse), list[Statement]()
    for store in stores:
        place = inner.known(store.place)
        if place is None or (store.array.name, place) not in turn.read or store.array.name in names:
            return None
        now = Variable(f"{store.array.name}.now{len(made)}", store.array.dtype)
        made.append(now)
        then[then.index(store)] = Set(now, store.value)
        orelse.append(Set(now, Load(store.array, place)))
        after.append(Store(store.array, place, now))
    return [If(branch.test, then, orelse), *after]
