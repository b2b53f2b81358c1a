"""What may raise or warn stays in a graph, though nobody asks for its result: it does so where Python does.

    first = rows[0]         raises where there is no row, if `first` is never read, too

A graph computes what is asked of it, and an exception of what nobody asks for would go with the rest. So
those nodes are marked as needed; all else that nobody asks for still goes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import chain

from runtime.analysis.liveness import Needed
from runtime.core.stack import with_room
from runtime.graph.builder import Builder
from runtime.graph.failures import failures_in
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.graph.region import Region, with_changed_graphs
from runtime.ops.control_flow.try_catch import Evaluated
from runtime.ops.core.calls import may_warn
from runtime.ops.families import Contraction, Elementwise, Reduction
from runtime.ops.ranges import Range
from runtime.passes.rebuild import Copy

__all__ = ["shows", "with_what_raises"]


def shows(builder: Builder) -> bool:
    """Whether one sees that a run gets to the end of a graph: it has effects, or may raise or warn."""
    if builder.effects.must_run or failures_in(builder.nodes):
        return True
    inside = [region.graph for node in builder.nodes for region in node.op.regions]
    nodes = chain(builder.nodes, *[graph.nodes for each in inside for graph in each.walk()])
    return any(_may_warn(node, builder.context.weak) for node in nodes)


@with_room
def with_what_raises(graph: Graph, asked: Iterable[Value] = (), own: Container[Value] = ()) -> Graph:
    """`graph`, with every node marked as needed that nobody asks for and that may raise, or warn.

    Python's `own` numbers warn of nothing. What only leads to values that were `asked` for their kind is
    computed again where the program needs it.
    Functions that the graph calls stay: their own traces have marked theirs.
    """
    needed, again = Needed(graph).nodes, _leading_to(asked)
    done: dict[Graph, Graph] = {}

    def marked(graph: Graph) -> Graph:
        if graph not in done:
            done[graph] = _marked(graph)
        return done[graph]

    def inside(region: Region) -> Graph:
        return region.graph if region.is_function else marked(region.graph)

    def _marked(graph: Graph) -> Graph:
        ops = {
            node: with_changed_graphs(node.op, inside)
            for node in graph.nodes
            if node.op.regions and (node in needed or node not in again)
        }
        unread = [node for node in graph.nodes if node not in needed and node not in again]
        lost = {node for node in unread if _may_raise(node) or _may_warn(node, own)}
        if not lost and all(node.op is op for node, op in ops.items()):
            return graph
        copy = Copy(graph)
        for node in graph.nodes:
            copied = copy.add(node, ops.get(node))
            if node in lost:
                copy.new.add(Evaluated(), copied.outputs, node.location)
        return copy.finish()

    return marked(graph)


def _leading_to(values: Iterable[Value]) -> set[Node]:
    """The nodes that values are computed by, in the graphs that these are in."""
    pending, found = [value.node for value in values], set[Node]()
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += [value.node for value in node.inputs]
    return found


def _may_warn(node: Node, own: Container[Value]) -> bool:
    """Whether NumPy may tell an error of floats where a node computes."""
    op = node.op
    if (
        not isinstance(op, Elementwise | Reduction | Contraction)
        or not node.outputs
        or node.outputs[0] in own
    ):
        return False
    return may_warn(op, [value.spec for value in node.inputs])


def _may_raise(node: Node) -> bool:
    """Whether a node computes something, or calls what does, and may raise then: what is inside is marked."""
    if not node.outputs or any(not region.is_function for region in node.op.regions):
        return False
    return bool(failures_in([node])) and not _counts(node)


def _counts(node: Node) -> bool:
    """Whether a node makes the numbers of a loop that counts instead: only a step of 0 is an error."""
    if not isinstance(node.op, Range):
        return False
    step = node.inputs[2].node.op
    return isinstance(step, Const) and bool(step.value)
