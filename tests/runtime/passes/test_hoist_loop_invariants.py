"""What leaves a loop is computed once, and warns only where the loop would have."""

import numpy as np
import pytest

import runtime as rt
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.passes.pipeline import optimise

LOOP = """
    n: i64[]
    k: f64[]
    i = Const(0, dtype=i64)
    s = Const(0.0, dtype=f64)
    a, b = StatelessWhile(i, s, n, k, cond=test, body=step)
        test:
            i: i64[]
            s: f64[]
            n: i64[]
            k: f64[]
            a = Less(i, n)
            return a
        step:
            i: i64[]
            s: f64[]
            n: i64[]
            k: f64[]
            a = Const(1, dtype=i64)
            b = AddV2(i, a)
            c = Log(k)
            d = AddV2(s, c)
            return b, d
    return b
"""


def ops(graph):
    return [node.op.name for inner in graph.walk() for node in inner.nodes]


def run(graph, n, k):
    return choose("numpy").compile(Module(graph)).run([np.int64(n), np.float64(k)])[0]


def test_what_may_warn_is_computed_once_and_not_at_all_where_the_body_never_runs():
    graph = optimise(Module(from_text(LOOP))).entry
    loop = next(node for node in graph.nodes if node.op.name == "StatelessWhile")
    assert "Log" not in [node.op.name for region in loop.op.regions for node in region.graph.nodes]
    assert run(graph, 0, -1.0) == 0.0  # warnings are errors here
    with pytest.warns(RuntimeWarning, match="invalid value"):
        assert np.isnan(run(graph, 2, -1.0))
    assert run(graph, 3, 1.0) == 0.0


def test_where_the_loop_surely_runs_no_branch_is_left():
    graph = optimise(
        Module(
            from_text(
                LOOP.replace("n: i64[]\n    k: f64[]\n    i", "n: i64[]\n    k: f64[]\n    i").replace(
                    "a = Less(i, n)", "c = Const(3, dtype=i64)\n            a = Less(i, c)"
                )
            )
        )
    ).entry
    assert "StatelessIf" not in ops(graph)
    assert run(graph, 0, 1.0) == 0.0


def test_what_warns_in_a_loop_inside_of_a_loop_leaves_both():
    def f(n, m, k):
        def inner(s):
            return rt.while_loop(lambda j, t: j < m, lambda j, t: (j + 1, t + rt.log(k)), (0, s))[1]

        return rt.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, inner(s)), (0, 0.0))[1]

    count, number = rt.TensorSpec((), rt.int64), rt.TensorSpec((), rt.float64)
    graph = optimise(Module(PolymorphicFunction(f).get_concrete_function(count, count, number).graph)).entry
    loop = next(node for node in graph.nodes if node.op.name == "StatelessWhile")
    assert "Log" not in [
        node.op.name for region in loop.op.regions for each in region.graph.walk() for node in each.nodes
    ]


def test_what_raises_stays_in_the_body():
    text = LOOP.replace(
        "c = Log(k)", "e = Const(2, dtype=i64)\n            f = Pow(e, n)\n            c = Cast(f, to=f64)"
    )
    graph = optimise(Module(from_text(text))).entry
    assert run(graph, -1, 1.0) == 0.0
    assert run(graph, 1, 1.0) == 2.0


def test_a_test_that_runs_in_front_of_the_loop_too_gives_its_lengths_other_names():
    def f(x, k):
        def goes_on(k, _):
            return rt.sum(x[x > k]) > 1.0

        return rt.while_loop(goes_on, lambda k, s: (k + 1.0, s + rt.log(x[0])), (k, 0.0))[1]

    vector, number = rt.TensorSpec((3,), rt.float64), rt.TensorSpec((), rt.float64)
    module = optimise(Module(PolymorphicFunction(f).get_concrete_function(vector, number).graph))
    assert "StatelessIf" in ops(module.entry)
    masks = [
        node.specs for inner in module.entry.walk() for node in inner.nodes if node.op.name == "BooleanMask"
    ]
    assert len(set(masks)) == len(masks) == 2
    assert choose("reference").compile(module).run([np.array([1.0, 2.0, 3.0]), np.float64(0.0)]) == [0.0]
