"""Which values are inlined into the expression that uses them, and which get a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runtime.analysis.liveness import running
from runtime.core import shapes
from runtime.core.spec import ArraySpec, Spec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const

__all__ = ["is_large", "nested", "written_in_place"]

_LARGE = 1 << 14
"""Bytes from which a dead array is freed at once, rather than when its name is used again."""
_MOST_NESTED = 6
"""Nodes that one statement computes at most."""


def is_large(spec: Spec) -> bool:
    """Whether a value is worth freeing early: a list, or an array that is large or of unknown size."""
    if not isinstance(spec, ArraySpec):
        return True
    if spec.shape == ():
        return False
    size = shapes.size(spec.shape)
    return size is None or size * spec.dtype.itemsize >= _LARGE


def nested(
    graph: Graph,
    uses: Mapping[Value, int],
    joins: Callable[[Node, Node, int], bool],
    reads: Callable[[Node], Sequence[Value]],
) -> set[Node]:
    """The nodes whose result needs no name: it is used once, by the statement that comes next.

    Parameters
    ----------
    graph : Graph
    uses : mapping of Value to int
        `last_uses` of the graph.
    joins : callable
        ``joins(node, user, index)``: whether `node` may be written in place of input `index` of `user`.
    reads : callable
        ``reads(node)``: the inputs that stand in the text of a node.
    """
    nodes = running(graph, uses)
    times = dict.fromkeys(graph.outputs, 2)  # an output has a name at all events
    for node in nodes:
        for value in reads(node):
            times[value] = times.get(value, 0) + 1
    found: dict[Node, Node] = {}
    sizes: dict[Node, int] = {}
    for position in range(len(nodes) - 1, -1, -1):
        node = nodes[position]
        if len(node.outputs) != 1 or times.get(node.outputs[0]) != 1:
            continue
        user = _next_statement_using(node.outputs[0], nodes, position + 1, found)
        if user is None:
            continue
        statement = user
        while statement in found:
            statement = found[statement]
        if sizes.get(statement, 1) < _MOST_NESTED and joins(node, user, user.inputs.index(node.outputs[0])):
            found[node] = user
            sizes[statement] = sizes.get(statement, 1) + 1
    return set(found)


def _next_statement_using(
    value: Value, nodes: Sequence[Node], first: int, found: Mapping[Node, Node]
) -> Node | None:
    """The node from the `first` on that uses a value, when no statement stands in front of it."""
    for position in range(first, len(nodes)):
        each = nodes[position]
        if value in each.inputs:
            return each
        if each not in found:
            return None
    return None


def written_in_place(
    graph: Graph, targets: Sequence[str], held: Mapping[str, Value], uses: Mapping[Value, int]
) -> dict[Value, str]:
    """The outputs that may be written to their target by the very node that computes them.

    Parameters
    ----------
    graph : Graph
    targets : sequence of str
        The name that each output goes to.
    held : mapping of str to Value
        What a target holds while the graph runs: the loop variable that is about to change.
    uses : mapping of Value to int
        `last_uses` of the graph.
    """
    positions = {output: index for index, node in enumerate(graph.nodes) for output in node.outputs}
    found: dict[Value, str] = {}
    for value, target in zip(graph.outputs, targets, strict=True):
        if value not in positions or value in found or isinstance(value.op, Const):
            continue
        old = held.get(target)
        last = -1 if old is None else uses.get(old, -1)
        position = positions[value]
        if last < position or (last == position and _reads_before_writing(value, old)):
            found[value] = target
    return found


def _reads_before_writing(value: Value, old: Value | None) -> bool:
    """Whether the node of `value` can write it over `old`, which that node reads."""
    regions = value.op.regions
    if regions and regions[0].runs.repeatedly:
        return value.inputs[value.index] is old and value.inputs.count(old) == 1
    return not any(region.catches for region in regions)  # there it may be needed once more
