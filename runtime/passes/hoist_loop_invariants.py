"""What is the same in every iteration of a loop is computed once, before it.

What surely neither raises nor warns leaves the body, which may run zero times. The test runs at least once,
so whatever has no effects may leave it. What may warn, as floats do that overflow, leaves the body for a
branch, which is taken where the body runs at all.

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     n: i64[]
    ...     k: i64[]
    ...     a = StatelessWhile(n, k, cond=test, body=step)
    ...         test:
    ...             n: i64[]
    ...             k: i64[]
    ...             a = Less(n, k)
    ...             return a
    ...         step:
    ...             n: i64[]
    ...             k: i64[]
    ...             a = Mul(k, k)
    ...             b = AddV2(n, a)
    ...             return b
    ...     return a
    ... '''))
    n: i64[]
    k: i64[]
    a = Mul(k, k)
    b = StatelessWhile(n, k, a, cond=test, body=step)
        test:
            n: i64[]
            k: i64[]
            hoisted: i64[]
            a = Less(n, k)
            return a
        step:
            n: i64[]
            k: i64[]
            hoisted: i64[]
            a = AddV2(n, hoisted)
            return a
    return b

    >>> print(shown(run, '''
    ...     n: i64[]
    ...     k: f64[3]
    ...     a, b = StatelessWhile(n, k, k, cond=test, body=step)
    ...         test:
    ...             n: i64[]
    ...             y: f64[3]
    ...             k: f64[3]
    ...             a = Const(9, dtype=i64)
    ...             b = Less(n, a)
    ...             return b
    ...         step:
    ...             n: i64[]
    ...             y: f64[3]
    ...             k: f64[3]
    ...             a = Exp(k)
    ...             b = Const(1, dtype=i64)
    ...             c = AddV2(n, b)
    ...             return c, a
    ...     return b
    ... '''))
    n: i64[]
    k: f64[3]
    a = Const(9, dtype=i64)
    b = Less(n, a)
    c = StatelessIf(b, k, then_branch=first, else_branch=never)
        first:
            k: f64[3]
            a = Exp(k)
            return a
        never:
            k: f64[3]
            a = Const(0.0, dtype=f64)
            b = BroadcastTo(a, shape=(3,))
            return b
    d, e = StatelessWhile(n, k, k, c, cond=test, body=step)
        test:
            n: i64[]
            y: f64[3]
            k: f64[3]
            hoisted: f64[3]
            a = Const(9, dtype=i64)
            b = Less(n, a)
            return b
        step:
            n: i64[]
            y: f64[3]
            k: f64[3]
            hoisted: f64[3]
            a = Const(1, dtype=i64)
            b = AddV2(n, a)
            return b, hoisted
    return e
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from runtime.analysis.uses import used_by
from runtime.core import shapes
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.failures import failures_in
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects
from runtime.graph.region import Region, steady_inputs
from runtime.ops.control_flow import If, While
from runtime.ops.shaping import BroadcastTo
from runtime.passes.rebuild import Copy, inline, target
from runtime.passes.rule import node_rule, rewrite, rules_of

__all__ = ["run"]


@node_rule(While)
def invariant_nodes(node: Node) -> Sequence[Value] | None:
    """`while(test, i → f(i, g(x)), i)` → `y = g(x)`, `while(test, i → f(i, y), i)`."""
    has_writes = Effects.WRITES in node.op.effects
    leaving = [
        _Leaving(node, region, partial(_may_leave, region, has_writes=has_writes))
        for region in node.op.regions
    ]
    if not any(each.nodes for each in leaving):
        return None
    outside = [value for each in leaving for value in each.write(each.steady)]
    return _loop_after(node, leaving, outside)


@node_rule(While)
def warning_nodes(node: Node) -> Sequence[Value] | None:
    """`while(test, i → f(i, g(x)), i)` → `y = if(test(i), g(x), 0)`, `while(test, i → f(i, y), i)`."""
    test, body = node.op.regions
    leaving = [_Leaving(node, test, lambda _: False), _Leaving(node, body, _may_only_warn)]
    if test.graph.effects.must_run or not leaving[1].used:
        return None
    (runs,) = inline(test.graph, [node.inputs[operand] for operand in test.operands], stays=True)
    return _loop_after(node, leaving, _guarded(runs, leaving[1], node))


def _may_leave(region: Region, node: Node, *, has_writes: bool) -> bool:
    """Whether a node of a loop's region may run once before the loop, which may write to variables."""
    if node.op.effects:
        return node.op.effects == Effects.READS and not has_writes
    raises_anyway = region.runs.surely and not region.graph.effects.must_run
    may_leave = raises_anyway or node.op.may_run_early(*[value.spec for value in node.inputs])
    return may_leave and not node.op.regions


