"""A control-flow graph as a picture."""

from __future__ import annotations

import ast

from autograph.analysis.cfg import Graph, Node
from autograph.source.unparse import unparse

__all__ = ["dot"]


def dot(graph: Graph) -> str:
    """The graph in the DOT language; dashed edges are those of exceptions.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    str

    Examples
    --------
    >>> from autograph.analysis.cfg import ControlFlow
    >>> from autograph.analysis.manager import Analyses
    >>> f = ast.parse("def f(x): return x").body[0]
    >>> print(dot(Analyses(f).get(ControlFlow).graph(f)))
    digraph "f" {
      node [shape=box, fontname=monospace]
      0 [label="entry"]
      1 [label="exit"]
      2 [label="return x"]
      0 -> 2
      2 -> 1
    }
    """
    lines = [
        f'digraph "{getattr(graph.owner, "name", "module")}" {{',
        "  node [shape=box, fontname=monospace]",
    ]
    lines += [f'  {node.index} [label="{_escaped(_label(node))}"]' for node in graph.nodes]
    for node in graph.nodes:
        lines += [f"  {node.index} -> {following.index}" for following in node.successors]
        lines += [f"  {node.index} -> {following.index} [style=dashed]" for following in node.raises_to]
    return "\n".join([*lines, "}"])


def _label(node: Node) -> str:
    """What a node does, in a few words."""
    if node.tree is None:
        return node.kind
    text = node.tree.context_expr if isinstance(node.tree, ast.withitem) else node.tree
    if isinstance(node.tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"define {node.tree.name}"
    source = unparse(text)
    return source if node.kind == "statement" else f"{node.kind}: {source}"


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
