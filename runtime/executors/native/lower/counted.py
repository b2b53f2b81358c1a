"""Loops that add a known step to an index: of which kind they are, and how far the index goes."""

from __future__ import annotations

from collections.abc import Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    If,
    Number,
    Set,
    Statement,
    Variable,
    While,
    add,
    multiply,
)
from runtime.executors.native.language.walking import changed_in, parts_of, step_of, stride_of
from runtime.executors.native.lower.sums import Sum, Sums, in_sums, sum_of

__all__ = ["Counted"]


@dataclass
class Counted:
    """A loop that adds a known step to an index, as long as that is on one side of a number.

    Attributes
    ----------
    index, test : Variable
        A turn has tested on which side of the number the index is.
    count : Expression or None
        The number, where the index is below it and goes up by one, and the loop asks nothing else.
    least, most : Sum
        Those of the index in a turn.
    stride : Sum or None
        What a turn adds to it, where that has to be more than 0 for this to be right.
    beside : set of str
        Numbers that are compared together with the index: they must not be large.
    """

    index: Variable
    test: Variable
    count: Expression | None
    least: Sum
    most: Sum
    stride: Sum | None = None
    beside: frozenset[str] = frozenset()

    @classmethod
    def of(cls, loop: While, sums: Sums) -> Counted | None:
        """The facts of a loop, before which numbers are some sums; None where it counts otherwise."""
        match loop:
            case While([*lead, Set(test, Apply(compares, (one, end)))], tested) if tested == test:
                asks_more = False
            case While(
                [
                    *lead,
                    Set(test, Apply(compares, (one, end))),
                    If(asked, _, [Set(going, Number(False))]),
                ],
                tested,
            ) if asked == test and tested == going:
                asks_more = True
            case _:
                return None
        found = _compared(loop, lead, one, end, compares)
        if found is None:
            return None
        index, compares, compared = found
        changed = changed_in(loop.before) | changed_in(loop.body)
        step, start = step_of(index, loop.body), sums.get(index.name)
        by_name = stride_of(index, loop.body) if step is None else None
        stride = None if by_name is None or by_name.name in changed else sum_of(by_name, sums)
        if stride is not None:
            step = 2  # or any other that is more than 1
        limit = in_sums(compared, sums)
        if not step or not isinstance(start, Sum) or limit is None:
            return None
        least: Sum | None = start
        most: Sum | None = start
        if step > 0 and compares in _BELOW:
            most = limit.plus(Sum((), _BELOW[compares]))
        elif step < 0 and compares in _ABOVE:
            least = limit.plus(Sum((), _ABOVE[compares]))
        else:
            return None
        if least is None or most is None:
            return None
        is_plain = step == 1 and compares == "less" and not asks_more and one == index
        names = frozenset([] if one == index else [name for name, _ in limit.terms])
        count = _outside(end, compared, loop) if is_plain else None
        return cls(index, test, count, least, most, stride, names)


def _outside(end: Expression, limit: Sum, loop: While) -> Expression:
    """The limit of a loop, where the statements of its test are not there to compute it."""
    names = {part.name for part in parts_of(end) if isinstance(part, Variable)}
    if names.isdisjoint(changed_in(loop.before)):
        return end
    return add(*[multiply(Variable(name, int64), factor) for name, factor in limit.terms], limit.known)


def _compared(
    loop: While, lead: Sequence[Statement], one: Expression, end: Expression, compares: str
) -> tuple[Variable, str, Sum] | None:
    """The index of a loop whose test compares two sums, and what it is compared with, and how."""
    sums: Sums = dict.fromkeys(changed_in(loop.before) | changed_in(loop.body))
    moved = {each.variable for each in loop.body if isinstance(each, Set) and each.variable.dtype is int64}
    for variable in moved:
        if variable.name not in changed_in(loop.before):
            sums[variable.name] = Sum(((variable.name, 1),))
    for each in lead:
        if not isinstance(each, Set):
            return None
        sums[each.variable.name] = sum_of(each.value, sums)
    first, second = sum_of(one, sums), sum_of(end, sums)
    left = None if first is None or second is None else first.plus(second, -1)
    names = {each.name: each for each in moved}
    own = [] if left is None else [(name, factor) for name, factor in left.terms if name in names]
    if left is None or len(own) != 1 or abs(own[0][1]) != 1 or compares not in _TURNED:
        return None
    [(name, factor)] = own
    rest = Sum(tuple([each for each in left.terms if each[0] != name]), left.known)
    limit = Sum().plus(rest, -factor)
    if limit is None:
        return None
    return names[name], compares if factor > 0 else _TURNED[compares], limit


_TURNED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}
"""How comparisons are written the other way round."""
_BELOW, _ABOVE = {"less": -1, "less_equal": 0}, {"greater": 1, "greater_equal": 0}
"""How far an index may go in a turn: where it is tested to be below a number, and above one."""
