import re

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.location import UNKNOWN
from runtime.interchange.graphdef.writer import graph_to_graphdef
from runtime.ops.control_flow import Call


def sum_to(n):
    return rt.while_loop(lambda i, total: i < n, lambda i, total: (i + 1, total + i), (0, rt.asarray(0)))[1]


def test_a_loop_starts_with_a_counter_and_a_limit(written, nodes):
    assert nodes(written(sum_to, rt.asarray(3))) == [
        "n = Placeholder()",
        "while/loop_counter = Const()",
        "while/maximum_iterations = Const()",
        "Const = Const()",
        "Const_1 = Const()",
        "while = StatelessWhile(while/loop_counter, while/maximum_iterations, Const, Const_1, n)",
        "Identity = Identity(while:3)",
    ]


def test_the_attributes_of_a_loop(written, attributes):
    shown = attributes(written(sum_to, rt.asarray(3)), "while")
    assert shown["T"] == "list { type: DT_INT32 type: DT_INT32" + " type: DT_INT64" * 3 + " }"
    assert shown["body"] == 'func { name: "while_body_N" }'
    assert shown["cond"] == 'func { name: "while_cond_N" }'
    assert shown["output_shapes"].count("shape { }") == 5
    assert shown["parallel_iterations"] == "i: 10"


def test_a_body_counts_and_hands_on_what_it_captures(written, functions, nodes):
    body = functions(written(sum_to, rt.asarray(3)))["while_body_N"]
    names = [argument.name for argument in body.signature.input_arg]
    assert names[:4] == [
        "while_while_loop_counter",
        "while_while_maximum_iterations",
        "while_placeholder",
        "while_placeholder_1",
    ]
    assert "while/add_2 = AddV2(while_while_loop_counter, while/add_2/y:output:0)" in nodes(body)
    results = [result.name for result in body.signature.output_arg]
    assert body.ret[results[0]] == "while/Identity:output:0"
    assert "while/Identity = Identity(while/add_2:z:0)" in nodes(body)
    assert body.ret[results[4]] == names[4]
    assert len(names) == len(results) == 5


def test_a_test_returns_one_bool(written, functions, nodes):
    test = functions(written(sum_to, rt.asarray(3)))["while_cond_N"]
    assert [argument.name for argument in test.signature.input_arg][-1] == "while_less_n"
    assert nodes(test) == [
        "while/Less = Less(while_placeholder, while_less_n)",
        "while/Identity = Identity(while/Less:z:0)",
    ]


def test_structures_nest_in_names(written, functions):
    def f(x):
        def step(i, y):
            return i + 1, rt.cond(y > x, lambda: y, lambda: rt.cond(i > 2, lambda: y + 1.0, lambda: y * x))

        return rt.while_loop(lambda i, y: i < 5, step, (0, x))[1]

    names = functions(written(f, rt.asarray(1.0)))
    assert set(names) == {
        "while_body_N",
        "while_cond_N",
        "while_cond_true_N",
        "while_cond_false_N",
        "while_cond_cond_true_N",
        "while_cond_cond_false_N",
    }
    inner = names["while_cond_cond_false_N"]
    assert any(node.name == "while/cond/cond/mul" for node in inner.node_def)


def test_variables_are_handed_down(written, functions, nodes):
    v, w = rt.Variable(1.0, name="v"), rt.Variable(2.0, name="w")

    def f(x):
        def bump():
            w.assign_add(x)
            return w.value()

        return rt.cond(x > 0.0, lambda: v.value(), bump)

    message = written(f, rt.asarray(1.0))
    (line,) = [line for line in nodes(message) if line.startswith("cond = ")]
    assert line == "cond = If(Greater, x, v, w)"
    for function in functions(message).values():
        kinds = [argument.type for argument in function.signature.input_arg]
        assert len(kinds) == 3
        assert kinds[1] == kinds[2] != kinds[0]
        assert [len(argument.handle_data) for argument in function.signature.input_arg] == [0, 1, 1]
    orelse = functions(message)["cond_false_N"]
    assert orelse.signature.is_stateful
    assert list(orelse.signature.control_output) == ["cond/AssignAddVariableOp"]
    assert dict(orelse.control_ret) == {"cond/AssignAddVariableOp": "cond/AssignAddVariableOp"}
    assert nodes(orelse)[-2:] == [
        "cond/NoOp = NoOp(^cond/AssignAddVariableOp)",
        "cond/Identity = Identity(cond/ReadVariableOp:value:0, ^cond/NoOp)",
    ]


def test_a_called_function_is_written_once(written, functions, nodes):
    @PolymorphicFunction
    def inner(x):
        return x * x

    def outer(x):
        return inner(inner(x))

    message = written(outer, rt.asarray(2.0))
    assert list(functions(message)) == ["__inference_inner_N"]
    calls = [line for line in nodes(message) if " = PartitionedCall" in line]
    assert calls == [
        "PartitionedCall = PartitionedCall(x)",
        "PartitionedCall_1 = PartitionedCall(PartitionedCall)",
    ]
    (function,) = message.library.function
    assert [argument.name for argument in function.signature.input_arg] == ["x"]


def test_a_name_belongs_to_one_content(written):
    def f(x):
        return rt.cond(x > 0, lambda: x + 1, lambda: x)

    def g(x):
        return rt.cond(x > 0, lambda: x + 2, lambda: x)

    def names(message):
        return {function.signature.name for function in message.library.function}

    ints, others = names(written(f, rt.asarray(1))), names(written(g, rt.asarray(1)))
    assert len(ints & others) == 1
    assert names(written(f, rt.asarray(1))) == ints
    assert not ints & names(written(f, rt.asarray(np.float32(1))))


def test_a_graph_that_calls_itself_is_refused():
    builder = Builder("endless")
    x = builder.input(rt.ArraySpec((), rt.float32), "x")
    node = Node(builder.graph, Call(builder.graph), (x,), (x.spec,), UNKNOWN)
    builder.nodes.append(node)
    graph = builder.finish(node.outputs)
    with pytest.raises(ExportError, match=re.escape("`endless` calls itself")):
        graph_to_graphdef(graph)
