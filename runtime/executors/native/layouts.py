"""How NumPy has the arrays of a module in memory, where those that it is given lie in order.

That is: in the order of their indices. In which order sums are added depends on it. An array in order is what
machine code has as well; another one may be a part of such, seen by other steps: transposed, a column, each
second row. What maps make of parts whose axes come in their order lies in order again. The rest NumPy lays
out as it likes: of that nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from runtime.analysis.aliasing import is_update
from runtime.core.spec import ArraySpec, ListSpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const, Op
from runtime.ops import core
from runtime.ops.core import expression as scalar
from runtime.ops.host import PyFunc
from runtime.ops.joining import ConcatV2
from runtime.ops.linalg.matrices import OfMatrices
from runtime.ops.random.choosing import RandomChoice, RandomPermutation
from runtime.ops.random.continuous import Drawn
from runtime.ops.random.keys import FoldIn, SplitKey
from runtime.ops.random.parameters import CheckedParameter
from runtime.ops.shaping import DynamicReshape, Reshape
from runtime.ops.sorting import Sort
from runtime.ops.tensor_list import TensorListStack

__all__ = ["Layouts"]


class _Order(IntEnum):
    """How much is known of where elements lie."""

    UNKNOWN = 0
    UPWARD = 1
    """A part of an array in order: its axes come in their order, and none is turned round."""
    WHOLE = 2
    """In the order of the indices, one next to the other."""


class Layouts:
    """What is known of a module of core ops."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._below: dict[Value, _Order] = {}
        """Of values that do not surely lie in order."""
        self._outer: dict[Value, Value | None] = {}
        """What a value is in the graph around; None where it is several."""
        self._is_known = False

    def _know(self) -> None:
        """Finds out, when it is first asked: most programs never ask."""
        if self._is_known:
            return
        self._is_known = True
        for graph in self._module.graphs():
            for inner in graph.walk():
                for node in inner.nodes:
                    self._connect(node)
        self._find()

    def lies_in_order(self, value: Value) -> bool:
        """Whether an array lies in the order of its indices, one element next to the other."""
        self._know()
        return self._of(value) is _Order.WHOLE

    def lies_upward(self, value: Value) -> bool:
        """Whether what is computed of an array, element by element, lies in order."""
        self._know()
        return self._of(value) >= _Order.UPWARD

    def seen_from(self, value: Value) -> list[tuple[Value, list[Node]]]:
        """The arrays in order of which another one is a part, each with the affine maps between, last first.

        The first one is the largest; there is none where nothing is known.
        """
        found: list[tuple[Value, list[Node]]] = []
        maps: list[Node] = []
        inner: Value | None = value
        while inner is not None:
            if self.lies_in_order(inner):
                found.append((inner, list(maps)))
            inner = self._around_of(inner, maps)
        return found[::-1]

    def _around_of(self, value: Value, maps: list[Node]) -> Value | None:
        """What a value is in the graph around, or what it is a part of: then the map is added to others."""
        node = value.node
        if not isinstance(node.op, core.AffineMap):
            return self._outer.get(value)
        if not _is_view(node.op):
            return None
        maps.append(node)
        return node.inputs[0]

    def are_told_apart(self, one: Value, other: Value) -> bool:
        """Whether it is known of two arrays, which are parts of no other, whether they are one in memory."""
        if one is other:
            return True
        first, second = self._origins(one, set()), self._origins(other, set())
        return first is not None and second is not None and first.isdisjoint(second)

    def _origins(self, value: Value, met: set[Value]) -> frozenset[Value] | None:
        """The arguments and new arrays of which a value may be one; None where that is not known."""
        if value in met:
            return frozenset()
        met.add(value)
        if value in self._sources:
            found = [self._origins(each, met) for each in self._sources[value]]
            return None if None in found else frozenset[Value]().union(*[each for each in found if each])
        if is_update(value.node) or isinstance(value.node.op, core.Scatter):
            return self._origins(value.node.inputs[0], met)
        return frozenset([value]) if self._is_new(value) else None

    def _is_new(self, value: Value) -> bool:
        """Whether an array is an argument, or no part of another one."""
        op = value.node.op
        if value in self._module.entry.inputs or isinstance(op, Const | core.Dot | core.Reduce | core.Gather):
            return True
        if isinstance(op, core.HostCall | PyFunc):
            return _is_in_order_of_numpy(op)
        if not isinstance(op, core.Map):
            return False
        return _of_map(op.expression, value.node, _Order.UNKNOWN, _Order.WHOLE) is _Order.WHOLE

    @cached_property
    def _sources(self) -> dict[Value, list[Value]]:
        """What the inputs and results of regions may be; those of calls by name may be anything."""
        found: dict[Value, list[Value]] = {}
        for graph in self._module.graphs():
            for inner in graph.walk():
                for node in inner.nodes:
                    if node.op.callee is None and not any(
                        region.catches or region.is_function for region in node.op.regions
                    ):
                        for one, other in _handed_on(node):
                            found.setdefault(one, []).append(other)
        return found

    def may_be_written(self, value: Value) -> bool:
        """Whether anything in the module is written into that may be an array, or a part of it."""
        return (value.dtype, len(value.shape or ())) in self._written

    @cached_property
    def _written(self) -> set[object]:
        nodes = (node for graph in self._module.graphs() for inner in graph.walk() for node in inner.nodes)
        changed = [
            node.inputs[0].spec for node in nodes if is_update(node) or isinstance(node.op, core.Scatter)
        ]
        return {(spec.dtype, len(spec.shape or ())) for spec in changed if isinstance(spec, ArraySpec)}

    # ── how it is found ──

    def _of(self, value: Value) -> _Order:
        return self._below.get(value, _Order.WHOLE)

    def _lower(self, value: Value, order: _Order) -> bool:
        """Says that no more than this is known of a value; whether that is new."""
        if order >= self._of(value) or _has_one_order(value):
            return False
        self._below[value] = order
        return True

    def _connect(self, node: Node) -> None:
        for region in node.op.regions:
            pairs = list(zip(region.graph.inputs, region.operands, strict=True))
            for inner, operand in pairs[region.variables :]:
                outer = node.inputs[operand]
                is_one = not region.is_function and self._outer.get(inner, outer) is outer
                self._outer[inner] = outer if is_one else None

    def _find(self) -> None:
        """Goes through the module until nothing more has to be given up."""
        for value in self._module.entry.inputs:
            is_row_of_lists = isinstance(value.spec, ListSpec)
            if is_row_of_lists or not isinstance(value.spec, ArraySpec | ListSpec):
                self._lower(value, _Order.UNKNOWN)
        graphs = [inner for graph in self._module.graphs() for inner in graph.walk()]
        while any([self._through(graph) for graph in graphs]):  # noqa: C419  # all of them
            pass

    def _through(self, graph: Graph) -> bool:
        is_new = False
        for node in graph.nodes:
            for value, order in self._given_by(node):
                is_new |= self._lower(value, order)
        return is_new

    def _given_by(self, node: Node) -> Iterator[tuple[Value, _Order]]:
        """What a node says of its results, and of what is inside of it."""
        op = node.op
        if op.callee is not None and op.callee in self._module.functions:
            called = self._module.functions[op.callee]
            yield from zip(called.inputs, map(self._of, node.inputs), strict=True)
            yield from zip(node.outputs, map(self._of, called.outputs), strict=True)
        elif op.regions:
            yield from self._around(node)
        else:
            order = self._result_of(node)
            yield from ((output, order) for output in node.outputs)

    def _around(self, node: Node) -> Iterator[tuple[Value, _Order]]:
        yield from ((one, self._of(other)) for one, other in _handed_on(node))
        regions = node.op.regions
        if any(region.catches for region in regions):
            values = [*node.inputs, *[value for region in regions for value in region.graph.outputs]]
            least = min(map(self._of, values), default=_Order.WHOLE)
            yield from ((output, least) for output in node.outputs)

    def _result_of(self, node: Node) -> _Order:
        """How the results of a node lie that has no graphs."""
        op, operands = node.op, [value for value in node.inputs if not _has_one_order(value)]
        least = min(map(self._of, operands), default=_Order.WHOLE)
        fresh = _Order.WHOLE if least >= _Order.UPWARD else _Order.UNKNOWN
        kept = _Order.WHOLE if least is _Order.WHOLE else _Order.UNKNOWN
        is_row = all(_rank_of(value) == 1 for value in node.outputs)
        match op:
            case Const():
                return _Order.WHOLE if _is_whole(np.asarray(op.value)) else _Order.UNKNOWN
            case core.HostCall() | PyFunc() if _is_in_order_of_numpy(op):
                is_of_matrices = isinstance(op, core.HostCall) and isinstance(op.called, OfMatrices)
                is_stack = is_of_matrices and not all(map(_is_single, node.outputs))
                return _Order.UNKNOWN if is_stack else _Order.WHOLE
            case core.HostCall() if isinstance(op.called, Sort) and not op.called.descending:
                return _Order.WHOLE if is_row else kept
            case core.HostCall() if isinstance(op.called, CheckedParameter):
                return self._of(node.inputs[0])
            case core.Iota() | core.Nonzero():
                return _Order.WHOLE
            case core.Map():
                return _of_map(op.expression, node, least, fresh)
            case core.Reduce() | core.Scan():
                return fresh
            case core.Dot():
                if op.order == "einsum":
                    return _Order.WHOLE if is_row and len(node.inputs) > 1 else _Order.UNKNOWN
                return _Order.WHOLE if (_rank_of(node.outputs[0]) or 3) < 3 else kept
            case core.AffineMap():
                return self._part(op, node, self._of(node.inputs[0]))
            case core.Gather():
                return _Order.WHOLE if is_row else kept if op.axes == (0,) else _Order.UNKNOWN
            case ConcatV2():
                return _Order.WHOLE if is_row else kept
            case core.Scatter():
                return self._of(node.inputs[0])
            case Reshape() | DynamicReshape() | TensorListStack():
                return kept
        is_of_lists = any(isinstance(value.spec, ListSpec) for value in (*node.inputs, *node.outputs))
        return kept if is_of_lists else _Order.UNKNOWN

    def _part(self, op: core.AffineMap, node: Node, order: _Order) -> _Order:
        if op.fill:
            return _Order.WHOLE
        if order is _Order.UNKNOWN or not _is_upward(op):
            return _Order.UNKNOWN
        whole = order is _Order.WHOLE and _is_in_one_piece(op, node)
        return _Order.WHOLE if whole else _Order.UPWARD


