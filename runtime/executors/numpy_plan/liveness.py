"""How long values live, and where a loop variable or a branch's result can be computed in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.core import shapes
from runtime.core.dtypes import variant
from runtime.core.spec import Spec
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const

__all__ = ["is_large", "last_uses", "written_in_place"]

_LARGE = 1 << 14
"""Bytes from which a dead array is freed at once, rather than when its name is used again."""


def last_uses(graph: Graph) -> dict[Value, int]:
    """The position of the last node that uses each value; a value that nobody needs is not there.

    Outputs are used after the last node. A node is needed for its effects or for an output.
    """
    found = dict.fromkeys(graph.outputs, len(graph.nodes))
    for position in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[position]
        if node.op.effects.must_run or any(output in found for output in node.outputs):
            for value in node.inputs:
                found.setdefault(value, position)
    return found


def is_large(spec: Spec) -> bool:
    """Whether a value is worth freeing early: a list, or an array that is large or of unknown size."""
    size = shapes.size(spec.shape)
    return spec.dtype is variant or size is None or size * spec.dtype.itemsize >= _LARGE


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
        if last < positions[value] or (last == positions[value] and not value.op.graphs):
            found[value] = target
    return found
