"""How a graph leaves, as methods of `Graph` and `Module`: the only file that writes them.

Both sit floors below what exports them, so they declare these for the type checker, and they are written here
when `runtime` is imported. What writes and draws is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from runtime.core.stack import with_room
from runtime.graph import file as _file  # noqa: F401  # it says how graphs are pickled
from runtime.graph.graph import Graph
from runtime.graph.module import Module

if TYPE_CHECKING:
    from runtime.interchange.messages import Message

__all__: list[str] = []


def as_graph_def(self: Graph) -> Message:
    """The graph as a TensorFlow GraphDef; see `runtime.interchange.graphdef.writer.graph_to_graphdef`."""
    from runtime.interchange.graphdef.writer import graph_to_graphdef  # noqa: PLC0415  # it loads what reads files

    return graph_to_graphdef(self)


@with_room
def _drawn(self: Graph | Module, format_: str, name: str) -> str:
    functions = self.functions if isinstance(self, Module) else {}
    room = import_module(f"runtime.interchange.pictures.{format_}")
    drawn: str = getattr(room, name)(self.entry if isinstance(self, Module) else self, functions)
    return drawn


def to_dot(self: Graph | Module) -> str:
    """The graph in DOT, which Graphviz draws: ``dot -Tpdf``."""
    return _drawn(self, "dot", "to_dot")


def to_svg(self: Graph | Module) -> str:
    """The graph as an SVG picture, laid out without any other program; see `docs/pictures.md`."""
    return _drawn(self, "svg", "to_svg")


def to_html(self: Graph | Module) -> str:
    """The graph as a page that needs no other file: zoom, move, fold branches and loops, rest the pointer."""
    return _drawn(self, "html", "to_html")


def _repr_html_(self: Graph | Module) -> str:
    """What a notebook shows."""
    return _drawn(self, "html", "fragment")


for _kind in (Graph, Module):
    for _method in (to_dot, to_svg, to_html, _repr_html_):
        setattr(_kind, _method.__name__, _method)
setattr(Graph, as_graph_def.__name__, as_graph_def)
