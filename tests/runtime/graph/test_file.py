"""Graphs as bytes, their digests, and copies of them."""

import copy
import hashlib
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.errors import Error, GraphError
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.graph.parser import module_from_text
from runtime.graph.printer import resources_of, to_text
from runtime.ops.families import Family


def same(one, other):
    """Whether two graphs are alike in all that a file holds."""
    assert to_text(one, longest=None) == to_text(other, longest=None)
    assert digest(Module(one)) == digest(Module(other))
    assert to_bytes(Module(one)) == to_bytes(Module(other))
    return True


def again(graph, **objects):
    """A graph that was written and read."""
    return from_bytes(to_bytes(Module(graph)), objects=objects).entry


def example():
    """A graph with a branch, a constant, an effect and a variable."""
    variable = rt.Variable([1.0, 2.0], name="total")

    @PolymorphicFunction
    def f(x, limit):
        y = rt.cond(rt.sum(x) > limit, lambda: x * np.array([0.5, np.nan]), lambda: -x)
        rt.print("y is", y)
        variable.assign_add(y)
        return y + variable

    return f.get_concrete_function(rt.asarray([3.0, 4.0]), 5.0).graph, variable


@pytest.mark.parametrize("kind", [kind for kind in REGISTRY.values() if issubclass(kind, Family)])
def test_every_op_survives_as_bytes(kind):
    builder = Builder("samples")
    for sample in kind.samples:
        inputs = [builder.constant(np.asarray(array)) for array in sample.arrays]
        builder.add(kind(**sample.attributes), inputs)
    graph = builder.finish([])
    assert same(graph, again(graph, **resources_of(graph)))


def test_locations_labels_and_names_survive_as_bytes():
    graph, variable = example()
    found = again(graph, total=variable)
    assert same(graph, found)
    for one, other in zip(graph.walk(), found.walk(), strict=True):
        assert one.name == other.name
        assert [value.op for value in one.inputs] == [value.op for value in other.inputs]
        assert [node.location for node in one.nodes] == [node.location for node in other.nodes]
    assert found.nodes[0].location.filename == __file__


def test_labels_that_are_no_names_survive_as_bytes():
    builder = Builder("the graph's name")
    for label in ("x['a']", "x['a']", "1st", "\udc80", ""):
        builder.input(ArraySpec((), rt.int64), label)
    graph = builder.finish([])
    found = again(graph)
    assert found.name == graph.name
    assert [value.op for value in found.inputs] == [value.op for value in graph.inputs]


def test_a_pickled_graph_runs_with_variables_of_its_own():
    graph, variable = example()
    other, own = pickle.loads(pickle.dumps((graph, variable)))
    assert to_text(other) == to_text(graph)
    arrays = [np.array([3.0, 4.0]), np.array(5.0)][: len(graph.inputs)]
    expected = choose("reference").compile(Module(graph)).run(arrays)[0]
    np.testing.assert_array_equal(choose("numpy").compile(Module(other)).run(arrays)[0], expected)
    np.testing.assert_array_equal(own.numpy(), variable.numpy())
    variable.assign([0.0, 0.0])
    assert not np.array_equal(own.numpy(), variable.numpy(), equal_nan=True)


def test_a_copy_of_a_graph_is_the_graph():
    graph, _ = example()
    assert copy.copy(graph) is copy.deepcopy(graph) is graph
    module = Module(graph)
    assert copy.copy(module) is copy.deepcopy(module) is module


def test_the_digest_says_whether_two_graphs_do_the_same():
    text = "x: f32[3]\na = Const(2.0, dtype=f32)\nb = Mul(x, a)\nreturn b"
    one = digest(module_from_text(text))
    assert digest(module_from_text(text)) == one
    changes = [("2.0", "3.0"), ("Mul", "AddV2"), ("f32[3]", "f32[?]"), ("return b", "return b, x")]
    others = {digest(module_from_text(text.replace(*change))) for change in changes}
    assert len({one, *others}) == 5
    zeros = [module_from_text(f"a = Const({zero}, dtype=f64)\nreturn a") for zero in ("0.0", "-0.0")]
    assert digest(zeros[0]) != digest(zeros[1])


