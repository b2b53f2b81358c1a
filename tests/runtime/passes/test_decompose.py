"""Every op on its samples, and random graphs: written in core ops, they give the same bits."""

import numpy as np
import pytest
from hypothesis import given

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph
from runtime.graph.op import REGISTRY
from runtime.graph.parser import from_text
from runtime.graph.printer import resources_of, to_text
from runtime.graph.verify import verify
from runtime.passes.decompose import decompose, is_core
from tests.runtime.executors.random_graphs import cases
from tests.runtime.passes.equivalence import assert_same, outcome

SAMPLED = [kind for kind in REGISTRY.values() if hasattr(kind, "samples")]


def samples_of(kind):
    for sample in kind.samples:
        yield kind(**sample.attributes), [np.asarray(array) for array in sample.arrays]


def graph_of(op, arrays, shape_of):
    graph = Graph("sample")
    for array in arrays:
        graph.input(ArraySpec(shape_of(array), rt.as_dtype(array.dtype)), "x")
    graph.outputs = list(graph.add(op, graph.inputs).outputs)
    return graph


HIDDEN = [lambda array: array.shape, lambda array: (None,) * array.ndim, lambda _: None]
"""What is known of a shape: all of it, the number of axes, nothing."""


@pytest.mark.parametrize("kind", SAMPLED)
def test_an_op_written_in_core_ops_gives_the_same_bits(kind):
    for number, (op, arrays) in enumerate(samples_of(kind)):
        for shape_of in HIDDEN if number % 6 == 0 else HIDDEN[:1]:
            graph = graph_of(op, arrays, shape_of)
            core = decompose(graph)
            assert is_core(core)
            verify(core)
            if not op.effects:
                assert outcome(core, arrays) == outcome(graph, arrays)
            if number == 0:
                text = to_text(core)
                assert to_text(from_text(text, objects=resources_of(core))) == text


@given(cases())
def test_a_random_graph_written_in_core_ops_gives_the_same_bits(case):
    core = decompose(case.graph)
    assert is_core(core)
    verify(core)
    assert_same(case.graph, core)


def test_graphs_inside_are_written_in_core_ops_too():
    graph = from_text(
        """
        n: i64[]
        x: f32[?]
        a = Const(0, dtype=i64)
        b = Less(n, a)
        c = If(b, x, then_branch=then, else_branch=orelse)
            then:
                x: f32[?]
                a = Softmax(x)
                return a
            orelse:
                x: f32[?]
                return x
        return c
        """
    )
    core = decompose(graph)
    assert is_core(core)
    assert not is_core(graph)
