"""Has elements be written at once where another loop would have put them.

::

    t = memory(n)
    for i in range(n):                          for k in range(n):
        t[i] = x[i + 1] + y[i]          ⇒           x[k + 1] = x[k + 1] + y[k]
    for k in range(n):
        x[k + 1] = t[k]

A part of an array that is assigned is computed before anything is written, as in NumPy. Where each element is
computed of others than those that are written, or of the one in whose place it comes, nobody sees that; but
where two turns write to one place (`x[[0, 0]] += 1`), the second one reads what was there before both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from autograph_base.dataclass import dataclass
from runtime.executors.native.language.expressions import linear
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Copy,
    Expression,
    Fail,
    Fold,
    For,
    Function,
    If,
    Load,
    Number,
    Remember,
    Set,
    Statement,
    Store,
    Variable,
)
from runtime.executors.native.language.walking import (
    arrays_read,
    arrays_written,
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

__all__ = ["written_through"]

_HARMLESS = frozenset({Set, Fold, Store, Allocate, Copy, Remember, For, If, Fail})
"""Kinds of statements that may stand between the loops."""


@having(Allocate, For, Store)
def written_through(function: Function) -> Function:
    """A function with fewer arrays that are filled to be copied."""
    body = _Through(function).block(function.body)
    return function.with_body(body)


_LONGEST = 200
"""Parts of an expression in words of what was there before a turn, in which a number may stand many times."""


class _TooLong(Exception):
    """An expression has more parts."""


@dataclass(frozen=True)
class _Nest:
    """Loops inside one another, and a turn of the innermost: numbers, and elements that are written.

    Attributes
    ----------
    loops : tuple of For
    turn : tuple of Set and Store
    """

    loops: tuple[For, ...]
    turn: tuple[Set | Store, ...]

    @classmethod
    def of(cls, statement: Statement) -> _Nest | None:
        """Those that a statement is; None where there is more in it."""
        loops: list[For] = []
        while isinstance(statement, For):
            loops.append(statement)
            turn = tuple([each for each in statement.body if isinstance(each, Set | Store)])
            if len(turn) == len(statement.body):
                numbers = [each.variable for each in turn if isinstance(each, Set)]
                return cls(tuple(loops), turn) if len({*numbers}) == len(numbers) else None
            if len(statement.body) > 1:
                return None
            (statement,) = statement.body
        return None

    @property
    def stores(self) -> list[Store]:
        """What a turn writes."""
        return [each for each in self.turn if isinstance(each, Store)]

    @property
    def numbers(self) -> list[Set]:
        """What a turn computes."""
        return [each for each in self.turn if isinstance(each, Set)]

    def resolved(self, expression: Expression) -> Expression | None:
        """An expression in words of what was there before the turn; None where that is a long one."""
        known: Mapping[Expression, Expression] = {each.variable: each.value for each in self.numbers}
        left = _LONGEST

        def read(part: Expression) -> Expression:
            nonlocal left
            left -= 1
            if left < 0:
                raise _TooLong
            return (
                read(known[part]) if isinstance(part, Variable) and part in known else with_parts(part, read)
            )

        try:
            return read(expression)
        except _TooLong:
            return None

    def loads(self) -> Iterator[Load]:
        """The elements that a turn reads."""
        parts = (part for each in self.turn for one in expressions_in(each) for part in parts_of(one))
        return (part for part in parts if isinstance(part, Load))

    def of_turns(self, turn: Sequence[Statement]) -> Statement:
        """Loops as these, of other turns."""
        found = list(turn)
        for loop in reversed(self.loops):
            found = [For(loop.index, loop.count, found)]
        return found[0]


class _Through:
    """Looks for loops that only put elements in their places.

    Parameters
    ----------
    function : Function
    """

    def __init__(self, function: Function) -> None:
        self._memories = Memories(function)
        self._uses = uses_of(function)
        self._asked = Counter([name for each in inside(function.body) for name in numbers_in(each)])
        self._asked.update(each.name for each in function.results)

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Statements, with those inside."""
        found: list[Statement] = []
        for statement in statements:
            each = with_blocks(statement, self.block)
            nest = _Nest.of(each)
            if nest is None or not self._goes_through(found, nest):
                found.append(each)
        return found

    def _goes_through(self, found: list[Statement], second: _Nest) -> bool:
        """Has the loops that fill what `second` puts in its place do that, if it may be."""
        *_, last = second.turn
        moved = second.resolved(last.value) if isinstance(last, Store) and len(second.stores) == 1 else None
        if not isinstance(moved, Load) or self._uses[moved.array.name] != 2:
            return False
        name = moved.array.name
        filling = [place for place, each in enumerate(found) if name in _written_by(each)]
        made = [place for place, each in enumerate(found) if _makes(each, name)]
        first = _Nest.of(found[filling[0]]) if len(filling) == len(made) == 1 else None
        filled = [each for each in first.stores if each.array.name == name] if first is not None else []
        if (
            first is None
            or len(filled) != 1
            or not self._is_alike(first, second, filled[0].place, moved.place)
        ):
            return False
        between = found[filling[0] + 1 :]
        if not self._may_wait(first, between) or not self._is_safe(first, second, name):
            return False
        found.append(second.of_turns(_together(first, second, filled[0])))
        for place in sorted((filling[0], made[0]), reverse=True):
            del found[place]
        return True

    def _is_alike(self, first: _Nest, second: _Nest, filled: Expression, moved: Expression) -> bool:
        """Whether both are about the same element in a turn; nobody asks for the numbers of the first."""
        if [each.count for each in first.loops] != [each.count for each in second.loops]:
            return False
        own = Counter([name for each in first.turn for name in numbers_in(each)])
        is_alone = all(self._asked[each.variable.name] == own[each.variable.name] for each in first.numbers)
        return is_alone and _is_same_place(first, second, filled, moved)

    def _may_wait(self, first: _Nest, between: Sequence[Statement]) -> bool:
        """Whether the first loops may as well run behind some statements."""
        if not kinds_in(between) <= _HARMLESS:
            return False
        loads, stores = (
            {self._memories.of(each.array.name) for each in some} for some in (first.loads(), first.stores)
        )
        numbers = {name for each in inside([first.loops[0]]) for name in numbers_in(each)}
        read = {self._memories.of(name) for each in inside(between) for name in arrays_read(each)}
        written = {self._memories.of(name) for each in between for name in _written_by(each)}
        return not (loads | stores) & written and not stores & read and not numbers & {*changed_by(between)}

    def _is_safe(self, first: _Nest, second: _Nest, filled: str) -> bool:
        """Whether no turn reads or writes what another one has written, but for the array that is filled."""
        (store,) = second.stores
        memory, place = self._memories.of(store.array.name), second.resolved(store.place)
        stores = {self._memories.of(each.array.name) for each in first.stores}
        asked = {name for each in second.turn for name in arrays_read(each)} - {filled}
        if place is None or stores & {self._memories.of(name) for name in asked}:
            return False
        loads = [load for load in first.loads() if self._memories.of(load.array.name) == memory]
        return not loads or (
            _is_turns_own(second.loops, place)
            and all(
                load.array.name == store.array.name and _is_same_place(first, second, load.place, place)
                for load in loads
            )
        )


