"""The first and the last turns of a loop stand apart, where something is asked that is so in these alone.

::

    for i in range(50):                             i = 0
        a = select(i - 1 < 0, i + 49, i - 1)        y[i] = x[i + 49] + x[i + 1]
        b = select(i + 1 == 50, 0, i + 1)           for k in range(48):
        y[i] = x[a] + x[b]                              i = k + 1
                                            ⇒           y[i] = x[i - 1] + x[i + 1]
                                                    i = 49
                                                    y[i] = x[i - 1] + x[0]

So it is where neighbours are those on a circle (`x[i - 1]`, `x[(i + 1) % n]`), or where an edge has a rule of
its own. In all turns between them, elements lie next to one another, and LLVM makes vectors of these.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.expressions import folded
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Expression,
    Fail,
    For,
    Function,
    If,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    add,
)
from runtime.executors.native.language.walking import (
    blocks_in,
    changes_of,
    exposed_in,
    having,
    kinds_in,
    size_of,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower.sums import Sum, Sums, sum_of

__all__ = ["ends_apart"]

_PLAIN: frozenset[type] = frozenset({Alias, Fail, If, Set, Store})
"""What a turn may be made of."""
_FEW = 2
"""Turns at each end that may stand apart."""
_FEWEST, _MOST = 16, 1 << 20
"""Turns of a loop that gains by it, and of which no multiple wraps around."""
_LARGEST = 80
"""Statements of a turn that is written several times."""


@having(For, Store)
def ends_apart(function: Function) -> Function:
    """A function whose loops do the turns at their ends on their own."""
    return function.with_body(_block(function.body))


def _block(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for each in statements:
        found += _apart(each) if isinstance(each, For) and _is_plain(each) else [with_blocks(each, _block)]
    return found


def _is_plain(loop: For) -> bool:
    """Whether turns need nothing of each other but memory, and there are enough of them."""
    if not isinstance(loop.count, Number) or not _FEWEST <= loop.count.value <= _MOST:
        return False
    kinds = kinds_in(loop.body)
    if not kinds <= _PLAIN or Store not in kinds or size_of(loop.body) > _LARGEST:
        return False
    numbers = {
        each.variable.name for block in blocks_in(loop.body) for each in block if isinstance(each, Set)
    }
    return exposed_in(loop.body, {loop.index.name}).isdisjoint(numbers)


def _apart(loop: For) -> list[Statement]:
    """A loop, with turns before it and behind it."""
    assert isinstance(loop.count, Number), "it was looked at"
    count = int(loop.count.value)
    seams = _Turns(loop.index, range(count)).seams_of(loop.body)
    start = max([seam for seam in seams if seam <= _FEW], default=0)
    stop = min([seam for seam in seams if seam >= count - _FEW], default=count)
    if stop - start == count:
        return [loop]
    found: list[Statement] = []
    for turn in range(start):
        found += _turn(loop, turn)
    between, inner = range(start, stop), Variable(f"{loop.index.name}.between", int64)
    body = _Turns(loop.index, between).block(loop.body)
    found.append(For(inner, Number(len(between), int64), [Set(loop.index, add(inner, start)), *body]))
    for turn in range(stop, count):
        found += _turn(loop, turn)
    return [*found, Set(loop.index, loop.count)]


def _turn(loop: For, turn: int) -> list[Statement]:
    """One turn of a loop."""
    body = _Turns(loop.index, range(turn, turn + 1)).block(loop.body)
    return [Set(loop.index, Number(turn, int64)), *body]


class _Turns:
    """Some turns of a loop, one after the other.

    Parameters
    ----------
    index : Variable
        The number of the turn.
    turns : range
    """

    def __init__(self, index: Variable, turns: range) -> None:
        self._index, self._turns = index, turns
        self._seams = set[int]()

    def seams_of(self, body: Sequence[Statement]) -> AbstractSet[int]:
        """The turns from which on a comparison says something else than in the one before."""
        self.block(body)
        return self._seams

    def block(self, statements: Sequence[Statement], around: Sums | None = None) -> list[Statement]:
        """Statements in which comparisons are decided that say the same in all of these turns."""
        known, found = dict(around or {}), list[Statement]()
        for each in statements:
            found += self._statement(each, known)
            number = sum_of(each.value, known) if isinstance(each, Set) else None
            known.update(dict.fromkeys(changes_of(each)))
            if isinstance(each, Set) and number is not None and self._is_of_turn(number):
                known[each.variable.name] = number
        return found

    def _statement(self, statement: Statement, known: Sums) -> list[Statement]:
        def read(part: Expression) -> Expression:
            return folded(self._decided(with_parts(part, read), known))

        match statement:
            case Set(variable, value):
                return [Set(variable, read(value))]
            case Store(array, place, value):
                return [Store(array, read(place), read(value))]
            case If(test, then, orelse, is_rare=is_rare):
                asked = read(test)
                if isinstance(asked, Number):
                    return self.block(then if asked.value else orelse, known)
                one, other = self.block(then, known), self.block(orelse, known)
                return [If(asked, one, other, is_rare=is_rare)]
        return [statement]

    def _decided(self, test: Expression, known: Sums) -> Expression:
        """A truth, where a comparison says the same in all turns."""
        match test:
            case Apply(function, (one, other)) if function in _COMPARES and one.dtype is other.dtype is int64:
                first, second = sum_of(one, known), sum_of(other, known)
                if first is None or second is None or not self._is_of_turn(first, second):
                    return test
                left = first.plus(second, -1)
                if left is None or not left.terms:
                    return test
                return self._said(function, left, test)
        return test

    def _said(self, function: str, left: Sum, test: Expression) -> Expression:
        """What is said of how much larger one number is than the other, which all turns change alike."""
        [(_, factor)], turns = left.terms, self._turns

        def holds(turn: int) -> bool:
            return _COMPARES[function](factor * turn + left.known, 0)

        begins = holds(turns.start)
        if function in _OF_ONE:
            turn, others = divmod(-left.known, factor)
            seams = {turn, turn + 1} if others == 0 else set()
        else:
            seams = {turns.start + bisect_left(turns, True, key=lambda turn: holds(turn) != begins)}
        inner = {seam for seam in seams if turns.start < seam < turns.stop}
        self._seams |= inner
        return test if inner else Number(begins, bool_)

    def _is_of_turn(self, *numbers: Sum) -> bool:
        return all(name == self._index.name for number in numbers for name, _ in number.terms)


_COMPARES: Mapping[str, Callable[[int, int], bool]] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}
_OF_ONE = frozenset({"equal", "not_equal"})
"""Comparisons that say something else in one turn than in those before and behind it."""