def test_the_digest_does_not_depend_on_what_lies_outside():
    def graph(name):
        made = Builder("reads")
        with building(made):
            made = made.finish([rt.Variable(1.0, name=name).read_value().value])
        return made

    assert digest(Module(graph("v"))) == digest(Module(graph("w")))


_PROGRAM = """
import numpy as np, runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.file import digest, from_bytes, to_bytes
class Error(Exception): pass
v = rt.Variable([1.0, 2.0])
@PolymorphicFunction
def f(x, options):
    y = rt.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * options["by"]), (0, x))[1]
    rt.print("y is", {"y": y, "of": [y, 1]})
    v.assign_add(y)
    return rt.random.uniform((2,)) + rt.sum(y, axis=0) + v
module = f.get_concrete_function(rt.asarray([3.0, 4.0]), {"by": 2.0, "to": 3}).module
print(digest(module), digest(from_bytes(to_bytes(module))))
"""


def test_the_digest_is_the_same_in_every_process():
    found = set()
    for seed in ("0", "1", "12345"):
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            check=True,
            capture_output=True,
            encoding="utf-8",
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        )
        found.update(run.stdout.split())
    assert len(found) == 1


WHOLE = to_bytes(module_from_text("x: f32[2]\na = Const([1.0, 2.0], dtype=f32)\nb = Mul(x, a)\nreturn b"))


@given(st.integers(0, len(WHOLE) - 1))
def test_bytes_that_were_cut_short_are_refused(length):
    with pytest.raises(GraphError, match=r"no graph|cut short"):
        from_bytes(WHOLE[:length])


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_damaged_bytes_are_refused(place, change):
    damaged = bytearray(WHOLE)
    damaged[place] ^= change
    with pytest.raises(GraphError, match=r"no graph|cut short|damaged|version"):
        from_bytes(bytes(damaged))


def sealed(header, arrays=b""):
    """Bytes with a checksum that is right, whatever they say."""
    rest = header + arrays
    return WHOLE[:10] + len(header).to_bytes(8, "little") + hashlib.sha256(rest).digest() + rest


HEADER = json.loads(WHOLE[50 : 50 + int.from_bytes(WHOLE[10:18], "little")])
_JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


@given(st.sampled_from(list(HEADER)), _JSON)
def test_bytes_that_are_whole_and_no_graph_are_refused(key, value):
    changed = json.dumps(HEADER | {key: value}).encode()
    try:
        graph = from_bytes(sealed(changed, WHOLE[-8:])).entry
    except Error as error:
        assert isinstance(error, GraphError)
    else:
        assert len(graph.inputs) == 1  # what is beside the text may be left out


@given(st.integers(0, len(HEADER["text"]) - 1), st.sampled_from([*"(),=:@'\n0x-?[]"]), st.booleans())
def test_a_text_that_was_changed_is_refused_or_is_another_graph(place, character, is_added):
    text = HEADER["text"]
    changed = text[:place] + character + text[place + (not is_added) :]
    try:
        module = from_bytes(sealed(json.dumps(HEADER | {"text": changed}).encode(), WHOLE[-8:]))
    except Error:
        return
    assert module.text()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "are no graph"),
        (b"PK\x03\x04 and more", "are no graph"),
        (WHOLE[:8] + b"\x02" + WHOLE[9:], "version 2 of the format"),
        (sealed(b"{"), "a header that is no JSON"),
        (sealed(b"[]"), "a header that is no object"),
        (sealed(b"{}"), "hold what is no graph"),
    ],
)
def test_what_is_no_graph_is_refused_with_the_reason(data, why):
    with pytest.raises(GraphError, match=why):
        from_bytes(data)
