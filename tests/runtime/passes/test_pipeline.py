"""All passes together: a fixpoint, verified, on graphs that functions leave."""

from itertools import pairwise

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import InvalidGraph
from runtime.executors.reference import Reference
from runtime.graph.build import building
from runtime.graph.graph import Graph, Symbol
from runtime.graph.location import caller_location
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.ops.checks import check
from runtime.ops.control_flow import cond, while_loop
from runtime.ops.control_flow.call import call_graph
from runtime.passes import pipeline
from runtime.passes.pipeline import PASSES, optimise, trace
from tests.runtime.passes.equivalence import assert_same

ROUNDABOUT = """
    x: f32[3]
    a = Const(True, dtype=bool)
    b = LogicalNot(a)
    c = StatelessIf(b, x, then_branch=yes, else_branch=no)
        yes:
            x: f32[3]
            a = Neg(x)
            return a
        no:
            x: f32[3]
            a = PartitionedCall(x, graph=f)
                f:
                    x: f32[3]
                    a = Const(1.0, dtype=f32)
                    b = Mul(x, a)
                    c = Neg(b)
                    d = Neg(b)
                    e = AddV2(c, d)
                    return e
            return a
    d = Neg(c)
    return c
"""


def test_passes_help_each_other_until_none_helps():
    assert to_text(optimise(from_text(ROUNDABOUT))) == "x: f32[3]\na = Neg(x)\nb = AddV2(a, a)\nreturn b"


def test_a_graph_that_cannot_be_improved_is_returned_itself():
    graph = from_text("x: f32[]\na = Neg(x)\nreturn a")
    assert optimise(graph) is graph


def test_the_graph_that_is_given_does_not_change():
    graph = from_text(ROUNDABOUT)
    before = to_text(graph)
    optimise(graph)
    assert to_text(graph) == before


def test_a_trace_shows_what_each_pass_did():
    steps = trace(from_text(ROUNDABOUT))
    names = [step.name for step in steps]
    assert names[:3] == ["inline_calls", "fold_constants", "prune_branches"]
    assert all(step.before != step.after for step in steps)
    assert all(earlier.after == later.before for earlier, later in pairwise(steps))
    assert steps[-1].after == to_text(optimise(from_text(ROUNDABOUT)))


def test_a_pass_that_breaks_a_graph_is_named(monkeypatch):
    def careless(graph):
        broken = Graph("broken")
        broken.outputs = graph.inputs
        return broken

    monkeypatch.setitem(PASSES, "algebra", careless)
    with pytest.raises(InvalidGraph, match="the pass `algebra` made a graph that is not valid"):
        optimise(from_text("x: f32[]\nreturn x"))


def test_graphs_are_verified_only_where_that_is_asked_for(monkeypatch):
    monkeypatch.setenv("RUNTIME_VERIFY", "0")
    monkeypatch.setattr(pipeline, "verify", None)
    optimise(from_text(ROUNDABOUT))


def test_the_graph_that_is_given_must_be_valid():
    graph = from_text("x: f32[]\nreturn x")
    graph.outputs = from_text("x: f32[]\nreturn x").outputs
    with pytest.raises(InvalidGraph, match="output 0 is not a value of this graph"):
        optimise(graph)


def test_inputs_stay_though_nobody_needs_them():
    graph = from_text("x: f32[]\ny: f32[]\na = Neg(x)\nreturn y")
    assert to_text(optimise(graph)) == "x: f32[]\ny: f32[]\nreturn y"


def test_a_captured_input_stays_in_its_place():
    outer = Graph("outer")
    x = outer.input(ArraySpec((), rt.float32), "x")
    inner = Graph("inner", outer)
    y = inner.input(ArraySpec((), rt.float32), "y")
    with building(inner):
        inner.outputs = [rt.negative(rt.negative(x)).value, y]
    assert to_text(optimise(inner)) == "y: f32[]\nx: f32[]\nreturn x, y"


def test_nodes_keep_the_users_lines_through_all_passes():
    graph = Graph("located")
    x = graph.input(ArraySpec((3,), rt.float32), "x")
    with building(graph):
        y = rt.pow(x, 2.0)
        z = cond(True, lambda: y * 1.0 + x, lambda: y)
    graph.outputs = [z.value]
    line = caller_location().line - 3
    after = optimise(graph)
    assert after.ops == ["Square", "AddV2"]
    assert [node.location.line for node in after.nodes] == [line, line + 1]


def test_reads_are_one_only_between_writes():
    v = rt.Variable(1.0)
    graph = Graph("reads")
    with building(graph):
        first, second = v + 0.0, v + 0.0
        v.assign(5.0)
        third = v + 0.0
    graph.outputs = [first.value, second.value, third.value]
    after = optimise(graph)
    assert after.ops.count("ReadVariableOp") == 2
    assert [float(each) for each in Reference().compile(after).run([])] == [1.0, 1.0, 5.0]


