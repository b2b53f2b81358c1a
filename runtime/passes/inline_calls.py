"""Calls of graphs give way to the graphs' own nodes, which other passes can then see through.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[]
...     a = PartitionedCall(x, graph=double)
...         double:
...             y: f32[]
...             a = AddV2(y, y)
...             return a
...     b = Neg(a)
...     return b
... '''))
x: f32[]
a = AddV2(x, x)
b = Neg(a)
return b
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import called
from runtime.ops.control_flow import Call
from runtime.passes.rebuild import inline
from runtime.passes.rule import node_rule, rewrite, rules_of

__all__ = ["run"]

_LARGEST = 1000
"""Nodes. Functions that call each other twice would otherwise double the graph with every level."""


@node_rule(Call)
def call(node: Node) -> Sequence[Value] | None:
    """call(graph, x, …) → the nodes of the graph, with x, … for its inputs.

    Where NumPy shall tell errors of floats in another way, so it shall in all that is called, which stays.
    """
    (graph,) = node.op.graphs
    if node.location.told or not _is_small(graph):
        return None
    return inline(graph, node.inputs, is_function=True)


def _is_small(graph: Graph) -> bool:
    """Whether little is written anew; a function that calls itself stays a function."""
    count = 0
    pending = [graph]  # each as often as it occurs: so often it would be written
    while pending:
        inner = pending.pop()
        pending += [each for node in inner.nodes for each in node.op.graphs]
        count += len(inner.nodes)
        if count > _LARGEST:
            return False
    return graph.name not in called(graph)


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` without calls of small graphs."""
    return rewrite(graph, _RULES)
