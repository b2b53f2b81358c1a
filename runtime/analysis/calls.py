"""Every graph that a run may enter: inside ops, and behind the names of functions that call themselves."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module

__all__ = ["entered", "entered_graphs"]


def entered(module: Module, node: Node) -> tuple[Graph, ...]:
    """The graphs that a node runs: those that its op holds, or the function that it names."""
    name = node.op.callee
    return node.op.graphs if name is None else (module.functions[name],)


def entered_graphs(module: Module) -> Iterator[Graph]:
    """Every graph that a run of `module` may enter, once each, the entry first."""
    pending, met = [module.entry], {module.entry}
    while pending:
        graph = pending.pop()
        yield graph
        for node in graph.nodes:
            for inner in entered(module, node):
                if inner not in met:
                    met.add(inner)
                    pending.append(inner)
