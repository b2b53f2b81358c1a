"""Medians and quantiles of a few elements, which are put in order.

NumPy, which divides many elements into greater and lesser ones, takes longer for a few; but it need not order
them, so of many it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from runtime.core.dtypes import bool_, float32, float64, int64
from runtime.core.shapes import normalise_axes
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
from runtime.executors.native.lower.building import Beyond, Unsupported
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.sorting import SHORT, Row, require_unequal
from runtime.executors.native.lower.values import InMemory, Lowered, Scalar, count_of
from runtime.graph.graph import Node
from runtime.graph.op import Const
from runtime.ops.families import Reduction
from runtime.ops.order_statistics import Median, Quantile

_ZERO, _ONE = Number(0, int64), Number(1, int64)


@lowers(Median)
def _median(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Median), "it lowers these"
    dtype = node.outputs[0].dtype
    if op.ignore_nan or dtype not in {float32, float64}:
        raise Unsupported("it runs in Python")

    def of_row(row: Row) -> Expression:
        half = lowering.name(Apply("right_shift", (row.count, _ONE), int64))
        upper = lowering.name(Load(row.one, half))
        is_odd = Apply("not_equal", (Apply("bitwise_and", (row.count, _ONE), int64), _ZERO), bool_)
        median = lowering.variable(dtype)
        lowering.emit(Set(median, upper))
        with lowering.block() as between:
            both = Apply("add", (Load(row.one, add(half, -1)), upper), dtype)
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

    def of_row(row: Row, at: Sequence[Expression]) -> Expression:
        return _between(lowering, row, lowering.name(places.at(at)))

    return [_of_rows(lowering, node, op, places.dims, of_row)]


def _between(lowering: Lowering, row: Row, part: Expression) -> Expression:
    """What is on the line between two elements of a row, as NumPy computes it."""
    last = lowering.name(add(row.count, -1))
    place = lowering.name(_of("multiply", Cast(last, float64), part))
    whole = lowering.name(Cast(_of("floor", place), int64))
    is_last = lowering.name(truth("greater_equal", place, Cast(last, float64)))
    before = Apply("select", (is_last, last, whole), int64)
    after = Apply("select", (is_last, last, add(whole, 1)), int64)
    one, other = lowering.name(Load(row.one, before)), lowering.name(Load(row.one, after))
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
    result_of: Callable[[Row, Sequence[Expression]], Expression],
) -> Lowered:
    """What is computed of the elements of each row, in order, for each of some parts; NaN where one is."""
    if lowering.shared.beyond is Beyond.PYTHON:
        raise Unsupported("only NumPy knows in which order it leaves equal elements")
    x = lowering.in_memory(node.inputs[0])
    axes = normalise_axes(op.axis, len(x.dims))
    count = count_of(tuple([x.dims[axis] for axis in axes]))
    if isinstance(count, Number) and not 0 < int(count.value) <= SHORT:
        raise Unsupported("NumPy knows a way for many elements")
    if not isinstance(count, Number) and lowering.shared.beyond is not Beyond.NOBODY:
        few = truth(
            "logical_and",
            truth("greater", count, _ZERO),
            truth("less_equal", count, Number(SHORT, int64)),
        )
        lowering.assume(few, "NumPy knows a way for many elements")
    count = lowering.name(count, "n")
    others = [axis for axis in range(len(x.dims)) if axis not in axes]
    shown = range(len(x.dims)) if op.keepdims else others
    rest = [x.dims[axis] if axis in others else _ONE for axis in shown]
    result = lowering.allocated((*parts, *rest), node.outputs[0].dtype)
    one, other = (lowering.allocated((count,), x.dtype).array for _ in range(2))
    with lowering.nest(tuple([x.dims[axis] for axis in others])) as outer:
        own: dict[int, Expression] = dict(zip(others, outer, strict=True))
        _take(lowering, x, one, own, axes)
        row = Row(lowering, one, other, count, lambda value: value)
        row.sort()
        if lowering.shared.beyond is Beyond.ANOTHER:
            require_unequal(lowering, node, row, by_place=False)
        greatest = lowering.name(Load(row.one, add(count, -1)))
        is_none = truth("not_equal", greatest, greatest)
        kept = [own.get(axis, _ZERO) for axis in shown]
        with lowering.nest(parts) as at:
            found = result_of(row, at)
            number = Apply("select", (is_none, greatest, found), result.dtype)
            lowering.store(result, [*at, *kept], lowering.name(number))
    return result if result.dims else Scalar(lowering.name(result.at(())))


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
