"""Graphs while they are built, and when they are finished."""

import pytest

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.graph.build import building
from runtime.graph.builder import Builder, share_captures
from runtime.graph.symbol import Symbol

SCALAR = ArraySpec((), rt.float32)


def test_a_finished_graph_never_changes():
    builder = Builder("f")
    graph = builder.finish([builder.input(SCALAR, "x")])
    for part in ("inputs", "nodes", "outputs"):
        assert type(getattr(graph, part)) is tuple
        with pytest.raises(AttributeError, match=f"cannot get another {part}"):
            setattr(graph, part, ())
        with pytest.raises(AttributeError, match=f"cannot lose {part}"):
            delattr(graph, part)
    with pytest.raises(AssertionError, match="`f` is finished"):
        builder.finish([])


def test_a_graph_has_nothing_but_its_name_until_it_is_finished():
    builder = Builder("f")
    x = Symbol(builder.input(SCALAR, "x"))
    assert x.graph is builder.graph
    assert repr(x.graph) == "<Graph f, being built>"
    assert not hasattr(x.graph, "nodes")
    assert builder.finish([x.value]) is x.graph


def test_captured_inputs_come_last_and_in_one_order():
    outer = Builder("outer")
    values = [Symbol(outer.input(SCALAR, name)) for name in "abc"]
    inside = [Builder("left", outer), Builder("right", outer)]
    left, right = inside
    own = left.input(SCALAR, "own")
    with building(left):
        rt.add(values[1], values[0])
    with building(right):
        rt.add(values[2], values[1])
    captured = share_captures(inside)
    assert [value.op.label for value in captured] == ["b", "a", "c"]
    assert left.inputs == [own, *left.captures.values()]
    assert [list(builder.captures) for builder in inside] == [captured, captured]


def test_a_constant_is_not_captured_but_made_anew():
    outer = Builder("outer")
    one = Symbol(outer.constant(rt.asarray(1.0).numpy()))
    inner = Builder("inner", outer)
    with building(inner):
        rt.negative(one)
    assert not inner.captures
    assert [node.op.name for node in inner.nodes] == ["Const", "Neg"]


def test_a_number_stays_one_in_the_graphs_inside():
    outer = Builder("outer")
    counter = outer.input(ArraySpec((), rt.int64), "i")
    outer.context.weak.add(counter)
    inner = Builder("inner", outer)
    x = Symbol(inner.input(SCALAR, "x"))
    with building(inner):
        assert (x + Symbol(counter)).dtype is rt.float32
