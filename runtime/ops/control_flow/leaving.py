"""Which nodes of a `try` stay in the graph around it, which may end it, and what runs inside of it."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from autograph_base.packages import OURS
from runtime.errors import is_caught
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import NOTHING, Const, Op
from runtime.ops.control_flow.nodes import RecursiveCall
from runtime.ops.control_flow.try_catch import Try
from runtime.ops.control_flow.under_way import AboutCall
from runtime.ops.host import PyFunc
from runtime.ops.raising import Raise, Reraise

__all__ = ["leaving", "raising_again", "remove_since", "runs_program", "staying_nodes", "walk"]


def remove_since(builder: Builder, start: int, began: int) -> None:
    """Takes away what was added to a graph since it had this many nodes, which was at this time."""
    region = builder.nodes[start:]
    staying = staying_nodes(region, builder, began)
    builder.arrays.leave(node for node in region if node not in staying)
    builder.nodes[start:] = staying
    builder.owner_tests.clear()  # some may have been among them


def staying_nodes(region: Sequence[Node], builder: Builder, began: int) -> dict[Node, None]:
    """The nodes that stay where they are: constants, arrays that were made before, and views of them."""
    starts = builder.arrays.starts
    staying: dict[Node, None] = {}
    for node in region:
        sources = [value.node for value in node.inputs]
        is_view = node.op.put_back is not None and all(
            each in staying or type(each.op) is Const for each in sources
        )
        if type(node.op) is Const or is_view or (node in starts and starts[node] < began):
            staying[node] = None
    return staying


def raising_again(nodes: Sequence[Node]) -> set[Node]:
    """Which of these nodes raise again what a `Try` among them has caught."""
    around: dict[Value, Value] = {}
    for node in nodes:
        for region in node.op.regions:
            operands = node.inputs[region.operands.start : region.operands.stop]
            around |= zip(region.graph.inputs, operands, strict=True)
    catching = {node for node in nodes if isinstance(node.op, Try)}
    found = set()
    for node in [node for node in nodes if isinstance(node.op, Reraise)]:
        error = node.inputs[0]
        while error in around or isinstance(error.op, AboutCall):
            error = around[error] if error in around else error.node.inputs[0]
        if error.node in catching:
            found.add(node)
    return found


def runs_program(op: Op) -> bool:
    """Whether a kernel runs code that neither Python nor NumPy brings, nor we."""
    if not isinstance(op, PyFunc):
        return isinstance(op, RecursiveCall)
    function = op.function.value
    while isinstance(function, partial):
        function = function.func
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0] not in _NOT_PROGRAMS


_NOT_PROGRAMS = sys.stdlib_module_names | OURS | {"numpy"}


def leaving(nodes: Iterable[Node], known: dict[Graph, list[Node]]) -> list[Node]:
    """The nodes, and those of graphs inside, but for those that raise what is caught inside.

    `known` are those of graphs that were met before, as some are called twice.
    """
    found = []
    for node in nodes:
        found.append(node)
        for region in node.op.regions:
            if region.graph not in known:
                known[region.graph] = leaving(region.graph.nodes, known)
            found += [inner for inner in known[region.graph] if not _is_kept(inner, region.catches)]
    return found


def _is_kept(node: Node, catches: Collection[type[BaseException]]) -> bool:
    """Whether a node raises an exception of the program's own, of one of these classes."""
    failures = node.op.raises() if isinstance(node.op, Raise | Reraise) else NOTHING
    return any(is_caught(kind, other) for kind in failures for other in catches)


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes and those of graphs inside; a graph that is called is looked into once."""
    met: set[Graph] = set()
    pending = deque(nodes)
    while pending:
        node = pending.popleft()
        yield node
        for graph in node.op.graphs:
            if graph not in met:
                met.add(graph)
                pending.extend(graph.nodes)
