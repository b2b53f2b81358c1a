"""Liveness: which nodes run, which values are needed, and the last use of each."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects, Op, Placeholder
from runtime.graph.region import own_operands

__all__ = ["Needed", "is_needed", "last_uses", "must_run", "running"]


def last_uses(graph: Graph) -> dict[Value, int]:
    """The position of the last node that uses each value; a value that nobody needs is not there.

    Outputs are used after the last node. A node is needed for its effects or for an output.
    """
    found = dict.fromkeys(graph.outputs, len(graph.nodes))
    for position in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[position]
        if is_needed(node, found):
            for value in node.inputs:
                found.setdefault(value, position)
    return found


def is_needed(node: Node, uses: Mapping[Value, int]) -> bool:
    """Whether a node must run; `uses` are the `last_uses` of its graph."""
    for output in node.outputs:
        if output in uses:
            return True
    return must_run(node.op)


def must_run(op: Op) -> bool:
    """Whether a node of an op runs also where nobody uses what it gives."""
    effects = op.effects
    return effects is not Effects.NONE and effects.must_run


def running(graph: Graph, uses: Mapping[Value, int]) -> list[Node]:
    """The nodes that compute when the graph runs, in their order: no constants, and none in vain."""
    return [node for node in graph.nodes if type(node.op) is not Const and is_needed(node, uses)]


class Needed:
    """The values and nodes that a graph needs, and those in all graphs inside of it: one walk for all.

    A node is needed when it has effects that must happen, or when a result of it is. A result of a branch
    needs that output of the graphs inside; a variable of a loop, its start and what each turn leaves.

    Attributes
    ----------
    values : set of Value
    nodes : set of Node
    """

    def __init__(self, graph: Graph) -> None:
        self.values: set[Value] = set()
        self.nodes: set[Node] = set()
        self._todo: list[Value] = []
        self._users: dict[Graph, list[Node]] = {}
        self._positions: dict[Value, int] = {}
        self._need_effects(graph)
        self._need(*graph.outputs)
        while self._todo:
            self._follow(self._todo.pop())

    def _need(self, *values: Value) -> None:
        for value in values:
            if value not in self.values:
                self.values.add(value)
                self._todo.append(value)

    def _need_effects(self, graph: Graph) -> None:
        for node in graph.nodes:
            if must_run(node.op):
                self._need_node(node)

    def _need_node(self, node: Node) -> None:
        if node in self.nodes:
            return
        self.nodes.add(node)
        regions = node.op.regions
        if not regions:
            self._need(*node.inputs)
            return
        self._need(*own_operands(node))
        for region in regions:
            if region.catches:  # whether it has caught something, and what
                self._need(*node.outputs[:2])
            self._need(*region.graph.outputs[len(region.results) :])
            self._enter(region.graph, node)

    def _enter(self, graph: Graph, user: Node) -> None:
        """A graph runs whenever the node `user` does."""
        self._users.setdefault(graph, []).append(user)
        for position, value in enumerate(graph.inputs):
            self._positions[value] = position
            if value in self.values:
                self._need_input(user, position)
        self._need_effects(graph)

    def _follow(self, value: Value) -> None:
        """What a needed value needs in turn."""
        node = value.node
        if isinstance(node.op, Placeholder):
            for user in self._users.get(node.graph, ()):
                self._need_input(user, self._positions[value])
            return
        self._need_node(node)
        for region in node.op.regions:
            if region.variables:
                self._need_input(node, value.index)
            else:
                self._need(region.graph.outputs[value.index])

    def _need_input(self, user: Node, position: int) -> None:
        """A region of `user` needs its input: so it is needed outside, and at the end of a loop's body."""
        for region in user.op.regions:
            self._need(user.inputs[region.operands[position]])
            if position < region.variables and region.results:
                self._need(region.graph.outputs[position])