def _handed_on(node: Node) -> Iterator[tuple[Value, Value]]:
    """The inputs of a node's regions and its results, each with what it may be."""
    regions = node.op.regions
    left: Sequence[Value] = ()
    for region in regions:
        outputs = region.graph.outputs
        for inner, operand in zip(region.graph.inputs, region.operands, strict=True):
            yield inner, node.inputs[operand]
        if region.results:
            left = outputs
            for at, place in enumerate(region.results):
                yield node.outputs[place], outputs[at]
    for region in regions:
        for at in range(region.variables):
            yield region.graph.inputs[at], left[at]
            if at < len(node.outputs):
                yield node.outputs[at], node.inputs[region.operands[at]]


def _is_in_order_of_numpy(op: Op) -> bool:
    """Whether what Python gives is new, and lies in order: what is computed of a matrix, and random numbers.

    Of calls of the program's functions machine code that asks has draws alone.
    """
    return isinstance(op, PyFunc) or (isinstance(op, core.HostCall) and isinstance(op.called, _NEW))


_NEW = OfMatrices, Drawn, FoldIn, RandomChoice, RandomPermutation, SplitKey
"""Ops whose results are no part of anything else."""


def _is_single(value: Value) -> bool:
    """Whether a value is one matrix, or less: a stack may be in the order of another one."""
    return (_rank_of(value) or 3) < 3


