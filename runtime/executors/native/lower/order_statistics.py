"""Medians and quantiles: a few elements are put in order, more of them divided into lesser and greater ones.

NumPy divides them, too, and faster where there are very many, so it is asked for these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from runtime.core.dtypes import bool_, float32, float64, int64
from runtime.core.shapes import normalise_axes
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
    While,
    add,
    multiply,
    truth,
)
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.sorting import SHORT, Row, require_unequal
from runtime.executors.native.lower.values import InMemory, Lowered, Scalar, count_of
from runtime.graph.graph import Node
from runtime.graph.op import Const
from runtime.ops.families import Reduction
from runtime.ops.order_statistics import Median, Quantile

_ZERO, _ONE, _FALSE = Number(0, int64), Number(1, int64), Number(False, bool_)


@lowers(Median)
def _median(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Median), "it lowers these"
    dtype = node.outputs[0].dtype
    if op.ignore_nan or dtype not in {float32, float64}:
        raise Unsupported("it runs in Python")

    def of_row(row: _Ordered) -> Expression:
        half = lowering.name(Apply("right_shift", (add(row.count, -1), _ONE), int64))
        lower, upper = row.pair(half)
        is_odd = Apply("not_equal", (Apply("bitwise_and", (row.count, _ONE), int64), _ZERO), bool_)
        median = lowering.variable(dtype)
        lowering.emit(Set(median, lower))
        with lowering.block() as between:
            both = Apply("add", (lower, upper), dtype)
            lowering.emit(Set(median, Apply("divide", (both, Number(2.0, dtype)), dtype)))
        lowering.emit(If(lowering.name(is_odd), [], between))
        return median

    return [_of_rows(lowering, node, op, (), lambda row, _: of_row(row))]


@lowers(Quantile)
def _quantile(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Quantile), "it lowers these"
    x, q = node.inputs
    dtypes = {x.dtype, q.dtype, node.outputs[0].dtype}
    if op.ignore_nan or op.method != "linear" or dtypes != {float64} or len(q.shape or ()) > 1:
        raise Unsupported("it runs in Python")
    if not _is_as_written():
        raise Unsupported("NumPy has a way of its own between two elements")
    if q.shape == ():
        part = lowering.scalar(q)
        inside = truth(
            "logical_and",
            truth("greater_equal", part, _float(0.0)),
            truth("less_equal", part, _float(1.0)),
        )
        lowering.assume(inside, "a quantile is no part of the whole")
        return [_of_rows(lowering, node, op, (), lambda row, _: _between(lowering, row, part))]
    known = q.node.op
    if not isinstance(known, Const) or not np.all((known.value >= 0) & (known.value <= 1)):
        raise Unsupported("only the run knows which quantiles")
    places = lowering.in_memory(q)

    def of_row(row: _Ordered, at: Sequence[Expression]) -> Expression:
        return _between(lowering, row, lowering.name(places.at(at)))

    return [_of_rows(lowering, node, op, places.dims, of_row)]


def _between(lowering: Lowering, row: _Ordered, part: Expression) -> Expression:
    """What is on the line between two elements of a row, as NumPy computes it."""
    last = lowering.name(add(row.count, -1))
    place = lowering.name(_of("multiply", Cast(last, float64), part))
    whole = lowering.name(Cast(_of("floor", place), int64))
    is_last = lowering.name(truth("greater_equal", place, Cast(last, float64)))
    one, other = row.pair(lowering.name(Apply("select", (is_last, last, whole), int64)))
    counted = Cast(Apply("select", (is_last, Number(-1, int64), whole), int64), float64)
    step = lowering.name(_of("subtract", place, counted))
    rise = lowering.name(_of("subtract", other, one))
    upwards = _of("add", one, _of("multiply", rise, step))
    downwards = _of("subtract", other, _of("multiply", rise, _of("subtract", _float(1.0), step)))
    return Apply("select", (truth("greater_equal", step, _float(0.5)), downwards, upwards), float64)


def _of_rows(
    lowering: Lowering,
    node: Node,
    op: Reduction,
    parts: tuple[Expression, ...],
    result_of: Callable[[_Ordered, Sequence[Expression]], Expression],
) -> Lowered:
    """What is computed of the elements of each row, in order, for each of some parts; NaN where one is."""
    if lowering.shared.beyond is Beyond.PYTHON:
        raise Unsupported("only NumPy knows in which order it leaves equal elements")
    x = lowering.in_memory(node.inputs[0])
    axes = normalise_axes(op.axis, len(x.dims))
    count = count_of(tuple([x.dims[axis] for axis in axes]))
    if isinstance(count, Number) and not 0 < int(count.value) <= _MOST:
        raise Unsupported("NumPy knows a way for many elements")
    if not isinstance(count, Number) and lowering.shared.beyond is not Beyond.NOBODY:
        few = truth(
            "logical_and",
            truth("greater", count, _ZERO),
            truth("less_equal", count, Number(_MOST, int64)),
        )
        lowering.assume(few, "NumPy knows a way for many elements")
    kind = _InOrder if isinstance(count, Number) and int(count.value) <= SHORT else _Divided
    count = lowering.name(count, "n")
    others = [axis for axis in range(len(x.dims)) if axis not in axes]
    shown = range(len(x.dims)) if op.keepdims else others
    rest = [x.dims[axis] if axis in others else _ONE for axis in shown]
    result = lowering.allocated((*parts, *rest), node.outputs[0].dtype)
    memory = [lowering.allocated((count,), x.dtype).array for _ in range(kind.arrays)]
    with lowering.nest(tuple([x.dims[axis] for axis in others])) as outer:
        own: dict[int, Expression] = dict(zip(others, outer, strict=True))
        _take(lowering, x, memory[0], own, axes)
        row = kind(lowering, node, memory, count)
        none = lowering.name(row.none())
        is_none = truth("not_equal", none, none)
        kept = [own.get(axis, _ZERO) for axis in shown]
        with lowering.nest(parts) as at:
            found = result_of(row, at)
            number = Apply("select", (is_none, none, found), result.dtype)
            lowering.store(result, [*at, *kept], lowering.name(number))
    return result if result.dims else Scalar(lowering.name(result.at(())))


class _Ordered:
    """The elements of a row, of which some are asked for by their places in order."""

    arrays = 1
    """How many arrays of as many elements it needs."""

    def __init__(self, lowering: Lowering, node: Node, memory: Sequence[Array], count: Expression) -> None:
        self.lowering = lowering
        self.count = count
        self._node = node
        self._array = memory[0]

    def none(self) -> Expression:
        """An element that is no number, or any other where all are numbers."""
        raise NotImplementedError

    def pair(self, place: Expression) -> tuple[Expression, Expression]:
        """The element at a place, and the next one; that itself where it is the last."""
        raise NotImplementedError


class _InOrder(_Ordered):
    """A few elements, all of them in order."""

    arrays = 2

    def __init__(self, lowering: Lowering, node: Node, memory: Sequence[Array], count: Expression) -> None:
        one, other = memory
        row = Row(lowering, one, other, count, lambda value: value)
        row.sort()
        if lowering.shared.beyond is Beyond.ANOTHER:
            require_unequal(lowering, node, row, by_place=False)
        super().__init__(lowering, node, [row.one], count)

    def none(self) -> Expression:
        return Load(self._array, add(self.count, -1))

    def pair(self, place: Expression) -> tuple[Expression, Expression]:
        last = add(self.count, -1)
        after = Apply("minimum", (add(place, 1), last), int64)
        one, other = (self.lowering.name(Load(self._array, each)) for each in (place, after))
        return one, other


class _Divided(_Ordered):
    """Elements that are divided into lesser and greater ones, until one is at its place: Hoare's way."""

    def none(self) -> Expression:
        """Where there are zeros of both signs, only NumPy knows which one is at a place."""
        lowering, dtype = self.lowering, self._array.dtype
        found = lowering.variable(dtype, "none")
        flags = [lowering.variable(bool_, each) for each in ("above", "below")]
        for each, start in zip((found, *flags), (Number(0.0, dtype), _FALSE, _FALSE), strict=True):
            lowering.emit(Set(each, start))
        with lowering.loop(self.count) as index:
            element = lowering.name(Load(self._array, index))
            is_none = truth("not_equal", element, element)
            lowering.emit(Set(found, Apply("select", (is_none, element, found), dtype)))
            is_zero, sign = truth("equal", element, Number(0.0, dtype)), truth("signbit", element)
            for flag, is_so in zip(flags, (Apply("logical_not", (sign,), bool_), sign), strict=True):
                now = Apply("logical_and", (is_zero, is_so), bool_)
                lowering.emit(Set(flag, Apply("logical_or", (flag, now), bool_)))
        if lowering.shared.beyond is Beyond.ANOTHER:
            is_sure = Apply("logical_not", (truth("logical_and", *flags),), bool_)
            lowering.give_up_unless(lowering.name(is_sure), self._node, "Exception", "")
        return found

    def pair(self, place: Expression) -> tuple[Expression, Expression]:
        lowering = self.lowering
        self._divide(place)
        one = lowering.name(Load(self._array, place))
        other = lowering.variable(self._array.dtype, "next")
        after = lowering.name(Apply("minimum", (add(place, 1), add(self.count, -1)), int64))
        lowering.emit(Set(other, Load(self._array, after)))
        with lowering.loop(lowering.name(Apply("subtract", (self.count, after), int64), "n")) as index:
            element = lowering.name(Load(self._array, add(after, index)))
            least = Apply("select", (truth("less", element, other), element, other), one.dtype)
            lowering.emit(Set(other, least))
        return one, other

    def _divide(self, place: Expression) -> None:
        """Puts an element at its place: what is before it is not greater, what is behind it not less."""
        lowering, array = self.lowering, self._array
        low, high = lowering.variable(int64, "low"), lowering.variable(int64, "high")
        lowering.emit(Set(low, _ZERO))
        lowering.emit(Set(high, add(self.count, -1)))
        with lowering.block() as turn:
            pivot = lowering.name(Load(array, place))
            left, right = lowering.variable(int64, "left"), lowering.variable(int64, "right")
            lowering.emit(Set(left, low))
            lowering.emit(Set(right, high))
            with lowering.block() as exchange:
                lowering.emit(While([], truth("less", Load(array, left), pivot), [Set(left, add(left, 1))]))
                lowering.emit(
                    While([], truth("less", pivot, Load(array, right)), [Set(right, add(right, -1))])
                )
                with lowering.block() as swap:
                    one, other = lowering.name(Load(array, left)), lowering.name(Load(array, right))
                    lowering.emit(Store(array, left, other))
                    lowering.emit(Store(array, right, one))
                    lowering.emit(Set(left, add(left, 1)))
                    lowering.emit(Set(right, add(right, -1)))
                lowering.emit(If(truth("less_equal", left, right), swap, []))
            lowering.emit(While([], truth("less_equal", left, right), exchange))
            lowering.emit(If(truth("less", right, place), [Set(low, left)], []))
            lowering.emit(If(truth("less", place, left), [Set(high, right)], []))
        lowering.emit(While([], truth("less", low, high), turn))


