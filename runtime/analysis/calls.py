"""Every graph that a run may enter: inside ops, and behind the names of functions that call themselves."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.graph.graph import Graph, Node
from runtime.ops.control_flow import RecursiveCall

__all__ = ["entered", "entered_graphs"]


def entered(node: Node) -> tuple[Graph, ...]:
    """The graphs that a node runs: those that its op holds, or the body of the function that it names."""
    return (node.op.definition.body,) if isinstance(node.op, RecursiveCall) else node.op.graphs


def entered_graphs(root: Graph) -> Iterator[Graph]:
    """`root` and every graph that a run of it may enter, once each."""
    pending, met = [root], {root}
    while pending:
        graph = pending.pop()
        yield graph
        for node in graph.nodes:
            for inner in entered(node):
                if inner not in met:
                    met.add(inner)
                    pending.append(inner)
