"""Buffer reuse: which results are written over an operand that is dead.

Only an array that nothing else can see is written over: a ufunc made it, and only ufuncs read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.analysis.liveness import running
from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.executors.numpy_plan.nesting import is_large
from runtime.graph.graph import Graph, Node, Value

__all__ = ["overwritten"]


def overwritten(
    graph: Graph, uses: Mapping[Value, int], is_ufunc: Callable[[Node], bool]
) -> dict[Node, Value]:
    """The operand that each node writes its result over, for nodes that may.

    Parameters
    ----------
    graph : Graph
    uses : mapping of Value to int
        `last_uses` of the graph.
    is_ufunc : callable
        Whether a node is one call of a NumPy ufunc, elementwise.
    """
    if not any(_is_known_large(output) for node in graph.nodes for output in node.outputs):
        return {}
    nodes = running(graph, uses)
    elementwise = {node for node in nodes if len(node.outputs) == 1 and is_ufunc(node)}
    private = {
        node.outputs[0]
        for node in elementwise
        if _is_known_large(node.outputs[0]) and node.outputs[0] not in graph.outputs
    }
    for node in nodes:
        if node not in elementwise:
            private.difference_update(node.inputs)
    found: dict[Node, Value] = {}
    for position, node in enumerate(graph.nodes):
        if node in elementwise:
            for value in node.inputs:
                if value in private and uses[value] == position and value.spec == node.specs[0]:
                    found[node] = value
                    break
    return found


def _is_known_large(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, ArraySpec) and bool(spec.shape) and shapes.is_known(spec.shape) and is_large(spec)
