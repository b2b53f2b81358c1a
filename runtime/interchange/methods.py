"""How a graph leaves, as methods of `Graph`: the only file that writes them.

`Graph` sits floors below what prints and exports it, so it declares these for the type checker, and they are
written here when `runtime` is imported.
"""

from __future__ import annotations

from runtime.graph.graph import Graph
from runtime.graph.printer import to_text
from runtime.interchange.graphdef.writer import graph_to_graphdef
from runtime.interchange.messages import Message

__all__: list[str] = []


def as_graph_def(self: Graph) -> Message:
    """The graph as a TensorFlow GraphDef; see `runtime.interchange.graphdef.writer.graph_to_graphdef`."""
    return graph_to_graphdef(self)


def text(self: Graph, *, show_locations: bool = False) -> str:
    """The graph as text; see `runtime.graph.printer.to_text`."""
    return to_text(self, show_locations=show_locations)


for method in (as_graph_def, text):
    setattr(Graph, method.__name__, method)
