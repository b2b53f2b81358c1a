"""Distinct elements: a table says which there are of integers that lie close; others are put in order.

NumPy puts many in order faster, so it is asked for these.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import bool_, float32, float64, int64, uint64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    Cast,
    Expression,
    If,
    Load,
    Number,
    Set,
    Store,
    add,
    multiply,
    truth,
)
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.sorting import Row, comes_before
from runtime.executors.native.lower.values import Dims, InMemory, Lowered, count_of
from runtime.graph.graph import Node
from runtime.ops.sets import Unique

_FEW = 128
"""Elements up to which to put them in order takes no longer than NumPy does."""
_ROOM = 64
"""How much longer than twice as long as the elements a table may be."""
_ZERO = Number(0, int64)


@lowers(Unique)
def _unique(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op, dtype, beyond = op_of(node), node.inputs[0].dtype, lowering.shared.beyond
    assert isinstance(op, Unique), "it lowers these"
    is_whole = dtype.is_integer or dtype.is_bool
    if op.axis is not None or not (op.is_sorted and (is_whole or dtype in {float32, float64})):
        raise Unsupported("it runs in Python")
    if beyond is Beyond.PYTHON or (beyond is Beyond.NOBODY and not is_whole):
        raise Unsupported("only NumPy knows a way for many elements, and which of two zeros is distinct")
    given = lowering.in_memory(node.inputs[0])
    count = count_of(given.dims)
    is_few = truth("less_equal", count, Number(_FEW, int64))
    if not is_whole:
        if isinstance(count, Number) and count.value > _FEW:
            raise Unsupported("NumPy knows a way for many elements")
        lowering.assume(is_few, "NumPy knows a way for many elements")
    found = _Distinct(lowering, op, given, lowering.name(count, "n"))
    if is_whole:
        low, length = found.span()
        fits = lowering.name(truth("greater", length, _ZERO))
        if beyond is Beyond.ANOTHER:
            lowering.give_up_unless(lowering.name(truth("logical_or", fits, is_few)), node, "Exception", "")
        with lowering.block() as by_table:
            found.by_table(low, length)
        with lowering.block() as in_order:
            found.in_order()
        lowering.emit(If(fits, by_table, in_order))
    else:
        found.require_certain(node)
        found.in_order()
    return found.results()


class _Distinct:
    """Elements, and what is found of those that are distinct."""

    def __init__(self, lowering: Lowering, op: Unique, given: InMemory, count: Expression) -> None:
        self._lowering = lowering
        self._gives = op.gives
        self._dims = given.dims
        self._count = count
        self._elements = self._row(given)
        self._values = lowering.allocated((count,), given.dtype).array
        self._others = {each: lowering.allocated((count,), int64).array for each in op.gives}
        self._number = lowering.variable(int64, "distinct")
        lowering.emit(Set(self._number, _ZERO))

    def _row(self, given: InMemory) -> Array:
        """A copy of all elements, in the order of their indices."""
        lowering = self._lowering
        row = lowering.allocated((self._count,), given.dtype).array
        with lowering.nest(given.dims) as at:
            place: Expression = _ZERO
            for dim, index in zip(given.dims, at, strict=True):
                place = add(multiply(place, dim), index)
            lowering.emit(Store(row, lowering.name(place), given.at(at)))
        return row

    def results(self) -> list[Lowered]:
        """The distinct elements, and what else is asked for."""
        own: dict[str, Dims] = {"inverse": self._dims}
        others = [InMemory(self._others[each], own.get(each, (self._number,))) for each in self._gives]
        return [InMemory(self._values, (self._number,)), *others]

    def require_certain(self, node: Node) -> None:
        """Leaves it to NumPy what is distinct where some are no numbers, and which of two zeros is."""
        lowering = self._lowering
        flags = {name: lowering.variable(bool_, name) for name in ("odd", "above", "below")}
        for flag in flags.values():
            lowering.emit(Set(flag, Number(False, bool_)))
        with lowering.loop(self._count) as index:
            element = lowering.name(Load(self._elements, index))
            is_zero, sign = truth("equal", element, Number(0.0, element.dtype)), truth("signbit", element)
            found = {
                "odd": truth("not_equal", element, element),
                "above": truth("logical_and", is_zero, truth("logical_not", sign)),
                "below": truth("logical_and", is_zero, sign),
            }
            for name, flag in flags.items():
                lowering.emit(Set(flag, truth("logical_or", flag, found[name])))
        doubt = truth("logical_or", flags["odd"], truth("logical_and", flags["above"], flags["below"]))
        lowering.give_up_unless(lowering.name(truth("logical_not", doubt)), node, "Exception", "")

    # ── by a table ──

    def span(self) -> tuple[Expression, Expression]:
        """The least whole number, and how many there are up to the greatest; none if that is too many."""
        lowering, dtype = self._lowering, self._elements.dtype
        low, high = lowering.variable(dtype, "low"), lowering.variable(dtype, "high")
        for each in (low, high):
            lowering.emit(Set(each, Number(False if dtype.is_bool else 0, dtype)))
        with lowering.loop(self._count) as index:
            element = lowering.name(Load(self._elements, index))
            is_first = truth("equal", index, _ZERO)
            for kept, is_beyond in ((low, comes_before(element, low)), (high, comes_before(high, element))):
                is_so = lowering.name(truth("logical_or", is_first, is_beyond))
                lowering.emit(Set(kept, Apply("select", (is_so, element, kept), dtype)))
        ends = tuple([Cast(Cast(each, int64), uint64) for each in (high, low)])
        span = lowering.name(Apply("subtract", ends, uint64))
        fits = truth("less", span, Cast(self._room(), uint64))
        length = Apply("select", (fits, add(Cast(span, int64), 1), _ZERO), int64)
        return lowering.name(Cast(low, int64)), lowering.name(length, "n")

    def _room(self) -> Expression:
        return add(self._count, add(self._count, _ROOM))

    def _slot(self, low: Expression, index: Expression) -> Expression:
        element = Cast(Load(self._elements, index), int64)
        return self._lowering.name(Apply("subtract", (element, low), int64))

    def by_table(self, low: Expression, length: Expression) -> None:
        """Counts each number that there may be."""
        lowering = self._lowering
        table, firsts = (lowering.allocated((self._room(),), int64).array for _ in range(2))
        with lowering.loop(length) as slot:
            lowering.emit(Store(table, slot, _ZERO))
        with lowering.loop(self._count) as index:
            own = self._slot(low, index)
            with lowering.block() as first:
                lowering.emit(Store(firsts, own, index))
            lowering.emit(If(lowering.name(truth("equal", Load(table, own), _ZERO)), first, []))
            lowering.emit(Store(table, own, add(Load(table, own), 1)))
        with lowering.loop(length) as slot:
            times = lowering.name(Load(table, slot))
            with lowering.block() as new:
                value = Cast(lowering.name(add(slot, low)), self._elements.dtype)
                self._note(value, index=Load(firsts, slot), counts=times)
                lowering.emit(Store(table, slot, add(self._number, -1)))
            lowering.emit(If(lowering.name(truth("greater", times, _ZERO)), new, []))
        if "inverse" in self._others:
            with lowering.loop(self._count) as index:
                own = self._slot(low, index)
                lowering.emit(Store(self._others["inverse"], index, Load(table, own)))

    def _note(self, value: Expression, **others: Expression) -> None:
        """One more distinct element, where it is first, and how often it occurs."""
        lowering = self._lowering
        lowering.emit(Store(self._values, self._number, value))
        for name, other in others.items():
            if name in self._others:
                lowering.emit(Store(self._others[name], self._number, other))
        lowering.emit(Set(self._number, add(self._number, 1)))

    # ── in order ──

    def in_order(self) -> None:
        """Those that differ from the one before; equal ones are in the order of their places."""
        lowering, dtype = self._lowering, self._elements.dtype
        one, other = (lowering.allocated((self._count,), int64).array for _ in range(2))
        with lowering.loop(self._count) as index:
            lowering.emit(Store(one, index, index))
        row = Row(lowering, one, other, self._count, lambda at: Load(self._elements, at))
        row.sort()
        last = lowering.variable(dtype, "last")
        lowering.emit(Set(last, Number(False if dtype.is_bool else 0, dtype)))
        with lowering.loop(self._count) as index:
            at = lowering.name(Load(row.one, index))
            element = lowering.name(Load(self._elements, at))
            is_first = truth("equal", self._number, _ZERO)
            differs = truth("logical_xor" if dtype.is_bool else "not_equal", element, last)
            with lowering.block() as new:
                self._note(element, index=at, counts=_ZERO)
            lowering.emit(If(lowering.name(truth("logical_or", is_first, differs)), new, []))
            own = lowering.name(add(self._number, -1))
            if "inverse" in self._others:
                lowering.emit(Store(self._others["inverse"], at, own))
            if "counts" in self._others:
                counts = self._others["counts"]
                lowering.emit(Store(counts, own, add(Load(counts, own), 1)))
            lowering.emit(Set(last, element))
