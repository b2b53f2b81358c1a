"""NumPy's sums of floats, in its order: so they have its bits.

NumPy adds the elements of a row pairwise: up to 128 of them in eight sums, longer rows half by half. That is
tried once, against NumPy itself. Which elements are a row depends on how an array lies in memory: this is for
modules whose arrays all lie in the order of their indices, or are cut out of such.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.core.shapes import normalise_axis, size
from runtime.core.spec import ArraySpec
from runtime.executors.native.language import loops
from runtime.executors.native.language.loops import Expression, Number, Set, Variable, add, multiply
from runtime.executors.native.lower.building import Building
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.ops import core
from runtime.ops.joining import ConcatV2

__all__ = ["is_least_or_most", "is_pairwise", "lies_in_order", "pairwise"]

_AT_ONCE, _BLOCK = 8, 128
_MOST = 1024
"""Elements of a sum: its code grows with blocks, and NumPy is as fast at many."""

_KEEP_ORDER = core.Map | core.Scatter | core.Iota | core.Scan | core.Reduce | core.AffineMap | ConcatV2
"""Ops that give arrays in the order of their indices, for such."""

_Element = TypeVar("_Element")


def lies_in_order(module: Module) -> bool:
    """Whether all arrays of a module of core ops lie in the order of their indices, where its inputs do."""
    nodes = [node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes]
    parts = [node.op for node in nodes if isinstance(node.op, core.AffineMap)]
    tables = [node for node in nodes if not all(map(_is_row, node.specs))]
    joins = any(isinstance(node.op, ConcatV2) for node in tables)
    return (
        all(map(_keeps_order, tables))
        and all(map(_is_upward, parts))
        and not (joins and any(map(_repeats, parts)))  # NumPy joins what is repeated in another order
    )


def _is_row(spec: object) -> bool:
    """Whether something has no two axes that could lie in another order."""
    return not isinstance(spec, ArraySpec) or (spec.shape is not None and len(spec.shape) < 2)


def _keeps_order(node: Node) -> bool:
    op = node.op
    if isinstance(op, Const):
        return bool(np.asarray(op.value).flags.c_contiguous)
    if isinstance(op, core.Gather):
        return len(op.axes) == 1
    is_around = bool(op.regions) or op.callee is not None
    return is_around or isinstance(op, _KEEP_ORDER)


def _is_upward(op: core.AffineMap) -> bool:
    """Whether a part of an array has its axes in their order, none of them turned round."""
    if op.fill:
        return True
    met = [-1]
    for terms in op.places:
        indices = [(factor, scalars, index) for factor, scalars, index in terms if index is not None]
        if len(indices) > 1 or any(scalars or factor < 0 for factor, scalars, _ in indices):
            return False
        met += [index for _, _, index in indices]
    return len(op.shape) < 2 or met == sorted(set(met))


def _repeats(op: core.AffineMap) -> bool:
    """Whether a part of an array has its elements again along some axis."""
    met = {index for terms in op.places for _, _, index in terms}
    return not op.fill and any(axis not in met and length != 1 for axis, length in enumerate(op.shape))


def is_least_or_most(node: Node) -> bool:
    """Whether a reduction is the least or the most of some floats, which is one of them but for zeros."""
    op = node.op
    is_one = isinstance(op, core.Reduce) and op.combine in {"maximum", "minimum"} and op.initial is None
    return is_one and op.dtype.is_floating and node.inputs[0].shape is not None


def is_pairwise(node: Node) -> bool:
    """Whether a reduction is a sum of rows that NumPy adds pairwise, for a module that lies in order."""
    op, x = node.op, node.inputs[0]
    if not isinstance(op, core.Reduce) or op.combine != "add" or op.initial is not None:
        return False
    shape, dtype = x.shape, op.dtype
    count = None if shape is None else size(shape)
    if x.dtype is not dtype or not dtype.is_floating or not isinstance(count, int) or count > _MOST:
        return False
    rank = len(shape or ())
    axes = range(rank) if op.axis is None else sorted({normalise_axis(axis, rank) for axis in op.axis})
    if rank != 1:  # a part of a table does not lie in one piece
        is_whole = isinstance(x.op, core.Map) and [*axes] in ([*range(rank)], [rank - 1])
        if not is_whole or count == 0:
            return False
    return rank > 0 and len(axes) > 0 and _adds_pairwise(dtype)


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
