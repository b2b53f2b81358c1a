"""The reference runs every op through its kernel, and holds the kernel to what the graph says."""

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec
from runtime.core.dims import UNKNOWN
from runtime.errors import GraphError
from runtime.executors.base import choose
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Op
from tests.runtime.executors.tracing import traced

FLOAT = ArraySpec((), rt.float64)


def run(graph, *arrays):
    return choose("reference").compile(Module(graph)).run(list(arrays))


def test_branches_loops_and_calls_run_recursively():
    def triangle(n):
        def body(i, total):
            return i + 1, rt.cond(i % 2 == 0, lambda: total + i, lambda: total)

        return rt.while_loop(lambda i, total: i <= n, body, (0, 0))[1]

    assert run(traced(triangle, ArraySpec((), rt.int64)), np.asarray(9)) == [20]


def test_a_kernel_that_breaks_the_promise_of_infer_is_reported():
    class Lying(Op):
        def infer(self, x):
            return x

        def kernel(self, x):
            return np.asarray(x, np.float32)

    del REGISTRY["Lying"]
    builder = Builder("f")
    x = builder.input(FLOAT, "x")
    graph = builder.finish([builder.add(Lying(), [x]).outputs[0]])
    with pytest.raises(GraphError, match=r"kernel of Lying returned float32\[\], but the graph says f64\[\]"):
        run(graph, np.asarray(1.0))


def test_an_error_keeps_its_type_and_gains_the_line():
    def second(x, i):
        return x[i]

    graph = traced(second, ArraySpec((UNKNOWN,), rt.float64), ArraySpec((), rt.int64))
    with pytest.raises(IndexError) as caught:
        run(graph, np.ones(2), np.asarray(5))
    assert "test_reference.py" in str(caught.value)
    assert "return x[i]" in str(caught.value)
