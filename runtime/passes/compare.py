"""Whether two graphs compute the same."""

from __future__ import annotations

from typing import Any

from runtime.core.dims import SymbolicDim
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Op

__all__ = ["is_exactly", "same_graph"]


def is_exactly(left: Op, right: Op) -> bool:
    """Whether ops are the same: ``==`` alone does not tell 0.0 from -0.0 as attributes, or 1 from True."""
    if left is right or type(left) is not type(right):
        return left is right
    if isinstance(left, Const):
        return left == right
    pairs = zip(left.attributes().values(), right.attributes().values(), strict=True)
    return all(_is_same(one, other) for one, other in pairs)


def _is_same(left: Any, right: Any) -> bool:
    """Whether two attributes are the same; objects of other classes, such as variables, only if identical."""
    if left is right or type(left) is not type(right):
        return left is right
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(_is_same, left, right))
    return isinstance(left, (bool, int, float, complex, str, slice, ArraySpec, SymbolicDim)) and repr(
        left
    ) == repr(right)


def same_graph(left: Graph, right: Graph) -> bool:
    """Whether two graphs have the same nodes in the same order, for the same inputs, and the same outputs."""
    if left is right:
        return True
    if len(left.nodes) != len(right.nodes) or left.input_specs != right.input_specs:
        return False
    twins = dict(zip(left.inputs, right.inputs, strict=True))
    for one, other in zip(left.nodes, right.nodes, strict=True):
        if not _same_node(one, other, twins):
            return False
        twins.update(zip(one.outputs, other.outputs, strict=True))
    return [twins[value] for value in left.outputs] == list(right.outputs)


def _same_node(left: Node, right: Node, twins: dict[Value, Value]) -> bool:
    if type(left.op) is not type(right.op) or [twins[value] for value in left.inputs] != list(right.inputs):
        return False
    if left.location.told != right.location.told:  # one is as quiet as `np.errstate` around it says
        return False
    graphs = left.op.graphs
    if graphs:
        return all(map(same_graph, graphs, right.op.graphs))
    return is_exactly(left.op, right.op)
