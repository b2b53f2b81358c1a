"""What ops say of the graphs inside of them."""

import pytest

from runtime.graph.parser import from_text
from runtime.graph.region import Runs, own_operands, steady_inputs, with_changed_graphs

BRANCH = """
    p: bool[]
    x: f32[]
    y: f32[]
    a, b = StatelessIf(p, x, y, then_branch=yes, else_branch=no)
        yes:
            x: f32[]
            y: f32[]
            return x, y
        no:
            x: f32[]
            y: f32[]
            return y, x
    return a, b
"""

LOOP = """
    n: i64[]
    k: i64[]
    a = StatelessWhile(n, k, cond=test, body=step)
        test:
            n: i64[]
            k: i64[]
            a = Less(n, k)
            return a
        step:
            n: i64[]
            k: i64[]
            a = AddV2(n, k)
            return a
    return a
"""


def node_of(text):
    (node,) = from_text(text).nodes
    return node


def test_branches_are_guarded_by_the_predicate_which_no_region_takes():
    node = node_of(BRANCH)
    assert [region.guard for region in node.op.regions] == [(0, True), (0, False)]
    assert [value.op.label for value in own_operands(node)] == ["p"]
    assert not any(region.runs.repeatedly or region.runs.surely for region in node.op.regions)


def test_a_loop_changes_its_variables_and_nothing_else():
    node = node_of(LOOP)
    assert [(position, value.op.label) for position, value in steady_inputs(node)] == [(1, "k")]
    assert [region.runs for region in node.op.regions] == [Runs.AT_LEAST_ONCE, Runs.ANY_TIMES]
    test, body = node.op.regions
    assert not test.results, "it decides what runs next"
    assert list(body.results) == [0]


@pytest.mark.parametrize("text", [BRANCH, LOOP])
def test_an_op_whose_graphs_stay_is_the_same_object(text):
    op = node_of(text).op
    assert with_changed_graphs(op, lambda region: region.graph) is op
    other = with_changed_graphs(op, lambda region: op.graphs[0] if region is op.regions[0] else region.graph)
    assert other.graphs == op.graphs
