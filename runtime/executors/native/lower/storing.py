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

from runtime.executors.native.language.elements_read import ElementsRead
from runtime.executors.native.language.loops import (
    Alias,
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
    bottom_up,
    changed_in,
    expressions_in,
    having,
    kinds_in,
    parts_of,
)

__all__ = ["storing_anyway"]

_PLAIN: frozenset[type] = frozenset({Alias, Fail, Fold, If, Lap, Set, Store})
"""What a turn may be made of."""
_LARGEST = 8
"""Statements of a branch that is little next to a store."""


@having(For, Store)
def storing_anyway(function: Function) -> Function:
    """A function whose loops store where that is all that a branch decides about."""
    made: list[Variable] = []

    def statement(each: Statement) -> Statement:
        if isinstance(each, For) and kinds_in(each.body) <= _PLAIN and Store in kinds_in(each.body):
            turn = as_before(_turn(each, made), each.body)
            return each if turn is each.body else For(each.index, each.count, turn)
        return each

    return bottom_up(function, statement)


def _turn(loop: For, made: list[Variable]) -> list[Statement]:
    turn = ElementsRead(frozenset(changed_in(loop.body)))
    found: list[Statement] = []
    for each in loop.body:
        turn.look(each)
        new = _stored(each, turn, made) if isinstance(each, If) else None
        found += [each] if new is None else new
        turn.hear(each)
    return found


def _stored(branch: If, turn: ElementsRead, made: list[Variable]) -> list[Statement] | None:
    """A branch, and stores behind it; None where it stays as it is."""
    stores = [each for each in branch.then if isinstance(each, Store)]
    kinds = kinds_in([*branch.then, *branch.orelse])
    if not stores or not kinds <= {Set, Store, Alias} or Store in kinds_in(branch.orelse):
        return None
    first = next(place for place, each in enumerate(branch.then) if isinstance(each, Store))
    later = [part for each in branch.then[first:] for one in expressions_in(each) for part in parts_of(one)]
    if branch.is_rare or len(branch.then) > _LARGEST or any(isinstance(part, Load) for part in later):
        return None
    inner = ElementsRead(turn.changed, dict(turn.numbers), turn.read)
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
