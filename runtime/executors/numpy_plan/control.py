"""Branches and loops as Python's own `if` and `while`, in the function that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from runtime.analysis.ownership import Ownership
from runtime.executors.numpy_plan.precedence import OPERAND, filled
from runtime.executors.numpy_plan.program import Line, Plan
from runtime.graph.graph import Graph, Node
from runtime.ops.control_flow import If, Try, While

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer

__all__ = ["indented", "write_if", "write_try", "write_while"]

_NOT = f"not {OPERAND.format(0)}"
_CATCHES = "what it catches are classes of this process"


def indented(lines: Sequence[Line]) -> list[Line]:
    """The lines one level deeper."""
    return [replace(line, text=f"    {line.text}") for line in lines]


def write_if(writer: Writer, node: Node, op: If, targets: Sequence[str], ownership: Ownership) -> list[Line]:
    """``if test: … else: …``, each branch leaving its outputs in `targets`."""
    predicate, *captures = [writer.operands[value] for value in node.inputs]
    test = writer.statements.name(predicate)
    parts = writer.take_parts()
    arms = []
    handed = ownership.handed.get(node, frozenset())
    for branch in op.graphs:
        writer.enter(branch, captures)
        pairs = zip(captures, branch.inputs, strict=True)
        held = {name: value for name, value in pairs if isinstance(name, str)}
        arms.append(writer.block(branch, targets, held, node, handed))
    then, orelse = arms
    if then:
        return [Line(f"if {test}:", node, parts), *indented(then), *_otherwise(orelse, node)]
    if orelse:
        return [Line(f"if {filled(_NOT, [test])}:", node, parts), *indented(orelse)]
    return []


def _otherwise(lines: Sequence[Line], node: Node) -> list[Line]:
    """The other branch: ``elif`` where it is one `if` and nothing else."""
    comments = list(takewhile(lambda line: line.text.startswith("#"), lines))
    rest = lines[len(comments) :]
    is_if = bool(rest) and rest[0].text.startswith("if ")
    if is_if and all(line.text.startswith((" ", "elif ", "else:", "#")) for line in rest[1:]):
        return [*comments, replace(rest[0], text=f"el{rest[0].text}"), *rest[1:]]
    return [Line("else:", node), *indented(lines)] if lines else []


def write_while(
    writer: Writer, node: Node, op: While, targets: Sequence[str], ownership: Ownership
) -> list[Line]:
    """``while test: …`` over loop variables called `targets`."""
    operands = [writer.operands[value] for value in node.inputs]
    count = len(targets)
    copies = ownership.copied.get(node, frozenset())
    start = writer.assign(list(zip(targets, operands[:count], strict=True)), node, copies)
    inside = [*targets, *operands[count:]]
    writer.enter(op.cond, inside)
    test = writer.as_expression(op.cond)
    if test is None:
        header = [Line("while True:", node), *indented(_leave(writer, op.cond, node))]
    else:
        header = [replace(test, text=f"while {test.text}:", node=test.node or node)]
    writer.enter(op.body, inside)
    held = dict(zip(targets, op.body.inputs, strict=False))
    body = writer.block(op.body, targets, held, node, ownership.handed.get(node, frozenset()))
    if not body and test is not None:
        body = [Line("pass", node)]
    return [*start, *header, *indented(body)]


def _leave(writer: Writer, graph: Graph, node: Node) -> list[Line]:
    """The statements of a test that is more than one expression, and the way out of the loop."""
    outcome = writer.fresh("go_on")
    lines = writer.block(graph, [outcome], {}, node)
    writer.release(outcome)
    return [*lines, Line(f"if not {outcome}:", node), Line("    break", node)]


def write_try(writer: Writer, node: Node, op: Try, targets: Sequence[str]) -> list[Line]:
    """``try: …``, and what the targets are where it raises, as the last checkpoint left them."""
    cell, *captures = [writer.operands[value] for value in node.inputs]
    parts = writer.take_parts()
    writer.enter(op.body, captures)
    body = writer.block(op.body, targets, {}, node)
    problem = writer.fresh("problem")
    writer.release(problem)
    handle = writer.program.callable(partial(_caught, writer.program, op), node, "outcome_of", _CATCHES)
    outcome = f"{handle}({problem}, {writer.statements.name(cell)})"
    return [
        Line("try:", node, parts),
        *indented(body),
        Line(f"except BaseException as {problem}:", node),
        Line(f"    {', '.join(targets)} = {outcome}", node),
    ]


def _caught(program: Plan, op: Try, error: BaseException, cell: Sequence[Any]) -> tuple[Any, ...]:
    """What a `Try` gives after an exception."""
    return op.caught(program.explained(error) if isinstance(error, Exception) else error, cell)