_MOST = 20_000
"""Elements up to which that takes no longer than NumPy does, or not much."""


def _take(
    lowering: Lowering, x: InMemory, row: Array, outer: Mapping[int, Expression], axes: Sequence[int]
) -> None:
    """Copies the elements along some axes, in the order of their indices."""
    with lowering.nest(tuple([x.dims[axis] for axis in axes])) as inner:
        at = dict(zip(axes, inner, strict=True))
        place: Expression = _ZERO
        for axis in axes:
            place = add(multiply(place, x.dims[axis]), at[axis])
        indices = [outer[axis] if axis in outer else at[axis] for axis in range(len(x.dims))]
        lowering.emit(Store(row, lowering.name(place), x.at(indices)))


def _of(function: str, *operands: Expression) -> Expression:
    return Apply(function, operands, float64)


def _float(number: float) -> Number:
    return Number(number, float64)


@cache
def _is_as_written() -> bool:
    """Whether NumPy computes what is between two elements as here."""
    random = np.random.Generator(np.random.PCG64(0))
    for count in (1, 2, 5, 12, 33):
        x = np.sort(random.normal(size=count))
        for part in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1.0, *random.uniform(size=20)):
            place = (count - 1) * part
            is_last = place >= count - 1
            before, after = (-1, -1) if is_last else (math.floor(place), math.floor(place) + 1)
            step, rise = place - before, x[after] - x[before]
            found = x[after] - rise * (1 - step) if step >= 0.5 else x[before] + rise * step
            if found != np.quantile(x, part):
                return False
    return True
