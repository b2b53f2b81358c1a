"""Two branches on the same predicate become one: code that is left early is full of them.

Nothing between them may use what the first gives, and effects keep their order.

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     p: bool[]
    ...     x: f32[]
    ...     a = StatelessIf(p, x, then_branch=yes, else_branch=no)
    ...         yes:
    ...             x: f32[]
    ...             a = Neg(x)
    ...             return a
    ...         no:
    ...             x: f32[]
    ...             return x
    ...     b = StatelessIf(p, a, then_branch=yes, else_branch=no)
    ...         yes:
    ...             y: f32[]
    ...             return y
    ...         no:
    ...             y: f32[]
    ...             a = Square(y)
    ...             return a
    ...     return b
    ... '''))
    p: bool[]
    x: f32[]
    a, b = StatelessIf(p, x, then_branch=yes, else_branch=no)
        yes:
            x: f32[]
            a = Neg(x)
            return a, a
        no:
            x: f32[]
            a = Square(x)
            return x, a
    return b
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.failures import failures_in
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Op
from runtime.graph.region import guard_of, with_changed_graphs
from runtime.ops.control_flow import If
from runtime.passes.rebuild import Copy, DoomedNode, inline

__all__ = ["run"]


def run(graph: Graph) -> Graph:
    """`graph` with one branch where there were several on the same predicate."""
    while (after := _merged(graph, {})) is not graph:
        graph = after
    return graph


def _merged(graph: Graph, done: dict[Graph, Graph]) -> Graph:
    """`graph` with branches merged two by two; `done` are graphs met before, as some are called twice."""
    if not any(node.op.regions for node in graph.nodes):
        return graph
    if graph not in done:
        try:
            done[graph] = _merged_now(graph, done)
        except DoomedNode:
            done[graph] = graph
    return done[graph]


def _merged_now(graph: Graph, done: dict[Graph, Graph]) -> Graph:
    inside = {
        node: with_changed_graphs(node.op, lambda region: _merged(region.graph, done), __name__)
        for node in graph.nodes
        if node.op.regions
    }
    pairs = _pairs(graph)
    if not pairs and all(node.op is op for node, op in inside.items()):
        return graph
    copy = Copy(graph)
    waiting = set(pairs.values())
    for node in graph.nodes:
        if node in pairs:
            _add_both(copy, pairs[node], node, inside)
        elif node not in waiting:
            copy.add(node, inside.get(node))
    return copy.finish()


def _pairs(graph: Graph) -> dict[Node, Node]:
    """Branches that can be joined to an earlier one, and which that is."""
    pairs: dict[Node, Node] = {}
    waiting: dict[Value, Node] = {}
    predicates = {node: _predicate(node) for node in graph.nodes if node.op.regions}
    if len(predicates) < 2:
        return pairs
    for node in graph.nodes:
        predicate = predicates.get(node)
        first = waiting.pop(predicate, None) if predicate is not None else None
        for value in node.inputs:
            chosen = predicates.get(value.node)
            if chosen is not None and waiting.get(chosen) is value.node:
                del waiting[chosen]
        if node.op.effects:
            waiting.clear()
        elif waiting and failures_in([node]):  # what raises first goes on raising first
            waiting = {value: each for value, each in waiting.items() if not failures_in([each])}
        if first is not None:
            pairs[node] = first
        elif predicate is not None:
            waiting[predicate] = node
    return pairs


def _predicate(node: Node) -> Value | None:
    """What decides which branch of a node runs."""
    guard = guard_of(node.op)
    return None if guard is None else node.inputs[guard]


def _add_both(copy: Copy, first: Node, second: Node, inside: Mapping[Node, Op]) -> None:
    """Copies two branches as one, in the place of the second."""
    own = [value for value in second.inputs[1:] if value.node is not first]
    captures = list(dict.fromkeys([*first.inputs[1:], *own]))
    pairs = zip(inside[first].graphs, inside[second].graphs, strict=True)
    graphs = [_joined(copy, first, second, captures, pair) for pair in pairs]
    inputs = [copy.values[value] for value in (second.inputs[0], *captures)]
    both = copy.new.add(If(*graphs), inputs, second.location)
    copy.replace([*first.outputs, *second.outputs], both.outputs)


def _joined(
    copy: Copy, first: Node, second: Node, captures: Sequence[Value], pair: tuple[Graph, Graph]
) -> Graph:
    """One graph that does what both graphs of the pair do, and gives what both give."""
    builder = Builder(pair[0].name)
    builder.dim_names = DimNames(of=copy.old)
    values = {
        value: builder.input(copy.values[value].spec, _label(value, first, second, pair), value.node.location)
        for value in captures
    }
    with building(builder):
        values.update(zip(first.outputs, inline(pair[0], [values[v] for v in first.inputs[1:]]), strict=True))
        results = inline(pair[1], [values[value] for value in second.inputs[1:]])
    return builder.finish([*(values[value] for value in first.outputs), *results])


def _label(value: Value, first: Node, second: Node, pair: tuple[Graph, Graph]) -> str:
    """What the graphs of the pair call a captured value."""
    node, graph = (first, pair[0]) if value in first.inputs[1:] else (second, pair[1])
    return graph.inputs[node.inputs.index(value, 1) - 1].label()
