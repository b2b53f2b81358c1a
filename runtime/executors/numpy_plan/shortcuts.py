"""Ops that Python itself writes, and runs faster than their kernel: ``x[1:n, None]``, ``a if c else b``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.core.shapes import contains
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.executors.numpy_plan.kernels import Helpers
from runtime.graph.graph import Node
from runtime.ops.checks import CheckDivisor
from runtime.ops.control_flow.try_catch import Checkpoint, Evaluated, NewCell, NoError
from runtime.ops.gathering import GatherV2
from runtime.ops.selection import SelectV2
from runtime.ops.slicing import DynamicStridedSlice, StridedSlice
from runtime.ops.variable_ops import AssignAddVariableOp, AssignSubVariableOp, AssignVariableOp

__all__ = ["indexed", "shortcut"]


def shortcut(node: Node, operands: Sequence[str], helpers: Helpers) -> str | None:
    """The expression of a node over operands, which are names; None where only its kernel will do.

    A write of a variable is a statement.
    """
    specs = [value.spec for value in node.inputs]
    match node.op:
        case StridedSlice(key) | DynamicStridedSlice(key) if _axes(specs[0]):
            return indexed(key, operands)
        case GatherV2(axis) if _axes(specs[0]) and specs[1].is_scalar:
            return f"{operands[0]}[{':, ' * (axis % _axes(specs[0]))}{operands[1]}]"
        case SelectV2() if all(spec.is_scalar for spec in specs):
            condition, left, right = operands
            return f"{left} if {condition} else {right}"
        case NewCell():
            return "[]"
        case Checkpoint(number):
            cell, *values = operands
            return f"{cell}[:] = {', '.join([str(number), *values])}" + "," * (not values)
        case Evaluated():
            return ", ".join(operands)
        case NoError():
            return "None"
        case CheckDivisor(symbol) if all(spec.is_scalar for spec in specs):
            return f"{operands[1]} or 1 {symbol} 0"
        case AssignVariableOp(variable) if contains(variable.shape, as_array_spec(specs[0]).shape):
            return _write(helpers.object(variable), operands[0], specs[0])
        case AssignAddVariableOp(variable) if contains(variable.shape, as_array_spec(specs[0]).shape):
            name = helpers.object(variable)
            return _write(name, f"{name}.array + {operands[0]}", specs[0])
        case AssignSubVariableOp(variable) if contains(variable.shape, as_array_spec(specs[0]).shape):
            name = helpers.object(variable)
            return _write(name, f"{name}.array - {operands[0]}", specs[0])
    return None


def _axes(spec: Spec) -> int:
    """How many axes an array is known to have."""
    return len(spec.shape or ()) if isinstance(spec, ArraySpec) else 0


def _write(name: str, value: str, spec: Spec) -> str:
    """A variable holds an array, also where a scalar is assigned."""
    return f"{name}.array = {value}" if _axes(spec) else f"{name}.array = np.asarray({value})"


def indexed(key: Sequence[Any], operands: Sequence[str]) -> str:
    """``x[key]`` of the first operand; the others stand for each "?" of the key."""
    array, *indices = operands
    rest = iter(indices)
    parts = [_part(part, rest) for part in key]
    return f"{array}[{', '.join(parts) or '...'}]"


def _part(part: Any, indices: Iterator[str]) -> str:
    """One place of a key; an operand stands where it has a "?"."""
    if isinstance(part, slice):
        part = (part.start, part.stop, part.step)
    if isinstance(part, tuple):
        start, stop, step = ["" if end is None else _part(end, indices) for end in part]
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if part == "?":
        return next(indices)
    return "..." if part is ... else repr(part)
