"""Branches and loops as Python's own `if` and `while`, in the function that they stand in."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.analysis.ownership import Ownership
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.syntax import assign, call, name
from runtime.graph.graph import Graph, Node
from runtime.ops.control_flow import If, Try, While

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer

__all__ = ["write_if", "write_try", "write_while"]


def write_if(
    writer: Writer, node: Node, op: If, targets: Sequence[str], ownership: Ownership
) -> list[ast.stmt]:
    """``if test: … else: …``, each branch leaving its outputs in `targets`."""
    predicate, *captures = [writer.operands[value] for value in node.inputs]
    test = writer.statements.name(predicate)
    arms = []
    handed = ownership.handed.get(node, frozenset())
    for branch in op.graphs:
        writer.enter(branch, captures)
        pairs = zip(captures, branch.inputs, strict=True)
        held = {operand: value for operand, value in pairs if isinstance(operand, str)}
        arms.append(writer.block(branch, targets, held, node, handed))
    then, orelse = arms
    if then:
        return [writer.running(ast.If(test, then, orelse), node)]
    if orelse:
        return [writer.running(ast.If(ast.UnaryOp(ast.Not(), test), orelse, []), node)]
    return []


def write_while(
    writer: Writer, node: Node, op: While, targets: Sequence[str], ownership: Ownership
) -> list[ast.stmt]:
    """``while test: …`` over loop variables called `targets`."""
    operands = [writer.operands[value] for value in node.inputs]
    count = len(targets)
    copies = {index: node.outputs[index].spec for index in ownership.copied.get(node, ())}
    start = writer.assign(list(zip(targets, operands[:count], strict=True)), node, copies)
    inside = [*targets, *operands[count:]]
    writer.enter(op.cond, inside)
    test = writer.as_expression(op.cond)
    leave: list[ast.stmt] = []
    if test is None:
        test, leave = ast.Constant(True), _leave(writer, op.cond, node)
    writer.enter(op.body, inside)
    held = dict(zip(targets, op.body.inputs, strict=False))
    body = writer.block(op.body, targets, held, node, ownership.handed.get(node, frozenset()))
    loop = ast.While(test, [*leave, *body] or [ast.Pass()], [])
    return [*start, writer.running(loop, node)]


def _leave(writer: Writer, graph: Graph, node: Node) -> list[ast.stmt]:
    """The statements of a test that is more than one expression, and the way out of the loop."""
    outcome = writer.fresh("go_on")
    body = writer.block(graph, [outcome], {}, node)
    writer.release(outcome)
    return [*body, writer.running(ast.If(ast.UnaryOp(ast.Not(), name(outcome)), [ast.Break()], []), node)]


def write_try(writer: Writer, node: Node, op: Try, targets: Sequence[str]) -> list[ast.stmt]:
    """``try: …``, and what the targets are where it raises, as the last checkpoint left them."""
    cell, *captures = [writer.operands[value] for value in node.inputs]
    writer.enter(op.body, captures)
    body = writer.block(op.body, targets, {}, node)
    problem = writer.fresh("problem")
    writer.release(problem)
    handle = writer.program.callable(partial(_caught, writer.program, op), node, "outcome_of")
    outcome = assign(targets, [call(handle, name(problem), writer.statements.name(cell))])
    handler = ast.ExceptHandler(name("BaseException"), problem, [outcome])
    return [writer.running(ast.Try(body, [handler], [], []), node)]


def _caught(program: Plan, op: Try, error: BaseException, cell: Sequence[Any]) -> tuple[Any, ...]:
    """What a `Try` gives after an exception."""
    return op.caught(program.explained(error) if isinstance(error, Exception) else error, cell)
