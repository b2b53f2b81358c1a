"""What a picture of a graph shows: boxes in layers, with the graphs inside of them, and the lines between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects, Placeholder
from runtime.graph.printer import Printer

__all__ = ["Box", "Drawing", "Line", "drawing", "drawings"]

LONGEST = 28
"""Characters of a box's second line; what is left out shows where the pointer rests."""

SMALL = 4
"""Elements of a constant that a box shows."""


@dataclass
class Box:
    """One node, input or result.

    Attributes
    ----------
    kind : str
        ``"input"``, ``"output"``, ``"constant"``, ``"op"`` or ``"effect"``; ``"bend"`` where a line
        goes through a row.
    title : str
        The name in bold.
    detail : str
        What it gives: dtype and shape.
    hover : str
        What shows while the pointer rests on it: attributes, dtypes and shapes, the user's line.
    inner : list of Drawing
        The graphs inside of it: branches, the test and the body of a loop.
    layer : int
        Its row, counted from above.
    """

    kind: str
    title: str
    detail: str = ""
    hover: str = ""
    inner: list[Drawing] = field(default_factory=list)
    layer: int = 0


@dataclass
class Line:
    """A value on its way from one box to the next; or, where `is_order`, which effect comes first.

    Attributes
    ----------
    start, end : int
        Positions of boxes.
    hover : str
    is_order : bool
    """

    start: int
    end: int
    hover: str = ""
    is_order: bool = False


@dataclass
class Drawing:
    """A graph as boxes and lines.

    Attributes
    ----------
    name : str
    boxes : list of Box
    lines : list of Line
        Each leads one layer down, by way of bends where it is longer.
    """

    name: str
    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def layers(self) -> int:
        """How many rows it has."""
        return 1 + max((box.layer for box in self.boxes), default=0)


def drawings(graph: Graph, functions: Mapping[str, Graph]) -> list[Drawing]:
    """The drawing of a graph, then those of the functions that it calls by name.

    Parameters
    ----------
    graph : Graph
    functions : mapping of str to Graph

    Returns
    -------
    list of Drawing
    """
    found = [drawing(graph), *(drawing(each) for each in functions.values() if each is not graph)]
    names = [graph.name, *(name for name, each in functions.items() if each is not graph)]
    for each, name in zip(found, names, strict=True):
        each.name = name
    return found


def drawing(graph: Graph) -> Drawing:
    """A graph in layers: each box stands below all that it needs.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Drawing
    """
    made = Drawing(graph.name)
    place: dict[Node, int] = {}
    for value in graph.inputs:
        place[value.node] = _add(made, _input(value))
    last_effect: int | None = None
    links: list[Line] = []
    for node in graph.nodes:
        index = place[node] = _add(made, _box(node))
        links += [Line(place[value.node], index, str(value.spec)) for value in node.inputs]
        if node.op.effects & ~Effects.READS:
            if last_effect is not None:
                links.append(Line(last_effect, index, "happens before", is_order=True))
            last_effect = index
    for number, value in enumerate(graph.outputs):
        name = "result" if len(graph.outputs) == 1 else f"result {number}"
        index = _add(made, Box("output", name, str(value.spec), f"{name}: {value.spec}"))
        links.append(Line(place[value.node], index, str(value.spec)))
    _set_layers(made.boxes, links)
    made.lines = list(_bent(made, links))
    return made


def _add(made: Drawing, box: Box) -> int:
    made.boxes.append(box)
    return len(made.boxes) - 1


def _input(value: Value) -> Box:
    label = value.op.label if isinstance(value.op, Placeholder) else "input"
    return Box("input", label or "input", str(value.spec), f"the argument {label}: {value.spec}")


def _box(node: Node) -> Box:
    op, given = node.op, ", ".join(map(str, node.specs))
    attributes = ", ".join(Printer(longest=SMALL).attributes(op))
    told = [f"{op.name}({attributes})", f"gives {given}" if given else ""]
    if node.location.line:
        told += [str(node.location), f"    {node.location.source}" if node.location.source else ""]
    hover = "\n".join(filter(None, told))
    if isinstance(op, Const):
        text = _short(str(op.value.tolist())) if op.value.size <= SMALL else given
        return Box("constant", text, "", hover)
    kind = "effect" if op.effects & ~Effects.READS else "op"
    return Box(kind, op.name, _short(given), hover, [drawing(graph) for graph in _distinct(op.graphs)])


def _distinct(graphs: tuple[Graph, ...]) -> list[Graph]:
    return list({id(graph): graph for graph in graphs}.values())


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _set_layers(boxes: list[Box], links: list[Line]) -> None:
    """The layer of each box: below all that lead to it; constants right above the first that takes them."""
    leading: dict[int, list[int]] = {}
    taking: dict[int, list[int]] = {}
    for link in links:
        leading.setdefault(link.end, []).append(link.start)
        taking.setdefault(link.start, []).append(link.end)
    for index, box in enumerate(boxes):  # links lead forward only
        box.layer = 1 + max((boxes[start].layer for start in leading.get(index, ())), default=-1)
    bottom = max((box.layer for box in boxes), default=0)
    for index, box in enumerate(boxes):
        if box.kind == "output":
            box.layer = bottom
        elif box.kind == "constant" and index in taking:
            box.layer = max(min(boxes[end].layer for end in taking[index]) - 1, 0)


def _bent(made: Drawing, links: list[Line]) -> Iterator[Line]:
    """The links in steps of one layer."""
    for link in links:
        start = link.start
        for layer in range(made.boxes[link.start].layer + 1, made.boxes[link.end].layer):
            bend = _add(made, Box("bend", "", layer=layer))
            yield Line(start, bend, link.hover, link.is_order)
            start = bend
        yield Line(start, link.end, link.hover, link.is_order)
