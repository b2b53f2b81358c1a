"""Branches, loops and what is caught as Python's own `if`, `while` and `try`, in the function around them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.analysis.ownership import Ownership
from runtime.executors.numpy_plan import patience
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.relays import relayed
from runtime.executors.numpy_plan.syntax import assign, call, name
from runtime.graph.graph import Graph, Node
from runtime.graph.op import Op
from runtime.graph.region import guard_of

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer

__all__ = ["Form", "form_of", "write"]


class Form(Enum):
    """What a node that runs graphs is written as."""

    IF = "Python's if"
    WHILE = "Python's while"
    TRY = "Python's try"
    CALL = "call of a function"


def form_of(op: Op) -> Form | None:
    """What the nodes of an op are written as, where they run graphs."""
    regions = op.regions
    if not regions:
        return None if op.callee is None else Form.CALL
    if op.callee is not None or regions[0].is_function:
        return Form.CALL
    if regions[0].runs.repeatedly:
        return Form.WHILE
    return Form.IF if guard_of(op) is not None else Form.TRY


def write(writer: Writer, node: Node, targets: Sequence[str], ownership: Ownership) -> list[ast.stmt]:
    """The statements that leave what a node gives in `targets`, where it is no call."""
    match form_of(node.op):
        case Form.IF:
            return _if(writer, node, targets, ownership)
        case Form.WHILE:
            return _while(writer, node, targets, ownership)
        case Form.TRY:
            return _try(writer, node, targets, ownership)
    raise AssertionError(f"{node.op.name} is an expression")


def _if(writer: Writer, node: Node, targets: Sequence[str], ownership: Ownership) -> list[ast.stmt]:
    """``if test: … else: …``, each branch leaving its outputs in `targets`."""
    predicate, *captures = [writer.operands[value] for value in node.inputs]
    test = writer.statements.name(predicate)
    arms = []
    handed = ownership.handed.get(node, frozenset())
    for branch in node.op.graphs:
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


def _while(writer: Writer, node: Node, targets: Sequence[str], ownership: Ownership) -> list[ast.stmt]:
    """``while test: …`` over loop variables called `targets`.

    What all turns read keeps a name of its own, where a variable takes over the one that it had.
    """
    operands = [writer.operands[value] for value in node.inputs]
    cond, step = node.op.graphs
    count = len(targets)
    relay = writer.relay(node)
    turns = "" if relay is None else writer.fresh("turns")
    copies = {index: node.outputs[index].spec for index in ownership.copied.get(node, ())}
    captured = [operand for operand in operands[count:] if isinstance(operand, str)]
    kept = {each: writer.fresh("kept") for each in dict.fromkeys(captured) if each in targets}
    start = writer.assign([(new, each) for each, new in kept.items()], node, {}) if kept else []
    start += writer.assign(list(zip(targets, operands[:count], strict=True)), node, copies)
    inside = [
        *targets,
        *[kept.get(each, each) if isinstance(each, str) else each for each in operands[count:]],
    ]
    writer.enter(cond, inside)
    test = writer.as_expression(cond)
    leave: list[ast.stmt] = []
    with writer.in_turns():
        if test is None:
            test, leave = ast.Constant(True), _leave(writer, cond, node)
        writer.enter(step, inside)
        held = dict(zip(targets, step.inputs, strict=False))
        body = writer.block(step, targets, held, node, ownership.handed.get(node, frozenset()))
    loop = writer.running(ast.While(test, [*leave, *body] or [ast.Pass()], []), node)
    for each in kept.values():
        writer.release(each)
    if relay is None:
        return [*start, loop]
    writer.release(turns)
    return [*start, relayed(writer, node, relay, targets, inside, loop, turns)]


def _leave(writer: Writer, graph: Graph, node: Node) -> list[ast.stmt]:
    """The statements of a test that is more than one expression, and the way out of the loop."""
    outcome = writer.fresh("go_on")
    body = writer.block(graph, [outcome], {}, node)
    writer.release(outcome)
    return [*body, writer.running(ast.If(ast.UnaryOp(ast.Not(), name(outcome)), [ast.Break()], []), node)]


def _try(writer: Writer, node: Node, targets: Sequence[str], ownership: Ownership) -> list[ast.stmt]:
    """``try: …``, and what the targets are where it raises, as the last checkpoint left them."""
    cell, *captures = [writer.operands[value] for value in node.inputs]
    (guarded,) = node.op.graphs
    writer.enter(guarded, captures)
    body = writer.block(guarded, targets, {}, node, ownership.handed.get(node, frozenset()))
    problem = writer.fresh("problem")
    writer.release(problem)
    handle = writer.program.callable(partial(_caught, writer.program, node.op), node, "outcome_of")
    outcome = assign(targets, [call(handle, name(problem), writer.statements.name(cell))])
    handler = ast.ExceptHandler(name("BaseException"), problem, [outcome])
    return [writer.running(ast.Try(body, [handler], [], []), node)]


def _caught(program: Plan, op: Op, error: BaseException, cell: Sequence[Any]) -> Sequence[Any]:
    """What an op gives after an exception."""
    if isinstance(error, patience.Lasts):  # which is no exception of the program's
        raise error
    outputs = op.caught(program.explained(error) if isinstance(error, Exception) else error, cell)
    return [[] if value is None else value for value in outputs]  # a list without a value
