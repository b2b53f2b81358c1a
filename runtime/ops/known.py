"""What is known of tensors before the run: their values, and the lengths that they hold."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.tensor import EAGER, Array, Tensor
from runtime.graph.build import current_builder
from runtime.graph.graph import Value
from runtime.graph.op import Const, Op, Placeholder
from runtime.graph.symbol import Symbol
from runtime.ops.families import Family

__all__ = ["as_constant", "concrete", "known_dim", "known_elements"]


def concrete(operand: Any, depth: int = 4) -> Array | None:
    """The array of a tensor whose value is known before the run; None where it is not, or is not small.

    In a graph that is a constant, or a few pure ops away from constants: what arithmetic on shapes gives.
    """
    if type(operand) in EAGER:
        array: Array = operand._array  # ops are friends of Tensor
        return array
    value = operand.value if isinstance(operand, Symbol) else operand
    if not isinstance(value, Value):
        return None
    if isinstance(value.op, Const):
        return value.op.value
    if depth == 0 or not isinstance(value.op, Family) or value.op.effects or not value.inputs:
        return None
    if (shapes.size(value.shape) or _LARGE) >= _LARGE:
        return None
    inputs = [concrete(each, depth - 1) for each in value.inputs]
    return None if any(each is None for each in inputs) else np.asarray(value.op.kernel(*inputs))


_LARGE = 64


def known_elements(operand: Any, depth: int = 8) -> Array | None:
    """The elements of a small tensor of integers as far as they are known before the run: an array of dims.

    In the place of one that is nothing that a graph has a name for is `UNKNOWN`. The result is None where not
    even the number of elements is known. Looked through is what takes shapes apart, computes with lengths,
    and puts shapes together again.
    """
    array = concrete(operand)
    if array is not None:
        return array.astype(object)
    value = operand.value if isinstance(operand, Symbol) else operand
    if not isinstance(value, Value) or not value.dtype.is_integer:
        return None
    value = _captured(value)
    found = _read_from_shapes(value)
    if found is None and depth and isinstance(value.op, _seen_through()):
        inputs: list[Any] = [known_elements(each, depth - 1) for each in value.inputs]
        if all(each is not None for each in inputs):
            found = _computed(value.op, inputs)
    if found is not None:
        return found
    is_small = shapes.is_known(value.shape) and (shapes.size(value.shape) or 0) < _LARGE
    return np.full(value.shape, UNKNOWN, object) if is_small else None


def known_dim(operand: Any) -> Dim:
    """What is known before the run of a length that a scalar says."""
    elements = known_elements(operand)
    dim: Dim = UNKNOWN if elements is None or elements.size != 1 else elements.reshape(-1)[0]
    return dim


def _captured(value: Value) -> Value:
    """The value itself where it is only the input through which a graph inside sees it."""
    builder = current_builder()
    while builder is not None and isinstance(value.op, Placeholder):
        if builder.graph is value.node.graph:
            value = next((outer for outer, own in builder.captures.items() if own is value), value)
        builder = builder.parent
    return value


def _read_from_shapes(value: Value) -> Array | None:
    """The dims that a question about a shape gives."""
    from runtime.ops.core import Length  # noqa: PLC0415  # its file stands on this one

    if not isinstance(value.op, (ops.Shape, ops.Size, Length)):
        return None
    shape = value.inputs[0].shape
    if isinstance(value.op, ops.Size):
        return np.array(shapes.elements(shape), object)
    if shape is None:
        return None
    if isinstance(value.op, Length):
        return np.array(shape[value.op.axis], object)
    return np.array(shape, object)


@cache
def _seen_through() -> tuple[type[Op], ...]:
    return (*_arithmetic(), ops.Cast, ops.StridedSlice, ops.Pack, ops.ConcatV2, ops.ExpandDims, ops.Reshape)


@cache
def _arithmetic() -> dict[type[Op], np.ufunc]:
    """What arithmetic does to dims."""
    return {
        op: np.frompyfunc(function, 2, 1)
        for op, function in {
            ops.AddV2: operator.add,
            ops.Sub: operator.sub,
            ops.Mul: operator.mul,
            ops.FloorDiv: dims.quotient,
            ops.FloorMod: lambda dim, by: dim - dims.quotient(dim, by) * by,
            ops.Maximum: dims.maximum,
            ops.Minimum: dims.minimum,
        }.items()
    }


def _computed(op: Op, inputs: list[Any]) -> Array | None:
    """What an op that is looked through makes of dims."""
    function = _arithmetic().get(type(op))
    if function is not None:
        return np.asarray(function(*inputs), object)
    return np.asarray(inputs[0] if isinstance(op, ops.Cast) else op.kernel(*inputs), object)


def as_constant(array: Array) -> Tensor:
    """A tensor of a known value: in a graph, a constant of it."""
    builder = current_builder()
    return Tensor(array) if builder is None else Symbol(builder.constant(array))
