"""Branches that are one expression of their test: ``test and x``, as the user wrote it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autograph_base.dataclass import dataclass
from runtime.analysis.liveness import last_uses
from runtime.core.dtypes import bool_
from runtime.core.spec import ArraySpec
from runtime.executors.numpy_plan.syntax import Place
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.graph.region import guard_of

__all__ = ["Condition", "condition_of"]


@dataclass(frozen=True)
class Condition:
    """An `if` as an expression.

    Attributes
    ----------
    template : ast.expr
        With a place for the test and, where there is one, for the arm.
    arm : Graph or None
        The branch that is computed where the test does not decide.
    reads : tuple of Value
        The inputs of the node that stand in the expression.
    """

    template: ast.expr
    arm: Graph | None
    reads: tuple[Value, ...]


_TEST, _ARM = Place(0), Place(1)
_OPPOSITE = ast.UnaryOp(ast.Invert(), _TEST)
_TEMPLATES: dict[tuple[bool | None, bool | None], ast.expr] = {
    (True, False): _TEST,
    (False, True): _OPPOSITE,
    (None, False): ast.BoolOp(ast.And(), [_TEST, _ARM]),
    (False, None): ast.BoolOp(ast.And(), [_OPPOSITE, _ARM]),
    (True, None): ast.BoolOp(ast.Or(), [_TEST, _ARM]),
    (None, True): ast.BoolOp(ast.Or(), [_OPPOSITE, _ARM]),
}
"""By what each branch gives, as far as the test decides it."""


def condition_of(node: Node, is_expression: Callable[[Graph], bool]) -> Condition | None:
    """`node` as an expression, where it chooses between truth values and needs no statement."""
    op = node.op
    if guard_of(op) is None or op.effects or node.specs != (ArraySpec((), bool_),):
        return None
    then, orelse = op.graphs
    decided = _decided(node, then, holds=True), _decided(node, orelse, holds=False)
    if decided not in _TEMPLATES:
        return None
    arm = next((branch for branch, known in zip(op.graphs, decided, strict=True) if known is None), None)
    test, *captures = node.inputs
    if arm is None:
        return Condition(_TEMPLATES[decided], None, (test,))
    uses = last_uses(arm)
    pairs = zip(captures, arm.inputs, strict=True)
    read = [outer for outer, inner in pairs if inner in uses]
    if test in read or not is_expression(arm):
        return None
    return Condition(_TEMPLATES[decided], arm, (test, *read))


def _decided(node: Node, branch: Graph, *, holds: bool) -> bool | None:
    """What a branch gives, where that is known from the test."""
    (output,) = branch.outputs
    if isinstance(output.op, Const):
        return bool(output.op.value)
    test, *captures = node.inputs
    pairs = zip(captures, branch.inputs, strict=True)
    return holds if any(outer is test and inner is output for outer, inner in pairs) else None
