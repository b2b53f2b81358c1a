import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError
from runtime.graph.build import bind
from runtime.graph.builder import Builder
from runtime.graph.op import REGISTRY, Op
from runtime.interchange.graphdef.writer import graph_to_graphdef


def test_nodes_are_named_after_their_ops_and_numbered(written, nodes):
    def f(x, y):
        return x * y + x * x

    assert nodes(written(f, rt.asarray(1.0), rt.asarray(2.0))) == [
        "x = Placeholder()",
        "y = Placeholder()",
        "mul = Mul(x, y)",
        "mul_1 = Mul(x, x)",
        "add = AddV2(mul, mul_1)",
        "Identity = Identity(add)",
    ]


def test_a_constant_is_written_before_its_first_user_and_named_after_it(written, nodes):
    def f(x):
        two = rt.asarray(2.0)
        return (x * two) / two, two

    assert nodes(written(f, rt.asarray(1.0)))[1:] == [
        "mul/y = Const()",
        "mul = Mul(x, mul/y)",
        "truediv = RealDiv(mul, mul/y)",
        "Identity = Identity(truediv)",
        "Identity_1 = Identity(mul/y)",
    ]


def test_a_constant_that_nobody_takes_is_left_out(nodes):
    builder = Builder("f")
    builder.constant(np.ones(3))
    graph = builder.finish([builder.constant(np.zeros(3))])
    assert nodes(graph_to_graphdef(graph)) == ["Const = Const()", "Identity = Identity(Const)"]


def test_inputs_may_be_named_by_the_caller():
    builder = Builder("f")
    graph = builder.finish([builder.input(rt.TensorSpec((None, 2), rt.float32).plain, "x")])
    (placeholder, _) = graph_to_graphdef(graph, ["my input"]).node
    assert placeholder.name == "my_input"
    assert placeholder.attr["_user_specified_name"].s == b"my input"
    assert [dim.size for dim in placeholder.attr["shape"].shape.dim] == [-1, 2]


def test_effects_wait_for_each_other_and_outputs_for_them(written, nodes):
    v = rt.Variable(1.0, name="v")

    def f(x):
        v.assign_add(x)
        before = v * 1.0
        v.assign(before)
        return before

    assert nodes(written(f, rt.asarray(2.0))) == [
        "x = Placeholder()",
        "v = Placeholder()",
        "AssignAddVariableOp = AssignAddVariableOp(v, x)",
        "ReadVariableOp = ReadVariableOp(v, ^AssignAddVariableOp)",
        "mul/y = Const()",
        "mul = Mul(ReadVariableOp, mul/y)",
        "AssignVariableOp = AssignVariableOp(v, mul, ^AssignAddVariableOp, ^ReadVariableOp)",
        "NoOp = NoOp(^AssignAddVariableOp, ^AssignVariableOp)",
        "Identity = Identity(mul, ^NoOp)",
    ]


def test_reads_alone_make_nobody_wait(written, nodes):
    v = rt.Variable(1.0, name="v")

    def f():
        return v + v

    assert nodes(written(f)) == [
        "v = Placeholder()",
        "ReadVariableOp = ReadVariableOp(v)",
        "ReadVariableOp_1 = ReadVariableOp(v)",
        "add = AddV2(ReadVariableOp, ReadVariableOp_1)",
        "Identity = Identity(add)",
    ]


def test_a_handle_says_what_it_is(written, attributes):
    v = rt.Variable([1.0, 2.0], name="weights")

    def f():
        return v.value()

    shown = attributes(written(f), "weights")
    assert shown["dtype"] == "type: DT_RESOURCE"
    assert shown["_user_specified_name"] == 's: "weights"'


def test_printed_text_is_a_template_with_a_hole_for_each_tensor(written, attributes, nodes):
    def f(x):
        rt.print("x is", x, [x, "{}"], sep="; ", end="!")

    message = written(f, rt.asarray(1.0))
    shown = attributes(message, "StringFormat")
    assert shown["template"] == """s: "x is; {_}; [{_}, \\'{}\\']" """.strip()
    assert shown["placeholder"] == 's: "{_}"'
    assert attributes(message, "PrintV2")["end"] == 's: "!"'
    assert nodes(message)[-2:] == ["PrintV2 = PrintV2(StringFormat)", "NoOp = NoOp(^PrintV2)"]


def test_a_check_of_many_elements_asks_for_all(written, nodes):
    def f(x):
        rt.check(x > 0, "positive", x)

    listed = nodes(written(f, rt.asarray([1, 2])))
    assert "All = All(Greater, Range)" in listed
    assert "Assert = Assert(All, Const_2, x)" in listed


def test_a_place_that_is_checked_when_the_graph_runs_is_asserted(written, nodes):
    def f(x, place):
        return np.insert(x, place, 5)

    listed = nodes(written(f, rt.asarray([1, 2]), rt.asarray(1)))
    assert [each.partition(" = ")[0] for each in listed if "Assert(" in each] == ["Assert"]


class Tickle(Op):
    """An op that TensorFlow has never heard of."""

    def infer(self, x):
        return x

    def kernel(self, x):
        return x


REGISTRY.pop("Tickle")


def test_an_op_without_a_form_is_refused_with_its_line(written):
    def f(x):
        return bind(Tickle(), x)  # tickled here

    with pytest.raises(
        ExportError, match=r"(?s)`Tickle`.*tickled here.*no such operation.*Express this line"
    ):
        written(f, rt.asarray(1.0))


def test_a_dtype_that_tensorflow_has_not_is_refused_with_the_line(written):
    def f(x):
        return -x  # an unsigned one

    with pytest.raises(ExportError, match=r"(?s)`Neg` of uint8.*an unsigned one.*Cast"):
        written(f, rt.asarray(np.uint8(1)))
