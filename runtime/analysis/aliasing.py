"""Which nodes change what they are given, and which arguments are referenced when the run is over."""

from __future__ import annotations

from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects, Op

__all__ = ["KEEPS_NOTHING", "held_inputs", "is_update"]

KEEPS_NOTHING = Effects.READS | Effects.PRINTS | Effects.RANDOM
"""Effects of ops that are done with their inputs when they have run."""


def held_inputs(graph: Graph) -> frozenset[int]:
    """The inputs, by index, in whose memory a result may lie, or something that outlives the run.

    Whoever hands over arrays that others may write into has to copy these, and only these.

        >>> from runtime.graph.parser import from_text
        >>> held_inputs(from_text('''
        ...     x: f32[3]
        ...     y: f32[3]
        ...     a = AddV2(x, y)
        ...     b = Reshape(y, shape=(3, 1))
        ...     return a, b
        ... '''))
        frozenset({1})
    """
    found: frozenset[int] = frozenset()
    lies_in = {value: frozenset([index]) for index, value in enumerate(graph.inputs)}
    for node in graph.nodes:
        around = _union(lies_in, node.inputs)
        if not around:
            continue
        if node.op.effects & ~KEEPS_NOTHING:
            found |= around
        shared = _union(lies_in, _shared(node))
        if shared:
            lies_in.update(dict.fromkeys(node.outputs, shared))
    return found | _union(lies_in, graph.outputs)


def is_update(node: Node) -> bool:
    """Whether a node gives its first operand with a part changed."""
    op = node.op
    return type(op).updates is not Op.updates and op.updates(*[value.spec for value in node.inputs])


def _shared(node: Node) -> tuple[Value, ...]:
    """The inputs in whose memory an output of a node may lie."""
    values = (*node.inputs, *node.outputs)
    if node.op.regions or not all(isinstance(value.spec, ArraySpec) for value in values):
        return node.inputs
    indices = node.op.aliases(*[value.spec for value in node.inputs])
    return node.inputs if indices is None else tuple([node.inputs[index] for index in indices])


def _union(lies_in: dict[Value, frozenset[int]], values: tuple[Value, ...] | list[Value]) -> frozenset[int]:
    return frozenset().union(*[lies_in[value] for value in values if value in lies_in])