def _makes(statement: Statement, name: str) -> bool:
    return isinstance(statement, Allocate) and statement.array.name == name


def _written_by(statement: Statement) -> set[str]:
    return {name for each in inside([statement]) for name in arrays_written(each)}


def _in_words_of(first: _Nest, second: _Nest, expression: Expression) -> Expression:
    """An expression of the first loops with the indices of the second ones."""
    pairs = zip(first.loops, second.loops, strict=True)
    indices: dict[Expression, Variable] = {one.index: other.index for one, other in pairs}

    def read(part: Expression) -> Expression:
        return indices[part] if part in indices else with_parts(part, read)

    return read(expression)


def _together(first: _Nest, second: _Nest, filled: Store) -> list[Statement]:
    """A turn of the first loops, and then one of the second, which has the element at hand."""

    def read(expression: Expression) -> Expression:
        return _in_words_of(first, second, expression)

    (store,) = second.stores
    element = Variable(f"{filled.array.name}.element", filled.array.dtype)
    turn = [Set(element, each.value) if each is filled else each for each in first.turn]
    own = [each for each in second.numbers if filled.array.name not in arrays_read(each)]
    return [*rewritten(turn, read, lambda _: True), *own, Store(store.array, store.place, element)]


def _is_same_place(first: _Nest, second: _Nest, own: Expression, place: Expression) -> bool:
    """Whether a place in a turn of the first loops is one in the same turn of the second ones."""
    resolved = first.resolved(own)
    return resolved is not None and _is_same(_in_words_of(first, second, resolved), place)


def _is_turns_own(loops: Sequence[For], place: Expression) -> bool:
    """Whether every turn of loops has another place: indices that are looked up may name one twice."""
    *around, loop = loops
    match place:
        case Apply("add", (Apply("multiply", (row, length)), column)) if around and loop.count == length:
            return column == loop.index and _is_turns_own(around, row)
    known = linear(place)
    if known is None:
        return False
    terms, _ = known
    reach = 0  # of the loops inside
    for each in reversed(loops):
        factor = terms.get(each.index, 0)
        if factor <= reach:
            return False
        if each is not loops[0]:
            if not isinstance(each.count, Number):
                return False
            reach += factor * max(int(each.count.value) - 1, 0)
    return True


def _is_same(one: Expression, other: Expression) -> bool:
    """Whether two places are the same one in each turn."""
    if one == other:
        return True
    known, found = linear(one), linear(other)
    return known is not None and known == found
