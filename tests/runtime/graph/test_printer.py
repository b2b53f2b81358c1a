"""Graphs as text, and back."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import GraphError
from runtime.graph.build import bind, building
from runtime.graph.graph import Graph
from runtime.graph.location import caller_location
from runtime.graph.op import REGISTRY, Const
from runtime.graph.parser import from_text
from runtime.graph.printer import printed_objects, to_text
from runtime.ops.printing import PrintV2

CONSTANTS = """\
x: f32[?,3]
y: bool[...]
z: list[i64[]]
w: list[?]
a = Const([0.0, -0.0, nan, inf, -inf], dtype=f32)
b = Const(0.1, dtype=f32)
c = Const(1e-300, dtype=f64)
d = Const(complex(0.0, -1.5), dtype=c64)
e = Const(7, dtype=u8, shape=(2, 3))
f = Const([], dtype=bool, shape=(0, 2))
g = Const([[1, 2], [3, 4]], dtype=i16)
h = Const([[True]], dtype=bool)
return a, x"""

NESTED = """\
p: bool[]
x: f32[3]
a, b = StatelessIf(p, x, then_branch=cond_true, else_branch=cond_false)
    cond_true:
        x: f32[3]
        a = Neg(x)
        return a, x
    cond_false:
        x: f32[3]
        a = Const(True, dtype=bool)
        b = StatelessIf(a, x, then_branch=same, else_branch=same)
            same:
                x: f32[3]
                return x
        return b, x
