"""All passes together: a fixpoint, verified, on graphs that functions leave."""

from itertools import pairwise

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import InvalidGraph
from runtime.executors.reference import Reference
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.location import caller_location
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.graph.symbol import Symbol
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
    assert (
        to_text(optimise(Module(from_text(ROUNDABOUT))).entry)
        == "x: f32[3]\na = Neg(x)\nb = AddV2(a, a)\nreturn b"
    )


def test_a_graph_that_cannot_be_improved_is_returned_itself():
    graph = from_text("x: f32[]\na = Neg(x)\nreturn a")
    module = Module(graph)
    assert optimise(module) is module


def test_the_graph_that_is_given_does_not_change():
    graph = from_text(ROUNDABOUT)
    before = to_text(graph)
    optimise(Module(graph))
    assert to_text(graph) == before


def test_a_trace_shows_what_each_pass_did():
    steps = trace(Module(from_text(ROUNDABOUT)))
    names = [step.name for step in steps]
    assert names[:3] == ["inline_calls", "fold_constants", "prune_branches"]
    assert all(step.before != step.after for step in steps)
    assert all(earlier.after == later.before for earlier, later in pairwise(steps))
    assert steps[-1].after == to_text(optimise(Module(from_text(ROUNDABOUT))).entry)


def test_a_pass_that_breaks_a_graph_is_named(monkeypatch):
    def careless(graph):
        return Builder("broken").finish(graph.inputs)

    monkeypatch.setitem(PASSES, "algebra", careless)
    with pytest.raises(InvalidGraph, match="the pass `algebra` made a graph that is not valid"):
        optimise(Module(from_text("x: f32[]\nreturn x")))


def test_graphs_are_verified_only_where_that_is_asked_for(monkeypatch):
    monkeypatch.setenv("RUNTIME_VERIFY", "0")
    monkeypatch.setattr(pipeline, "verify_module", None)
    optimise(Module(from_text(ROUNDABOUT)))


def test_the_graph_that_is_given_must_be_valid():
    graph = Builder("broken").finish(from_text("x: f32[]\nreturn x").outputs)
    with pytest.raises(InvalidGraph, match="output 0 is not a value of this graph"):
        optimise(Module(graph))


def test_inputs_stay_though_nobody_needs_them():
    graph = from_text("x: f32[]\ny: f32[]\na = Neg(x)\nreturn y")
    assert to_text(optimise(Module(graph)).entry) == "x: f32[]\ny: f32[]\nreturn y"


def test_a_captured_input_stays_in_its_place():
    outer = Builder("outer")
    x = outer.input(ArraySpec((), rt.float32), "x")
    inner = Builder("inner", outer)
    y = inner.input(ArraySpec((), rt.float32), "y")
    with building(inner):
        graph = inner.finish([rt.negative(rt.negative(x)).value, y])
    assert to_text(optimise(Module(graph)).entry) == "y: f32[]\nx: f32[]\nreturn x, y"


def test_nodes_keep_the_users_lines_through_all_passes():
    builder = Builder("located")
    x = builder.input(ArraySpec((3,), rt.float32), "x")
    with building(builder):
        y = rt.pow(x, 2.0)
        z = cond(True, lambda: y * 1.0 + x, lambda: y)
    graph = builder.finish([z.value])
    line = caller_location().line - 3
    after = optimise(Module(graph)).entry
    assert after.ops == ["Square", "AddV2"]
    assert [node.location.line for node in after.nodes] == [line, line + 1]


def test_reads_are_one_only_between_writes():
    v = rt.Variable(1.0)
    builder = Builder("reads")
    with building(builder):
        first, second = v + 0.0, v + 0.0
        v.assign(5.0)
        third = v + 0.0
    graph = builder.finish([first.value, second.value, third.value])
    after = optimise(Module(graph)).entry
    assert after.ops.count("ReadVariableOp") == 2
    assert [float(each) for each in Reference().compile(Module(after)).run([])] == [1.0, 1.0, 5.0]


def test_a_write_in_a_branch_is_a_write():
    v = rt.Variable(1.0)
    builder = Builder("reads")
    p = builder.input(ArraySpec((), rt.bool), "p")
    with building(builder):
        before = v + 0.0
        cond(p, lambda: (v.assign(5.0),)[:0], lambda: ())
        after = v + 0.0
    graph = builder.finish([before.value, after.value])
    improved = optimise(Module(graph)).entry
    for holds, expected in ((True, [1.0, 5.0]), (False, [1.0, 1.0])):
        v.assign(1.0)
        assert [
            float(each) for each in Reference().compile(Module(improved)).run([np.asarray(holds)])
        ] == expected


