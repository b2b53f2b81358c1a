"""Updates as statements: ``x[i] = v``, on the old array or on a copy of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.core.tensor import Array
from runtime.executors.numpy_plan.literals import number
from runtime.executors.numpy_plan.shortcuts import indexed
from runtime.graph.graph import Node
from runtime.ops.updating import AdvancedCombine

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.statements import Statements

__all__ = ["copied", "identifiers", "update"]


def update(statements: Statements, node: Node, target: str, operands: Sequence[str | Array]) -> str:
    """The statement that makes of the array called `target` what `node` gives.

    `operands` are those of the node after its first.
    """
    value, *indices = operands
    names = [statements.name(index) for index in indices]
    key = node.op.attributes()["key"]
    if isinstance(node.op, AdvancedCombine):
        index = names[0] if key == ("?",) else indexed(key, ["np.s_", *names])
        return f"np.{node.op.ufunc.__name__}.at({target}, {index}, {statements.name(value, scalar=False)})"
    return f"{indexed(key, [target, *names])} = {_value(statements, value)}"


def _value(statements: Statements, value: str | Array) -> str:
    """What is assigned: a constant without axes as a Python number, which takes the array's dtype."""
    if not isinstance(value, str) and value.ndim == 0:
        text = number(value.reshape(1)[0])
        if text is not None:
            return text
    return statements.name(value)


def copied(name: str) -> str:
    """A copy of an array, in the order that its elements have in memory."""
    return f"np.array({name})"


def identifiers(text: str) -> set[str]:
    """The names in an expression."""
    return set(re.findall(r"[A-Za-z_]\w*", text))
