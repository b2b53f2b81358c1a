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
that moves comes to where the other one stays. Where it is known that one turn stores the element, and no turn
reads another form of it, there are the turns before that one, it, and the turns behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Alias,
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
    changes_of,
    inside,
    kinds_in,
    rewritten,
    size_of,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower.memories import MadeMemories
from runtime.executors.native.lower.sums import Sum
from runtime.executors.native.lower.turn_elements import ANYWHERE, Element, TurnElements

__all__ = ["holding_elements"]

_MOST = 60
"""Statements of a loop that is not written twice."""
_PLAIN: frozenset[type] = frozenset({Alias, If, Set, Store})
"""What a turn may be made of."""


def holding_elements(function: Function) -> Function:
    """A function whose inner loops have in a number what all their turns read or store."""
    if not any(isinstance(each, For) for each in inside(function.body)):
        return function
    maker = _Maker(MadeMemories(function))
    body = maker.block(function.body, {})
    if maker.made == 0:
        return function
    return Function(function.name, function.parameters, body, function.results, function.own)


_Ends = Mapping[str, Expression]
"""Numbers that are not negative, and what they are less than."""


class _Maker:
    """A function in the making."""

    def __init__(self, memory: MadeMemories) -> None:
        self._memory = memory
        self.made = 0

    def block(self, statements: Sequence[Statement], ends: _Ends) -> list[Statement]:
        """A block of statements."""
        found: list[Statement] = []
        ends = dict(ends)
        for each in statements:
            if isinstance(each, For) and kinds_in(each.body) <= _PLAIN:
                found += self._held(each, ends) or [each]
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

    def _held(self, loop: For, ends: _Ends) -> list[Statement] | None:
        """A loop in two forms, or in parts; None where it stays as it is."""
        if Store not in kinds_in(loop.body) or size_of(loop.body) > _MOST:
            return None
        turn = _Turn(loop)
        if not turn.look():
            return None
        for array in turn.stored():
            element = turn.shared(array)
            if element is None or not self._is_there(turn, element, ends):
                continue
            if turn.is_apart(array, self._memory):
                self.made += 1
                found = turn.in_forms(element, f"{array}.held{self.made}", ends)
                return found or turn.in_parts(element, f"{array}.held{self.made}", ends)
        return None

    def _is_there(self, turn: _Turn, element: Element, ends: _Ends) -> bool:
        """Whether an element may be read before the turns: they all do, or its index is inside."""
        if turn.is_certain(element):
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
    """Whether a number that is this at first is known to go by zero in some turn, whatever the others are."""
    known = [ends.get(name) for name, _ in first.terms]
    if not isinstance(count, Number) or count.value < 1:
        return False
    if not all(isinstance(each, Number) for each in known):
        return False
    low = high = first.known
    for (_, factor), end in zip(first.terms, known, strict=True):
        most = factor * (int(end.value) - 1) if isinstance(end, Number) else 0
        low, high = low + min(most, 0), high + max(most, 0)
    way = step * (int(count.value) - 1)
    return high + min(way, 0) <= 0 <= low + max(way, 0)


class _Turn(TurnElements):
    """What a turn of a loop reads and stores, and the loop with a number in the place of an element."""

    def shared(self, array: str) -> Element | None:
        """The one element of an array that all turns have in common, beside others that move."""
        own = [each for each in self.elements if each.array == array]
        fixed = [each for each in own if not self.step(each.place)]
        if any(each.place is ANYWHERE for each in own) or len({each.place for each in fixed}) != 1:
            return None
        is_stored = any(each.is_stored for each in fixed)
        if len(fixed) == len(own) or not (is_stored or any(each.is_stored for each in own)):
            return None
        return next((each for each in fixed if each.is_stored), fixed[0])

    def _away(self, element: Element) -> list[tuple[Sum | None, int]]:
        """How far the places that move are away from an element at first, and their steps."""
        own = [each for each in self.elements if each.array == element.array and self.step(each.place)]
        found: list[tuple[Sum | None, int]] = []
        for place in dict.fromkeys(each.place for each in own if element.is_stored or each.is_stored):
            step = self.step(place)
            begin = place.plus(Sum(((self.loop.index.name, step),)), -1)
            found.append((None if begin is None else begin.plus(element.place, -1), step))
        return found

    def in_forms(self, element: Element, name: str, ends: _Ends) -> list[Statement] | None:
        """The loop with a number for an element, and as it is; None where some turn surely moves to it."""
        count = self.loop.count
        test: Expression = Apply("greater", (count, Number(0, int64)), bool_)
        for away, step in self._away(element):
            if away is None or _comes_to_zero(away, step, count, ends):
                return None
            first = self._written(away)
            last = add(first, multiply(step, add(count, -1)))
            low, high = (first, last) if step > 0 else (last, first)
            above = Apply("greater", (low, Number(0, int64)), bool_)
            below = Apply("less", (high, Number(0, int64)), bool_)
            test = Apply("logical_and", (test, Apply("logical_or", (above, below), bool_)), bool_)
        now = Variable(name, element.dtype)
        array, place = self._where(element)
        last_of_all = [Store(array, place, now)] if element.is_stored else []
        loop = For(self.loop.index, count, self._body(element, now))
        return [If(test, [Set(now, Load(array, place)), loop, *last_of_all], [self.loop])]

    def in_parts(self, element: Element, name: str, ends: _Ends) -> list[Statement] | None:
        """The turns before the one that stores an element, that turn, and those behind it.

        None where it is not certain that there is one, and no more.
        """
        index, count = self.loop.index, self.loop.count
        match self._away(element):
            case [(Sum() as away, 1 | -1 as step)] if not element.is_stored:
                is_met = _comes_to_zero(away, step, count, ends)
            case _:
                is_met = False
        if not is_met:
            return None
        now, met = Variable(name, element.dtype), Variable(f"{name}.met", int64)
        turn, rest = Variable(f"{index.name}.rest", int64), Variable(f"{name}.rest", int64)
        read, body = Set(now, Load(*self._where(element))), self._body(element, now)
        behind = [Set(index, add(turn, add(met, 1))), *body]
        some, none = [Apply("greater", (each, Number(0, int64)), bool_) for each in (met, rest)]
        return [
            Set(met, multiply(-step, self._written(away))),
            If(some, [read, For(index, met, body)], []),
            Set(index, met),
            *self.loop.body,
            Set(rest, Apply("subtract", (add(count, -1), met), int64)),
            If(none, [read, For(turn, rest, behind)], []),
            Set(index, count),
        ]

    def _written(self, value: Sum) -> Expression:
        found: Expression = Number(value.known, int64)
        for name, factor in value.terms:
            found = add(multiply(factor, self.variables[name]), found)
        return found

    def _where(self, element: Element) -> tuple[Array, Expression]:
        return Array(element.array, element.dtype), self._written(element.place)

    def _body(self, element: Element, now: Variable) -> list[Statement]:
        """A turn with a number in the place of an element."""

        def is_it(what: Load | Store) -> bool:
            found = self.found.get(id(what))
            return found is not None and (found.array, found.place) == (element.array, element.place)

        def read(part: Expression) -> Expression:
            return now if isinstance(part, Load) and is_it(part) else with_parts(part, read)

        def block(statements: Sequence[Statement]) -> list[Statement]:
            return [
                Set(now, each.value) if isinstance(each, Store) and is_it(each) else with_blocks(each, block)
                for each in statements
            ]

        return rewritten(block(self.loop.body), read, lambda _: True)
