"""Branches and loops whose course is known: only what will run stays. Branches on an opposite are turned.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[]
...     a = Const(True, dtype=bool)
...     b = StatelessIf(a, x, then_branch=yes, else_branch=no)
...         yes:
...             x: f32[]
...             a = Neg(x)
...             return a
...         no:
...             x: f32[]
...             return x
...     return b
... '''))
x: f32[]
a = Const(True, dtype=bool)
b = Neg(x)
return b
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.ops.control_flow import If, While
from runtime.ops.logic import LogicalNot
from runtime.passes.compare import same_graph
from runtime.passes.fold_constants import fold
from runtime.passes.rebuild import inline, target
from runtime.passes.rule import node_rule, rewrite, rules_of

__all__ = ["run"]


@node_rule(If)
def constant_predicate(node: Node) -> Sequence[Value] | None:
    """if(True, yes, no) → yes; if(False, yes, no) → no."""
    predicate = node.inputs[0].op
    if not isinstance(predicate, Const):
        return None
    yes, no = node.op.graphs
    return inline(yes if predicate.value else no, node.inputs[1:])


@node_rule(If)
def same_branches(node: Node) -> Sequence[Value] | None:
    """if(p, yes, yes) → yes."""
    yes, no = node.op.graphs
    return inline(yes, node.inputs[1:]) if same_graph(yes, no) else None


@node_rule(If)
def opposite_predicate(node: Node) -> Sequence[Value] | None:
    """`if(not p, yes, no)` → `if(p, no, yes)`."""
    predicate, *captures = node.inputs
    if not isinstance(predicate.op, LogicalNot) or not predicate.inputs[0].dtype.is_bool:
        return None
    yes, no = node.op.graphs
    turned = node.op.with_graphs(no, yes)
    return target().add(turned, [*predicate.inputs, *captures], node.location).outputs


@node_rule(While)
def zero_trips(node: Node) -> Sequence[Value] | None:
    """while(test, body, start), where test(start) is False → start; effects of the test happen once."""
    test, _ = node.op.graphs
    start = {index: value.op for index, value in enumerate(node.inputs) if isinstance(value.op, Const)}
    outcome = fold(test, start).outputs[0].op
    if not isinstance(outcome, Const) or outcome.value:
        return None
    inline(test, node.inputs)
    return node.inputs[: len(node.outputs)]


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` without branches and loops whose course is known."""
    return rewrite(graph, _RULES)
