"""How long a run may come back to a checkpoint: until the last node that may raise before the next one.

A checkpoint leaves values in the cell of a `try`, for whoever catches what is raised behind it. The next one
takes their place. So what a checkpoint holds is needed by nodes that may raise, and by no others. In

    Checkpoint(cell, l, number=0); CheckDivisor(n, m); k = append(l, n); Checkpoint(cell, k, number=1)

nobody comes back to `l` behind the check: the append changes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from math import inf

from runtime.analysis.aliasing import is_update
from runtime.analysis.calls import entered_graphs
from runtime.core.spec import ListSpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Effects
from runtime.graph.region import Region, own_operands
from runtime.ops.control_flow.try_catch import Checkpoint, Evaluated

__all__ = ["Checkpoints", "cells_in", "is_checkpoint", "left_where_caught"]


class Checkpoints:
    """Those of a program, and how long each is asked for.

    Parameters
    ----------
    module : Module

    Attributes
    ----------
    until : dict of Node to float
        The position up to which what a checkpoint holds may be asked for, in its own graph: -1 where nobody
        does, and infinite where that is behind the graph.
    followed : set of Node
        The `try` all of whose checkpoints are in `until`. The cells of others are known to functions.
    """

    def __init__(self, module: Module) -> None:
        self.until: dict[Node, float] = {}
        self.followed: set[Node] = set()
        self._exposed: dict[tuple[Graph, Set[Value]], bool] = {}
        for graph in entered_graphs(module):
            for node in graph.nodes:
                for region in node.op.regions:
                    if region.catches and _is_alone_with(node):
                        self._follow(node, region)

    def _follow(self, node: Node, region: Region) -> None:
        cells = cells_in(region, node, frozenset(own_operands(node)))
        if _reaches_functions(region.graph, cells) or self._is_exposed(region.graph, cells):
            return
        self.followed.add(node)
        self._walk(region.graph, cells, None, None)

    def _walk(self, graph: Graph, cells: Set[Value], later: float | None, caught: float | None) -> None:
        """Finds what becomes of the checkpoints in a graph.

        Parameters
        ----------
        graph : Graph
        cells : set of Value
            What the cell is called in it.
        later : float or None
            Infinite where something behind the graph may raise before the next checkpoint.
        caught : float or None
            Infinite where that is so behind what catches an exception of the graph.
        """
        for position in range(len(graph.nodes) - 1, -1, -1):
            node = graph.nodes[position]
            if is_checkpoint(node) and node.inputs[0] in cells:
                until = -1 if later is None else later
                self.until[node] = max(until, self.until.get(node, -1))
                later = caught
                continue
            regions = node.op.regions
            is_exposed = self._may_raise_first(node, cells)
            again = any(region.runs.repeatedly for region in regions) and is_exposed
            for region in regions:
                inner = cells_in(region, node, cells)
                if inner:
                    behind = inf if later is not None or again else None
                    self._walk(region.graph, inner, behind, behind if region.catches else caught)
            if later is None and is_exposed:
                later = position if _is_done_at_once(node) else position + 1

    def _may_raise_first(self, node: Node, cells: Set[Value]) -> bool:
        """Whether a node may raise before it comes to a checkpoint."""
        op = node.op
        if op.callee is not None or isinstance(op, Evaluated):
            return op.callee is not None or not all(is_update(value.node) for value in node.inputs)
        if op.regions:
            return any(self._is_exposed(region.graph, cells_in(region, node, cells)) for region in op.regions)
        return bool(op.raises(*[value.spec for value in node.inputs]))

    def _is_exposed(self, graph: Graph, cells: Set[Value]) -> bool:
        """Whether a graph may raise before it comes to a checkpoint."""
        key = graph, frozenset(cells)
        if key not in self._exposed:
            self._exposed[key] = False
            for node in graph.nodes:
                if is_checkpoint(node) and node.inputs[0] in cells:
                    break
                if self._may_raise_first(node, cells):
                    self._exposed[key] = True
                    break
        return self._exposed[key]


def left_where_caught(value: Value) -> Iterator[Value]:
    """What a `try` may leave as one of its variables where it catches something: values of graphs inside."""
    node = value.node
    places = node.op.found_at(value.index)
    for region in node.op.regions if places else ():
        for checkpoint in _checkpoints(region.graph, cells_in(region, node, frozenset(own_operands(node)))):
            at = places.get(checkpoint.op.number) if isinstance(checkpoint.op, Checkpoint) else None
            if at is not None:
                yield checkpoint.inputs[1 + at]


def _checkpoints(graph: Graph, cells: Set[Value]) -> Iterator[Node]:
    """Those of some cells, in a graph and in the graphs of its branches and loops."""
    for node in graph.nodes:
        if is_checkpoint(node) and node.inputs[0] in cells:
            yield node
        for region in node.op.regions:
            inner = cells_in(region, node, cells)
            if inner:
                yield from _checkpoints(region.graph, inner)


def is_checkpoint(node: Node) -> bool:
    """Whether a node leaves values in a cell: its first operand."""
    return Effects.MARKS in node.op.effects


def cells_in(region: Region, node: Node, cells: Set[Value]) -> frozenset[Value]:
    """What cells are called in a region of a node."""
    pairs = zip(region.graph.inputs, region.operands, strict=True)
    return frozenset([inner for inner, operand in pairs if node.inputs[operand] in cells])


def _is_alone_with(node: Node) -> bool:
    """Whether a `try` is all that has to do with its cell, and this is made anew for it."""
    (cell,) = own_operands(node)
    graph = node.graph
    users = [each for each in graph.nodes if cell in each.inputs]
    return cell.node in graph.nodes and users == [node] and cell not in graph.outputs


def _reaches_functions(graph: Graph, cells: Set[Value]) -> bool:
    """Whether a cell is handed to a function, or leaves a graph."""
    if not cells.isdisjoint(graph.outputs):
        return True
    for node in graph.nodes:
        if cells.isdisjoint(node.inputs) or is_checkpoint(node):
            continue
        regions = node.op.regions
        if not regions or regions[0].is_function or not cells.isdisjoint(own_operands(node)):
            return True
        if any(_reaches_functions(region.graph, cells_in(region, node, cells)) for region in regions):
            return True
    return False


def _is_done_at_once(node: Node) -> bool:
    """Whether a node that raises has changed nothing: an update of one place looks whether it is there."""
    op = node.op
    if op.regions or op.callee is not None:
        return False
    if not is_update(node):
        return True
    x, *others = node.inputs
    indices = others[:1] if isinstance(x.spec, ListSpec) else others[1:]
    return all(value.spec.is_scalar for value in indices)
