"""Lowering of `Try`: snapshots of variables at checkpoints are held in local names.

A checkpoint gives the variables of its `try` their values. Where something is raised, they have those of the
last checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.core.dtypes import bool_, int64
from runtime.core.spec import ArraySpec, Spec
from runtime.executors.native.forms import is_computed
from runtime.executors.native.loops import (
    Alias,
    Allocate,
    Array,
    Cast,
    Named,
    Number,
    Object,
    Set,
    Try,
    Variable,
)
from runtime.executors.native.lower.building import Unsupported
from runtime.executors.native.lower.lowering import Lowering, hand_in, lowers
from runtime.executors.native.lower.values import Cell, Elements, Growing, Lowered, Opaque, Scalar
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.region import own_operands
from runtime.ops.control_flow.try_catch import Checkpoint, Evaluated, NewCell, NoError

__all__ = ["attempt"]

_CATCHES = "an exception is an object of Python's"


@lowers(NewCell, of_objects=True)
def _new_cell(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    if not lowering.shared.calls_python:
        raise Unsupported(_CATCHES)
    if not _is_local(node.outputs[0], node.graph):
        raise Unsupported("its cell is passed on")
    return [Cell()]


def _is_local(cell: Value, graph: Graph) -> bool:
    """Whether nothing becomes of a cell but checkpoints."""
    if cell in graph.outputs:
        return False
    return all(
        _is_local_use(node, index)
        for node in graph.nodes
        for index, value in enumerate(node.inputs)
        if value is cell
    )


def _is_local_use(node: Node, index: int) -> bool:
    if isinstance(node.op, Checkpoint):
        return index == 0
    takers = [region for region in node.op.regions if index in region.operands]
    if not takers:
        return any(region.catches for region in node.op.regions)
    places = [(region, index - region.operands.start) for region in takers]
    return all(
        place >= region.variables and _is_local(region.graph.inputs[place], region.graph)
        for region, place in places
    )


@lowers(NoError, of_objects=True)
def _no_error(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, NoError), "it lowers these"
    if not lowering.shared.calls_python:
        raise Unsupported(_CATCHES)
    return [lowering.known(node.op.kernel())]


@lowers(Evaluated, of_objects=True)
def _evaluated(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    del lowering, node  # its operands are computed where they stand, or cannot raise
    return []


@lowers(Checkpoint, of_objects=True)
def _checkpoint(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Checkpoint), "it lowers these"
    cell, *values = node.inputs
    found = lowering.values[cell]
    if not isinstance(found, Cell):
        raise Unsupported("its cell is passed on")
    for (names, spec), at in zip(found.variables, found.rows.get(node.op.number, ()), strict=False):
        value = _now(lowering, values[at]) if isinstance(at, int) else lowering.constant(at.value)
        lowering.assign(names, _cast(lowering, value, spec), spec)
    return []


def _now(lowering: Lowering, value: Value) -> Lowered:
    """A value as it is; what was yet to be computed is in memory from here on."""
    found = lowering.values[value]
    return lowering.in_memory(value) if isinstance(found, Elements) else found


def _cast(lowering: Lowering, value: Lowered, spec: Spec) -> Lowered:
    """A value in the dtype that all checkpoints share."""
    if not isinstance(spec, ArraySpec) or isinstance(value, Cell | Growing):
        return value
    dtype = spec.dtype
    if isinstance(value, Opaque) or not is_computed(dtype):
        numpy = dtype.numpy
        return lowering.by_python(lambda each: np.asarray(each, numpy)[()], value, spec)
    if value.dtype is dtype:
        return value
    if isinstance(value, Scalar):
        return Scalar(Cast(value.value, dtype))
    return Elements(value.dims, dtype, lambda indices: Cast(lowering.at(value, indices), dtype))


def attempt(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """What its region gives, or else what the op says of the exception, and where the region had come to."""
    (region,) = node.op.regions
    if not lowering.shared.calls_python:
        raise Unsupported(_CATCHES, node)
    lowering.settle()
    own = [lowering.values[value] for value in own_operands(node)]
    received = [lowering.received(output.spec) for output in node.outputs]
    specs = [output.spec for output in node.outputs]
    names = [each for _, each in received]
    hand_in(lowering, node, region)
    (cell,) = own
    by_names = isinstance(cell, Cell)
    if isinstance(cell, Cell):
        cell.rows = dict(node.op.attributes()["rows"])
        cell.variables = list(zip(names[_FOUND:], specs[_FOUND:], strict=True))
        for each in cell.variables:
            _begin(lowering, *each)
    with lowering.block() as body, lowering.holding(names if by_names else []):
        results = lowering.run(region.graph, lowering.shared.ownerships.of(region.graph))
        for name, result, spec in zip(names, results, specs, strict=True):
            lowering.assign(name, result, spec)
    error = Object(lowering.shared.fresh("error"))
    with lowering.block() as handler:
        caught, given = node.op.caught, specs
        operands: list[Lowered] = [Opaque(error)]
        if by_names:
            given = specs[:_FOUND]
        else:
            operands += own
        call = caught if not by_names else lambda each: caught(each, ())
        found = lowering.host(node, call, operands, given, _CATCHES, keeps=True)
        for name, result, spec in zip(names, found, given, strict=False):
            lowering.assign(name, result, spec)
    lowering.emit(Try(body, error, handler))
    return [value for value, _ in received]


_FOUND = 2
"""Which kind of exception was caught, and the exception; behind them are the variables."""


def _begin(lowering: Lowering, names: Sequence[Named], spec: Spec) -> None:
    """Gives the names of a variable something that they may be, for what is raised before any checkpoint."""
    for name in names:
        if isinstance(name, Variable):
            lowering.emit(Set(name, Number(False if name.dtype is bool_ else 0, name.dtype)))
    lengths = [name for name in names if isinstance(name, Variable)]
    for name in names:
        if isinstance(name, Array):
            shape = spec.shape if isinstance(spec, ArraySpec) else None
            known = [dim for dim in shape or () if isinstance(dim, int)]
            lowering.emit(Allocate(name, Number(0, int64) if lengths else Number(math.prod(known), int64)))
        elif isinstance(name, Object):
            lowering.emit(Alias(name, lowering.known(None).object))
