"""What tests and checks say of whole numbers where a graph runs.

In the first branch of ``If(a > b, a, b)``, `a` is more than the least that `b` may be, and ``a - b`` is 1 at
least; behind ``CheckWhole(a, b, symbol='*')``, the product of the two has 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.analysis.intervals import Range, within
from runtime.core.dtypes import int64
from runtime.graph.graph import Node, Value
from runtime.graph.op import Const, Placeholder
from runtime.graph.region import Region, guard_of
from runtime.ops.checks import CheckWhole
from runtime.ops.core import Check, Map
from runtime.ops.core import expression as scalar

__all__ = ["NO_GAPS", "Facts", "Gaps", "Said", "applied", "inside_of"]

Gaps: TypeAlias = Mapping[tuple[Value, Value], int]
"""By how much the second of two values is more than the first, at least."""

NO_GAPS: Gaps = MappingProxyType({})


def applied(value: Value) -> tuple[str, Sequence[Value]]:
    """The scalar function of its operands that a value is; none where it is something else."""
    match value.op:
        case Map() as op:
            match op.expression:
                case scalar.Apply(function, arguments):
                    places = [each.index for each in arguments if isinstance(each, scalar.Operand)]
                    if len(places) == len(arguments):
                        return function, [value.inputs[place] for place in places]
        case op if op.scalar is not None:
            return op.scalar, value.inputs
    return "", ()


@dataclass
class Said:
    """What a test says, where it holds or where it does not.

    Attributes
    ----------
    limits : list of (Value, Range)
        Where values lie.
    gaps : dict of (Value, Value) to int
    truths : dict of Value to bool
        Inputs of the graph that are truths.
    """

    limits: list[tuple[Value, Range]] = field(default_factory=list)
    gaps: dict[tuple[Value, Value], int] = field(default_factory=dict)
    truths: dict[Value, bool] = field(default_factory=dict)

    @classmethod
    def by(cls, test: Value, read: Callable[[Value], Range | None], *, holds: bool = True) -> Said:
        """What `test` says, from the ranges that are known without it.

        Parameters
        ----------
        test : Value
        read : callable
            The range of a value; None of one that has no whole numbers.
        holds : bool
        """
        found, pending = cls(), [(test, holds)]
        while pending:
            value, is_true = pending.pop()
            function, operands = applied(value)
            if function == "logical_not":
                pending.append((operands[0], not is_true))
            elif function == ("logical_and" if is_true else "logical_or"):
                pending += [(each, is_true) for each in operands]
            elif (function, is_true) in _ORDERS:
                turned, gap = _ORDERS[function, is_true]
                less, more = reversed(operands) if turned else operands
                found._below(less, more, gap, read)
            elif function == ("not_equal" if is_true else "equal"):
                one, other = operands
                found._apart(one, other, read)
                found._apart(other, one, read)
            elif isinstance(value.op, Placeholder):
                found.truths[value] = is_true
            guard = guard_of(value.op)
            if guard is None or not is_true:
                continue
            then, orelse = value.op.regions
            for arm, rest, holds_there in ((then, orelse, True), (orelse, then, False)):
                if _is_false(rest.graph.outputs[value.index]):
                    pending.append((value.node.inputs[guard], holds_there))
                    found._within(value, arm, read)
        return found

    def _within(self, value: Value, region: Region, read: Callable[[Value], Range | None]) -> None:
        """What an arm says, which has to hold: as the second part of an `and`."""
        said = Said.by(region.graph.outputs[value.index], read)
        outside = dict(
            zip(region.graph.inputs, [value.inputs[each] for each in region.operands], strict=True)
        )
        self.limits += [(outside[each], limit) for each, limit in said.limits if each in outside]
        self.truths.update((outside[each], truth) for each, truth in said.truths.items() if each in outside)
        for (less, more), gap in said.gaps.items():
            if less in outside and more in outside:
                both = outside[less], outside[more]
                self.gaps[both] = max(gap, self.gaps.get(both, gap))

    def _below(self, less: Value, more: Value, gap: int, read: Callable[[Value], Range | None]) -> None:
        one, other = read(less), read(more)
        if one is None or other is None or less.dtype.is_floating:
            return
        self.limits.append((less, Range(one.least, other.most - gap)))
        self.limits.append((more, Range(one.least + gap, other.most)))
        self.gaps[less, more] = max(gap, self.gaps.get((less, more), gap))

    def _apart(self, value: Value, other: Value, read: Callable[[Value], Range | None]) -> None:
        """A number that is not another, which is known, lies on the side of it where all its numbers are."""
        found, known = read(value), read(other)
        if found is None or known is None or known.least != known.most or value.dtype.is_floating:
            return
        if found.least == known.least:
            self.limits.append((value, Range(known.least + 1, found.most)))
        elif found.most == known.most:
            self.limits.append((value, Range(found.least, known.most - 1)))


_ORDERS = {
    ("less", True): (False, 1),
    ("less_equal", True): (False, 0),
    ("greater", True): (True, 1),
    ("greater_equal", True): (True, 0),
    ("less", False): (True, 0),
    ("less_equal", False): (True, 1),
    ("greater", False): (False, 0),
    ("greater_equal", False): (False, 1),
}
"""Of comparisons that hold or do not: whether the second operand is the lesser one, and by how much."""


def inside_of(gaps: Gaps, operands: Sequence[Value], inputs: Sequence[Value]) -> Gaps:
    """What is known of operands, of the inputs of a graph that stand for them there."""
    if not gaps:
        return NO_GAPS
    places: dict[Value, list[Value]] = {}
    for operand, value in zip(operands, inputs, strict=True):
        places.setdefault(operand, []).append(value)
    return {
        (less, more): gap
        for (one, other), gap in gaps.items()
        for less in places.get(one, ())
        for more in places.get(other, ())
    }


class Facts:
    """What is known of pairs of values at a place in a graph.

    Parameters
    ----------
    gaps : dict of (Value, Value) to int
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self._fit: set[tuple[str, Value, Value]] = set()

    def learn(self, node: Node) -> None:
        """Takes over what holds behind a node: a check that a result has 64 bits."""
        match node.op:
            case CheckWhole(symbol) if symbol in _CHECKED:
                self._learn_fit(_CHECKED[symbol], node.inputs)
            case Check():
                function, operands = applied(node.inputs[0])
                if function.endswith("_fits"):
                    self._learn_fit(function.removesuffix("_fits"), operands)

    def _learn_fit(self, function: str, operands: Sequence[Value]) -> None:
        one, other = operands
        if one.dtype is int64 and other.dtype is int64:
            self._fit.add((function, one, other))

    def narrowed(self, function: str, operands: Sequence[Value], exact: Range | None, whole: Range) -> Range:
        """Narrows the range of a function of values, which is `exact` if nothing wraps around."""
        if exact is None or len(operands) != 2:
            return within(exact, whole)
        one, other = operands
        if function == "multiply" and one is other:
            exact = Range(max(0, exact.least), exact.most)
        gap = self._gaps.get((other, one)) if function == "subtract" else None
        if gap is not None:
            exact = Range(max(exact.least, gap), max(exact.most, gap))
        gap = self._gaps.get((one, other)) if function == "subtract" else None
        if gap is not None:
            exact = Range(min(exact.least, -gap), min(exact.most, -gap))
        return whole.met(exact) if (function, one, other) in self._fit else within(exact, whole)


_CHECKED = {"+": "add", "-": "subtract", "*": "multiply"}


def _is_false(value: Value) -> bool:
    return isinstance(value.op, Const) and value.op.value is not None and not np.any(value.op.value)
