"""What is the same in every iteration of a loop is computed once, before it.

Only what surely neither raises nor warns leaves the body, which may run zero times. The test runs at least
once, so whatever has no effects may leave it.

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
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core import shapes
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects, Op
from runtime.graph.region import Region, steady_inputs
from runtime.ops import (
    arithmetic,
    axes,
    comparison,
    complexes,
    exponential,
    joining,
    logic,
    products,
    reduction,
    rounding,
    selection,
    shaping,
    slicing,
    trigonometry,
)
from runtime.ops.casting import Cast
from runtime.ops.control_flow import While
from runtime.ops.families import Elementwise
from runtime.passes.rebuild import Copy, target
from runtime.passes.rule import node_rule, rewrite, rules_of

__all__ = ["run"]

_HARMLESS: frozenset[type[Op]] = frozenset(
    {
        *(arithmetic.AddV2, arithmetic.Sub, arithmetic.Mul, arithmetic.Neg, arithmetic.Abs, arithmetic.Sign),
        *(arithmetic.Square, arithmetic.Maximum, arithmetic.Minimum),
        *(comparison.Equal, comparison.NotEqual, comparison.Less, comparison.LessEqual),
        *(comparison.Greater, comparison.GreaterEqual),
        *(logic.LogicalAnd, logic.LogicalOr, logic.LogicalXor, logic.LogicalNot),
        *(logic.BitwiseAnd, logic.BitwiseOr, logic.BitwiseXor, logic.Invert),
        *(exponential.Exp, exponential.Expm1, trigonometry.Sin, trigonometry.Cos, trigonometry.Atan),
        *(trigonometry.Sinh, trigonometry.Cosh, trigonometry.Tanh, trigonometry.Asinh, trigonometry.Atan2),
        *(rounding.Floor, rounding.Ceil, rounding.Trunc, rounding.Rint, rounding.IsNan, rounding.IsInf),
        *(rounding.IsFinite, rounding.SignBit, rounding.CopySign, complexes.Real, complexes.Imag),
        *(reduction.Sum, reduction.Prod, reduction.Max, reduction.Min, reduction.All, reduction.Any),
        *(products.MatMul, selection.SelectV2, joining.Pack, joining.ConcatV2, slicing.StridedSlice),
        *(shaping.Reshape, shaping.BroadcastTo, axes.ExpandDims, axes.Squeeze, axes.Transpose),
        *(shaping.Shape, shaping.Size, shaping.Rank),
    }
)
"""Ops that raise only for shapes that do not fit, and warn of nothing that a program guards against."""


@node_rule(While)
def invariant_nodes(node: Node) -> Sequence[Value] | None:
    """`while(test, i → f(i, g(x)), i)` → `y = g(x)`, `while(test, i → f(i, y), i)`."""
    hoists = [_Hoist(node, region) for region in node.op.regions]
    if not any(hoist.moved for hoist in hoists):
        return None
    added = [pair for hoist in hoists for pair in hoist.still_used()]
    inputs = [*node.inputs, *(outer for _, outer in added)]
    op = node.op.with_graphs(*[hoist.rest(added) for hoist in hoists])
    return target().add(op, inputs, node.location).outputs


def _may_leave(node: Node, region: Region, has_writes: bool) -> bool:
    """Whether a node of a loop's region may run once before the loop, which may write to variables."""
    if node.op.effects:
        return node.op.effects == Effects.READS and not has_writes
    raises_anyway = region.runs.surely and not region.graph.effects.must_run
    return raises_anyway or _is_harmless(node)


def _is_harmless(node: Node) -> bool:
    """Whether a node neither raises nor warns; dims that are not known might turn out not to fit."""
    if isinstance(node.op, Cast):
        return not (node.inputs[0].dtype.is_floating and node.op.to.is_integer)
    takes_any_shape = isinstance(node.op, (Elementwise, shaping.Shape, shaping.Size, shaping.Rank))
    fits = takes_any_shape and len(node.inputs) == 1
    return type(node.op) in _HARMLESS and (fits or all(shapes.is_known(v.shape) for v in node.inputs))


class _Hoist:
    """What leaves one region of a loop; it is added to the graph around the loop at once.

    Attributes
    ----------
    moved : set of Node
    outside : dict of Value to Value
        What the values that never change are around the loop.
    """

    def __init__(self, loop: Node, region: Region) -> None:
        graph = self.graph = region.graph
        self.moved: set[Node] = set()
        self.outside = {graph.inputs[position]: outer for position, outer in steady_inputs(loop)}
        has_writes = Effects.WRITES in loop.op.effects
        for node in graph.nodes:
            steady = all(value in self.outside or isinstance(value.op, Const) for value in node.inputs)
            is_free = steady and not isinstance(node.op, Const) and not node.op.regions
            if is_free and _may_leave(node, region, has_writes):
                self._move(node)

    def _move(self, node: Node) -> None:
        inputs = [
            self.outside.get(value) or target().add(value.op, (), value.node.location).outputs[0]
            for value in node.inputs
        ]
        moved = target().add(node.op, inputs, node.location)
        self.outside.update(zip(node.outputs, moved.outputs, strict=True))
        self.moved.add(node)

    def still_used(self) -> list[tuple[Value, Value]]:
        """The moved values that the rest of the graph uses, and what they are outside."""
        used = {value for node in self.graph.nodes if node not in self.moved for value in node.inputs}
        used.update(self.graph.outputs)
        return [
            (value, self.outside[value])
            for node in self.graph.nodes
            if node in self.moved
            for value in node.outputs
            if value in used
        ]

    def rest(self, added: Sequence[tuple[Value, Value]]) -> Graph:
        """The graph without the moved nodes, and with an input for each value that moved out of the loop."""
        copy = Copy(self.graph)
        entries = [copy.new.input(inner.spec, "hoisted", inner.node.location) for inner, _ in added]
        copy.values.update((inner, entry) for (inner, _), entry in zip(added, entries, strict=True))
        for node in self.graph.nodes:
            if node not in self.moved:
                copy.add(node)
        return copy.finish()


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with what loops do not change computed before them."""
    return rewrite(graph, _RULES)
