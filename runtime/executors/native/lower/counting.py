"""Loops that count become loops over their turns, wherever they begin and whichever way they go.

::

    v = 1
    while v <= 62:                  for turn in range(62):
        y[v] = x[v - 1]                 v = 1 + turn
        v = v + 1            ⇒          y[v] = x[v - 1]
                                        v = v + 1

A loop over turns looks at signals between chunks of these, so nothing stands in a turn but what was written:
LLVM knows how many there are, and makes vectors of them. A loop that asks for more than where its index is
stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Block,
    Break,
    Expression,
    For,
    Function,
    If,
    Number,
    Rows,
    Set,
    Statement,
    Try,
    Variable,
    While,
    add,
    multiply,
)
from runtime.executors.native.language.walking import (
    changed_in,
    changes_of,
    having,
    inside,
    numbers_in,
    step_of,
    with_blocks,
)

__all__ = ["over_turns"]

_MOST = (1 << 63) - 1
_LARGE = 1 << 40
"""Numbers that are known are less, so that their differences are turns that can be counted."""
_UP, _DOWN = {"less": 0, "less_equal": 1}, {"greater": 0, "greater_equal": 1}
"""How many turns there are more than the index is away from its end, by the comparison with it."""

_Known = Mapping[str, int]


@having(While)
def over_turns(function: Function) -> Function:
    """A function whose counting loops are loops over turns."""
    reads = Counter([name for each in inside(function.body) for name in numbers_in(each)])
    reads.update(each.name for each in function.results if isinstance(each, Variable))
    for each in inside(function.body):  # a loop may be there in two forms
        if isinstance(each, While) and isinstance(each.test, Variable):
            reads[each.test.name] -= 1
    body = _block(function.body, reads, {})
    return function.with_body(body)


def _block(statements: Sequence[Statement], reads: Counter[str], around: _Known) -> list[Statement]:
    """A block, before which some numbers are known; loops that ask whether they go on are none of `reads`."""
    known, found = dict(around), list[Statement]()
    for each in statements:
        lasting = {name: value for name, value in known.items() if name not in changes_of(each)}
        begin = known if isinstance(each, If) else lasting
        inner = with_blocks(each, lambda block: _block(block, reads, begin))  # noqa: B023  # called at once
        is_rest = bool(found) and isinstance(found[-1], Rows)  # it has few turns, and belongs to these
        found += _over_turns(inner, reads, known) if isinstance(inner, While) and not is_rest else [inner]
        known = lasting
        match each:
            case Set(variable, Number(value)) if variable.dtype is int64 and abs(int(value)) < _LARGE:
                known[variable.name] = int(value)
    return found


def _over_turns(loop: While, reads: Counter[str], known: _Known) -> list[Statement]:
    """A loop as one over turns, where it is one that counts; it begins where numbers are `known`."""
    match loop:
        case While([Set(test, Apply(compares, (Variable(_, dtype) as index, end)))], asked) if (
            asked == test and dtype is int64 and not reads[test.name]
        ):
            pass
        case _:
            return [loop]
    step = step_of(index, loop.body)
    ways = _UP if step is not None and step > 0 else _DOWN
    if not step or compares not in ways or not _stays(end, loop.body) or _breaks(loop.body):
        return [loop]
    count = _count(index, end, step, ways[compares], known)
    if count is None:
        return [loop]
    turn, turns = Variable(f"{index.name}.turn", int64), Variable(f"{index.name}.turns", int64)
    first = Variable(f"{index.name}.first", int64)
    before: list[Statement] = []
    start: Expression = Number(known[index.name], int64) if index.name in known else first
    if start is first:
        before.append(Set(first, index))
    if not isinstance(count, Number):
        before.append(Set(turns, count))
        count = turns
    now = add(start, multiply(turn, step))
    return [*before, For(turn, count, [Set(index, now), *loop.body])]


def _stays(end: Expression, body: Sequence[Statement]) -> bool:
    """Whether a number is there before a loop as it is in each of its turns."""
    return isinstance(end, Number) or (isinstance(end, Variable) and end.name not in changed_in(body))


def _count(index: Variable, end: Expression, step: int, more: int, known: _Known) -> Expression | None:
    """How many turns there are from where an index is; None where nobody can say it in 64 bits."""
    start = known.get(index.name)
    if isinstance(end, Number):
        last = int(end.value)
    elif isinstance(end, Variable) and end.name in known:
        last = known[end.name]
    else:
        last = None
    if start is not None and last is not None:
        if abs(last) >= _LARGE:
            return None
        left = (last - start if step > 0 else start - last) + more
        return Number(max(0, -(-left // abs(step))), int64)
    if abs(step) != 1 or more:
        return None
    near, far = (index, end) if step > 0 else (end, index)
    left_now = Apply("subtract", (far, near), int64)
    is_within = Apply("less", (Number(-1, int64), left_now), bool_)  # else there are more than one can count
    some = Apply("select", (is_within, left_now, Number(_MOST, int64)), int64)
    return Apply("select", (Apply("less", (near, far), bool_), some, Number(0, int64)), int64)


def _breaks(body: Block | Sequence[Statement]) -> bool:
    """Whether statements leave the loop that they are the turn of."""
    for each in body:
        match each:
            case Break():
                return True
            case If(_, then, orelse) if _breaks(then) or _breaks(orelse):
                return True
            case Try(tried, _, handler) if _breaks(tried) or _breaks(handler):
                return True
            case For(_, _, inner) if _breaks(inner):
                return True
    return False
