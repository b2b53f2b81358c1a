"""An element that all turns of a loop have in common is a number as long as the loop lasts.

::

                                            if n > 0 and (0 > k or n - 1 < k):
                                                now = y[k]
    for j in range(n):                          for j in range(n):
        if y[j] + x > y[k]:                         if y[j] + x > now:
            y[k] = y[j] + x         ⇒                   now = y[j] + x
                                                y[k] = now
                                            else:
                                                for j in range(n):
                                                    ...

LLVM has it in a register only where no other element of that array may be the same, of which it knows
nothing: a table of dynamic programming is one array. Here a comparison before the loop says whether an index
that moves comes to where the other one stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from runtime.core.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, int64
from runtime.executors.native.language.elements_read import ElementsRead
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Expression,
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
    changed_in,
    changes_of,
    expressions_in,
    inside,
    kinds_in,
    parts_of,
    rewritten,
    size_of,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower.sums import Sum, sum_of

__all__ = ["holding_elements"]

_MOST = 60
"""Statements of a loop that is not written twice."""
_PLAIN: frozenset[type] = frozenset({Alias, If, Set, Store})
"""What a turn may be made of."""


def holding_elements(function: Function) -> Function:
    """A function whose inner loops have in a number what all their turns read or store."""
    statements = list(inside(function.body))
    if not any(isinstance(each, For) for each in statements):
        return function
    maker = _Maker(_Memory(statements))
    body = maker.block(function.body, {})
    if maker.made == 0:
        return function
    return Function(function.name, function.parameters, body, function.results, function.own)


_Ends = Mapping[str, Expression]
"""Numbers that are not negative, and what they are less than."""


class _Maker:
    """A function in the making."""

    def __init__(self, memory: _Memory) -> None:
        self._memory = memory
        self.made = 0

    def block(self, statements: Sequence[Statement], ends: _Ends) -> list[Statement]:
        """A block of statements."""
        found: list[Statement] = []
        ends = dict(ends)
        for each in statements:
            if isinstance(each, For) and kinds_in(each.body) <= _PLAIN:
                found.append(self._held(each, ends) or each)
            else:
                within = {**ends, each.index.name: each.count} if isinstance(each, For) else ends
                here = {name: end for name, end in within.items() if name not in changes_of(each)}
                if isinstance(each, For):
                    here[each.index.name] = each.count
                found.append(with_blocks(each, partial(self.block, ends=here)))
            end = _end_of(each.value, ends) if isinstance(each, Set) else None
            for name in changes_of(each):
                ends.pop(name, None)
            if isinstance(each, Set) and end is not None:
                ends[each.variable.name] = end
        return found

    def _held(self, loop: For, ends: _Ends) -> If | None:
        """A loop in two forms; None where it stays as it is."""
        if Store not in kinds_in(loop.body) or size_of(loop.body) > _MOST:
            return None
        turn = _Turn(loop)
        if not turn.look():
            return None
        for array in turn.stored():
            element = turn.shared(array)
            if element is None or not self._is_there(turn, element, ends) or not self._is_apart(turn, array):
                continue
            test = turn.test(element, ends)
            if test is not None:
                self.made += 1
                return turn.with_number(element, f"{array}.held{self.made}", test)
        return None

    def _is_apart(self, turn: _Turn, array: str) -> bool:
        """Whether no other array of a turn may be this one."""
        others = {each.array for each in turn.elements} - {array}
        memory = self._memory
        return memory.is_own(array) and not any(memory.is_one(array, each) for each in others)

    def _is_there(self, turn: _Turn, element: _Element, ends: _Ends) -> bool:
        """Whether an element may be read before the turns: they all do, or its index is inside."""
        alike = [each for each in turn.elements if (each.array, each.place) == (element.array, element.place)]
        if any(each.is_certain for each in alike):
            return True
        match element.place:
            case Sum(((name, 1),), 0) if name in ends:
                return self._memory.has(element.array, ends[name])
        return False


def _end_of(value: Expression, ends: _Ends) -> Expression | None:
    """What a number is less than that is not negative, if that is known."""
    match value:
        case Variable(name):
            return ends.get(name)
        case Apply("add", (Variable(name), Number(more, dtype))) if dtype is int64 and more >= 0:
            end = ends.get(name)
            return Number(int(end.value) + int(more), int64) if isinstance(end, Number) else None
    return None


def _comes_to_zero(first: Sum, step: int, count: Expression, ends: _Ends) -> bool:
    """Whether a number that is this at first is known to go by zero, whatever the others are."""
    known = [ends.get(name) for name, _ in first.terms]
    if not isinstance(count, Number) or not all(isinstance(each, Number) for each in known):
        return False
    low = high = first.known
    for (_, factor), end in zip(first.terms, known, strict=True):
        most = factor * (int(end.value) - 1) if isinstance(end, Number) else 0
        low, high = low + min(most, 0), high + max(most, 0)
    way = step * (int(count.value) - 1)
    return high + min(way, 0) <= 0 <= low + max(way, 0)


@dataclass(frozen=True)
class _Element:
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


class _Turn:
    """What a turn of a loop reads and stores."""

    def __init__(self, loop: For) -> None:
        self._loop = loop
        self._changed = frozenset(changed_in(loop.body))
        self.elements: list[_Element] = []
        self._found: dict[int, _Element] = {}
        """By the identities of what reads and stores."""
        self._exposed: set[str] = set()
        self._variables: dict[str, Variable] = {}

    def look(self) -> bool:
        """Looks at all of them; whether it is known which they are."""
        names: dict[str, str] = {}
        return self._block(self._loop.body, ElementsRead(self._changed), names, is_certain=True) and all(
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
                self._variables[part.name] = part
        where = _ANYWHERE if place is None else place
        element = _Element(root, where, isinstance(what, Store), is_certain, what.array.dtype)
        self.elements.append(element)
        found = self._found.setdefault(id(what), element)
        return (found.array, found.place) == (root, where)

    def stored(self) -> list[str]:
        """The arrays that a turn stores to."""
        return list(dict.fromkeys(each.array for each in self.elements if each.is_stored))

    def shared(self, array: str) -> _Element | None:
        """The one element of an array that all turns have in common, beside others that move."""
        own = [each for each in self.elements if each.array == array]
        fixed = [each for each in own if not self._step(each.place)]
        if any(each.place is _ANYWHERE for each in own) or len({each.place for each in fixed}) != 1:
            return None
        is_stored = any(each.is_stored for each in fixed)
        if len(fixed) == len(own) or not (is_stored or any(each.is_stored for each in own)):
            return None
        return next((each for each in fixed if each.is_stored), fixed[0])

    def _step(self, place: Sum) -> int:
        return dict(place.terms).get(self._loop.index.name, 0)

    def test(self, element: _Element, ends: _Ends) -> Expression | None:
        """Whether there are turns, and none of them moves to an element; None where some always does."""
        count, index = self._loop.count, self._loop.index.name
        found: Expression = Apply("greater", (count, Number(0, int64)), bool_)
        own = [each for each in self.elements if each.array == element.array and self._step(each.place)]
        for place in dict.fromkeys(each.place for each in own if element.is_stored or each.is_stored):
            step = self._step(place)
            begin = place.plus(Sum(((index, step),)), -1)
            away = None if begin is None else begin.plus(element.place, -1)
            if away is None or _comes_to_zero(away, step, count, ends):
                return None
            first = self._written(away)
            last = add(first, multiply(step, add(count, -1)))
            low, high = (first, last) if step > 0 else (last, first)
            above = Apply("greater", (low, Number(0, int64)), bool_)
            below = Apply("less", (high, Number(0, int64)), bool_)
            found = Apply("logical_and", (found, Apply("logical_or", (above, below), bool_)), bool_)
        return found

    def _written(self, value: Sum) -> Expression:
        found: Expression = Number(value.known, int64)
        for name, factor in value.terms:
            found = add(multiply(factor, self._variables[name]), found)
        return found

    def with_number(self, element: _Element, name: str, test: Expression) -> If:
        """The loop where a test holds, with a number in the place of an element; else as it is."""
        now = Variable(name, element.dtype)

        def is_it(what: Load | Store) -> bool:
            found = self._found.get(id(what))
            return found is not None and (found.array, found.place) == (element.array, element.place)

        def read(part: Expression) -> Expression:
            return now if isinstance(part, Load) and is_it(part) else with_parts(part, read)

        def block(statements: Sequence[Statement]) -> list[Statement]:
            return [
                Set(now, each.value) if isinstance(each, Store) and is_it(each) else with_blocks(each, block)
                for each in statements
            ]

        array, place = Array(element.array, element.dtype), self._written(element.place)
        body = rewritten(block(self._loop.body), read, lambda _: True)
        last = [Store(array, place, now)] if element.is_stored else []
        loop = For(self._loop.index, self._loop.count, body)
        return If(test, [Set(now, Load(array, place)), loop, *last], [self._loop])


_ANYWHERE = Sum((), -1)
"""A place that nobody knows."""


class _Memory:
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
        return all(each == count for each in counts)

    def _of(self, name: str) -> str:
        while name in self._origin and self._origin[name] != name:
            name = self._origin[name]
        return name
