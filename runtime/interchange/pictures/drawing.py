"""What a picture of a graph shows: boxes in layers, with the graphs inside of them, and the lines between.

What nobody needs is not drawn, and in the graphs inside neither is what only another of them takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from autograph_base.dataclass import dataclass
from runtime.graph import printer
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects, Placeholder
from runtime.graph.region import Region
from runtime.passes import drop_dead

__all__ = ["Box", "Drawing", "Line", "drawing", "drawings"]

LONGEST = 28
"""Characters of a box's second line; what is left out shows where the pointer rests."""

LONGEST_LINE = 60
"""Characters of the user's line, which is the second line of a branch or a loop: these are wide."""

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
        What it gives, dtype and shape; of a branch or a loop, the user's line.
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
        What the graph is called; one inside of a box, its role: ``then``, ``else``, ``test``, ``body``.
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
    graph = drop_dead.run(graph)
    return _drawing(graph, graph.name, [_label(value) for value in graph.inputs], _numbered(graph.outputs))


def _numbered(outputs: tuple[Value, ...]) -> list[str]:
    """What results are called that have no name."""
    return ["result" if len(outputs) == 1 else f"result {number}" for number in range(len(outputs))]


def _drawing(graph: Graph, name: str, labels: list[str], results: list[str], inner: bool = False) -> Drawing:
    """A graph whose inputs and results are called as its surroundings call them."""
    made = Drawing(name)
    called = dict(zip(graph.inputs, labels, strict=True))
    taken = {value for node in graph.nodes for value in node.inputs} | {*graph.outputs}
    place: dict[Node, int] = {}
    for value, label in called.items():
        if value in taken or not inner:
            hover = f"the argument {label}: {value.spec}"
            place[value.node] = _add(made, Box("input", label, _short(str(value.spec)), hover))
    last_effect: int | None = None
    links: list[Line] = []
    for node in graph.nodes:
        index = place[node] = _add(made, _box(node, called))
        links += [Line(place[value.node], index, str(value.spec)) for value in node.inputs]
        if node.op.effects & ~Effects.READS:
            if last_effect is not None:
                links.append(Line(last_effect, index, "happens before", is_order=True))
            last_effect = index
    for result, value in zip(results, graph.outputs, strict=True):
        index = _add(made, Box("output", result, _short(str(value.spec)), f"{result}: {value.spec}"))
        links.append(Line(place[value.node], index, str(value.spec)))
    _set_layers(made.boxes, links)
    made.lines = list(_bent(made, links))
    return made


def _add(made: Drawing, box: Box) -> int:
    made.boxes.append(box)
    return len(made.boxes) - 1


def _label(value: Value) -> str:
    """What a value is called: as the user calls an input, as a small constant is, or after its op."""
    if isinstance(value.op, Placeholder):
        return value.op.label or "input"
    if isinstance(value.op, Const):
        return _constant(value.op, str(value.spec))
    return value.op.name


def _constant(op: Const, given: str) -> str:
    return _short(str(op.value.tolist())) if op.value.size <= SMALL else given


def _box(node: Node, called: Mapping[Value, str]) -> Box:
    op, given = node.op, ", ".join(map(str, node.specs))
    attributes = ", ".join(printer.Printer(longest=SMALL).attributes(op))
    told = [f"{op.name}({attributes})", f"gives {given}" if given else ""]
    if node.location.line:
        told += [str(node.location), f"    {node.location.source}" if node.location.source else ""]
    hover = "\n".join(filter(None, told))
    if isinstance(op, Const):
        return Box("constant", _constant(op, given), "", hover)
    kind = "effect" if op.effects & ~Effects.READS else "op"
    inner = [_inside(node, region, called) for region in op.regions if not region.is_function]
    line = node.location.source if inner else ""
    detail = _short(line, LONGEST_LINE) if line else _short(given)
    return Box(kind, op.name, detail, hover, [*inner, *map(drawing, _callees(node))])


def _inside(node: Node, region: Region, called: Mapping[Value, str]) -> Drawing:
    """A branch, or a part of a loop: what it takes is called as outside, variables also afterwards."""
    labels = [
        value.label() if position < region.variables else ""
        for position, value in enumerate(region.graph.inputs)
    ]
    outside = [node.inputs[operand] for operand in region.operands]
    labels = [
        label or called.get(value) or _label(value) for label, value in zip(labels, outside, strict=True)
    ]
    outputs = region.graph.outputs
    results = labels[: len(outputs)] if region.variables and len(region.results) else _numbered(outputs)
    return _drawing(region.graph, region.role, labels, results, inner=True)


def _callees(node: Node) -> list[Graph]:
    """The graphs that a node calls, each once."""
    found = [region.graph for region in node.op.regions if region.is_function]
    return list({id(graph): graph for graph in found}.values())


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


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
