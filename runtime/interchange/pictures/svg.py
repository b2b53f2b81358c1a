"""A graph as SVG, which every browser and every editor of pictures shows; nothing has to be installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from runtime.graph.graph import Graph
from runtime.interchange.pictures.drawing import drawings
from runtime.interchange.pictures.layout import DETAIL, GAP, HEAD, PAD, Placed, Spot, layout

__all__ = ["to_svg"]

STYLE = """
.ag-graph { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 11px; }
.ag-graph text { fill: #1f2328; } .ag-graph .title { font-weight: 600; } .ag-graph .detail { fill: #656d76; }
.ag-graph .ground { fill: #ffffff; }
.ag-graph .frame { fill: #f6f8fa; stroke: #d0d7de; }
.ag-graph .outer > .frame { fill: #ffffff; stroke: none; }
.ag-graph .box > .body { fill: #ffffff; stroke: #8c959f; }
.ag-graph .input > .body { fill: #ddf4ff; stroke: #54aeff; }
.ag-graph .output > .body { fill: #dafbe1; stroke: #4ac26b; }
.ag-graph .constant > .body { fill: #fff8c5; stroke: #d4a72c; }
.ag-graph .effect > .body { fill: #ffebe9; stroke: #ff8182; }
.ag-graph .line { fill: none; stroke: #8c959f; } .ag-graph .order { stroke: #ff8182; stroke-dasharray: 3 3; }
.ag-graph .arrow { fill: #8c959f; }
@media (prefers-color-scheme: dark) {
  .ag-graph text { fill: #e6edf3; } .ag-graph .detail { fill: #8b949e; } .ag-graph .ground { fill: #0d1117; }
  .ag-graph .frame { fill: #161b22; stroke: #30363d; } .ag-graph .outer > .frame { fill: #0d1117; }
  .ag-graph .box > .body { fill: #0d1117; stroke: #6e7681; }
  .ag-graph .input > .body { fill: #0c2d6b; } .ag-graph .output > .body { fill: #033a16; }
  .ag-graph .constant > .body { fill: #341a00; } .ag-graph .effect > .body { fill: #490202; }
}
"""

ARROW = (
    '<defs><marker id="ag-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>'
)


def to_svg(graph: Graph, functions: Mapping[str, Graph]) -> str:
    """A graph, and beside it the functions that it calls by name.

    Parameters
    ----------
    graph : Graph
    functions : mapping of str to Graph

    Returns
    -------
    str
        One `svg` element, with its style.
    """
    placed = [layout(each) for each in drawings(graph, functions)]
    width = sum(each.width for each in placed) + GAP * (len(placed) - 1)
    height = max(each.height for each in placed) + HEAD
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ag-graph" {size}>',
        f"<style>{STYLE}</style>",
        ARROW,
        '<rect class="ground" width="100%" height="100%"/>',
        '<g class="view">',
    ]
    x = 0.0
    for each in placed:
        parts += _drawn(each, x, 0.0, "drawing outer")
        x += each.width + GAP
    return "\n".join([*parts, "</g>", "</svg>"])


def _drawn(placed: Placed, x: float, y: float, kind: str) -> Iterator[str]:
    """A graph in its frame: its name, the lines, then the boxes."""
    yield f'<g class="{kind}" transform="translate({x:g} {y:g})">'
    yield f'<rect class="frame" rx="4" width="{placed.width:g}" height="{placed.height + HEAD:g}"/>'
    yield f'<text class="detail" x="{PAD:g}" y="14">{escape(placed.drawing.name)}</text>'
    for line in placed.drawing.lines:
        start, end = placed.spots[line.start], placed.spots[line.end]
        arrow = "" if end.box.kind == "bend" else ' marker-end="url(#ag-arrow)"'
        kind = "line order" if line.is_order else "line"
        ends = f'data-from="{line.start}" data-to="{line.end}"'
        path = f'<path class="{kind}" {ends} d="{_path(start, end)}"{arrow}>'
        yield f"{path}<title>{escape(line.hover)}</title></path>"
    for index, spot in enumerate(placed.spots):
        yield from _box(index, spot)
    yield "</g>"


def _path(start: Spot, end: Spot) -> str:
    """A curve from the bottom of a box to the top of another."""
    x, y, to_x, to_y = start.middle, start.y + start.height + HEAD, end.middle, end.y + HEAD
    between = (y + to_y) / 2
    return f"M{x:g} {y:g}C{x:g} {between:g} {to_x:g} {between:g} {to_x:g} {to_y:g}"


def _box(index: int, spot: Spot) -> Iterator[str]:
    box = spot.box
    folds = " folds" if spot.inner else ""
    yield (
        f'<g class="box {box.kind}{folds}" data-index="{index}" data-row="{box.layer}" '
        f'transform="translate({spot.x:g} {spot.y + HEAD:g})">'
    )
    if box.kind == "bend":
        yield f'<path class="line" d="M{spot.width / 2:g} 0V{spot.height:g}"/>'
    else:
        yield f"<title>{escape(box.hover)}</title>"
        radius = 4 if box.kind in {"op", "effect"} else 9
        yield f'<rect class="body" rx="{radius}" width="{spot.width:g}" height="{spot.height:g}"/>'
        middle = f'x="{spot.width / 2:g}" text-anchor="middle"'
        yield f'<text class="title" {middle} y="14">{escape(box.title)}</text>'
        if box.detail:
            yield f'<text class="detail" {middle} y="27">{escape(box.detail)}</text>'
    x = PAD
    for each in spot.inner:
        yield from _drawn(each, x, HEAD + DETAIL, "drawing")
        x += each.width + PAD
    yield "</g>"
