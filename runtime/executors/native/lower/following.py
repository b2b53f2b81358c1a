"""Has a loop that writes rows back follow the one that computes them, a few rows behind.

::

    for i in range(n):                          for i in range(n + 1):
        for j in range(m):                          if i < n:
            t[i, j] = x[i, j] + x[i + 2, j]             for j in range(m):
    for k in range(n):                  ⇒                   t[i % 2, j] = x[i, j] + x[i + 2, j]
        for j in range(m):                          if i >= 1:
            x[k + 1, j] = t[k, j]                       for j in range(m):
                                                            x[i, j] = t[(i - 1) % 2, j]

A row of an array is written as soon as nothing reads any more what it was: a sweep of a stencil then goes
through memory once, and what is computed meanwhile is a few rows that stay near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.expressions import linear
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Expression,
    Fold,
    For,
    Function,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.language.walking import (
    changed_by,
    expressions_in,
    having,
    inside,
    kinds_in,
    numbers_in,
    parts_of,
    rewritten,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower.memories import Memories, uses_of

__all__ = ["following"]

_MOST_BEHIND = 3
"""Rows that a loop may be behind the other."""
_MOST_NUMBERS = 1 << 18
"""Numbers of an array that several threads had better compute."""


@having(Allocate, For)
def following(function: Function) -> Function:
    """A function in which loops follow others."""
    body = _Following(function).block(function.body)
    return function.with_body(body)


class _Following:
    """Looks for loops in a function.

    Parameters
    ----------
    function : Function
    """

    def __init__(self, function: Function) -> None:
        self._memories = Memories(function)
        self._uses = uses_of(function)

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Statements, with those inside."""
        found: list[Statement] = []
        for statement in statements:
            each = with_blocks(statement, self.block)
            if not (isinstance(each, For) and self._follows(found, each)):
                found.append(each)
        return found

    def _follows(self, found: list[Statement], second: For) -> bool:
        """Has a loop follow the last one that there is, if it may."""
        first = found[-1] if found else None
        if not (isinstance(first, For) and _is_of_rows(first) and _is_of_rows(second)):
            return False
        count = first.count
        if not isinstance(count, Number) or count != second.count:
            return False
        made = {each.array.name: place for place, each in enumerate(found) if isinstance(each, Allocate)}
        one, other = _Accesses(first), _Accesses(second)
        if set(one.written) - set(made) or not _are_apart(first, second):
            return False
        behind, turns = self._behind(one, other), int(count.value)
        if behind is None or not 0 < behind <= min(_MOST_BEHIND, turns - 1):
            return False
        lengths = {name: self._row(name, one, other) for name in one.written}
        rows = {name: length for name, length in lengths.items() if length is not None}
        if len(rows) != len(lengths) or max(rows.values()) * turns > _MOST_NUMBERS:
            return False
        kept = 1 << behind.bit_length()
        for name, length in rows.items():
            memory = found[made[name]]
            assert isinstance(memory, Allocate), "it was made there"
            found[made[name]] = Allocate(memory.array, Number(kept * length, int64))
        found[-1] = _together(first, second, behind, rows, kept)
        return True

    def _row(self, name: str, one: _Accesses, other: _Accesses) -> int | None:
        """How long the rows of an array are, of which each turn has its own; None where it has not."""
        places = [*one.written[name], *one.read.get(name, ()), *other.read.get(name, ())]
        if self._uses[name] != len(places) or name in other.written:  # it is asked for elsewhere
            return None
        lengths = {place.length if place is not None and place.is_own_row else None for place in places}
        (length,) = lengths if len(lengths) == 1 else (None,)
        return length

    def _behind(self, one: _Accesses, other: _Accesses) -> int | None:
        """How many turns the second loop has to be behind the first; None where no number is enough."""
        written: dict[str, list[tuple[str, _Place | None]]] = {}
        for name, places in other.written.items():
            written.setdefault(self._memories.of(name), []).extend((name, place) for place in places)
        behind = 0
        for name, places in one.read.items():
            for to, target in written.get(self._memories.of(name), ()):
                for place in places:
                    if to != name or place is None or target is None or not place.is_like(target):
                        return None
                    behind = max(behind, (target.last - place.first) // place.length)
        return behind


@dataclass(frozen=True)
class _Place:
    """The elements of an array that a turn asks for at some place: from one on, up to another.

    Attributes
    ----------
    length : int
        How far those of the next turn are away.
    first, last : int
        Of turn 0, but for what no turn changes.
    rest : frozenset of pairs
        What no turn changes: numbers, each with its factor.
    """

    length: int
    first: int
    last: int
    rest: frozenset[tuple[Variable, int]]

    @property
    def is_own_row(self) -> bool:
        """Whether no other turn asks for them, where these are rows from the beginning of an array."""
        return not self.rest and 0 <= self.first <= self.last < self.length

    def is_like(self, other: _Place) -> bool:
        """Whether turns go on alike."""
        return self.length == other.length > 0 and self.rest == other.rest


class _Accesses:
    """Where the turns of a loop read and write each array; None for places that are not known."""

    def __init__(self, loop: For) -> None:
        self.read: dict[str, list[_Place | None]] = {}
        self.written: dict[str, list[_Place | None]] = {}
        self._index = loop.index
        sets = Counter(changed_by(loop.body))
        self._changed = set(sets)
        self._known = {
            each.variable: each.value
            for each in inside(loop.body)
            if isinstance(each, Set) and sets[each.variable.name] == 1
        }
        self._lengths = {
            each.index: int(each.count.value) if isinstance(each.count, Number) else 0
            for each in inside(loop.body)
            if isinstance(each, For)
        }
        for each in inside(loop.body):
            if isinstance(each, Store):
                self.written.setdefault(each.array.name, []).append(self._place(each.place))
            for expression in expressions_in(each):
                for part in parts_of(expression):
                    if isinstance(part, Load):
                        self.read.setdefault(part.array.name, []).append(self._place(part.place))

    def _place(self, place: Expression) -> _Place | None:
        found = linear(self._resolved(place))
        if found is None:
            return None
        terms, first = dict(found[0]), found[1]
        length, last = terms.pop(self._index, 0), first
        for variable in [each for each in terms if each in self._lengths]:
            factor = terms.pop(variable)
            last += factor * max(self._lengths[variable] - 1, 0)
            if not self._lengths[variable]:
                return None
        if any(variable.name in self._changed for variable in terms):
            return None
        return _Place(length, first, last, frozenset(terms.items()))

    def _resolved(self, place: Expression) -> Expression:
        """A place, in words of what was there before the turn."""
        if isinstance(place, Variable) and place in self._known:
            return self._resolved(self._known[place])
        if isinstance(place, Load):
            return place
        return with_parts(place, self._resolved)


def _is_of_rows(loop: For) -> bool:
    """Whether turns fill rows: they have loops, and nothing else that may end or call anything."""
    kinds = kinds_in(loop.body)
    return For in kinds and Store in kinds and kinds <= {Set, Fold, Store, For}


def _are_apart(first: For, second: For) -> bool:
    """Whether no number of one loop is that of the other."""
    loops = (first, second)
    changed = [{each.index.name, *changed_by(each.body)} for each in loops]
    read = [{name for one in inside(each.body) for name in numbers_in(one)} for each in loops]
    return not changed[0] & (read[1] | changed[1]) and not changed[1] & read[0]


def _together(first: For, second: For, behind: int, rows: Mapping[str, int], kept: int) -> For:
    """One loop of both, in which the second is some turns behind and what the first fills has few rows."""
    assert isinstance(first.count, Number), "it is known"
    index, count = first.index, int(first.count.value)
    one = _in_few_rows(first, rows, kept)
    other = _in_few_rows(second, rows, kept)
    is_first = Apply("less", (index, Number(count, int64)), bool_)
    is_second = Apply("greater_equal", (index, Number(behind, int64)), bool_)
    here = Set(second.index, Apply("subtract", (index, Number(behind, int64)), int64))
    body = [If(is_first, one, []), If(is_second, [here, *other], [])]
    return For(index, Number(count + behind, int64), body)


def _in_few_rows(loop: For, rows: Mapping[str, int], kept: int) -> list[Statement]:
    """A turn in which rows of some arrays take turns in few places."""
    shifts: dict[str, Variable] = {}
    front: list[Statement] = []
    for name, length in rows.items():
        shift = shifts[name] = Variable(f"{loop.index.name}.{name}", int64)
        place = Apply("bitwise_and", (loop.index, Number(kept - 1, int64)), int64)
        away = Apply("subtract", (place, loop.index), int64)
        front.append(Set(shift, multiply(away, length)))

    def read(expression: Expression) -> Expression:
        match expression:
            case Load(array, place) if array.name in shifts:
                return Load(array, add(shifts[array.name], read(place)))
        return with_parts(expression, read)

    def stored(statement: Statement) -> Statement:
        match statement:
            case Store(array, place, value) if array.name in shifts:
                return Store(array, add(shifts[array.name], place), value)
        return with_blocks(statement, lambda block: [stored(each) for each in block])

    return [*front, *[stored(each) for each in rewritten(loop.body, read, lambda _: True)]]
