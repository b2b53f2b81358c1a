"""Elements combined: reductions and scans."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import numpy as np

from runtime.core.dtypes import bool_, int64
from runtime.core.shapes import normalise_axis
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    Fold,
    If,
    Load,
    Number,
    Part,
    Set,
    Store,
    Sums,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.language.walking import expressions_in, inside, parts_of
from runtime.executors.native.lower.building import require_function
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.parts import least_or_most
from runtime.executors.native.lower.values import (
    Dims,
    Elements,
    InMemory,
    Lowered,
    Scalar,
    count_of,
    flat_place,
)
from runtime.executors.native.numpys_own import PREFIX
from runtime.executors.native.pairwise import (
    is_by_numpy,
    is_least_or_most,
    is_pairwise,
    is_product,
    is_row_by_row,
    pairwise,
)
from runtime.graph.graph import Node, Value
from runtime.ops import core

_LEAST_ROW = 8
"""Elements from which on rows are combined with rows, where the last axis stays."""


@lowers(core.Reduce)
def _reduce(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Reduce), "it lowers these"
    x = node.inputs[0]
    require_function(op.combine, op.dtype)
    source, dims = lowering.seamless(x), lowering.dims(x)
    rank = len(dims)
    axes = range(rank) if op.axis is None else sorted({normalise_axis(axis, rank) for axis in op.axis})
    if lowering.shared.beyond is Beyond.ANOTHER and is_pairwise(node):
        return [_added_pairwise(lowering, node)]
    start = _start(op)
    if start is None:
        start = least_or_most(op.combine, op.dtype)
        _require_some(lowering, [dims[axis] for axis in axes])
    in_turn = op.order == "turns" or (lowering.shared.beyond is Beyond.ANOTHER and is_product(node))
    of_zeros = lowering.shared.beyond is Beyond.ANOTHER and is_least_or_most(node) and op.order == "numpy"
    kept = [axis for axis in range(rank) if axis not in axes]
    inner = tuple([lowering.name(dims[axis], "n") for axis in axes])
    is_all = len(inner) == rank and (
        isinstance(source, InMemory) or (isinstance(source, Elements) and source.at_place is not None)
    )

    def element(outer: Sequence[Expression], indices: Sequence[Expression]) -> Expression:
        """What is at these places along the axes that are kept, and along the others."""
        places = dict(zip((*kept, *axes), (*outer, *indices), strict=True))
        return lowering.at(source, [places[axis] for axis in range(rank)])

    def folded(outer: Sequence[Expression]) -> Expression:
        total = lowering.variable(op.dtype, "sum")
        lowering.emit(Set(total, start))

        def take(element: Expression) -> None:
            one = element if element.dtype is op.dtype else Cast(element, op.dtype)
            lowering.emit(_combined(op, total, lowering.name(one), in_turn=in_turn))

        if is_all:
            with lowering.loop(lowering.name(count_of(dims), "n")) as place:
                take(_element(source, place))
            return total
        with lowering.nest(inner) as indices:
            take(element(outer, indices))
        return total

    result_dims = _dims_left(dims, kept, op)
    if not result_dims:
        total = folded(())
        if of_zeros:
            _require_one_sign(lowering, node, total, inner, partial(element, ()))
        return [Scalar(total)]
    result = lowering.allocated(tuple(result_dims), op.dtype)
    places = _places(kept, op.keepdims)
    is_in_turn = lowering.shared.beyond is Beyond.ANOTHER and is_row_by_row(node)
    lowering.shared.program.is_in_order |= is_in_turn
    if is_in_turn or (rank - 1 not in axes and _is_worth_rows(dims[-1])):
        _fold_rows(lowering, op, x, result, kept, start)
    else:
        with lowering.nest(tuple([result.dims[place] for place, _ in places])) as outer:
            lowering.store(result, _indices(result, places, outer), folded(outer))
    if of_zeros:
        with lowering.nest(tuple([result.dims[place] for place, _ in places])) as outer:
            total = lowering.name(result.at(_indices(result, places, outer)))
            _require_one_sign(lowering, node, total, inner, partial(element, outer))
    return [result]


def _combined(op: core.Reduce, total: Variable, one: Expression, *, in_turn: bool) -> Set | Fold:
    """An element combined with those before it, in turn where the bits are those of that order."""
    if in_turn:
        return Set(total, Apply(op.combine, (total, one), op.dtype))
    return Fold(total, op.combine, one)


def _require_some(lowering: Lowering, lengths: Sequence[Expression]) -> None:
    """Leaves it to NumPy to say that of no elements there is no least."""
    for length in lengths:
        if not (isinstance(length, Number) and length.value > 0):
            some = Apply("greater", (length, Number(0, int64)), bool_)
            lowering.assume(some, "there is no element of which it could be")


def _dims_left(dims: Dims, kept: Sequence[int], op: core.Reduce) -> list[Expression]:
    """The lengths of what a reduction leaves."""
    axes = [axis for axis in range(len(dims)) if axis in kept or op.keepdims]
    return [dims[axis] if axis in kept else Number(1, int64) for axis in axes]


def _element(source: Lowered, place: Expression) -> Expression:
    """An element of an array, by its place among all."""
    if isinstance(source, InMemory):
        return Load(source.array, place)
    assert isinstance(source, Elements), "a number has no axes"
    assert source.at_place is not None, "it was asked"
    return source.at_place(place)


def _require_one_sign(
    lowering: Lowering,
    node: Node,
    total: Expression,
    inner: tuple[Expression, ...],
    element: Callable[[Sequence[Expression]], Expression],
) -> None:
    """Leaves it to NumPy which of two zeros is the least or the most, where there are both."""
    signs = [lowering.variable(bool_, "zero") for _ in range(2)]
    for sign in signs:
        lowering.emit(Set(sign, Number(False, bool_)))
    zero = Number(0.0, total.dtype)
    with lowering.block() as body, lowering.nest(inner) as indices:
        one = lowering.name(element(indices))
        one = one if one.dtype is total.dtype else Cast(one, total.dtype)
        is_zero = lowering.name(Apply("equal", (one, zero), bool_))
        is_minus = lowering.name(Apply("signbit", (one,), bool_))
        is_plus = Apply("logical_not", (is_minus,), bool_)
        for sign, has in zip(signs, (is_minus, is_plus), strict=True):
            found = Apply("logical_and", (is_zero, has), bool_)
            lowering.emit(Set(sign, Apply("logical_or", (sign, found), bool_)))
    lowering.emit(If(Apply("equal", (total, zero), bool_), body, []))
    both = Apply("logical_and", (signs[0], signs[1]), bool_)
    is_one = lowering.name(Apply("logical_not", (both,), bool_))
    lowering.give_up_unless(is_one, node, "Exception", "")


def _added_pairwise(lowering: Lowering, node: Node) -> Lowered:
    """Sums of all elements, or of those along the last axis, with NumPy's bits."""
    lowering.shared.program.is_in_order = True
    if is_by_numpy(node):
        return _added_by_numpy(lowering, node)
    x, dtype = node.inputs[0], node.outputs[0].dtype
    shape, rest = [int(cast("int", dim)) for dim in x.shape or ()], node.outputs[0].shape
    count = math.prod(shape) if not rest or math.prod(map(int, rest)) == 1 else shape[-1]  # type: ignore[arg-type]
    source = lowering.seamless(x)
    if not isinstance(source, Elements) or source.at_place is None or _calls_numpy(lowering, source):
        source = lowering.in_memory(x)

    if not rest:
        return Scalar(pairwise(lowering, count, dtype, partial(_element, source)))
    result = lowering.allocated(tuple([Number(int(cast("int", dim)), int64) for dim in rest]), dtype)
    with lowering.loop(count_of(result.dims)) as row:
        first = lowering.name(multiply(row, count))
        total = pairwise(lowering, count, dtype, lambda place: _element(source, add(first, place)))
        lowering.emit(Store(result.array, row, total))
    return result


