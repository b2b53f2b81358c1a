"""Def-use: which values anything uses."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.graph.graph import Graph, Node, Value

__all__ = ["used", "used_by"]


def used(graph: Graph) -> set[Value]:
    """The values of a graph that a node of it takes, or that it gives."""
    return used_by(graph.nodes).union(graph.outputs)


def used_by(nodes: Iterable[Node]) -> set[Value]:
    """The values that nodes take."""
    return {value for node in nodes for value in node.inputs}
