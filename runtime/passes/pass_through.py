"""Results of branches and loops that are not computed there.

What both branches hand on unchanged, or what no iteration changes, is taken from where it was before:

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     n: i64[]
    ...     x: i64[]
    ...     a, b = StatelessWhile(n, x, cond=test, body=step)
    ...         test:
    ...             n: i64[]
    ...             x: i64[]
    ...             a = Less(n, x)
    ...             return a
    ...         step:
    ...             n: i64[]
    ...             x: i64[]
    ...             a = AddV2(n, n)
    ...             return a, x
    ...     c = Mul(a, b)
    ...     return c
    ... '''))
    n: i64[]
    x: i64[]
    a = StatelessWhile(n, x, cond=test, body=step)
        test:
            n: i64[]
            x: i64[]
            a = Less(n, x)
            return a
        step:
            n: i64[]
            x: i64[]
            a = AddV2(n, n)
            return a
    b = Mul(a, x)
    return b
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Op
from runtime.graph.region import Region, with_changed_graphs
from runtime.ops.control_flow import If, While
from runtime.ops.control_flow.try_catch import Checkpoint, Try
from runtime.ops.logic import LogicalNot
from runtime.passes.patterns import is_all
from runtime.passes.rebuild import Copy, target
from runtime.passes.rule import node_rule, rewrite, rules_of

__all__ = ["run"]


@node_rule(If)
def branches_agree(node: Node) -> Sequence[Value] | None:
    """if(p, (x, 1, a, a), (x, 1, b, b)) → x, 1, c, c, where c = if(p, a, b)."""
    yes, no = node.op.graphs
    outputs: list[Value | None] = []
    kept: dict[tuple[Value, Value], int] = {}
    for left, right in zip(yes.outputs, no.outputs, strict=True):
        outputs.append(_before(node, left, right))
        if outputs[-1] is None:
            kept.setdefault((left, right), len(kept))
    if len(kept) == len(outputs):
        return None
    pairs = list(kept)
    graphs = _with_outputs(yes, [left for left, _ in pairs]), _with_outputs(no, [right for _, right in pairs])
    smaller = target().add(node.op.with_graphs(*graphs), node.inputs, node.location)
    return [
        smaller.outputs[kept[left, right]] if outer is None else outer
        for outer, left, right in zip(outputs, yes.outputs, no.outputs, strict=True)
    ]


def _before(node: Node, left: Value, right: Value) -> Value | None:
    """The value around the `if` that both branches give, if there is one."""
    yes, no = node.op.graphs
    if isinstance(left.op, Const) and left.op == right.op:
        return target().add(left.op, (), left.node.location).outputs[0]
    predicate = node.inputs[0]
    if left.spec == right.spec == predicate.spec and is_all(left, True) and is_all(right, False):
        return predicate
    if left.spec == right.spec == predicate.spec and is_all(left, False) and is_all(right, True):
        return target().add(LogicalNot(), [predicate], node.location).outputs[0]
    if left in yes.inputs and right in no.inputs and yes.inputs.index(left) == no.inputs.index(right):
        return node.inputs[1 + yes.inputs.index(left)]
    return None


@node_rule(While)
def unchanged_variables(node: Node) -> Sequence[Value] | None:
    """while(test, (i, x) → (f(i), x), i, x) → while(test, i → f(i), i), x."""
    test, body = node.op.graphs
    count = len(node.outputs)
    changing = [j for j in range(count) if body.outputs[j] is not body.inputs[j]]
    if len(changing) == count:
        return None
    fixed = [j for j in range(count) if j not in changing]
    order = [*changing, *fixed, *range(count, len(node.inputs))]
    graphs = (
        _reordered(test, order, test.outputs),
        _reordered(body, order, [body.outputs[j] for j in changing]),
    )
    smaller = target().add(node.op.with_graphs(*graphs), [node.inputs[j] for j in order], node.location)
    places = dict(zip(changing, smaller.outputs, strict=True))
    return [places.get(j, node.inputs[j]) for j in range(count)]


@node_rule(Try)
def unread_checkpoints(node: Node) -> Sequence[Value] | None:
    """try: checkpoint(cell, x, y), where no result may be y → checkpoint(cell, x)."""
    op: Any = node.op  # of a rule about `Try`
    read = {number: sorted({place for place in row if isinstance(place, int)}) for number, row in op.rows}
    region = op.regions[0]
    cells = _inputs_for(region, node, {node.inputs[0]})
    if _leaves(region.graph, cells):
        return None
    body = _with_read(region.graph, cells, read)
    if body is region.graph:
        return None
    places = {number: {place: at for at, place in enumerate(kept)} for number, kept in read.items()}
    rows = tuple(
        [
            (number, tuple([places[number][each] if isinstance(each, int) else each for each in row]))
            for number, row in op.rows
        ]
    )
    return target().add(Try(body, op.kinds, op.specs, rows), node.inputs, node.location).outputs


def _leaves(graph: Graph, cells: set[Value]) -> bool:
    """Whether a cell goes where its checkpoints are not seen: out of a graph, or into a function."""
    if not cells.isdisjoint(graph.outputs):
        return True
    users = [node for node in graph.nodes if not cells.isdisjoint(node.inputs)]
    return any(
        node.op.callee is not None
        or any(_leaves(region.graph, _inputs_for(region, node, cells)) for region in node.op.regions)
        for node in users
    )


def _inputs_for(region: Region, node: Node, cells: set[Value]) -> set[Value]:
    """What these values are called in a region."""
    pairs = zip(region.graph.inputs, region.operands, strict=True)
    return {inner for inner, operand in pairs if node.inputs[operand] in cells}


def _with_read(graph: Graph, cells: set[Value], read: Mapping[int, Sequence[int]]) -> Graph:
    """A graph whose checkpoints in a cell leave what is read; the same object where all is."""
    smaller: dict[Node, Op | None] = {}
    for node in graph.nodes:
        if isinstance(node.op, Checkpoint) and node.inputs[0] in cells:
            if len(node.inputs) - 1 > len(read.get(node.op.number, ())):
                smaller[node] = None
        elif not cells.isdisjoint(node.inputs) and node.op.regions:

            def less(region: Region, of: Node = node) -> Graph:
                return _with_read(region.graph, _inputs_for(region, of, cells), read)

            op = with_changed_graphs(node.op, less)
            if op is not node.op:
                smaller[node] = op
    if not smaller:
        return graph
    copy = Copy(graph)
    for node in graph.nodes:
        changed = smaller.get(node, node.op)
        if changed is not None or not isinstance(node.op, Checkpoint):
            copy.add(node, changed)
            continue
        cell, *values = copy.inputs_of(node)
        kept = [values[place] for place in read.get(node.op.number, ())]
        copy.new.nodes.append(Node(copy.new.graph, node.op, (cell, *kept), (), node.location))
    return copy.finish()


def _with_outputs(graph: Graph, outputs: Sequence[Value]) -> Graph:
    return _reordered(graph, range(len(graph.inputs)), outputs)


def _reordered(graph: Graph, order: Sequence[int], outputs: Sequence[Value]) -> Graph:
    """The same nodes with the inputs in another order, and these outputs."""
    copy = Copy(graph, [graph.inputs[j] for j in order])
    for node in graph.nodes:
        copy.add(node)
    return copy.finish(outputs)


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with values taken from where they are made."""
    return rewrite(graph, _RULES)
