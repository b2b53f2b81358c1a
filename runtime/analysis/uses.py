"""Which nodes run, and where each value is used last."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects

__all__ = ["is_needed", "last_uses", "running"]


def last_uses(graph: Graph) -> dict[Value, int]:
    """The position of the last node that uses each value; a value that nobody needs is not there.

    Outputs are used after the last node. A node is needed for its effects or for an output.
    """
    found = dict.fromkeys(graph.outputs, len(graph.nodes))
    for position in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[position]
        if is_needed(node, found):
            for value in node.inputs:
                found.setdefault(value, position)
    return found


def is_needed(node: Node, uses: Mapping[Value, int]) -> bool:
    """Whether a node must run; `uses` are the `last_uses` of its graph."""
    for output in node.outputs:
        if output in uses:
            return True
    effects = node.op.effects
    return effects is not Effects.NONE and effects.must_run


def running(graph: Graph, uses: Mapping[Value, int]) -> list[Node]:
    """The nodes that compute when the graph runs, in their order: no constants, and none in vain."""
    return [node for node in graph.nodes if type(node.op) is not Const and is_needed(node, uses)]