def _calls_numpy(lowering: Lowering, source: Elements) -> bool:
    """Whether elements are what NumPy's own loops give, of which it takes rows."""
    assert source.at_place is not None, "it was asked"
    with lowering.block() as block:
        lowering.name(source.at_place(Variable("place", int64)))
    parts = (part for each in inside(block) for one in expressions_in(each) for part in parts_of(one))
    return any(isinstance(part, Apply) and part.function.startswith(PREFIX) for part in parts)


def _added_by_numpy(lowering: Lowering, node: Node) -> Lowered:
    """Sums of all elements, or of those along the last axis, by NumPy's own loop."""
    x, dtype = lowering.in_memory(node.inputs[0]), node.outputs[0].dtype
    rest, one, zero = node.outputs[0].shape or (), Number(1, int64), Number(0, int64)
    is_all = all(length == 1 for length in rest)
    count = lowering.name(count_of(x.dims) if is_all else x.dims[-1], "n")
    result = lowering.allocated(tuple([Number(int(cast("int", dim)), int64) for dim in rest]), dtype)
    with lowering.loop(count_of(result.dims)) as row:
        operand = Part(x.array, lowering.name(multiply(row, count)), (zero, one))
        lowering.emit(Sums("add", Part(result.array, row, (zero,)), (operand,), (one, count)))
    return result if rest else Scalar(lowering.name(result.at(())))


