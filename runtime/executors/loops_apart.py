"""Loops of a module that is no machine code as a whole, each as machine code of its own.

::

    heap = sorted(rows, key=...)   Python's order       heap = sorted(rows, key=...)   NumPy program
    while heap:                    numbers         ⇒    heap, found = <machine code>(heap)
        ...                                             print(found)                   NumPy program
    print(found)                   output

A text, a print or a list of lists keeps a module from being machine code, but not the loops beside it. What
a loop gets and gives is copied, arrays and lists too. So those inside of other loops stay where they are: a
long array would be copied in each turn.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.spec import CellSpec
from runtime.executors.native.lower.building import Unsupported
from runtime.executors.numpy_plan.elsewhere import Elsewhere
from runtime.executors.program import Program
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module
from runtime.graph.op import Const, Op
from runtime.graph.region import guard_of, with_changed_graphs
from runtime.passes.rebuild import Copy

__all__ = ["with_loops_apart"]

_MOST_TRIED = 8
"""Loops that are tried: to lower one takes milliseconds."""
_MOST_VALUES = 32
"""Values that a loop takes and gives: to hand one over takes as long as some turns of a short loop."""


def with_loops_apart(module: Module, compiled: Callable[[Module], Program]) -> Module:
    """The module in which programs of their own run some of its loops; the same one where there is none.

    Parameters
    ----------
    module : Module
    compiled : callable
        The program that runs a loop, as a module; raises `Unsupported` where there is none.
    """
    if module.functions:  # which call themselves: what is in them may run as often as what is in a loop
        return module
    apart = _Apart(compiled)
    entry = apart.changed(module.entry)
    return module if entry is module.entry else Module(entry, module.functions)


class _Apart:
    """Takes loops out of graphs."""

    def __init__(self, compiled: Callable[[Module], Program]) -> None:
        self._compiled = compiled
        self._tried = 0

    def changed(self, graph: Graph) -> Graph:
        """A graph in which other programs run loops; the same object where there is none."""
        ops = {node: self._op(node) for node in graph.nodes if node.op.regions}
        if all(op is node.op for node, op in ops.items()):
            return graph
        copy = Copy(graph)
        for node in graph.nodes:
            copy.add(node, ops.get(node, node.op))
        return copy.finish()

    def _op(self, node: Node) -> Op:
        """What stands in the place of an op with graphs inside; an exception passes through all but these."""
        if guard_of(node.op) is not None:
            return with_changed_graphs(node.op, lambda region: self.changed(region.graph))
        is_loop = any(region.runs.repeatedly for region in node.op.regions)
        has_cells = any(isinstance(value.spec, CellSpec) for value in node.inputs)  # of a `try` around
        if not is_loop or has_cells or self._tried == _MOST_TRIED:
            return node.op
        loop, places = _alone(node)
        if len(places) + len(node.outputs) > _MOST_VALUES:
            return node.op
        self._tried += 1
        try:
            return Elsewhere(self._compiled(loop), node, places)
        except Unsupported:
            return node.op


def _alone(node: Node) -> tuple[Module, tuple[int, ...]]:
    """A module of one node and its constants, and which inputs of the node are inputs of the module."""
    builder = Builder(node.graph.name)
    builder.dim_names = DimNames(of=node.graph)
    values, places = {}, []
    for place, value in enumerate(node.inputs):
        if value in values:
            continue
        if isinstance(value.op, Const):
            constant = Node(builder.graph, value.op, (), value.node.specs, value.node.location)
            builder.nodes.append(constant)
            values[value] = constant.outputs[0]
        else:
            values[value] = builder.input(value.spec, value.label(), value.node.location)
            places.append(place)
    inputs = tuple([values[value] for value in node.inputs])
    alone = Node(builder.graph, node.op, inputs, node.specs, node.location)
    builder.nodes.append(alone)
    return Module(builder.finish(alone.outputs)), tuple(places)
