"""Which nodes run, where values are used last, and which graphs a run may enter."""

from runtime.analysis.calls import entered_graphs
from runtime.analysis.liveness import last_uses, running
from runtime.graph.module import Module
from runtime.graph.parser import from_text

GRAPH = from_text("""
x: f32[]
p: bool[]
a = Neg(x)
b = Exp(a)
c = Const(2.0, dtype=f32)
d = Mul(a, c)
e = StatelessIf(p, d, then_branch=yes, else_branch=no)
    yes:
        x: f32[]
        a = Neg(x)
        return a
    no:
        x: f32[]
        return x
return e, a
""")


def test_a_value_that_nobody_needs_has_no_last_use():
    uses = last_uses(GRAPH)
    by_op = {node.op.name: node.outputs[0] for node in GRAPH.nodes}
    assert by_op["Exp"] not in uses
    assert uses[by_op["Neg"]] == len(GRAPH.nodes)
    assert uses[by_op["Mul"]] == GRAPH.nodes.index(GRAPH.nodes[-1])


def test_constants_and_nodes_in_vain_do_not_run():
    assert [node.op.name for node in running(GRAPH, last_uses(GRAPH))] == ["Neg", "Mul", "StatelessIf"]


def test_every_graph_that_a_run_may_enter_is_met_once():
    assert sorted(graph.name for graph in entered_graphs(Module(GRAPH))) == sorted(["no", GRAPH.name, "yes"])
