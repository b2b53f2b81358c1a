"""Nodes that compute the same as an earlier one.

Two nodes are the same when their ops and inputs are. A read of a variable is the same as another only if
nothing is written between them; any other effect happens as often as it is written.

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     x: f32[3]
    ...     a = Neg(x)
    ...     b = Neg(x)
    ...     c = AddV2(a, b)
    ...     return c
    ... '''))
    x: f32[3]
    a = Neg(x)
    b = AddV2(a, a)
    return b
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from runtime.analysis.liveness import must_run
from runtime.analysis.uses import used
from runtime.core.tracing import Told
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects, Op
from runtime.graph.region import steady_operands, with_changed_graphs
from runtime.passes.compare import is_exactly
from runtime.passes.rebuild import Copy, DoomedNode

__all__ = ["run"]


def run(graph: Graph) -> Graph:
    """`graph` with each computation once."""
    return _merged(graph, {}, {})


_Done: TypeAlias = dict[tuple[Graph, tuple[tuple[int, int], ...]], Graph]
"""Graphs met before, with their twins, so that a graph that is called twice stays one."""


def _merged(graph: Graph, twins: Mapping[int, int], done: _Done) -> Graph:
    """`graph` with each computation once; `twins` are inputs that are the same as an earlier one."""
    if not twins and not _may_merge(graph, done):
        return graph
    key = graph, tuple(twins.items())
    if key not in done:
        try:
            merge = _Merge(graph, twins, done)
            done[key] = merge.copy.finish() if merge.changed else graph
        except DoomedNode:
            done[key] = graph
    return done[key]


def _may_merge(graph: Graph, done: _Done) -> bool:
    """Whether two nodes look the same as they stand, or a graph inside has some."""
    free = [node for node in graph.nodes if not must_run(node.op)]
    seen = {(node.op, node.inputs) for node in free}
    return len(seen) < len(free) or any(
        _with_merged_graphs(node, node.inputs, done) is not node.op for node in graph.nodes if node.op.regions
    )


def _with_merged_graphs(node: Node, inputs: Sequence[Value], done: _Done) -> Op:
    """The op with its graphs merged; where captured values are the same, which `inputs` say, they are one."""
    positions: dict[Value, int] = {}
    twins: dict[int, int] = {}
    graphs = node.op.graphs
    for index, operand in steady_operands(node.op):
        first = positions.setdefault(inputs[operand], index)
        if first != index and all(g.inputs[first].spec == g.inputs[index].spec for g in graphs):
            twins[index] = first
    name = None if twins else __name__
    return with_changed_graphs(node.op, lambda region: _merged(region.graph, twins, done), name)


class _Merge:
    """One walk through a graph."""

    def __init__(self, graph: Graph, twins: Mapping[int, int], done: _Done) -> None:
        self.copy = Copy(graph)
        self.done = done
        self.changed = False
        self._seen: dict[tuple[Op, tuple[Value, ...], int, Told], Node] = {}
        self._writes = 0
        if twins:
            self._join_inputs(graph, twins)
        for node in graph.nodes:
            self._visit(node)

    def _join_inputs(self, graph: Graph, twins: Mapping[int, int]) -> None:
        values = self.copy.values
        read = used(graph)
        for late, early in twins.items():
            self.changed = self.changed or graph.inputs[late] in read
            values[graph.inputs[late]] = values[graph.inputs[early]]

    def _visit(self, node: Node) -> None:
        copied = self.copy.candidate(node, self._op(node))
        effects = copied.op.effects
        if effects is not Effects.NONE and Effects.WRITES in effects:
            self._writes += 1
        if effects is Effects.NONE or not effects.must_run:
            key = copied.op, copied.inputs, self._writes if effects else 0, copied.location.told
            found = self._seen.setdefault(key, copied)
            if found is not copied and is_exactly(found.op, copied.op):
                self.changed = True
                self.copy.replace(node.outputs, found.outputs)
                return
        self.copy.new.nodes.append(copied)
        self.copy.replace(node.outputs, copied.outputs)

    def _op(self, node: Node) -> Op:
        if not node.op.regions:
            return node.op
        op = _with_merged_graphs(node, self.copy.inputs_of(node), self.done)
        self.changed = self.changed or op is not node.op
        return op
