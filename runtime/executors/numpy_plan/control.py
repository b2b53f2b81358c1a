"""Branches and loops as Python's own `if` and `while`, in the function that they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.executors.numpy_plan.liveness import last_uses
from runtime.executors.numpy_plan.program import Line
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.ops.control_flow import StatelessIf, StatelessWhile

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer

__all__ = ["indented", "write_if", "write_while"]

_LONGEST_TEST = 4
"""Nodes up to which a loop's test is written as one expression."""


def indented(lines: Sequence[Line]) -> list[Line]:
    """The lines one level deeper."""
    return [Line(f"    {line.text}", line.node) for line in lines]


def write_if(writer: Writer, node: Node, op: StatelessIf, targets: Sequence[str]) -> list[Line]:
    """``if test: … else: …``, each branch leaving its outputs in `targets`."""
    predicate, *captures = [writer.operands[value] for value in node.inputs]
    test = writer.statements.name(predicate)
    arms = []
    for branch in op.graphs:
        writer.enter(branch, captures)
        arms.append(indented(writer.block(branch, targets, {}, node)))
    then, orelse = arms
    if not then and not orelse:
        return []
    if not then:
        return [Line(f"if not {test}:", node), *orelse]
    rest = [Line("else:", node), *orelse] if orelse else []
    return [Line(f"if {test}:", node), *then, *rest]


def write_while(writer: Writer, node: Node, op: StatelessWhile, targets: Sequence[str]) -> list[Line]:
    """``while test: …`` over loop variables called `targets`."""
    operands = [writer.operands[value] for value in node.inputs]
    count = len(targets)
    start = writer.assign(list(zip(targets, operands[:count], strict=True)), node)
    inside = [*targets, *operands[count:]]
    writer.enter(op.cond, inside)
    test = _test(writer, op.cond)
    header = [Line(f"while {test.text}:", test.node or node)]
    if test is _UNWRITTEN:
        header = [Line("while True:", node), *indented(_leave(writer, op.cond, node))]
    writer.enter(op.body, inside)
    held = dict(zip(targets, op.body.inputs, strict=False))
    body = writer.block(op.body, targets, held, node)
    if not body and len(header) == 1:
        body = [Line("pass", node)]
    return [*start, *header, *indented(body)]


_UNWRITTEN = Line("")


def _test(writer: Writer, graph: Graph) -> Line:
    """The test as one expression, where it is short, all of one line of the user's, and free of control flow."""
    (outcome,) = graph.outputs
    uses = last_uses(graph)
    computing = [
        node for node in graph.nodes if not isinstance(node.op, Const) and any(v in uses for v in node.outputs)
    ]
    if not computing:
        return Line(writer.statements.name(writer.operands[outcome]))
    times = Counter(value for node in computing for value in node.inputs)
    times[outcome] += 1
    simple = all(
        not node.op.graphs and not node.op.effects and len(node.outputs) == 1 and times[node.outputs[0]] == 1
        for node in computing
    )
    places = {writer.origins.place(node) for node in computing}
    if not simple or len(places) > 1 or len(computing) > _LONGEST_TEST or len(computing) < _needed(graph, uses):
        return _UNWRITTEN
    return _nested(writer, graph, computing)


def _needed(graph: Graph, uses: dict[Value, int]) -> int:
    """How many nodes must run, for an output or for their effects."""
    return sum(
        not isinstance(node.op, Const) and (node.op.effects.must_run or any(v in uses for v in node.outputs))
        for node in graph.nodes
    )


def _nested(writer: Writer, graph: Graph, computing: Sequence[Node]) -> Line:
    for node in graph.nodes:
        if isinstance(node.op, Const):
            writer.operands[node.outputs[0]] = node.op.value
    for node in computing:
        operands = [writer.operands[value] for value in node.inputs]
        is_last = node is computing[-1]
        text = writer.statements.expression(node, operands, nested=not is_last)
        writer.operands[node.outputs[0]] = text
    return Line(text, computing[-1])


def _leave(writer: Writer, graph: Graph, node: Node) -> list[Line]:
    """The statements of a longer test, and the way out of the loop."""
    outcome = writer.fresh("go_on")
    lines = writer.block(graph, [outcome], {}, node)
    writer.release(outcome)
    return [*lines, Line(f"if not {outcome}:", node), Line("    break", node)]