def _is_worth_rows(length: Expression) -> bool:
    return not isinstance(length, Number) or length.value >= _LEAST_ROW


def _fold_rows(
    lowering: Lowering, op: core.Reduce, x: Value, result: InMemory, kept: Sequence[int], start: Expression
) -> None:
    """Combines rows with rows: elements are read in the order in which they lie."""
    with lowering.loop(lowering.name(count_of(result.dims), "n")) as index:
        lowering.emit(Store(result.array, index, start))
    with lowering.nest(tuple([lowering.name(dim, "n") for dim in lowering.dims(x)])) as indices:
        places: list[Expression] = [Number(0, int64)] * len(result.dims)
        for place, axis in _places(kept, op.keepdims):
            places[place] = indices[axis]
        element = lowering.name(lowering.at(lowering.values[x], indices))
        one = element if element.dtype is op.dtype else Cast(element, op.dtype)
        to = lowering.name(flat_place(places, result.dims))
        total = Apply(op.combine, (Load(result.array, to), one), op.dtype)
        lowering.emit(Store(result.array, to, total))


def _indices(
    result: InMemory, places: Sequence[tuple[int, int]], outer: Sequence[Expression]
) -> list[Expression]:
    """Where in the result something is that these indices find along the axes that are kept."""
    indices: list[Expression] = [Number(0, int64)] * len(result.dims)
    for (place, _), index in zip(places, outer, strict=True):
        indices[place] = index
    return indices


def _places(kept: Sequence[int], keepdims: bool) -> list[tuple[int, int]]:
    """Where in the result each axis that is kept stands."""
    return [(axis if keepdims else place, axis) for place, axis in enumerate(kept)]


def _start(op: core.Reduce) -> Number | None:
    if op.initial is not None:
        return Number(op.dtype.numpy.type(op.initial).item(), op.dtype)
    identity = getattr(np, op.combine).identity
    return None if identity is None else Number(op.dtype.numpy.type(identity).item(), op.dtype)


@lowers(core.Scan)
def _scan(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Scan), "it lowers these"
    x = node.inputs[0]
    source, dims = lowering.seamless(x), lowering.dims(x)
    axis = normalise_axis(op.axis, len(dims))
    dtype = node.outputs[0].dtype
    require_function(op.combine, dtype)
    result = lowering.allocated(dims, dtype)
    if axis < len(dims) - 1 and _is_worth_rows(dims[-1]):
        _scan_rows(lowering, op, source, result, axis)
        return [result]
    others = tuple([dim for place, dim in enumerate(result.dims) if place != axis])
    with lowering.nest(others) as outer:
        total = lowering.variable(dtype, "sum")
        lowering.emit(Set(total, Number(dtype.numpy.type(0).item(), dtype)))
        with lowering.loop(result.dims[axis]) as index:
            places = [*outer[:axis], index, *outer[axis:]]
            element = lowering.name(lowering.at(source, places))
            lowering.emit(
                If(
                    Apply("equal", (index, Number(0, int64)), bool_),
                    [Set(total, element)],
                    [Set(total, Apply(op.combine, (total, element), dtype))],
                )
            )
            lowering.store(result, places, total)
    return [result]


def _scan_rows(lowering: Lowering, op: core.Scan, source: Lowered, result: InMemory, axis: int) -> None:
    """Combines each row with the one before it: elements are read in the order in which they lie."""
    length, one = result.dims[axis], Number(1, int64)
    some = lowering.name(Apply("minimum", (length, one), int64), "n")
    rest = lowering.name(Apply("subtract", (length, some), int64), "n")
    with lowering.nest(result.dims[:axis]) as outer:
        with lowering.nest((some, *result.dims[axis + 1 :])) as places:
            first = [*outer, *places]
            lowering.store(result, first, lowering.name(lowering.at(source, first)))
        with lowering.nest((rest, *result.dims[axis + 1 :])) as (before, *inner):
            index = lowering.name(Apply("add", (before, one), int64), "i")
            here: list[Expression] = [*outer, index, *inner]
            above = [*outer, before, *inner]
            element = lowering.name(lowering.at(source, here))
            total = Apply(op.combine, (result.at(above), element), result.dtype)
            lowering.store(result, here, total)
