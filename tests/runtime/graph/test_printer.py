"""Graphs as text, and back."""

import io
import subprocess
from importlib.util import find_spec

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import GraphError
from runtime.executors.base import choose
from runtime.graph.build import bind, building
from runtime.graph.builder import Builder
from runtime.graph.location import caller_location
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Const
from runtime.graph.parser import from_text
from runtime.graph.printer import resources_of, to_text
from runtime.graph.resources import HostObject
from runtime.ops.control_flow import Call
from runtime.ops.families import Family
from runtime.ops.printing import PrintV2

CONSTANTS = """\
x: f32[x.0,3]
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
i: f32[tensor_list_get_item.0,2] = TensorListGetItem(g, f, dtype=f32)
return e, b, h, i"""


@pytest.mark.parametrize("text", [CONSTANTS, NESTED], ids=["constants", "nested graphs"])
def test_text_that_is_read_prints_as_it_was(text):
    assert to_text(from_text(text)) == text


@pytest.mark.parametrize("kind", [kind for kind in REGISTRY.values() if issubclass(kind, Family)])
def test_every_op_is_read_back_with_its_attributes(kind):
    builder = Builder("samples")
    for sample in kind.samples:
        inputs = [builder.constant(np.asarray(array)) for array in sample.arrays]
        builder.add(kind(**sample.attributes), inputs)
    graph = builder.finish([])
    text = to_text(graph, longest=None)
    again = from_text(text, objects=resources_of(graph))
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
    builder = Builder("constants")
    graph = builder.finish([builder.constant(array) for array in arrays])
    for array, value in zip(arrays, from_text(to_text(graph)).outputs, strict=True):
        assert value.op.value.dtype == array.dtype
        assert value.op.value.shape == array.shape
        assert value.op.value.tobytes() == array.tobytes()


def test_a_long_constant_is_shortened_unless_all_of_it_is_asked_for():
    builder = Builder("long")
    graph = builder.finish([builder.constant(np.arange(100))])
    assert "[0, 1, ..., 99], dtype=i64, shape=(100,)" in to_text(graph)
    with pytest.raises(GraphError, match="longest=None"):
        from_text(to_text(graph))
    whole = from_text(to_text(graph, longest=None))
    assert np.array_equal(whole.outputs[0].op.value, np.arange(100))


def test_what_lies_outside_is_declared_and_given_back():
    one, other = rt.Variable(1.0, name="v"), rt.Variable(2.0, name="v")
    builder = Builder("reads")
    with building(builder):
        total = one + other
        rt.print("total is", total)
    graph = builder.finish([total.value])
    text = to_text(graph)
    assert text.startswith("variable v: f64[]\nvariable v_1: f64[]\n")
    assert "ReadVariableOp(variable=@v)" in text
    assert "ReadVariableOp(variable=@v_1)" in text
    again = from_text(text, objects=resources_of(graph))
    assert to_text(again) == text
    assert [node.op.variable for node in again.nodes[:2]] == [one, other]


def test_objects_of_the_program_are_declared_by_name_and_given_back():
    log, again = io.StringIO(), io.StringIO()
    builder = Builder("printing")
    with building(builder):
        for stream in (HostObject("the log", log), HostObject("the log", again), HostObject("other", log)):
            bind(PrintV2("text", "\n", stream))
    graph = builder.finish([])
    text = to_text(graph)
    assert (
        text
        == """\
object the_log
object the_log_1
PrintV2(template='text', end='\\n', stream=@the_log, flush=False)
PrintV2(template='text', end='\\n', stream=@the_log_1, flush=False)
PrintV2(template='text', end='\\n', stream=@the_log, flush=False)
return"""
    )
    assert resources_of(graph) == {"the_log": HostObject("", log), "the_log_1": HostObject("", again)}
    found = from_text(text, objects={"the_log": log, "the_log_1": again})
    assert to_text(found) == text
    assert [node.op for node in found.nodes] == [node.op for node in graph.nodes]
    with pytest.raises(GraphError, match="refers to the object `the_log`, which is not here"):
        from_text(text)


def test_a_variable_that_nobody_gives_is_declared_and_the_graph_cannot_run():
    text = "variable v: f64[]\na = ReadVariableOp(variable=@v)\nreturn a"
    graph = from_text(text)
    assert to_text(graph) == text
    assert graph.output_specs == (ArraySpec((), rt.float64),)
    with pytest.raises(GraphError, match="refers to the variable `v`, which is not here"):
        choose("reference").compile(Module(graph)).run([])
    given = from_text(text, objects={"v": rt.Variable(2.5)})
    assert choose("reference").compile(Module(given)).run([]) == [2.5]


