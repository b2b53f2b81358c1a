"""Nodes that nobody needs.

A node is needed when it has effects that must happen, or when a needed node, or an output of the graph, uses
its result. Everything else goes, and with it the errors that it would have raised. Of branches and loops,
unneeded outputs, loop variables and captured inputs go one by one:

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     p: bool[]
    ...     x: f32[]
    ...     y: f32[]
    ...     a = Neg(y)
    ...     b, c = StatelessIf(p, x, a, then_branch=yes, else_branch=no)
    ...         yes:
    ...             x: f32[]
    ...             y: f32[]
    ...             a = Neg(x)
    ...             return a, y
    ...         no:
    ...             x: f32[]
    ...             y: f32[]
    ...             return x, y
    ...     return b
    ... '''))
    p: bool[]
    x: f32[]
    y: f32[]
    a = StatelessIf(p, x, then_branch=yes, else_branch=no)
        yes:
            x: f32[]
            a = Neg(x)
            return a
        no:
            x: f32[]
            return x
    return a
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects, Placeholder
from runtime.ops.control_flow import If, Try, While
from runtime.passes.holders import first_input, variable_count
from runtime.passes.rebuild import Copy

__all__ = ["run"]


def run(graph: Graph) -> Graph:
    """`graph` without what nobody needs; its inputs stay."""
    needed = _Needed(graph)
    return _shrunk(graph, needed, graph.inputs, graph.outputs)


class _Needed:
    """The values and nodes that a graph needs, in all graphs inside it: one walk, whatever the nesting.

    `done` are graphs written anew, so that a graph that is called twice stays one.
    """

    def __init__(self, graph: Graph) -> None:
        self.values: set[Value] = set()
        self.nodes: set[Node] = set()
        self.done: dict[tuple[Graph, tuple[Value, ...], tuple[Value, ...]], Graph] = {}
        self._todo: list[Value] = []
        self._holders: dict[Graph, list[Node]] = {}
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
            effects = node.op.effects
            if effects is not Effects.NONE and effects.must_run:
                self._need_node(node)

    def _need_node(self, node: Node) -> None:
        if node in self.nodes:
            return
        self.nodes.add(node)
        graphs = node.op.graphs
        if not graphs:
            self._need(*node.inputs)
            return
        if isinstance(node.op, (If, Try)):
            self._need(node.inputs[0])
        if isinstance(node.op, Try):  # its outputs stay together: checkpoints know their places
            self._need(*node.outputs)
        if isinstance(node.op, While):
            self._need(*node.op.cond.outputs)
        for graph in graphs:
            self._enter(graph, node)

    def _enter(self, graph: Graph, holder: Node) -> None:
        self._holders.setdefault(graph, []).append(holder)
        for position, value in enumerate(graph.inputs):
            self._positions[value] = position
            if value in self.values:
                self._need_input(holder, position)
        self._need_effects(graph)

    def _follow(self, value: Value) -> None:
        """What a needed value needs in turn."""
        node = value.node
        if isinstance(node.op, Placeholder):
            for holder in self._holders.get(node.graph, ()):
                self._need_input(holder, self._positions[value])
            return
        self._need_node(node)
        if isinstance(node.op, While):
            self._need_input(node, value.index)
            return
        for graph in node.op.graphs:
            self._need(graph.outputs[value.index])

    def _need_input(self, holder: Node, position: int) -> None:
        """A graph of `holder` needs its input: so it is needed outside, and at the end of a loop's body."""
        self._need(holder.inputs[first_input(holder.op) + position])
        if isinstance(holder.op, While) and position < len(holder.outputs):
            self._need(holder.op.body.outputs[position])


def _shrunk(graph: Graph, needed: _Needed, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
    """`graph` with what is needed alone, and these of its inputs and outputs."""
    key = graph, tuple(inputs), tuple(outputs)
    if key not in needed.done:
        needed.done[key] = _written_anew(graph, needed, inputs, outputs)
    return needed.done[key]


def _written_anew(graph: Graph, needed: _Needed, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
    whole = len(inputs) == len(graph.inputs) and len(outputs) == len(graph.outputs)
    kept = [node for node in graph.nodes if node in needed.nodes]
    whole = whole and len(kept) == len(graph.nodes)
    if whole and not any(node.op.graphs for node in kept):
        return graph
    copy = Copy(graph, inputs)
    for node in kept:
        if node.op.graphs:
            whole = _add_holder(copy, node, needed) and whole
        else:
            copy.add(node)
    return graph if whole else copy.finish(outputs)


def _add_holder(copy: Copy, node: Node, needed: _Needed) -> bool:
    """Copies a node that holds graphs, without what is not needed; says whether all of it was."""
    op, start = node.op, first_input(node.op)
    variables = variable_count(node)
    outputs = [index for index, value in enumerate(node.outputs) if value in needed.values]
    positions = range(len(node.inputs) - start)
    inside = [j for j in positions if any(graph.inputs[j] in needed.values for graph in op.graphs)]
    if isinstance(op, While):
        outputs = sorted({*outputs, *(j for j in inside if j < variables)})
        inside = [*outputs, *(j for j in inside if j >= variables)]
    graphs = []
    for graph in op.graphs:
        is_test = isinstance(op, While) and graph is op.cond
        results = graph.outputs if is_test else [graph.outputs[index] for index in outputs]
        graphs.append(_shrunk(graph, needed, [graph.inputs[j] for j in inside], results))
    if all(old is new for old, new in zip(op.graphs, graphs, strict=True)):
        copy.add(node)
        return True
    values = [*node.inputs[:start], *(node.inputs[start + j] for j in inside)]
    specs = tuple([node.specs[index] for index in outputs])
    arguments = tuple([copy.values[value] for value in values])
    smaller = Node(copy.new, op.with_graphs(*graphs), arguments, specs, node.location)
    copy.new.nodes.append(smaller)
    copy.replace([node.outputs[index] for index in outputs], smaller.outputs)
    return False
