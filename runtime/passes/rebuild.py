"""Copies of graphs: nodes never change, so a pass writes the graph anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.core.spec import Spec
from runtime.errors import InvalidArgument
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Op

__all__ = ["Copy", "DoomedNode", "inline", "target"]


class DoomedNode(Exception):
    """What is now known of its inputs says that a node will raise when it runs.

    It must stay and raise then, and only if it is reached. A graph may not hold a node whose inputs its op
    refuses, so the pass that learned too much gives the graph back as it was.
    """


class Copy:
    """A graph that is being copied, node by node, into a fresh one.

    Attributes
    ----------
    old : Graph
    new : Builder
    values : dict of Value to Value
        What each value of the old graph has become.
    """

    def __init__(self, graph: Graph, keep: Iterable[Value] | None = None) -> None:
        self.old = graph
        self.new = Builder(graph.name)
        self.values: dict[Value, Value] = {}
        self._refined = False
        for value in graph.inputs if keep is None else keep:
            self._input(value)

    def _input(self, value: Value) -> None:
        old = value.node
        node = Node(self.new.graph, old.op, (), old.specs, old.location)
        self.new.inputs.append(node.outputs[0])
        self.values[value] = node.outputs[0]

    def candidate(self, node: Node, op: Op | None = None) -> Node:
        """The copy of `node`, perhaps with another op; it is not yet listed in the new graph."""
        values = self.values
        inputs = tuple([values[value] for value in node.inputs])
        return self.like(node, inputs, node.op if op is None else op)

    def like(self, node: Node, inputs: tuple[Value, ...], op: Op) -> Node:
        """An unlisted node in the place of `node`, with the specs that its inputs now lead to."""
        specs = node.specs
        if op is not node.op or (self._refined and _specs(inputs) != _specs(node.inputs)):
            specs = _inferred(op, inputs)
        return Node(self.new.graph, op, inputs, specs, node.location)

    def replace(self, old: Sequence[Value], new: Sequence[Value]) -> None:
        """Says what values of the old graph have become."""
        for before, after in zip(old, new, strict=True):
            self.values[before] = after
            if before.spec is not after.spec:
                self._refined = self._refined or before.spec != after.spec

    def add(self, node: Node, op: Op | None = None) -> Node:
        """Copies `node`."""
        copied = self.candidate(node, op)
        self.new.nodes.append(copied)
        self.replace(node.outputs, copied.outputs)
        return copied

    def finish(self, outputs: Iterable[Value] | None = None) -> Graph:
        """The new graph, with these values of the old one as outputs, or all of its own."""
        values = self.values
        return self.new.finish(
            [values[value] for value in (self.old.outputs if outputs is None else outputs)]
        )


def _specs(values: Iterable[Value]) -> list[Spec]:
    return [value.spec for value in values]


def _inferred(op: Op, inputs: Sequence[Value]) -> tuple[Spec, ...]:
    try:
        specs = op.infer(*_specs(inputs))
    except InvalidArgument as error:
        raise DoomedNode from error
    return specs if isinstance(specs, tuple) else (specs,)


def target() -> Builder:
    """Of the graph that is being written, in which a rule puts its nodes."""
    builder = current_builder()
    assert builder is not None, "rules are applied while a graph is written"
    return builder


def inline(graph: Graph, arguments: Sequence[Value]) -> list[Value]:
    """Writes the nodes of `graph` into the target, for these inputs; returns what the outputs become."""
    written = target()
    values = dict(zip(graph.inputs, arguments, strict=True))
    for node in graph.nodes:
        inputs = tuple([values[value] for value in node.inputs])
        copied = Node(written.graph, node.op, inputs, _inferred(node.op, inputs), node.location)
        written.nodes.append(copied)
        values.update(zip(node.outputs, copied.outputs, strict=True))
    return [values[value] for value in graph.outputs]
