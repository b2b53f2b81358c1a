"""A graph in DOT, the language of Graphviz, for those who have it or want another layout."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from runtime.graph.graph import Graph
from runtime.interchange.pictures.drawing import Box, Drawing, Line, drawings

__all__ = ["to_dot"]

FILLS = {"input": "#ddf4ff", "output": "#dafbe1", "constant": "#fff8c5", "effect": "#ffebe9", "op": "#ffffff"}


def to_dot(graph: Graph, functions: Mapping[str, Graph]) -> str:
    """A graph, and beside it the functions that it calls by name; graphs in a box are clusters beside it.

    Parameters
    ----------
    graph : Graph
    functions : mapping of str to Graph

    Returns
    -------
    str
        What ``dot -Tpdf`` takes.
    """
    numbers = itertools.count()
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        '  compound=true; node [shape=box style="rounded,filled" fontname=monospace fontsize=10];',
    ]
    for each in drawings(graph, functions):
        lines += _cluster(each, "  ", numbers)
    return "\n".join([*lines, "}", ""])


def _cluster(drawing: Drawing, indent: str, numbers: Iterator[int], holder: str = "") -> Iterator[str]:
    """The statements of one graph; a dotted line leads to it from the box that holds it."""
    cluster = f"cluster_{next(numbers)}"
    names = [f"n{next(numbers)}" for _ in drawing.boxes]
    yield f"{indent}subgraph {cluster} {{ label={_quoted(drawing.name)};"
    for name, box in zip(names, drawing.boxes, strict=True):
        if not _is_bend(box):
            label = "\n".join(filter(None, [box.title, box.detail]))
            fill = f'fillcolor="{FILLS[box.kind]}"'
            yield f"{indent}  {name} [label={_quoted(label)} tooltip={_quoted(box.hover)} {fill}];"
    for line in _whole(drawing):
        style = " style=dashed" if line.is_order else ""
        yield f"{indent}  {names[line.start]} -> {names[line.end]} [tooltip={_quoted(line.hover)}{style}];"
    yield f"{indent}}}"
    if holder and names:
        yield f"{indent}{holder} -> {names[0]} [lhead={cluster} style=dotted arrowhead=none];"
    for name, box in zip(names, drawing.boxes, strict=True):
        for inner in box.inner:
            yield from _cluster(inner, indent, numbers, name)


def _whole(drawing: Drawing) -> Iterator[Line]:
    """The lines without their bends."""
    onward = {line.start: line for line in drawing.lines if _is_bend(drawing.boxes[line.start])}
    for line in drawing.lines:
        if _is_bend(drawing.boxes[line.start]):
            continue
        end = line
        while _is_bend(drawing.boxes[end.end]):
            end = onward[end.end]
        yield Line(line.start, end.end, line.hover, line.is_order)


def _is_bend(box: Box) -> bool:
    return box.kind == "bend"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