def test_what_is_given_is_what_is_declared():
    text = "variable v: f64[]\na = ReadVariableOp(variable=@v)\nreturn a"
    for given in (rt.Variable(1), rt.Variable([1.0]), object()):
        with pytest.raises(GraphError, match="declares something else than what is given"):
            from_text(text, objects={"v": given})


def test_a_graph_that_several_nodes_hold_stands_in_the_text_once():
    inner = from_text("x: f32[]\na = Neg(x)\nreturn a", name="inner")
    builder = Builder("outer")
    x = builder.input(ArraySpec((), rt.float32), "x")
    for _ in range(3):
        x = builder.add(Call(inner), [x]).outputs[0]
    graph = builder.finish([x])
    text = to_text(graph)
    assert text.count("Neg") == 1
    again = from_text(text)
    assert to_text(again) == text
    assert len({node.op.graph for node in again.nodes}) == 1


def test_the_bits_of_every_constant_survive():
    arrays = [
        np.array([0x7FC00001, 0xFFC00000, 0x7F800001, 0x80000000], np.uint32).view(np.float32),
        np.array([0x7FF8000000000001, 0xFFF8000000000000], np.uint64).view(np.float64),
        np.array([0xFE00, 0x8000, 0x0001], np.uint16).view(np.float16),
        np.full((2, 3), np.array(0xFFF8000000000000, np.uint64).view(np.float64)),
        np.array([complex(np.nan, -0.0), complex(-0.0, -np.nan)], np.complex64),
        np.array(0x7FC00001, np.uint32).view(np.float32),
    ]
    if find_spec("ml_dtypes"):
        arrays.append(np.arange(65536, dtype=np.uint16).view(rt.bfloat16.numpy))
    builder = Builder("constants")
    graph = builder.finish([builder.constant(array) for array in arrays])
    for array, value in zip(arrays, from_text(to_text(graph, longest=None)).outputs, strict=True):
        found = value.op.value
        assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_classes_are_found_among_those_that_are_loaded_and_no_others_are_made():
    call = "Try(cell, body=body, kinds=({},), specs=(), rows=())"
    text = f"cell: cell\na, b = {call}\n    body:\n        return\nreturn a"
    for name in ("ValueError", "runtime.errors:ShapeError"):
        graph = from_text(text.format(f"class('{name}')"))
        assert to_text(graph) == text.format(f"class('{name}')")
    for name in ("no.such.module:Error", "NoSuchError"):
        with pytest.raises(GraphError, match="a class that the program has not loaded"):
            from_text(text.format(f"class('{name}')"))
    with pytest.raises(GraphError, match="neither an exception nor a container"):
        from_text(text.format(f"class('subprocess:{subprocess.Popen.__name__}')"))


def test_comments_show_specs_and_the_users_lines():
    builder = Builder("commented")
    x = builder.input(ArraySpec((2,), rt.float32), "x", caller_location())
    with building(builder):
        graph = builder.finish([rt.negative(x).value])
    line = caller_location().line - 1
    text = to_text(graph, show_specs=True, show_locations=True)
    neg = next(each for each in text.splitlines() if "Neg" in each)
    assert neg.endswith(f"# f32[2]  {__file__}:{line}")
    assert to_text(from_text(text)) == to_text(graph)


def test_labels_that_are_no_names_become_names():
    builder = Builder("labels")
    for label in ("x['a']", "x['a']", "1st", "return", ""):
        builder.input(ArraySpec((), rt.int64), label)
    assert [line.split(":")[0] for line in to_text(builder.finish([])).splitlines()[:-1]] == [
        *("x_a", "x_a_1", "arg_1st", "arg_return", "arg"),
    ]


def test_letters_run_on_and_avoid_the_inputs():
    builder = Builder("letters")
    builder.input(ArraySpec((), rt.int64), "b")
    graph = builder.finish([builder.add(Const(np.array(i))).outputs[0] for i in range(30)])
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
        (
            "a = ReadVariableOp(variable=@v)\nreturn a",
            "speaks of what nobody has declared, and is not in `objects`: @v",
        ),
        ("a = Const(=, dtype=f32)\nreturn a", "has '=' where a value should stand"),
        ("x: f32[]\na = Cast(x, to='\\x')\nreturn a", "has no text where one should stand"),
        (
            "x: f32[3]\na = StridedSlice(x, key=(slice(0, 3, 0),))\nreturn a",
            "has an op that refuses its inputs: slice step cannot be zero",
        ),
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
