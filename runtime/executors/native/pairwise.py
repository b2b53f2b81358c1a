"""NumPy's sums of floats, in its order: so they have its bits.

NumPy adds the elements of a row pairwise: up to 128 of them in eight sums, longer rows half by half. That is
tried once, against NumPy itself. Which elements are a row depends on how an array lies in memory: this is for
arrays that lie in the order of their indices (`layouts.py`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.core.shapes import normalise_axis, size
from runtime.executors.native import numpys_sums
from runtime.executors.native.language import loops
from runtime.executors.native.language.loops import Expression, Number, Set, Variable, add, multiply
from runtime.executors.native.layouts import Layouts
from runtime.executors.native.lower.building import Building
from runtime.graph.graph import Node
from runtime.ops import core

__all__ = [
    "adds_in_order",
    "is_by_numpy",
    "is_least_or_most",
    "is_pairwise",
    "is_product",
    "is_row_by_row",
    "pairwise",
]

_AT_ONCE, _BLOCK = 8, 128
_MOST = 1024
"""Elements of a sum whose order is written out: its code grows with blocks."""

_Element = TypeVar("_Element")


def is_least_or_most(node: Node) -> bool:
    """Whether a reduction is the least or the most of some floats, which is one of them but for zeros.

    Along the last axis there may be more: else elements lie apart that are compared.
    """
    op = node.op
    if not isinstance(op, core.Reduce) or op.combine not in {"maximum", "minimum"}:
        return False
    return op.initial is None and op.dtype.is_floating and node.inputs[0].shape is not None


def is_pairwise(node: Node) -> bool:
    """Whether a reduction is a sum of rows that NumPy adds pairwise, if `adds_in_order`."""
    op, x = node.op, node.inputs[0]
    if not isinstance(op, core.Reduce) or op.combine != "add" or op.initial is not None:
        return False
    shape, dtype = x.shape, op.dtype
    count = None if shape is None else size(shape)
    if shape is None or x.dtype is not dtype or not dtype.is_floating:
        return False
    rank = len(shape)
    axes = range(rank) if op.axis is None else sorted({normalise_axis(axis, rank) for axis in op.axis})
    if rank != 1 and (
        not isinstance(count, int) or count == 0 or [*axes] not in ([*range(rank)], [rank - 1])
    ):
        return False
    if is_by_numpy(node) and not numpys_sums.has_loop("add", dtype):
        return False
    return rank > 0 and len(axes) > 0 and _adds_pairwise(dtype)


def is_by_numpy(node: Node) -> bool:
    """Whether a sum is NumPy's loop's: of many elements, or of a number of them that only a run knows."""
    shape = node.inputs[0].shape or ()
    count = size(shape)
    return not isinstance(count, int) or count > _MOST


def is_row_by_row(node: Node) -> bool:
    """Whether a reduction adds rows to rows, one after the other, if its table lies in order.

    Rows of one element are one row for NumPy, which it adds pairwise.
    """
    op, x = node.op, node.inputs[0]
    if not isinstance(op, core.Reduce) or op.combine != "add" or op.initial is not None or op.axis is None:
        return False
    shape, dtype = x.shape, op.dtype
    if shape is None or x.dtype is not dtype or not dtype.is_floating or len(op.axis) != 1:
        return False
    axis, length = normalise_axis(op.axis[0], len(shape)), shape[-1]
    return axis < len(shape) - 1 and isinstance(length, int) and length > 1 and _adds_row_by_row(dtype)


def is_product(node: Node) -> bool:
    """Whether a reduction multiplies all elements, or those along one axis, which NumPy does in turn."""
    op, x = node.op, node.inputs[0]
    if not isinstance(op, core.Reduce) or op.combine != "multiply" or op.initial is not None:
        return False
    shape, dtype = x.shape, op.dtype
    if shape is None or x.dtype is not dtype or not dtype.is_floating:
        return False
    return (op.axis is None or len(op.axis) in {1, len(shape)}) and _multiplies_in_turn(dtype)


@cache
def _multiplies_in_turn(dtype: DType) -> bool:
    """Whether NumPy multiplies one element after the other."""
    for rows, length in ((1, 7), (2, 3), (9, 2), (9, 8), (17, 5), (3, 300)):
        places = np.arange(rows * length).reshape(rows, length)
        x = (1 + np.cos(places + 1.0) / 7).astype(dtype.numpy)
        for axis, rest in ((0, x.T), (1, x), (None, x.reshape(1, -1))):
            in_turn = np.stack([np.multiply.accumulate(row)[-1] for row in rest])
            if in_turn.tobytes() != np.multiply.reduce(x, axis=axis).tobytes():
                return False
    return True


@cache
def _adds_row_by_row(dtype: DType) -> bool:
    """Whether NumPy adds rows to rows, one after the other."""
    for rows, length in ((1, 2), (2, 3), (9, 2), (9, 8), (17, 5), (130, 2), (130, 33), (3, 300)):
        places = np.arange(rows * length).reshape(rows, length)
        x = (np.cos(places + 1.0) * 10.0 ** (places * 7 % 9 - 4)).astype(dtype.numpy)
        for table, axis in ((x, 0), (np.stack([x, x[::-1]]), 1)):
            total = np.zeros_like(table[..., 0, :])
            for row in range(rows):
                total = total + table[..., row, :]
            if total.tobytes() != np.add.reduce(table, axis=axis).tobytes():
                return False
    return True


def adds_in_order(node: Node, layouts: Layouts) -> bool:
    """Whether the rows that a reduction adds lie in the order of their indices; a table in one piece."""
    x = node.inputs[0]
    return layouts.lies_upward(x) if len(x.shape or ()) == 1 else layouts.lies_in_order(x)


@cache
def _adds_pairwise(dtype: DType) -> bool:
    """Whether NumPy adds in the order that this file has."""
    numpy = dtype.numpy.type
    added: Callable[[Any, Any], Any] = operator.add

    for count in (1, 2, 7, 8, 9, 100, 128, 129, 136, 257, 1000):
        places = np.arange(count)
        x = (np.cos(places + 1.0) * 10.0 ** (places * 7 % 9 - 4)).astype(numpy)
        with np.errstate(all="ignore"):
            found = numpy(0) + _in_order(count, x.__getitem__, added)
            rows = np.stack([x, x[::-1]]) * numpy(1)
            if found != np.add.reduce(x) or found != np.add.reduce(rows, axis=1)[0]:
                return False
            flat = rows.reshape(-1)
            in_all = numpy(0) + _in_order(2 * count, flat.__getitem__, added)
            if in_all != np.add.reduce(rows, axis=None):
                return False
    return bool(np.signbit(np.add.reduce(np.array([-0.0, -0.0], numpy))) == np.signbit(numpy(0)))


def _in_order(
    count: int,
    read: Callable[[int], _Element],
    plus: Callable[[_Element, _Element], _Element],
    start: int = 0,
) -> _Element:
    """The sum of some elements, at least one, in NumPy's order."""
    if count > _BLOCK:
        half = count // 2 - count // 2 % _AT_ONCE
        one = _in_order(half, read, plus, start)
        return plus(one, _in_order(count - half, read, plus, start + half))
    if count < _AT_ONCE:
        total, rest = read(start), range(start + 1, start + count)
    else:
        sums = [read(start + place) for place in range(_AT_ONCE)]
        whole = count - count % _AT_ONCE
        for place in range(_AT_ONCE, whole):
            sums[place % _AT_ONCE] = plus(sums[place % _AT_ONCE], read(start + place))
        total, rest = _together(sums, plus), range(start + whole, start + count)
    for place in rest:
        total = plus(total, read(place))
    return total


