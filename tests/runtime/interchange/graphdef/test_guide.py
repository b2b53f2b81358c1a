"""The graph that the guide prints for `simple_relu` has the same nodes here, under the same names."""

import numpy as np
import pytest

import runtime as rt


@pytest.fixture
def message(written):
    def simple_relu(x):
        return rt.cond(rt.greater(x, 0), lambda: (True, x), lambda: (True, 0))[1]

    return written(simple_relu, rt.asarray(np.int32(1)))


def test_the_nodes_are_those_of_the_guide(message, nodes):
    assert nodes(message) == [
        "x = Placeholder()",
        "Greater/y = Const()",
        "Greater = Greater(x, Greater/y)",
        "cond = StatelessIf(Greater, x)",
        "cond/Identity = Identity(cond)",
        "cond/Identity_1 = Identity(cond:1)",
        "Identity = Identity(cond/Identity_1)",
    ]


def test_the_attributes_are_those_of_the_guide(message, attributes):
    assert attributes(message, "x") == {
        "_user_specified_name": 's: "x"',
        "dtype": "type: DT_INT32",
        "shape": "shape { }",
    }
    assert attributes(message, "Greater/y") == {
        "dtype": "type: DT_INT32",
        "value": "tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 }",
    }
    assert attributes(message, "Greater") == {"T": "type: DT_INT32"}
    assert attributes(message, "cond") == {
        "Tcond": "type: DT_BOOL",
        "Tin": "list { type: DT_INT32 }",
        "Tout": "list { type: DT_BOOL type: DT_INT32 }",
        "_lower_using_switch_merge": "b: true",
        "_read_only_resource_inputs": "list { }",
        "else_branch": 'func { name: "cond_false_N" }',
        "output_shapes": "list { shape { } shape { } }",
        "then_branch": 'func { name: "cond_true_N" }',
    }
    assert attributes(message, "cond/Identity") == {"T": "type: DT_BOOL"}
    assert attributes(message, "Identity") == {"T": "type: DT_INT32"}


def test_the_branches_are_functions_signed_as_in_the_guide(message, functions):
    then, orelse = functions(message)["cond_true_N"], functions(message)["cond_false_N"]
    assert list(functions(message)) == ["cond_false_N", "cond_true_N"]
    assert [argument.name for argument in then.signature.input_arg] == ["cond_identity_1_x"]
    assert [argument.name for argument in orelse.signature.input_arg] == ["cond_placeholder"]
    for function in (then, orelse):
        results = [result.name for result in function.signature.output_arg]
        assert results == ["cond_identity", "cond_identity_1"]
        assert dict(function.ret) == {
            "cond_identity": "cond/Identity:output:0",
            "cond_identity_1": "cond/Identity_1:output:0",
        }
        assert function.attr["_construction_context"].s == b"kEagerRuntime"
        assert len(function.arg_attr[0].attr["_output_shapes"].list.shape) == 1
        assert not function.signature.is_stateful


def test_the_branches_hold_the_nodes_of_the_guide(message, functions, nodes):
    assert nodes(functions(message)["cond_true_N"]) == [
        "cond/Const = Const()",
        "cond/Identity = Identity(cond/Const:output:0)",
        "cond/Identity_1 = Identity(cond_identity_1_x)",
    ]
    assert nodes(functions(message)["cond_false_N"]) == [
        "cond/Const = Const()",
        "cond/Identity = Identity(cond/Const:output:0)",
        "cond/Const_1 = Const()",
        "cond/Identity_1 = Identity(cond/Const_1:output:0)",
    ]


def test_the_text_begins_and_ends_as_in_the_guide(message):
    lines = str(message).split("\n")
    assert lines[:7] == [
        "node {",
        '  name: "x"',
        '  op: "Placeholder"',
        "  attr {",
        '    key: "_user_specified_name"',
        "    value {",
        '      s: "x"',
    ]
    assert lines[-5:] == ["versions {", "  producer: 1286", "  min_consumer: 12", "}", ""]


def test_the_same_function_gives_the_same_bytes(message, written):
    def simple_relu(x):
        return rt.cond(rt.greater(x, 0), lambda: (True, x), lambda: (True, 0))[1]

    again = written(simple_relu, rt.asarray(np.int32(-7)))
    assert again == message
    assert again.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)
