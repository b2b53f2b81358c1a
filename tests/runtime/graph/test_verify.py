"""Every rule of a valid graph, broken once."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import InvalidGraph
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.location import UNKNOWN, caller_location
from runtime.graph.module import Module
from runtime.graph.op import Const, Placeholder
from runtime.graph.parser import from_text
from runtime.graph.verify import Done, verify, verify_module
from runtime.ops.arithmetic import Neg
from runtime.ops.casting import Cast
from runtime.ops.control_flow import Call, If, While
from runtime.ops.control_flow.try_catch import NewCell, Try
from runtime.ops.creation import Fill
from runtime.passes.rebuild import Copy

SCALAR = ArraySpec((), rt.float32)


def builder_of_x(name="graph"):
    builder = Builder(name)
    return builder, builder.input(SCALAR, "x")


def refuses(builder, rule, outputs=()):
    with pytest.raises(InvalidGraph, match=rule):
        verify(builder.finish(outputs))


def test_a_valid_graph_passes():
    verify(
        from_text("""
            p: bool[]
            x: f32[]
            a = StatelessIf(p, x, then_branch=yes, else_branch=no)
                yes:
                    x: f32[]
                    a = Neg(x)
                    return a
                no:
                    x: f32[]
                    return x
            return a
        """)
    )


def test_a_placeholder_is_no_node():
    builder, x = builder_of_x()
    builder.nodes.append(x.node)
    refuses(builder, "a Placeholder may only be an input")


def test_an_input_is_a_placeholder():
    builder, _ = builder_of_x()
    builder.inputs.append(Node(builder.graph, Const(np.float32(1)), (), (SCALAR,), UNKNOWN).outputs[0])
    refuses(builder, "an input must be the output of a Placeholder")


def test_an_input_is_the_graphs_own():
    builder, _ = builder_of_x()
    builder.inputs.append(builder_of_x()[1])
    refuses(builder, "an input belongs to another graph")


def test_an_input_is_listed_once():
    builder, x = builder_of_x()
    builder.inputs.append(x)
    refuses(builder, "an input is listed twice")


def test_a_value_comes_before_its_use():
    builder, x = builder_of_x()
    first = builder.add(Neg(), [x])
    builder.add(Neg(), first.outputs)
    builder.nodes.reverse()
    refuses(builder, "input 0 is used before the node that gives it")


def test_values_of_other_graphs_are_refused():
    builder, _ = builder_of_x()
    builder.add(Neg(), [builder_of_x("other")[1]])
    refuses(builder, "input 0 is a value of another graph, `other`")


def test_a_node_belongs_to_its_graph_and_is_listed_once():
    builder, x = builder_of_x()
    node = builder.add(Neg(), [x])
    builder.nodes.append(node)
    refuses(builder, "the node is listed twice")
    other, _ = builder_of_x("other")
    other.nodes.append(node)
    refuses(other, "the node belongs to another graph, `graph`")


def test_a_node_promises_what_its_op_infers():
    builder, x = builder_of_x()
    builder.nodes.append(Node(builder.graph, Cast(rt.float64), (x,), (SCALAR,), caller_location()))
    graph = builder.finish(())
    with pytest.raises(InvalidGraph, match=r"promises \(f32\[\]\) but its op gives \(f64\[\]\)") as caught:
        verify(graph)
    assert __file__ in str(caught.value)
    assert "Cast(to=float64)" in str(caught.value)


def test_a_node_may_promise_less_than_its_op_infers():
    builder, x = builder_of_x()
    builder.nodes.append(Node(builder.graph, Neg(), (x,), (ArraySpec(None, rt.float32),), UNKNOWN))
    verify(builder.finish(()))


def test_an_op_takes_its_inputs():
    builder, x = builder_of_x()
    empty = Builder("empty").finish(())
    builder.nodes.append(Node(builder.graph, Call(empty), (x,), (), UNKNOWN))
    refuses(builder, "the op refuses its inputs: the graph `empty` takes")


def test_outputs_are_values_of_the_graph():
    builder, _ = builder_of_x()
    refuses(builder, "output 0 is not a value of this graph", [builder_of_x()[1]])


def test_rules_hold_in_sub_graphs():
    inside, x = builder_of_x("inner")
    inside.nodes.append(Node(inside.graph, Placeholder("y", SCALAR), (), (SCALAR,), UNKNOWN))
    inner = inside.finish([x])
    builder, x = builder_of_x()
    predicate = builder.input(ArraySpec((), rt.bool), "p")
    builder.add(If(inner, inner), [predicate, x])
    refuses(builder, "the graph `inner` breaks a rule")


def test_a_body_returns_the_loop_variables():
    builder, x = builder_of_x()
    deciding, _ = builder_of_x("test")
    test = deciding.finish([deciding.constant(np.asarray(True))])
    turning, y = builder_of_x("body")
    body = turning.finish(turning.add(Cast(rt.float64), [y]).outputs)
    builder.nodes.append(Node(builder.graph, While(test, body), (x,), (SCALAR,), UNKNOWN))
    refuses(builder, r"a loop variable is f32\[\] before the body and f64\[\] after it")


def test_a_region_takes_the_operands_of_its_op():
    builder, x = builder_of_x()
    cell = builder.add(NewCell())
    body = from_text("x: f32[3]\na = Const(0, dtype=i64)\nb = NoError()\nreturn a, b")
    builder.add(Try(body, (ValueError,), (), ()), [*cell.outputs, x])
    refuses(builder, r"its `body` takes \(f32\[3\]\), which its operands are not")


def test_no_graph_is_inside_itself():
    builder, x = builder_of_x("endless")
    builder.nodes.append(Node(builder.graph, Call(builder.graph), (x,), (SCALAR,), UNKNOWN))
    refuses(builder, "the graph `endless` is inside itself", [x])


def graph_with(inner, *specs):
    """A module whose entry runs a graph in a branch; its inputs are a truth, those of the graph, and more."""
    builder = Builder("around")
    predicate = builder.input(ArraySpec((), rt.bool), "p")
    given = [builder.input(spec, f"x{index}") for index, spec in enumerate((*inner.input_specs, *specs))]
    taken = given[: len(inner.inputs)]
    return Module(builder.finish(builder.add(If(inner, inner), [predicate, *taken]).outputs))


def test_a_graph_that_was_valid_is_not_looked_at_again(monkeypatch):
    inner = from_text("x: f32[]\na = Neg(x)\nreturn a")
    one, other = graph_with(inner), graph_with(inner)
    infer, asked, done = Neg.infer, [], Done()
    monkeypatch.setattr(Neg, "infer", lambda self, *specs: asked.append(self) or infer(self, *specs))
    verify_module(one, done)
    verify_module(other, done)
    assert len(asked) == 1


def test_a_node_that_a_pass_has_copied_as_it_was_is_not_asked_again(monkeypatch):
    graph = from_text("x: f32[]\na = Neg(x)\nb = Abs(a)\nreturn b")
    infer, asked, done = Neg.infer, [], Done()
    monkeypatch.setattr(Neg, "infer", lambda self, *specs: asked.append(self) or infer(self, *specs))
    copy = Copy(graph)
    for node in graph.nodes:
        copy.add(node)
    verify_module(Module(graph), done)
    verify_module(Module(copy.finish()), done)
    assert len(asked) == 1


def test_a_node_that_promises_something_else_is_asked_again():
    graph, done = from_text("x: f32[]\na = Neg(x)\nreturn a"), Done()
    verify_module(Module(graph), done)
    node = graph.nodes[0]
    builder = Builder("other")
    x = builder.input(node.inputs[0].spec, "x")
    builder.nodes.append(Node(builder.graph, node.op, (x,), (ArraySpec((), rt.float64),), UNKNOWN))
    with pytest.raises(InvalidGraph, match="the node promises"):
        verify_module(Module(builder.finish(builder.nodes[0].outputs)), done)


def test_a_graph_that_was_valid_is_looked_at_again_where_fewer_lengths_have_names():
    vector = from_text("x: f32[n]\nreturn x").inputs[0].spec
    builder = Builder("inner")
    lengths = builder.input(ArraySpec((1,), rt.int64), "lengths")
    zero = builder.constant(np.asarray(0.0, np.float32), UNKNOWN)
    inner = builder.finish(builder.add(Fill(vector.shape), [lengths, zero]).outputs)
    done = Done()
    verify_module(graph_with(inner, vector), done)
    with pytest.raises(InvalidGraph, match="no input and no node before it gives a length of this name: n"):
        verify_module(graph_with(inner), done)