def test_a_write_in_a_branch_is_a_write():
    v = rt.Variable(1.0)
    graph = Graph("reads")
    p = graph.input(ArraySpec((), rt.bool), "p")
    with building(graph):
        before = v + 0.0
        cond(p, lambda: (v.assign(5.0),)[:0], lambda: ())
        after = v + 0.0
    graph.outputs = [before.value, after.value]
    improved = optimise(graph)
    for holds, expected in ((True, [1.0, 5.0]), (False, [1.0, 1.0])):
        v.assign(1.0)
        assert [float(each) for each in Reference().compile(improved).run([np.asarray(holds)])] == expected


def test_branches_that_read_different_variables_are_different():
    v, w = rt.Variable([1.0, 2.0]), rt.Variable([1.0, 2.0])
    graph = Graph("reads")
    p = graph.input(ArraySpec((), rt.bool), "p")
    with building(graph):
        chosen = cond(p, lambda: v + 0.0, lambda: w + 0.0)
    graph.outputs = [chosen.value]
    assert optimise(graph).ops == ["If"]


def test_what_is_printed_need_not_be_hashable(capsys):
    graph = Graph("prints")
    x = graph.input(ArraySpec((), rt.int64), "x")
    with building(graph):
        rt.print({1, 2}, Symbol(x))
    Reference().compile(optimise(graph)).run([np.asarray(3)])
    assert capsys.readouterr().out == "{1, 2} 3\n"


def test_a_variable_that_a_loop_only_reads_is_read_before_it():
    v = rt.Variable(2.0)
    graph = Graph("loop")
    with building(graph):
        _, total = while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + v), (0, 0.0))
    graph.outputs = [total.value]
    after = optimise(graph)
    assert after.ops[0] == "ReadVariableOp"
    assert float(Reference().compile(after).run([])[0]) == 6.0


def test_a_variable_that_a_loop_writes_is_read_inside():
    v = rt.Variable(2.0)
    graph = Graph("loop")

    def step(i, s):
        total = s + v
        v.assign_add(1.0)
        return i + 1, total

    with building(graph):
        _, total = while_loop(lambda i, s: i < 3, step, (0, 0.0))
    graph.outputs = [total.value]
    after = optimise(graph)
    assert after.ops[0] == "While"
    assert float(Reference().compile(after).run([])[0]) == 9.0


def test_prints_and_checks_happen_as_often_and_in_the_same_order(capsys):
    graph = Graph("effects")
    x = Symbol(graph.input(ArraySpec((), rt.int64), "x"))

    def step(i):
        rt.print("step", i, x * 1)
        rt.print("step", i, x * 1)
        return i + 1

    with building(graph):
        rt.print("start")
        while_loop(lambda i: i < 2, step, (0,))
        check(x > 0, "positive")
        rt.print("end", -(-rt.asarray(3)))
    assert_same(graph, optimise(graph))
    Reference().compile(optimise(graph)).run([np.asarray(4)])
    assert capsys.readouterr().out.split("\n") == [
        *["start", "step 0 4", "step 0 4", "step 1 4", "step 1 4", "end 3", ""],
    ]


def test_errors_of_what_nobody_needs_do_not_appear():
    graph = Graph("unneeded")
    x = graph.input(ArraySpec((3,), rt.float32), "x")
    index = graph.input(ArraySpec((), rt.int64), "index")
    with building(graph):
        _ = rt.Variable([1.0, 2.0])[rt.asarray(index)]
    graph.outputs = [x]
    assert optimise(graph).nodes == []


def test_shared_calls_are_inlined_each():
    body = from_text("x: f32[]\na = Square(x)\nreturn a", name="f")
    graph = Graph("calls")
    x = graph.input(ArraySpec((), rt.float32), "x")
    with building(graph):
        (y,) = call_graph(body, [x])
        (z,) = call_graph(body, [y])
    graph.outputs = [z.value]
    assert optimise(graph).ops == ["Square", "Square"]


def test_calls_that_would_double_the_graph_with_every_level_stay_calls():
    graph = from_text("x: f32[]\na = Square(x)\nb = Neg(a)\nreturn b", name="f0")
    for level in range(1, 14):
        outer = Graph(f"f{level}")
        x = outer.input(ArraySpec((), rt.float32), "x")
        with building(outer):
            (y,) = call_graph(graph, [x])
            (z,) = call_graph(graph, [y])
        outer.outputs = [z.value]
        graph = outer
    after = optimise(graph)
    assert after.ops == ["PartitionedCall", "PartitionedCall"]
    assert after.nodes[0].op == after.nodes[1].op
    assert sum(len(inner.nodes) for inner in set(after.walk())) < 5000