def _has_one_order(value: Value) -> bool:
    """Whether a value is no array of elements that could lie in another order."""
    spec = value.spec.element if isinstance(value.spec, ListSpec) else value.spec
    return not isinstance(spec, ArraySpec | ListSpec) or (isinstance(spec, ArraySpec) and spec.shape == ())


def _is_whole(value: Any) -> bool:
    """Whether a constant lies in order; of zeros that are one in memory, nobody sees that."""
    return bool(value.flags.c_contiguous or not (any(value.strides) or value.any()))


def _rank_of(value: Value) -> int | None:
    spec = value.spec
    return len(spec.shape) if isinstance(spec, ArraySpec) and spec.shape is not None else None


def _of_map(tree: scalar.Expression, node: Node, least: _Order, computed: _Order) -> _Order:
    """How what a map gives lies; NumPy may give what it is given, or show a part of complex numbers."""
    match tree:
        case scalar.Apply("real" | "imag"):
            return min(least, _Order.UPWARD)
        case scalar.Apply(function) if function not in {"conjugate", "positive"}:
            return computed
        case scalar.Convert(dtype, _) if all(value.dtype is not dtype for value in node.inputs):
            return computed
    return least


def _is_upward(op: core.AffineMap) -> bool:
    """Whether a part of an array has its axes in their order, none of them turned round."""
    met = [-1]
    for terms in op.places:
        indices = [(factor, scalars, index) for factor, scalars, index in terms if index is not None]
        if len(indices) > 1 or any(scalars or factor < 0 for factor, scalars, _ in indices):
            return False
        met += [index for _, _, index in indices]
    return len(op.shape) < 2 or met == sorted(set(met))


def _is_in_one_piece(op: core.AffineMap, node: Node) -> bool:
    """Whether a part of an array that lies in order has its elements one next to the other."""
    source, shape = node.inputs[0].shape or (), node.outputs[0].shape or ()
    met = set[int]()
    is_inside = False
    for axis, terms in enumerate(op.places):
        match [term for term in terms if term[-1] is not None]:
            case []:
                if is_inside and source[axis] != 1:
                    return False
            case [(1, (), int(index))]:
                is_whole = terms == ((1, (), index),) and shape[index] == source[axis]
                if is_inside and not is_whole:
                    return False
                is_inside = True
                met.add(index)
            case _:
                return False
    return all(axis in met or length == 1 for axis, length in enumerate(shape))


def _is_view(op: core.AffineMap) -> bool:
    """Whether NumPy shows a part of an array without a copy, each element once."""
    indices = [index for terms in op.places for _, _, index in terms if index is not None]
    alone = len(set(indices)) == len(indices)
    return (
        not op.fill and alone and all(axis in indices or length == 1 for axis, length in enumerate(op.shape))
    )
