"""`while` loops that move an index by a known step: a comparison that is there says when to look at signals.

::

    while j >= 0 and x[j] > own:        stop = max(0, j - turns)
        ...                             while True:
        j = j - 1                           if j < stop:
                                ⇒               if j < 0: break
                                                (the work of a strip is counted)
                                                stop = max(0, j - turns)
                                            if x[j] <= own: break
                                            ...
                                            j = j - 1

A turn counts nothing then. A short turn has room for two branches where it would have three. Strips are
short, so that the last one of a loop counts as half of one, wherever it ends. Where there are few turns,
because ranges say so or because an index has to be inside of an array that is not large, there are no strips:
how far the index has come says how much was done when the loop is over, or how far several have come.

    >>> from runtime.core.dtypes import bool_, int64
    >>> from runtime.executors.native.language.loops import Number, Set, add
    >>> j, test = Variable("j", int64), Variable("t", bool_)
    >>> before = [Set(test, Apply("greater_equal", (j, Number(0, int64)), bool_))]
    >>> strip_of(While(before, test, [Set(j, add(j, -2))])).step
    -2
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Break,
    Fail,
    For,
    If,
    Number,
    Rows,
    Set,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_in, kinds_in, step_of
from runtime.executors.native.llvm.moves import Moves, moves_of
from runtime.executors.native.llvm.polling import turn_of, work_of

__all__ = ["Moved", "Strip", "moved_inside", "strip_of"]

_SHORT, _LONG = 40, 200
"""Units of a turn of which counting is a part to speak of; where loops around need no count either."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A loop that goes on as long as its index is on one side of a number.

    Attributes
    ----------
    index : Variable
    limit : Variable or Number
    step : int
        What a turn adds to the index.
    compares : str
        How LLVM compares the index with the limit.
    within, outside : list of Statement
        What is asked of a turn where the index is as it has to be, and what holds where it is not.
    """

    index: Variable
    limit: Variable | Number
    step: int
    compares: str
    within: list[Statement]
    outside: list[Statement]


def strip_of(loop: While) -> Strip | None:
    """A loop of short turns as one that has strips; None where it is none."""
    match loop:
        case While(
            [
                Set(test, Apply(compares, (Variable(_, dtype) as index, Variable() | Number() as limit)))
            ] as asks,
            going,
        ) if going == test and compares in _UP | _DOWN:
            within: list[Statement] = [Set(test, Number(True, bool_))]
            outside: list[Statement] = [Set(test, Number(False, bool_))]
        case While(
            [
                Set(test, Apply(compares, (Variable(_, dtype) as index, Variable() | Number() as limit))),
                If(asked, then, [Set(last, Number(False))] as orelse),
            ] as asks,
            going,
        ) if asked == test and last == going and compares in _UP | _DOWN:
            within = [Set(test, Number(True, bool_)), *then]
            outside = [Set(test, Number(False, bool_)), *orelse]
        case _:
            return None
    if dtype is not int64 or not kinds_in([*asks, *loop.body]).isdisjoint({For, While, Rows}):
        return None
    changed = changed_in(asks) | changed_in(loop.body)
    staying = _staying(loop.body)
    step = step_of(index, staying)
    is_short = work_of([*asks, *staying]) <= _SHORT
    if not step or not is_short or (isinstance(limit, Variable) and limit.name in changed):
        return None
    if index.name in changed_in(asks) or compares not in (_UP if step > 0 else _DOWN):
        return None
    return Strip(index, limit, step, (_UP | _DOWN)[compares], within, outside)


def _staying(statements: Sequence[Statement]) -> list[Statement]:
    """Statements without what leaves the loop: no turn follows that asks for the index."""
    found: list[Statement] = []
    for each in statements:
        if isinstance(each, If):
            arms = [[] if Break in map(type, arm) else _staying(arm) for arm in (each.then, each.orelse)]
            found.append(If(each.test, *arms))
        else:
            found.append(each)
    return found


@dataclass(frozen=True, slots=True)
class Moved:
    """A loop whose turns move an index, or one of some, where it is known how many turns there are at most.

    Attributes
    ----------
    moves : sequence of (Variable, int)
        The indices, and what a turn adds to one of them at least.
    most : int
        The turns.
    """

    moves: Moves
    most: int


def moved_inside(loop: While, most: int) -> Moved | None:
    """Indices that turns move by known steps, where there are at most so many of them.

    Because ranges say so, or because an index has to be inside of an array.
    """
    turn = [*loop.before, *loop.body]
    if not kinds_in(turn).isdisjoint({For, While, Rows}) or turn_of(loop) > _LONG:
        return None
    if loop.most is not None and loop.most <= most and (moves := moves_of(turn)):
        return Moved(moves, loop.most)
    if turn_of(loop) > _SHORT:
        return None
    for asks, answer in pairwise(turn):
        match asks, answer:
            case (
                Set(
                    holds,
                    Apply(
                        "logical_and",
                        (
                            Apply("greater_equal", (Variable(_, dtype) as index, Number(0))),
                            Apply("less", (same, Number(length))),
                        ),
                    ),
                ),
                If(Apply("logical_not", (asked,))),
            ) if index == same and asked == holds and dtype is int64 and _ends(answer):
                step = step_of(index, turn)  # it may count from the end first
                if step and 2 * length <= most * abs(step):
                    return Moved([(index, step)], 2 * int(length) // abs(step) + 1)
    return None


def _ends(branch: If) -> bool:
    """Whether a run ends where an index is not inside: at once, or where it is not from the end either."""
    match branch.then:
        case [Fail()]:
            return True
        case [
            Set(),
            Set(holds),
            If(Apply("logical_not", (asked,)), [Fail()], []),
        ]:  # as `seldom.py` writes it
            return branch.is_rare and asked == holds
    return False


_UP = {"less": "slt", "less_equal": "sle"}
_DOWN = {"greater": "sgt", "greater_equal": "sge"}
