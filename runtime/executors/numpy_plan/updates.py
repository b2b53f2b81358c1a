"""Updates as statements: ``x[i] = v``, on the old array or list, or on a copy of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.spec import ListSpec, Spec
from runtime.executors.numpy_plan.literals import number_tree
from runtime.executors.numpy_plan.shortcuts import indexed
from runtime.executors.numpy_plan.syntax import STORE, attribute, call, name, numpy
from runtime.graph.graph import Node
from runtime.ops.core import Scatter
from runtime.ops.tensor_list.base import ListUpdate
from runtime.ops.updating import AdvancedCombine

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.statements import Operand, Statements

__all__ = ["copy_of", "update"]


def update(statements: Statements, node: Node, target: str, operands: Sequence[Operand]) -> ast.stmt:
    """The statement that makes of the array or list called `target` what `node` gives.

    `operands` are those of the node after its first.
    """
    if isinstance(node.op, ListUpdate):
        return statements.change(node, [target, *operands])
    value, *indices = operands
    names = [statements.name(index) for index in indices]
    key, combine = _place_of(node)
    if combine is not None:
        at = attribute(numpy(combine), "at")
        index = names[0] if key == ("?",) else indexed(key, numpy("s_"), names)
        return ast.Expr(call(at, name(target), index, statements.name(value, scalar=False)))
    place = indexed(key, name(target), names)
    place.ctx = STORE
    return ast.Assign([place], _value(statements, value))


def _place_of(node: Node) -> tuple[Any, str | None]:
    """Where an update writes, and the ufunc that puts together what was there and what is written."""
    op = node.op
    if isinstance(op, Scatter):
        axes = range(len(node.inputs[0].shape or ()))
        key = tuple(["?" if axis in op.axes else slice(None) for axis in axes])
        return key, None if op.combine == "set" else op.combine
    return op.attributes()["key"], op.ufunc.__name__ if isinstance(op, AdvancedCombine) else None


def _value(statements: Statements, value: Operand) -> ast.expr:
    """What is assigned: a constant without axes as a Python number, which takes the array's dtype."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        tree = number_tree(value.reshape(1)[0])
        if tree is not None:
            return tree
    return statements.name(value)


def copy_of(value: ast.expr, spec: Spec) -> ast.expr:
    """A copy of a list, or of an array in the order that its elements have in memory."""
    if isinstance(spec, ListSpec):
        return call(attribute(value, "copy"))
    return call(numpy("array"), value)
