"""Every rule of a valid graph, broken once."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import InvalidGraph
from runtime.graph.graph import Graph, Node
from runtime.graph.location import UNKNOWN, caller_location
from runtime.graph.op import Const, Placeholder
from runtime.graph.parser import from_text
from runtime.graph.verify import verify
from runtime.ops.arithmetic import Neg
from runtime.ops.casting import Cast
from runtime.ops.control_flow import Call, If, While

SCALAR = ArraySpec((), rt.float32)


def graph_of_x(name="graph"):
    graph = Graph(name)
    return graph, graph.input(SCALAR, "x")


def refuses(graph, rule):
    with pytest.raises(InvalidGraph, match=rule):
        verify(graph)


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
    graph, x = graph_of_x()
    graph.nodes.append(x.node)
    refuses(graph, "a Placeholder may only be an input")


def test_an_input_is_a_placeholder():
    graph, _ = graph_of_x()
    graph.inputs.append(Node(graph, Const(np.float32(1)), (), (SCALAR,), UNKNOWN).outputs[0])
    refuses(graph, "an input must be the output of a Placeholder")


def test_an_input_is_the_graphs_own():
    graph, _ = graph_of_x()
    graph.inputs.append(graph_of_x()[1])
    refuses(graph, "an input belongs to another graph")


def test_an_input_is_listed_once():
    graph, x = graph_of_x()
    graph.inputs.append(x)
    refuses(graph, "an input is listed twice")


def test_a_value_comes_before_its_use():
    graph, x = graph_of_x()
    first = graph.add(Neg(), [x])
    graph.add(Neg(), first.outputs)
    graph.nodes.reverse()
    refuses(graph, "input 0 is used before the node that gives it")


def test_values_of_other_graphs_are_refused():
    graph, _ = graph_of_x()
    graph.add(Neg(), [graph_of_x("other")[1]])
    refuses(graph, "input 0 is a value of another graph, `other`")


def test_a_node_belongs_to_its_graph_and_is_listed_once():
    graph, x = graph_of_x()
    node = graph.add(Neg(), [x])
    graph.nodes.append(node)
    refuses(graph, "the node is listed twice")
    other, _ = graph_of_x("other")
    other.nodes.append(node)
    refuses(other, "the node belongs to another graph, `graph`")


def test_a_node_promises_what_its_op_infers():
    graph, x = graph_of_x()
    graph.nodes.append(Node(graph, Cast(rt.float64), (x,), (SCALAR,), caller_location()))
    with pytest.raises(InvalidGraph, match=r"promises \(f32\[\]\) but its op gives \(f64\[\]\)") as caught:
        verify(graph)
    assert __file__ in str(caught.value)
    assert "Cast(to=float64)" in str(caught.value)


def test_a_node_may_promise_less_than_its_op_infers():
    graph, x = graph_of_x()
    graph.nodes.append(Node(graph, Neg(), (x,), (ArraySpec(None, rt.float32),), UNKNOWN))
    verify(graph)


def test_an_op_takes_its_inputs():
    graph, x = graph_of_x()
    empty = Graph("empty")
    graph.nodes.append(Node(graph, Call(empty), (x,), (), UNKNOWN))
    refuses(graph, "the op refuses its inputs: the graph `empty` takes")


def test_outputs_are_values_of_the_graph():
    graph, _ = graph_of_x()
    graph.outputs.append(graph_of_x()[1])
    refuses(graph, "output 0 is not a value of this graph")


def test_captured_inputs_come_last():
    graph, x = graph_of_x()
    graph.captures[graph_of_x()[1]] = x
    verify(graph)
    graph.input(SCALAR, "late")
    refuses(graph, "the inputs that stand for captured values must be its last")


def test_rules_hold_in_sub_graphs():
    inner, x = graph_of_x("inner")
    inner.nodes.append(Node(inner, Placeholder("y", SCALAR), (), (SCALAR,), UNKNOWN))
    inner.outputs = [x]
    graph, x = graph_of_x()
    predicate = graph.input(ArraySpec((), rt.bool), "p")
    graph.add(If(inner, inner), [predicate, x])
    refuses(graph, "the graph `inner` breaks a rule")


def test_a_body_returns_the_loop_variables():
    graph, x = graph_of_x()
    test, _ = graph_of_x("test")
    test.outputs = [test.constant(np.asarray(True))]
    body, _ = graph_of_x("body")
    body.outputs = [body.add(Cast(rt.float64), body.inputs).outputs[0]]
    graph.nodes.append(Node(graph, While(test, body), (x,), (SCALAR,), UNKNOWN))
    refuses(graph, r"a loop variable is f32\[\] before the body and f64\[\] after it")


def test_no_graph_is_inside_itself():
    graph, x = graph_of_x("endless")
    graph.outputs = [x]
    graph.nodes.append(Node(graph, Call(graph), (x,), (SCALAR,), UNKNOWN))
    refuses(graph, "the graph `endless` is inside itself")