def _may_only_warn(node: Node) -> bool:
    """Whether a node comes to an end whatever it computes, and gives arrays of known shapes."""
    if node.op.effects or not _ends(node) or failures_in([node]):
        return False
    return all(shapes.is_known(value.shape) and value.dtype.kind != "O" for value in node.outputs)


def _ends(node: Node) -> bool:
    """Whether no loop runs in a node."""
    return all(not each.runs.repeatedly and all(map(_ends, each.graph.nodes)) for each in node.op.regions)


class _Leaving:
    """What leaves one region of a loop.

    Attributes
    ----------
    graph : Graph
    steady : dict of Value to Value
        The inputs of the graph that never change, and what they are around the loop.
    nodes : list of Node
    used : list of Value
        What these nodes give to the others.
    """

    def __init__(self, loop: Node, region: Region, may_leave: Callable[[Node], bool]) -> None:
        self.graph = region.graph
        self.steady = {self.graph.inputs[position]: outer for position, outer in steady_inputs(loop)}
        self.nodes: list[Node] = []
        known = set(self.steady)
        for node in self.graph.nodes:
            steady = all(value in known or isinstance(value.op, Const) for value in node.inputs)
            if steady and not isinstance(node.op, Const) and may_leave(node):
                self.nodes.append(node)
                known.update(node.outputs)
        left = set(self.nodes)
        wanted = used_by([node for node in self.graph.nodes if node not in left]).union(self.graph.outputs)
        self.used = [value for node in self.nodes for value in node.outputs if value in wanted]

    def write(self, steady: Mapping[Value, Value]) -> list[Value]:
        """Writes the nodes into the target, over what is steady there; returns what is used of them."""
        values = dict(steady)
        for node in self.nodes:
            inputs = [
                values.get(value) or target().add(value.op, (), value.node.location).outputs[0]
                for value in node.inputs
            ]
            written = target().add(node.op, inputs, node.location)
            values.update(zip(node.outputs, written.outputs, strict=True))
        return [values[value] for value in self.used]

    def rest(self, added: Sequence[Value]) -> Graph:
        """The graph without these nodes, and with an input for each value that has left the loop."""
        copy = Copy(self.graph)
        entries = [copy.new.input(inner.spec, "hoisted", inner.node.location) for inner in added]
        copy.values.update(zip(added, entries, strict=True))
        left = set(self.nodes)
        for node in self.graph.nodes:
            if node not in left:
                copy.add(node)
        return copy.finish()


def _loop_after(loop: Node, leaving: Sequence[_Leaving], outside: Sequence[Value]) -> Sequence[Value]:
    """The loop without what leaves it, which the values `outside` are now."""
    added = [value for each in leaving for value in each.used]
    op = loop.op.with_graphs(*[each.rest(added) for each in leaving])
    return target().add(op, [*loop.inputs, *outside], loop.location).outputs


def _guarded(runs: Value, leaving: _Leaving, loop: Node) -> Sequence[Value]:
    """What leaves a loop, computed in a branch: where `runs` is false, nobody reads it."""
    then, otherwise = (Builder(name, defaults=target().defaults) for name in ("first", "never"))
    read = used_by(leaving.nodes)
    captured = {inner: outer for inner, outer in leaving.steady.items() if inner in read}
    entries = [
        [builder.input(inner.spec, inner.label("capture"), inner.node.location) for inner in captured]
        for builder in (then, otherwise)
    ]
    with building(then):
        results = leaving.write(dict(zip(captured, entries[0], strict=True)))
    unread = []
    for value in leaving.used:
        nothing = otherwise.constant(np.zeros((), value.dtype.numpy), value.node.location)
        if value.shape:
            shape = tuple([dim or 0 for dim in value.shape])  # all are known
            (nothing,) = otherwise.add(BroadcastTo(shape), [nothing], value.node.location).outputs
        unread.append(nothing)
    branches = If(then.finish(results), otherwise.finish(unread))
    return target().add(branches, [runs, *captured.values()], loop.location).outputs


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with what loops do not change computed before them."""
    return rewrite(graph, _RULES)