def _together(sums: list[_Element], plus: Callable[[_Element, _Element], _Element]) -> _Element:
    """Eight sums, added up."""
    while len(sums) > 1:
        sums = [plus(sums[place], sums[place + 1]) for place in range(0, len(sums), 2)]
    return sums[0]


def pairwise(
    building: Building, count: int, dtype: DType, read: Callable[[Expression], Expression]
) -> Expression:
    """The sum of a row as NumPy has it; `read` gives the element at a place.

    It is `_in_order` with a loop over what is added to the eight sums.
    """
    zero = Number(0.0, dtype)

    def added(one: Expression, other: Expression) -> Expression:
        return building.name(loops.Apply("add", (one, other), dtype))

    def at(place: int) -> Expression:
        return building.name(read(Number(place, int64)))

    def of_block(start: int, length: int) -> Expression:
        if length > _BLOCK:
            half = length // 2 - length // 2 % _AT_ONCE
            one = of_block(start, half)
            return added(one, of_block(start + half, length - half))
        rounds = length // _AT_ONCE
        if rounds < 2:
            return _in_order(length, at, added, start)
        sums: list[Variable] = [building.variable(dtype, "sum") for _ in range(_AT_ONCE)]
        for place, total in enumerate(sums):
            building.emit(Set(total, at(start + place)))
        with building.loop(Number(rounds - 1, int64)) as turn:
            first = building.name(add(multiply(turn, _AT_ONCE), start + _AT_ONCE))
            for place, total in enumerate(sums):
                element = building.name(read(add(first, place)))
                building.emit(Set(total, loops.Apply("add", (total, element), dtype)))
        in_all: Expression = _together(list[Expression](sums), added)
        for place in range(start + rounds * _AT_ONCE, start + length):
            in_all = added(in_all, at(place))
        return in_all

    return zero if count == 0 else added(zero, of_block(0, count))
