"""Copies of graphs: nodes never change, so a pass writes the graph anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from runtime.core.dims import UNKNOWN, Dim
from runtime.core.spec import Spec
from runtime.errors import InvalidArgument
from runtime.graph.build import builder_in_use
from runtime.graph.builder import Builder
from runtime.graph.dim_names import (
    DimNames,
    completed,
    learn,
    made_in,
    match_specs,
    names_of,
    names_of_specs,
    with_meanings,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.location import located_at
from runtime.graph.op import Op
from runtime.graph.region import Region, with_changed_graphs
from runtime.graph.symbol import refuse_leak

__all__ = ["Copy", "DoomedNode", "inline", "target", "with_ops"]


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
    meanings : dict of str to dim
        What names of lengths have turned out to mean.
    """

    def __init__(
        self, graph: Graph, keep: Iterable[Value] | None = None, *, names: DimNames | None = None
    ) -> None:
        self.old = graph
        self.new = Builder(graph.name)
        self.new.dim_names = DimNames(of=graph) if names is None else names
        self.meanings: dict[str, Dim] = {}
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
        return self.like(node, self.inputs_of(node), node.op if op is None else op)

    def inputs_of(self, node: Node) -> tuple[Value, ...]:
        """What the inputs of a node have become.

        Raises
        ------
        LeakedTensor
            When one is of a graph that was given up.
        """
        values = self.values
        try:
            return tuple([values[value] for value in node.inputs])
        except KeyError as error:
            with located_at(node.location):
                refuse_leak(error.args[0], self.old)

    def like(self, node: Node, inputs: tuple[Value, ...], op: Op) -> Node:
        """An unlisted node in the place of `node`, with the specs that its inputs now lead to."""
        if self.meanings:
            op = op_with_meanings(op, self.meanings)
        specs = node.specs
        if op is not node.op or (self._refined and _specs(inputs) != _specs(node.inputs)):
            specs = _inferred(op, inputs, [with_meanings(spec, self.meanings) for spec in specs])
        return Node(self.new.graph, op, inputs, specs, node.location)

    def replace(self, old: Sequence[Value], new: Sequence[Value]) -> None:
        """Says what values of the old graph have become."""
        for before, after in zip(old, new, strict=True):
            self.values[before] = after
            if before.spec is not after.spec:
                self._refined = self._refined or before.spec != after.spec
                learn(self.meanings, before.node, before, after.spec)

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


def with_ops(
    graph: Graph, kinds: Collection[type[Op]], changing: Callable[[], Callable[[Node], Op | None]]
) -> Graph:
    """`graph`, and the graphs inside of it, with other ops in the places of some, and without others.

    Parameters
    ----------
    graph : Graph
    kinds : collection of op classes
        Those that may change, which have no graphs of their own; a graph without one is left as it is.
    changing : callable
        Called for each graph, it gives what says of each node, in their order, which op it has; None where
        the node goes, whose outputs nobody uses.

    Returns
    -------
    Graph
        The same object where nothing changes. A graph that is called twice stays one.
    """
    return _with_ops(graph, frozenset(kinds), changing, {})


def _with_ops(
    graph: Graph,
    kinds: frozenset[type[Op]],
    changing: Callable[[], Callable[[Node], Op | None]],
    done: dict[Graph, Graph],
) -> Graph:
    if kinds.isdisjoint(graph.kinds):
        return graph
    if graph not in done:
        change = changing()
        ops: list[Op | None] = []
        for node in graph.nodes:
            if node.op.regions:
                ops.append(
                    with_changed_graphs(
                        node.op, lambda region: _with_ops(region.graph, kinds, changing, done)
                    )
                )
            else:
                ops.append(change(node) if type(node.op) in kinds else node.op)
        is_same = all(node.op is op for node, op in zip(graph.nodes, ops, strict=True))
        done[graph] = graph if is_same else _copied(graph, ops)
    return done[graph]


def _copied(graph: Graph, ops: Sequence[Op | None]) -> Graph:
    """`graph` with these ops, and without the nodes that have none."""
    copy = Copy(graph)
    for node, op in zip(graph.nodes, ops, strict=True):
        if op is not None:
            copy.add(node, op)
    return copy.finish()


def _specs(values: Iterable[Value]) -> list[Spec]:
    return [value.spec for value in values]


def _inferred(op: Op, inputs: Sequence[Value], known: Sequence[Spec]) -> tuple[Spec, ...]:
    """What an op infers; lengths of which it knows nothing are as they were `known`."""
    try:
        found = op.infer(*_specs(inputs))
    except InvalidArgument as error:
        raise DoomedNode from error
    return completed(found if isinstance(found, tuple) else (found,), known)


def op_with_meanings(op: Op, meanings: Mapping[str, Dim]) -> Op:
    """An op with other dims in the place of names, in the graphs inside of it too; a function has its own."""
    if names_of(op).isdisjoint(meanings):
        return op

    def changed(region: Region) -> Graph:
        return region.graph if region.is_function else _graph_with_meanings(region.graph, meanings)

    return with_changed_graphs(op.with_meanings(meanings), changed)


def _graph_with_meanings(graph: Graph, meanings: Mapping[str, Dim]) -> Graph:
    new = Builder(graph.name)
    new.dim_names = DimNames(of=graph)
    values: dict[Value, Value] = {}
    for value in graph.inputs:
        entered = new.input(with_meanings(value.spec, meanings), value.label(), value.node.location)
        values[value] = entered
    for node in graph.nodes:
        op = op_with_meanings(node.op, meanings)
        inputs = tuple([values[value] for value in node.inputs])
        specs = _inferred(op, inputs, [with_meanings(spec, meanings) for spec in node.specs])
        copied = Node(new.graph, op, inputs, specs, node.location)
        new.nodes.append(copied)
        values.update(zip(node.outputs, copied.outputs, strict=True))
    return new.finish([values[value] for value in graph.outputs])


def target() -> Builder:
    """Of the graph that is being written, in which a rule puts its nodes."""
    return builder_in_use()


def inline(
    graph: Graph, arguments: Sequence[Value], *, is_function: bool = False, stays: bool = False
) -> list[Value]:
    """Writes the nodes of `graph` into the target, for these inputs; returns what the outputs become.

    The names of lengths that a function gives are its own: they become others where they are taken. So do
    those of a graph that `stays` where it is, too: it sees the names around it.
    """
    written = target()
    values = dict(zip(graph.inputs, arguments, strict=True))
    found = match_specs(graph.input_specs, _specs(arguments)) or {}
    meanings = {name: dim for name, dim in found.items() if dim is not UNKNOWN}
    if is_function:
        own = names_of_specs(graph.input_specs).union(
            *[names_of_specs(n.specs) | names_of(n.op) for n in graph.nodes]
        )
        meanings |= written.dim_names.fresh(sorted(own - meanings.keys()))
    elif stays:
        given = {name for inner in graph.walk() for name in made_in(inner)}
        meanings |= written.dim_names.fresh(sorted(given))
    for node in graph.nodes:
        inputs = tuple([values[value] for value in node.inputs])
        op = op_with_meanings(node.op, meanings)
        before = [with_meanings(spec, meanings) for spec in node.specs]
        copied = Node(written.graph, op, inputs, _inferred(op, inputs, before), node.location)
        for old, new in zip(node.outputs, copied.specs, strict=True):
            learn(meanings, node, old, new)
        written.nodes.append(copied)
        values.update(zip(node.outputs, copied.outputs, strict=True))
    return [values[value] for value in graph.outputs]