def test_branches_that_read_different_variables_are_different():
    v, w = rt.Variable([1.0, 2.0]), rt.Variable([1.0, 2.0])
    builder = Builder("reads")
    p = builder.input(ArraySpec((), rt.bool), "p")
    with building(builder):
        chosen = cond(p, lambda: v + 0.0, lambda: w + 0.0)
    graph = builder.finish([chosen.value])
    assert optimise(Module(graph)).entry.ops == ["If"]


def test_what_is_printed_need_not_be_hashable(capsys):
    builder = Builder("prints")
    x = builder.input(ArraySpec((), rt.int64), "x")
    with building(builder):
        rt.print({1, 2}, Symbol(x))
    graph = builder.finish([])
    Reference().compile(optimise(Module(graph))).run([np.asarray(3)])
    assert capsys.readouterr().out == "{1, 2} 3\n"


def test_a_variable_that_a_loop_only_reads_is_read_before_it():
    v = rt.Variable(2.0)
    builder = Builder("loop")
    with building(builder):
        _, total = while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + v), (0, 0.0))
    graph = builder.finish([total.value])
    after = optimise(Module(graph)).entry
    assert after.ops[0] == "ReadVariableOp"
    assert float(Reference().compile(Module(after)).run([])[0]) == 6.0


def test_a_variable_that_a_loop_writes_is_read_inside():
    v = rt.Variable(2.0)
    builder = Builder("loop")

    def step(i, s):
        total = s + v
        v.assign_add(1.0)
        return i + 1, total

    with building(builder):
        _, total = while_loop(lambda i, s: i < 3, step, (0, 0.0))
    graph = builder.finish([total.value])
    after = optimise(Module(graph)).entry
    assert after.ops[0] == "While"
    assert float(Reference().compile(Module(after)).run([])[0]) == 9.0


def test_prints_and_checks_happen_as_often_and_in_the_same_order(capsys):
    builder = Builder("effects")
    x = Symbol(builder.input(ArraySpec((), rt.int64), "x"))

    def step(i):
        rt.print("step", i, x * 1)
        rt.print("step", i, x * 1)
        return i + 1

    with building(builder):
        rt.print("start")
        while_loop(lambda i: i < 2, step, (0,))
        check(x > 0, "positive")
        rt.print("end", -(-rt.asarray(3)))
    graph = builder.finish([])
    assert_same(graph, optimise(Module(graph)).entry)
    Reference().compile(optimise(Module(graph))).run([np.asarray(4)])
    assert capsys.readouterr().out.split("\n") == [
        *["start", "step 0 4", "step 0 4", "step 1 4", "step 1 4", "end 3", ""],
    ]


def test_errors_of_what_nobody_needs_do_not_appear():
    builder = Builder("unneeded")
    x = builder.input(ArraySpec((3,), rt.float32), "x")
    index = builder.input(ArraySpec((), rt.int64), "index")
    with building(builder):
        _ = rt.Variable([1.0, 2.0])[rt.asarray(index)]
    graph = builder.finish([x])
    assert optimise(Module(graph)).entry.nodes == ()


def test_shared_calls_are_inlined_each():
    body = from_text("x: f32[]\na = Square(x)\nreturn a", name="f")
    builder = Builder("calls")
    x = builder.input(ArraySpec((), rt.float32), "x")
    with building(builder):
        (y,) = call_graph(body, [x])
        (z,) = call_graph(body, [y])
    graph = builder.finish([z.value])
    assert optimise(Module(graph)).entry.ops == ["Square", "Square"]


def test_calls_that_would_double_the_graph_with_every_level_stay_calls():
    graph = from_text("x: f32[]\na = Square(x)\nb = Neg(a)\nreturn b", name="f0")
    for level in range(1, 14):
        outer = Builder(f"f{level}")
        x = outer.input(ArraySpec((), rt.float32), "x")
        with building(outer):
            (y,) = call_graph(graph, [x])
            (z,) = call_graph(graph, [y])
        graph = outer.finish([z.value])
    after = optimise(Module(graph)).entry
    assert after.ops == ["PartitionedCall", "PartitionedCall"]
    assert after.nodes[0].op == after.nodes[1].op
    assert sum(len(inner.nodes) for inner in set(after.walk())) < 5000
