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

from runtime.analysis.liveness import Needed
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.region import Region, own_operands
from runtime.passes.rebuild import Copy

__all__ = ["run"]


def run(graph: Graph) -> Graph:
    """`graph` without what nobody needs; its inputs stay."""
    needed = Needed(graph)
    if _is_all_needed(graph, needed, set()):  # most often: then nothing is asked of each part
        return graph
    return _Shrinking(needed).shrunk(graph, graph.inputs, graph.outputs)


def _is_all_needed(graph: Graph, needed: Needed, seen: set[Graph]) -> bool:
    """Whether each node, and each result and input of the graphs inside, is needed."""
    if graph in seen:
        return True
    seen.add(graph)
    for node in graph.nodes:
        if node not in needed.nodes:
            return False
        regions = node.op.regions
        if not regions:
            continue
        entering = zip(*[region.graph.inputs for region in regions], strict=True)
        if not needed.values.issuperset(node.outputs) or any(map(needed.values.isdisjoint, entering)):
            return False
        for region in regions:
            if not _is_all_needed(region.graph, needed, seen):
                return False
    return True


class _Shrinking:
    """Graphs with what is needed alone, as far as they are written: one that is called twice stays one."""

    def __init__(self, needed: Needed) -> None:
        self.needed = needed
        self._done: dict[tuple[Graph, tuple[Value, ...], tuple[Value, ...]], Graph] = {}

    def shrunk(self, graph: Graph, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
        """`graph` with these of its inputs and outputs."""
        key = graph, tuple(inputs), tuple(outputs)
        if key not in self._done:
            self._done[key] = self._written_anew(graph, inputs, outputs)
        return self._done[key]

    def region(self, region: Region, inside: Sequence[int], results: Set[int]) -> Graph:
        """The graph of a region with these of its inputs, and the outputs that lead to these results."""
        graph = region.graph
        outputs = [
            output
            for index, output in enumerate(graph.outputs)
            if index >= len(region.results) or region.results[index] in results
        ]
        return self.shrunk(graph, [graph.inputs[position] for position in inside], outputs)

    def _written_anew(self, graph: Graph, inputs: Sequence[Value], outputs: Sequence[Value]) -> Graph:
        kept = [node for node in graph.nodes if node in self.needed.nodes]
        constructs = {node: _Construct(node, self) for node in kept if node.op.regions}
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

    def __init__(self, node: Node, shrinking: _Shrinking) -> None:
        needed = shrinking.needed.values
        regions = node.op.regions
        operands, variables = regions[0].operands, regions[0].variables  # those of all of them
        results = [index for index, value in enumerate(node.outputs) if value in needed]
        inside = [
            position
            for position in range(len(operands))
            if any(region.graph.inputs[position] in needed for region in regions)
        ]
        if variables:  # a variable that is needed in the loop is a result of it, and the other way round
            results = sorted({*results, *(position for position in inside if position < variables)})
            inside = [*results, *(position for position in inside if position >= variables)]
        self.node = node
        self.results = results
        self.inside = inside
        self.graphs = [shrinking.region(region, inside, set(results)) for region in regions]

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
        op = node.op.with_graphs(*self.graphs).with_results(self.results)
        smaller = Node(copy.new.graph, op, arguments, specs, node.location)
        copy.new.nodes.append(smaller)
        copy.replace([node.outputs[index] for index in self.results], smaller.outputs)
