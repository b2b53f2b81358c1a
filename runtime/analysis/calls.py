"""The call graph: every graph that a run may enter, inside ops and behind names of functions."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module
from runtime.graph.region import Region, called_by

__all__ = ["entered", "entered_graphs"]


def entered(module: Module, node: Node) -> tuple[Region, ...]:
    """The graphs that a node runs, as regions: those that its op holds, or the function that it names."""
    name = node.op.callee
    return node.op.regions if name is None else (called_by(module.functions[name]),)


def entered_graphs(module: Module) -> Iterator[Graph]:
    """Every graph that a run of `module` may enter, once each, the entry first."""
    pending, met = [module.entry], {module.entry}
    while pending:
        graph = pending.pop()
        yield graph
        for node in graph.nodes:
            for region in entered(module, node):
                if region.graph not in met:
                    met.add(region.graph)
                    pending.append(region.graph)
