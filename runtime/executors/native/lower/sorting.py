"""Elements in order: short runs by insertion, which are then merged, two by two.

Equal elements keep their order, and what is no number comes last, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int8, int64
from runtime.core.shapes import normalise_axis
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Array,
    Cast,
    Expression,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    While,
    add,
    truth,
)
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.values import InMemory, Lowered, Scalar
from runtime.graph.graph import Node
from runtime.ops.python_order import PythonBest, PythonOrder
from runtime.ops.sorting import ArgSort, Sort

__all__ = ["SHORT", "Row", "comes_before", "require_unequal"]

SHORT = 64
"""Elements up to which to order them takes no longer than NumPy does."""
_RUN = 8
"""Elements of a run that is ordered by insertion."""


@lowers(Sort, ArgSort)
def _sort(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Sort | ArgSort), "it lowers these"
    if node.inputs[0].dtype.is_complex:
        raise Unsupported("NumPy orders complex numbers")
    x = lowering.in_memory(node.inputs[0])
    axis = normalise_axis(op.axis, len(x.dims))
    length = x.dims[axis]
    is_short = isinstance(length, Number) and length.value <= SHORT
    is_merged = isinstance(op, ArgSort) and op.kind == "stable"  # as it is by NumPy, in as much time
    if not (is_short or is_merged or lowering.shared.beyond is Beyond.NOBODY):
        raise Unsupported("NumPy orders many elements")
    tells = op.kind != "stable" and _tells_equal_ones(op, node)
    if tells and lowering.shared.beyond is Beyond.PYTHON:
        raise Unsupported("only NumPy knows in which order it leaves equal elements")
    result = lowering.allocated(x.dims, node.outputs[0].dtype)
    count = result.dims[axis]
    others = tuple([dim for place, dim in enumerate(result.dims) if place != axis])
    one, other = (lowering.allocated((count,), result.dtype).array for _ in range(2))
    with lowering.nest(others) as outer:

        def at(place: Expression) -> list[Expression]:
            return [*outer[:axis], place, *outer[axis:]]

        def element(place: Expression) -> Expression:
            return x.at(at(place))

        backwards = op.descending
        row = Row(lowering, one, other, count, element if isinstance(op, ArgSort) else lambda value: value)
        with lowering.loop(count) as index:
            place = _last(count, index) if backwards else index
            lowering.emit(Store(one, index, place if isinstance(op, ArgSort) else element(index)))
        row.sort()
        if tells and lowering.shared.beyond is Beyond.ANOTHER:
            require_unequal(lowering, node, row, by_place=isinstance(op, ArgSort))
        with lowering.loop(count) as index:
            place = _last(count, index) if backwards else index
            lowering.store(result, at(index), Load(row.one, place))
    return [result]


@lowers(PythonOrder)
def _order(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """Orders by the last column, then by the one before, and so on: each leaves equal ones as they are."""
    op = op_of(node)
    assert isinstance(op, PythonOrder), "it lowers these"
    columns, count = _columns(lowering, node)
    result = lowering.allocated((count,), int64)
    one, other = (lowering.allocated((count,), int64).array for _ in range(2))
    with lowering.loop(count) as index:
        lowering.emit(Store(one, index, _last(count, index) if op.descending else index))
    for column in reversed(columns):
        row = Row(lowering, one, other, count, partial(_at, column))
        row.sort()
        one, other = row.one, row.other
    with lowering.loop(count) as index:
        lowering.store(result, [index], Load(one, _last(count, index) if op.descending else index))
    return [result]


def _at(column: InMemory, place: Expression) -> Expression:
    return column.at([place])


@lowers(PythonBest)
def _best(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, PythonBest), "it lowers these"
    columns, count = _columns(lowering, node)
    best, is_better = lowering.variable(int64, "best"), lowering.variable(bool_, "better")
    lowering.emit(Set(best, Number(0, int64)))
    with lowering.loop(count) as index:
        lowering.emit(Set(is_better, Number(False, bool_)))
        for column in reversed(columns):  # of those before it, the first one that differs decides
            here, there = (lowering.name(column.at([place])) for place in (index, best))
            less, more = (here, there) if not op.greatest else (there, here)
            is_same = truth("logical_and", truth("equal", here, there), is_better)
            is_so = Apply("logical_or", (comes_before(less, more), is_same), bool_)
            lowering.emit(Set(is_better, lowering.name(is_so)))
        lowering.emit(Set(best, Apply("select", (is_better, index, best), int64)))
    return [Scalar(best)]


def _columns(lowering: Lowering, node: Node) -> tuple[list[InMemory], Expression]:
    """The columns of what is compared, which hold numbers alone, and how long they are."""
    columns = list(map(lowering.in_memory, node.inputs))
    if any(column.dtype.is_complex for column in columns):
        raise Unsupported("Python orders no complex numbers")
    floats = [column for column in columns if column.dtype.is_floating]
    if floats and lowering.shared.beyond is not Beyond.ANOTHER:
        raise Unsupported("only Python knows in which order it leaves what is no number")
    (count,) = columns[0].dims
    for column in columns[1:]:
        lowering.give_up_unless(truth("equal", column.dims[0], count), node, "ValueError", "")
    if floats:
        _require_numbers(lowering, node, floats, count)
    return columns, count


def _require_numbers(lowering: Lowering, node: Node, columns: Sequence[InMemory], count: Expression) -> None:
    """Leaves it to another program in which order elements are where some are no numbers."""
    odd = lowering.variable(bool_, "odd")
    lowering.emit(Set(odd, Number(False, bool_)))
    with lowering.loop(count) as index:
        for column in columns:
            element = lowering.name(column.at([index]))
            is_odd = truth("not_equal", element, element)
            lowering.emit(Set(odd, Apply("logical_or", (odd, is_odd), bool_)))
    is_sure = lowering.name(Apply("logical_not", (odd,), bool_))
    lowering.give_up_unless(is_sure, node, "Exception", "")


def _last(count: Expression, index: Expression) -> Expression:
    """An index, counted from the end."""
    return add(count, Apply("subtract", (Number(-1, int64), index), int64))


def _tells_equal_ones(op: Sort | ArgSort, node: Node) -> bool:
    """Whether it shows in which order equal elements are: by their places, or by the signs of zeros."""
    return isinstance(op, ArgSort) or node.inputs[0].dtype.is_floating


def require_unequal(lowering: Lowering, node: Node, row: Row, *, by_place: bool) -> None:
    """Leaves it to NumPy in which order elements are that are equal, where that shows."""
    tie = lowering.variable(bool_, "tie")
    lowering.emit(Set(tie, Number(False, bool_)))
    some = _least(row.count, Number(1, int64))
    rest = lowering.name(Apply("subtract", (row.count, some), int64), "n")
    with lowering.loop(rest) as before:
        one, other = (lowering.name(row.key(Load(row.one, add(before, step)))) for step in (0, 1))
        found: Expression
        if by_place:
            found = Apply("logical_not", (comes_before(one, other),), bool_)
        else:  # they are numbers, of which zeros alone are equal and not the same
            signs = [Apply("signbit", (each,), bool_) for each in (one, other)]
            found = Apply("logical_and", (truth("equal", one, other), truth("not_equal", *signs)), bool_)
        lowering.emit(Set(tie, Apply("logical_or", (tie, found), bool_)))
    is_sure = lowering.name(Apply("logical_not", (tie,), bool_))
    lowering.give_up_unless(is_sure, node, "Exception", "")


@dataclass
class Row:
    """What is to be ordered, by the keys of elements.

    Attributes
    ----------
    one, other : Array
        Memory in which the elements are, and as much of it for the next turn.
    """

    lowering: Lowering
    one: Array
    other: Array
    count: Expression
    key: Callable[[Expression], Expression]

    def sort(self) -> None:
        """Leaves the elements in order in `one`."""
        one, other = self._names(), self._names()
        self._emit(Alias(one, self.one), Alias(other, self.other))
        self.one, self.other = one, other
        self._runs()
        width, lowering = self._variable(_RUN), self.lowering
        with lowering.block() as turn:
            self._merges(width)
            spare = self._names()
            self._emit(Alias(spare, one), Alias(one, other), Alias(other, spare))
            self._emit(Set(width, add(width, width)))
        self._emit(While([], truth("less", width, self.count), turn))

    def _runs(self) -> None:
        """Orders each run by insertion."""
        start, lowering = self._variable(0), self.lowering
        with lowering.block() as run:
            stop = lowering.name(_least(add(start, _RUN), self.count))
            place = self._variable(add(start, 1))
            with lowering.block() as insertion:
                element, hole = lowering.variable(self.one.dtype), self._variable(place)
                self._emit(Set(element, Load(self.one, place)))
                key, going = lowering.name(self.key(element)), lowering.variable(bool_)
                with lowering.block() as looks:
                    before = lowering.name(self.key(Load(self.one, add(hole, -1))))
                    self._emit(Set(going, comes_before(key, before)))
                tests = [If(truth("greater", hole, start), looks, [Set(going, Number(False, bool_))])]
                move = Store(self.one, hole, Load(self.one, add(hole, -1)))
                self._emit(While([*tests], going, [move, Set(hole, add(hole, -1))]))
                self._emit(Store(self.one, hole, element), Set(place, add(place, 1)))
            self._emit(While([], truth("less", place, stop), insertion))
            self._emit(Set(start, add(start, _RUN)))
        self._emit(While([], truth("less", start, self.count), run))

    def _merges(self, width: Variable) -> None:
        """Merges runs of so many elements, two by two."""
        start, lowering = self._variable(0), self.lowering
        with lowering.block() as merge:
            middle = lowering.name(_least(add(start, width), self.count))
            stop = lowering.name(_least(add(start, width, width), self.count))
            left, right, place = self._variable(start), self._variable(middle), self._variable(start)
            with lowering.block() as step:
                one = lowering.name(Load(self.one, left))
                other = lowering.name(Load(self.one, right))
                is_right = lowering.name(comes_before(self.key(other), self.key(one)))
                self._emit(Store(self.other, place, Apply("select", (is_right, other, one), one.dtype)))
                by = lowering.name(Cast(is_right, int64))
                self._emit(Set(right, add(right, by)), Set(place, add(place, 1)))
                self._emit(Set(left, Apply("subtract", (add(left, 1), by), int64)))
            both = Apply("logical_and", (truth("less", left, middle), truth("less", right, stop)), bool_)
            self._emit(While([], both, step))
            for rest, end in ((left, middle), (right, stop)):
                copies: list[Statement] = [
                    Store(self.other, place, Load(self.one, rest)),
                    Set(rest, add(rest, 1)),
                    Set(place, add(place, 1)),
                ]
                self._emit(While([], truth("less", rest, end), copies))
            self._emit(Set(start, stop))
        self._emit(While([], truth("less", start, self.count), merge))

    def _names(self) -> Array:
        return self.lowering.array(self.one.dtype)

    def _variable(self, start: Expression | int) -> Variable:
        found = self.lowering.variable(int64)
        self._emit(Set(found, Number(start, int64) if isinstance(start, int) else start))
        return found

    def _emit(self, *statements: Statement) -> None:
        for each in statements:
            self.lowering.emit(each)


def comes_before(one: Expression, other: Expression) -> Expression:
    """Whether an element comes before another that was behind it."""
    if one.dtype is bool_:
        one, other = Cast(one, int8), Cast(other, int8)
    is_less = Apply("less", (one, other), bool_)
    if not one.dtype.is_floating:
        return is_less
    is_number, is_none = Apply("equal", (one, one), bool_), Apply("not_equal", (other, other), bool_)
    return Apply("logical_or", (is_less, Apply("logical_and", (is_number, is_none), bool_)), bool_)


def _least(one: Expression, other: Expression) -> Expression:
    return Apply("minimum", (one, other), int64)
