"""Describes the operands of a node in a run, for the message of an error."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from runtime.core import shapes
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array
from runtime.errors import Error
from runtime.graph.graph import Node, Value

__all__ = ["Operands", "operand_specs"]

Operands: TypeAlias = "Mapping[Value, str | ast.expr | Array]"
"""What stands for each value in a function: a name, the expression that gives it, or a constant."""


def operand_specs(node: Node, operands: Operands, variables: Mapping[str, Any]) -> list[Spec] | None:
    """The specs of a node's operands, their shapes as they are in this run; None where one is not found.

    Parameters
    ----------
    node : Node
    operands : mapping of Value to str or array
    variables : mapping of str to object
        The local variables of the function that is running.
    """
    found: list[Spec] = []
    for value in node.inputs:
        spec = _spec(value, operands, variables)
        if spec is None:
            return None
        found.append(spec)
    return found


def _spec(value: Value, operands: Operands, variables: Mapping[str, Any]) -> Spec | None:
    operand, known = operands.get(value), value.spec
    if not isinstance(known, ArraySpec) or operand is None:
        return None
    if isinstance(operand, ast.expr):
        return _computed(value, operands, variables)
    if isinstance(operand, str) and operand not in variables:
        return None
    array = variables[operand] if isinstance(operand, str) else operand
    is_it = getattr(array, "dtype", None) == known.dtype.numpy and shapes.compatible(
        known.shape, np.shape(array)
    )
    return known.with_shape(np.shape(array)) if is_it else None  # else the name means another value by now


def _computed(value: Value, operands: Operands, variables: Mapping[str, Any]) -> Spec | None:
    """The spec of what an expression inside the statement gives, which has no name."""
    specs = operand_specs(value.node, operands, variables)
    if specs is None or value.node.op.graphs:
        return None
    try:
        result = value.node.op.infer(*specs)
    except Error:
        return None
    return result[value.index] if isinstance(result, tuple) else result
