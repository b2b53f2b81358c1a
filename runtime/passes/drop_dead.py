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

from collections.abc import Sequence, Set

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects, Placeholder
from runtime.graph.region import Region, own_operands
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
            effects = node.op.effects
            if effects is not Effects.NONE and effects.must_run:
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
            if region.catches:  # the results stay together: they may come from elsewhere
                self._need(*node.outputs)
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


def _shrunk(graph: Graph, needed: _Needed, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
    """`graph` with what is needed alone, and these of its inputs and outputs."""
    key = graph, tuple(inputs), tuple(outputs)
    if key not in needed.done:
        needed.done[key] = _written_anew(graph, needed, inputs, outputs)
    return needed.done[key]


def _written_anew(graph: Graph, needed: _Needed, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
    kept = [node for node in graph.nodes if node in needed.nodes]
    constructs = {node: _Construct(node, needed) for node in kept if node.op.regions}
    if (
        len(kept) == len(graph.nodes)
        and len(inputs) == len(graph.inputs)
        and len(outputs) == len(graph.outputs)
        and all(construct.is_whole for construct in constructs.values())
    ):
        return graph
    copy = Copy(graph, inputs)
    for node in kept:
        construct = constructs.get(node)
        if construct is None or construct.is_whole:
            copy.add(node)
        else:
            construct.write(copy)
    return copy.finish(outputs)


class _Construct:
    """A node with regions, and what of it is needed.

    Attributes
    ----------
    node : Node
    results : list of int
        The outputs of the node.
    inside : list of int
        The inputs of the regions.
    graphs : list of Graph
        Those of the regions, shrunk.
    """

    def __init__(self, node: Node, needed: _Needed) -> None:
        regions = node.op.regions
        operands, variables = regions[0].operands, regions[0].variables  # those of all of them
        results = [index for index, value in enumerate(node.outputs) if value in needed.values]
        inside = [
            position
            for position in range(len(operands))
            if any(region.graph.inputs[position] in needed.values for region in regions)
        ]
        if variables:  # a variable that is needed in the loop is a result of it, and the other way round
            results = sorted({*results, *(position for position in inside if position < variables)})
            inside = [*results, *(position for position in inside if position >= variables)]
        self.node = node
        self.results = results
        self.inside = inside
        self.graphs = [_shrunk_region(region, needed, inside, set(results)) for region in regions]

    @property
    def is_whole(self) -> bool:
        """Whether all of it is needed."""
        return all(old is new for old, new in zip(self.node.op.graphs, self.graphs, strict=True))

    def write(self, copy: Copy) -> None:
        """Copies the node without what is not needed."""
        node = self.node
        operands = node.op.regions[0].operands
        values = [*own_operands(node), *(node.inputs[operands[position]] for position in self.inside)]
        specs = tuple([node.specs[index] for index in self.results])
        arguments = tuple([copy.values[value] for value in values])
        smaller = Node(copy.new.graph, node.op.with_graphs(*self.graphs), arguments, specs, node.location)
        copy.new.nodes.append(smaller)
        copy.replace([node.outputs[index] for index in self.results], smaller.outputs)


def _shrunk_region(region: Region, needed: _Needed, inside: Sequence[int], results: Set[int]) -> Graph:
    """The graph of a region with these of its inputs, and the outputs that lead to these results."""
    graph = region.graph
    outputs = [
        output
        for index, output in enumerate(graph.outputs)
        if index >= len(region.results) or region.results[index] in results
    ]
    return _shrunk(graph, needed, [graph.inputs[position] for position in inside], outputs)
