"""Lowering of `Try`: snapshots of variables at checkpoints are held in local names.

A checkpoint gives the variables of its `try` their values. Where something is raised, they have those of the
last checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, float64, int64
from runtime.core.spec import ArraySpec, ErrorSpec, Spec, TextSpec
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.forms import is_computed
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Call,
    Cast,
    Expression,
    Host,
    If,
    Landing,
    Named,
    Number,
    Object,
    Set,
    Statement,
    Try,
    Variable,
)
from runtime.executors.native.language.walking import allocates, inside
from runtime.executors.native.llvm.code import MOST_SHOWN
from runtime.executors.native.lower.failing import all_raising, is_number, raising_in, shown_by, site_of
from runtime.executors.native.lower.lowering import Lowering, hand_in, lowers
from runtime.executors.native.lower.values import (
    NOWHERE,
    Cell,
    Elements,
    Failure,
    Growing,
    Lowered,
    Nested,
    Opaque,
    Scalar,
    Source,
    Unmade,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects
from runtime.graph.region import own_operands
from runtime.ops.control_flow.try_catch import Caught, Checkpoint, Evaluated, NewCell, NoError, Step
from runtime.ops.control_flow.under_way import AboutCall
from runtime.ops.raising import Raise

__all__ = ["attempt"]

_CATCHES = "an exception is an object of Python's"


@lowers(NewCell, of_objects=True)
def _new_cell(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    del lowering  # a cell is what its `try` knows
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
    regions = node.op.regions
    takers = [region for region in regions if index in region.operands]
    if not takers:
        is_marked = not regions and index == 0 and Effects.MARKS in node.op.effects
        return is_marked or any(region.catches for region in regions)
    places = [(region, index - region.operands.start) for region in takers]
    return all(
        place >= region.variables and _is_local(region.graph.inputs[place], region.graph)
        for region, place in places
    )


@lowers(NoError, of_objects=True)
def _no_error(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, NoError), "it lowers these"
    if isinstance(node.op.spec, TextSpec) and not lowering.shared.calls_python:
        return [Unmade()]
    if isinstance(node.op.spec, ErrorSpec):
        none = (Number(0, int64),) * MOST_SHOWN, (Number(0.0, float64),) * MOST_SHOWN
        return [Failure(Number(NOWHERE, int64), *none, ())]
    if not lowering.shared.calls_python:
        raise Unsupported(f"it gives a {node.op.spec}")
    return [lowering.known(node.op.kernel())]


@lowers(Evaluated, of_objects=True, of_nested=True)
def _evaluated(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    for value in node.inputs:
        if isinstance(lowering.values[value], Elements):  # one of which may be outside of an array
            lowering.in_memory(value)
    return []


@lowers(Caught, of_objects=True)
def _caught(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Caught), "it lowers these"
    failure, spec, is_itself = lowering.values[node.inputs[0]], node.op.spec, not node.op.is_pythons
    if isinstance(failure, Failure) and is_itself and isinstance(spec, ArraySpec) and is_number(spec):
        return [Scalar(_part(lowering, failure, node.op.path, spec.dtype))]
    if lowering.shared.calls_python or isinstance(spec, ArraySpec):
        raise Unsupported(_CATCHES)
    return [Unmade()]


@lowers(AboutCall, of_objects=True)
def _about_call(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    if lowering.shared.calls_python:
        raise Unsupported(_CATCHES)
    return [lowering.values[node.inputs[0]]]  # what knows its call is asked for its text alone


def _part(lowering: Lowering, failure: Failure, path: Sequence[Step], dtype: DType) -> Expression:
    """A number that an exception holds: where it was raised says where that is."""
    found = lowering.variable(dtype)
    lowering.emit(Set(found, Number(dtype.numpy.type(0).item(), dtype)))
    shared = lowering.shared
    for node in all_raising(shared.module) if failure.raising is None else failure.raising:
        held = _held_at(node, path)
        if held is None:
            continue
        if isinstance(held, _Operand):
            shown = shown_by(node)
            if held.index not in shown:
                raise Unsupported("the exception holds more than a few numbers")
            kind, place = node.inputs[held.index].dtype, shown.index(held.index)
            words = failure.floats if kind.is_floating else failure.bits
            value = _as(_as(words[place], kind), dtype)
        else:
            value = Number(np.asarray(held, dtype.numpy).item(), dtype)
        is_here = Apply("equal", (failure.site, Number(site_of(shared, node), int64)), bool_)
        lowering.emit(If(is_here, [Set(found, value)], []))
    return found


def _as(value: Expression, dtype: DType) -> Expression:
    return value if value.dtype is dtype else Cast(value, dtype)


@dataclass(frozen=True)
class _Operand:
    """A value among the parts of an exception, by its place among the operands of what raises it."""

    index: int


def _held_at(node: Node, path: Sequence[Step]) -> Any:
    """What the exception that a node raises holds: an operand, a known number, or None for no number."""
    assert isinstance(node.op, Raise), "it raises"
    parts = node.op.recipe.filled([_Operand(index) for index in range(len(node.inputs))])
    match path:
        case ("args", int(index), *within) if index < len(parts.args):
            found = parts.args[index]
        case (str(name), *within):
            found = parts.attributes.get(name, parts.fields.get(name))
        case _:
            found, within = None, []
    if found is not None and within:
        raise Unsupported(_HOLDS_MORE)
    if found is None or isinstance(found, str):
        return None
    if isinstance(found, _Operand | bool | int | float | np.number):
        return found
    raise Unsupported(_HOLDS_MORE)


_HOLDS_MORE = "an exception holds more than numbers and texts"


@lowers(Checkpoint, of_objects=True, of_nested=True)
def _checkpoint(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Checkpoint), "it lowers these"
    cell, *values = node.inputs
    found = lowering.values[cell]
    if not isinstance(found, Cell):
        raise Unsupported("its cell is passed on")
    for (names, spec), at in zip(found.variables, found.rows.get(node.op.number, ()), strict=False):
        if at is not None:  # a list, or an exception, that has no value yet
            value = _now(lowering, values[at]) if isinstance(at, int) else lowering.constant(at.value)
            lowering.assign(names, _cast(lowering, value, spec), spec)
    return []


def _now(lowering: Lowering, value: Value) -> Lowered:
    """A value as it is; what was yet to be computed is in memory from here on."""
    found = lowering.values[value]
    return lowering.in_memory(value) if isinstance(found, Elements) else found


def _cast(lowering: Lowering, value: Lowered, spec: Spec) -> Lowered:
    """A value in the dtype that all checkpoints share."""
    if isinstance(value, Growing | Nested):
        return value
    if not isinstance(spec, ArraySpec) or isinstance(value, Cell | Failure | Source | Unmade):
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
    lowering.settle()
    own = [lowering.values[value] for value in own_operands(node)]
    received = [lowering.received(output.spec) for output in node.outputs]
    specs = [output.spec for output in node.outputs]
    names = [each for _, each in received]
    hand_in(lowering, node, region)
    (cell,) = own
    by_names = isinstance(cell, Cell)
    if not (by_names or lowering.shared.calls_python):
        raise Unsupported("its cell is passed on", node)
    if isinstance(cell, Cell):
        cell.rows = dict(node.op.attributes()["rows"])
        cell.variables = list(zip(names[_FOUND:], specs[_FOUND:], strict=True))
        for each in cell.variables:
            _begin(lowering, *each)
    with lowering.block() as body, lowering.holding(names[_FOUND:] if by_names else []):
        handed = lowering.ownership.handed.get(node, frozenset())
        results = lowering.run(region.graph, lowering.shared.ownerships.of(region.graph, handed))
        for index, result in enumerate(results):
            if index != _ERROR:
                lowering.assign(names[index], result, specs[index])
    none = results[_ERROR]
    if not lowering.shared.calls_python or (by_names and _is_by_number(body, region.catches)):
        if not isinstance(none, Failure):
            raise Unsupported(_CATCHES, node)
        return _by_number(lowering, node, body, received, none)
    with lowering.block() as ending:
        lowering.assign(names[_ERROR], none, specs[_ERROR])
    body += ending
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


def _is_by_number(body: Sequence[Statement], kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether what is caught of a body, where Python may be called, is what sites of the program raise.

    Others are exceptions of what is called, and those of the run itself.
    """
    if any(isinstance(each, Host | Call) for each in inside(body)):
        return False
    runs = (KeyboardInterrupt, MemoryError) if allocates(body) else (KeyboardInterrupt,)
    return not any(issubclass(each, kinds) for each in runs)


def _by_number(
    lowering: Lowering,
    node: Node,
    body: list[Statement],
    received: Sequence[tuple[Lowered, list[Named]]],
    none: Failure,
) -> list[Lowered]:
    """What a `try` gives whose handlers are told of a number: which exception it was, and where from.

    `none` is the exception where nothing is raised.
    """
    (region,) = node.op.regions
    (number, _), _, *variables = received
    assert isinstance(number, Scalar), "it is which exception was caught"
    assert isinstance(number.value, Variable), "it has a name"
    failed = lowering.failed()
    body += [Set(name, part) for name, part in zip(failed.names, none.parts, strict=True)]
    lowering.emit(Try(body, Landing(region.catches, number.value, failed), []))
    raising = raising_in(lowering.shared.module, region.graph)
    caught = Failure(failed.site, failed.bits, failed.floats, raising)
    return [number, caught, *[value for value, _ in variables]]


_ERROR, _FOUND = 1, 2
"""Which kind of exception was caught comes first, then the exception; behind them are the variables."""


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
