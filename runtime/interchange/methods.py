"""How a graph leaves, as a method of `Graph`: the only file that writes one.

`Graph` sits floors below what exports it, so it declares this for the type checker, and it is written here
when `runtime` is imported.
"""

from __future__ import annotations

from runtime.graph import file as _file  # noqa: F401  # it says how graphs are pickled
from runtime.graph.graph import Graph
from runtime.interchange.graphdef.writer import graph_to_graphdef
from runtime.interchange.messages import Message

__all__: list[str] = []


def as_graph_def(self: Graph) -> Message:
    """The graph as a TensorFlow GraphDef; see `runtime.interchange.graphdef.writer.graph_to_graphdef`."""
    return graph_to_graphdef(self)


setattr(Graph, as_graph_def.__name__, as_graph_def)
