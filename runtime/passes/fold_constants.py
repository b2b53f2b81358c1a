"""Nodes whose inputs are constants are computed now.

What raises or warns stays, to do so when it runs, if it runs. So do results that are large or of unknown
size. A constant that a branch or loop captures becomes a constant inside it, and so does the predicate of
the branch, which is known there.

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     x: f32[]
    ...     a = Const(2.0, dtype=f32)
    ...     b = Const(3.0, dtype=f32)
    ...     c = Mul(a, b)
    ...     d = AddV2(x, c)
    ...     return d
    ... '''))
    x: f32[]
    a = Const(2.0, dtype=f32)
    b = Const(3.0, dtype=f32)
    c = Const(6.0, dtype=f32)
    d = AddV2(x, c)
    return d
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from runtime.analysis.uses import used
from runtime.core.shapes import size
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Op
from runtime.graph.region import Region, steady_operands, with_changed_graphs
from runtime.ops.logic import LogicalNot
from runtime.passes.rebuild import Copy, DoomedNode

__all__ = ["fold", "run"]

_LARGEST_RESULT = 1 << 16
_LARGEST_INPUT = 1 << 20
"""Bytes. A larger result would cost more to keep than to compute; a larger input may cost time now."""

_TRUE, _FALSE = Const(np.asarray(True)), Const(np.asarray(False))

_Done: TypeAlias = dict[tuple[Graph, tuple[tuple[int, Const], ...]], Graph]
"""Graphs met before, with what was known of them, so that a graph that is called twice stays one."""


def run(graph: Graph) -> Graph:
    """`graph` with constants in the place of what only depends on constants."""
    return fold(graph, {})


def fold(graph: Graph, known: Mapping[int, Const]) -> Graph:
    """As `run`, with some inputs known to be constants; they stay inputs."""
    return _folded(graph, known, {})


def _folded(graph: Graph, known: Mapping[int, Const], done: _Done) -> Graph:
    if not known and not any(_may_fold(node, done) for node in graph.nodes):
        return graph
    key = graph, tuple(known.items())
    if key not in done:
        try:
            folding = _Fold(graph, known, done)
            done[key] = folding.copy.finish() if folding.changed else graph
        except DoomedNode:
            done[key] = graph
    return done[key]


def _may_fold(node: Node, done: _Done) -> bool:
    if node.op.regions:
        return _with_folded_graphs(node, node.inputs, done) is not node.op
    if type(node.op) is Const:
        return False
    for value in node.inputs:  # noqa: SIM110  # `all` of a generator takes twice as long, for each node
        if type(value.node.op) is not Const:
            return False
    return True


def _with_folded_graphs(node: Node, inputs: Sequence[Value], done: _Done) -> Op:
    """The op with its graphs folded, where some of `inputs`, which it captures, are constant."""
    outer = [(position, inputs[operand]) for position, operand in steady_operands(node.op)]
    known = {position: value.op for position, value in outer if isinstance(value.op, Const)}

    def known_in(region: Region) -> dict[int, Const]:
        if region.guard is None:
            return known
        guard, holds = region.guard
        return known | _decided(inputs[guard], holds, outer)

    name = None if any(map(known_in, node.op.regions)) else __name__
    return with_changed_graphs(node.op, lambda region: _folded(region.graph, known_in(region), done), name)


class _Fold:
    """One walk through a graph."""

    def __init__(self, graph: Graph, known: Mapping[int, Const], done: _Done) -> None:
        self.copy = Copy(graph)
        self.done = done
        self.changed = False
        if known:
            self._replace_inputs(graph, known)
        for node in graph.nodes:
            self._visit(node)

    def _replace_inputs(self, graph: Graph, known: Mapping[int, Const]) -> None:
        read = used(graph)
        for index, op in known.items():
            value = graph.inputs[index]
            if value in read:
                self.changed = True
                self._put([value], [op], value.node)

    def _put(self, old: Sequence[Value], ops: Sequence[Const], made_by: Node) -> None:
        """Lists constants in the place of values that `made_by` gives."""
        nodes = [Node(self.copy.new.graph, op, (), (op.infer(),), made_by.location) for op in ops]
        self.copy.new.nodes.extend(nodes)
        self.copy.replace(old, [node.outputs[0] for node in nodes])

    def _visit(self, node: Node) -> None:
        copied = self.copy.candidate(node, self._op(node))
        arrays = None if isinstance(node.op, Const) else _evaluated(copied)
        if arrays is None:
            self.copy.new.nodes.append(copied)
            self.copy.replace(node.outputs, copied.outputs)
        else:
            self.changed = True
            self._put(node.outputs, [Const(array) for array in arrays], node)

    def _op(self, node: Node) -> Op:
        if not node.op.regions:
            return node.op
        op = _with_folded_graphs(node, self.copy.inputs_of(node), self.done)
        self.changed = self.changed or op is not node.op
        return op


def _decided(predicate: Value, holds: bool, outer: Sequence[tuple[int, Value]]) -> dict[int, Const]:
    """Which inputs of a region are known because its predicate is: that, and its opposite."""
    found: dict[int, Const] = {}
    opposite = predicate.inputs[0] if isinstance(predicate.op, LogicalNot) else None
    for position, value in outer:
        if value is predicate:
            found[position] = _TRUE if holds else _FALSE
        elif value is opposite or (isinstance(value.op, LogicalNot) and value.inputs[0] is predicate):
            found[position] = _FALSE if holds else _TRUE
    return found


def _evaluated(node: Node) -> list[Array] | None:
    """What the node's kernel returns, or None where it must wait for the run."""
    inputs = [value.op for value in node.inputs]
    arrays = [op.value for op in inputs if isinstance(op, Const)]
    if len(arrays) < len(inputs) or node.op.regions or node.op.effects or not _is_small(node, arrays):
        return None
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            found = node.op.kernel(*arrays)
    except Exception:  # noqa: BLE001  # whatever a kernel raises, it shall raise when it runs
        return None
    results = found if isinstance(found, tuple) else (found,)
    return [np.asarray(result) for result in results]


def _is_small(node: Node, arrays: Sequence[Array]) -> bool:
    """Whether computing and keeping the results is cheap; kernels may also warn about empty arrays."""
    if any(array.nbytes > _LARGEST_INPUT or array.size == 0 for array in arrays):
        return False
    total = 0
    for spec in node.specs:
        count = size(spec.shape) if isinstance(spec, ArraySpec) else None
        if not isinstance(spec, ArraySpec) or count is None:
            return False
        total += count * spec.dtype.itemsize
    return total <= _LARGEST_RESULT