c = Cast(a, to=f64)
d = Reshape(c, shape=(3, 1))
e = StridedSlice(d, key=(0, slice(None, 1, None), None, ...))
f = Const(3, dtype=i64)
g = TensorListReserve(f, dtype=f32, element=f32[?,2])
h = TensorListReserve(f, dtype=f32, element=None)
i = TensorListGetItem(g, f, dtype=f32)
return e, b, h, i"""


@pytest.mark.parametrize("text", [CONSTANTS, NESTED], ids=["constants", "nested graphs"])
def test_text_that_is_read_prints_as_it_was(text):
    assert to_text(from_text(text)) == text


@pytest.mark.parametrize("kind", [kind for kind in REGISTRY.values() if hasattr(kind, "samples")])
def test_every_op_is_read_back_with_its_attributes(kind):
    graph = Graph("samples")
    for sample in kind.samples:
        inputs = [graph.constant(np.asarray(array)) for array in sample.arrays]
        graph.add(kind(**sample.attributes), inputs)
    text = to_text(graph, longest=None)
    again = from_text(text, objects=printed_objects(graph))
    assert to_text(again, longest=None) == text
    assert [node.op for node in again.nodes if type(node.op) is kind] == [
        node.op for node in graph.nodes if type(node.op) is kind
    ]


def test_constants_keep_their_bits():
    arrays = [
        np.array([0.1, -0.0, np.nan, np.inf, 1e-45, 3.4e38], np.float32),
        np.array(np.nextafter(1.0, 2.0)),
        np.float16([0.1, 6e-8]),
        np.array([1 + 2j, complex(-0.0, np.inf)], np.complex128),
        np.array([2**63, 2**64 - 1], np.uint64),
        np.zeros((2, 0, 3), np.int8),
        np.full((3, 2), -0.0),
    ]
    graph = Graph("constants")
    graph.outputs = [graph.constant(array) for array in arrays]
    for array, value in zip(arrays, from_text(to_text(graph)).outputs, strict=True):
        assert value.op.value.dtype == array.dtype
        assert value.op.value.shape == array.shape
        assert value.op.value.tobytes() == array.tobytes()


def test_a_long_constant_is_shortened_unless_all_of_it_is_asked_for():
    graph = Graph("long")
    graph.outputs = [graph.constant(np.arange(100))]
    assert "[0, 1, ..., 99], dtype=i64, shape=(100,)" in to_text(graph)
    with pytest.raises(GraphError, match="longest=None"):
        from_text(to_text(graph))
    whole = from_text(to_text(graph, longest=None))
    assert np.array_equal(whole.outputs[0].op.value, np.arange(100))


def test_objects_without_text_are_named_and_given_back():
    one, other = rt.Variable(1.0, name="v"), rt.Variable(2.0, name="v")
    graph = Graph("reads")
    with building(graph):
        total = one + other
        rt.print("total is", total)
    graph.outputs = [total.value]
    text = to_text(graph)
    assert "ReadVariableOp(variable=<v>)" in text
    assert "ReadVariableOp(variable=<v_1>)" in text
    again = from_text(text, objects=printed_objects(graph))
    assert to_text(again) == text
    assert [node.op.variable for node in again.nodes[:2]] == [one, other]


def test_objects_without_a_name_are_named_after_their_class_or_their_text():
    class Stream:
        pass

    class Quiet:
        def __repr__(self):
            return "quiet  <as ever>"

    graph = Graph("printing")
    with building(graph):
        for stream in (Stream(), Quiet(), len):
            bind(PrintV2("text", "\n", stream))
    text = to_text(graph)
    for name in ("Stream", "quiet as ever", "len"):
        assert f"template='text', end='\\n', stream=<{name}>" in text
    assert to_text(from_text(text, objects=printed_objects(graph))) == text


def test_comments_show_specs_and_the_users_lines():
    graph = Graph("commented")
    x = graph.input(ArraySpec((2,), rt.float32), "x", caller_location())
    with building(graph):
        graph.outputs = [rt.negative(x).value]
    line = caller_location().line - 1
    text = to_text(graph, show_specs=True, show_locations=True)
    neg = next(each for each in text.splitlines() if "Neg" in each)
    assert neg.endswith(f"# f32[2]  {__file__}:{line}")
    assert to_text(from_text(text)) == to_text(graph)


def test_labels_that_are_no_names_become_names():
    graph = Graph("labels")
    for label in ("x['a']", "x['a']", "1st", "return", ""):
        graph.input(ArraySpec((), rt.int64), label)
    assert [line.split(":")[0] for line in to_text(graph).splitlines()[:-1]] == [
        *("x_a", "x_a_1", "arg_1st", "arg_return", "arg"),
    ]


def test_letters_run_on_and_avoid_the_inputs():
    graph = Graph("letters")
    graph.input(ArraySpec((), rt.int64), "b")
    graph.outputs = [graph.add(Const(np.array(i))).outputs[0] for i in range(30)]
    names = [line.split(" ")[0] for line in to_text(graph).splitlines()[1:-1]]
    assert names[:3] == ["a", "c", "d"]
    assert names[-1] == "ae"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x: f32[3]", "ends before its `return`"),
        ("a = Nag(x)\nreturn a", "names an op that does not exist: 'Nag'"),
        ("a = Neg(x)\nreturn a", "uses a name that no line before it gives: 'x'"),
        ("x: f33[]\nreturn x", "no dtype and no sub-graph: 'f33'"),
        ("x: f32[-1]\nreturn x", "has '-1' where a dim should stand"),
        ("x: f32[]\na, b = Neg(x)\nreturn a", "names 2 results of an op that has 1"),
        ("x: f32[]\na = Cast(x, to=f64, from=i8)\nreturn a", "gives Cast attributes that it does not take"),
        ("x: f32[]\na = Neg(x) x\nreturn a", "goes on where it should end"),
        ("x: f32[]\na = Neg(x\nreturn a", r"needs ',' where it has 'its end'"),
        ("x: f32[]\na = Neg(x)!\nreturn a", "has a character with no meaning here: '!'"),
        ("x: f32[]\nreturn x\nreturn x", "comes after the last `return`"),
        ("a = ReadVariableOp(variable=<v>)\nreturn a", "speaks of an object that is not in `objects`: <v>"),
        ("a = Const(=, dtype=f32)\nreturn a", "has '=' where a value should stand"),
    ],
)
def test_text_that_is_no_graph_is_refused_with_the_line(text, why):
    with pytest.raises(GraphError, match=why):
        from_text(text)


def test_print_shows_the_graph():
    graph = from_text(NESTED)
    assert str(graph) == graph.text()
    assert "a, b = StatelessIf(p, x, then_branch=cond_true, else_branch=cond_false)  # f32[3], f32[3]" in str(
        graph
    )


@pytest.mark.parametrize(("line", "name"), [("", "StatelessIf"), ("Assert(p, message='never')", "If")])
def test_the_name_of_a_construct_says_whether_it_has_effects(line, name):
    for written in ("StatelessIf", "If"):
        graph = from_text(f"""
            p: bool[]
            {written}(p, p, then_branch=yes, else_branch=no)
                yes:
                    p: bool[]
                    {line}
                    return
                no:
                    p: bool[]
                    return
            return
        """)
        assert graph.ops == [name]
