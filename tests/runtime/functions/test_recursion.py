"""Graph functions that call themselves: signatures in rounds, passes and executors, what is refused."""

import sys

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError, GraphError, StateDisagrees
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.op import Effects
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.graph.verify import verify_module
from runtime.ops.control_flow import RecursiveCall
from runtime.passes.pipeline import trace


@PolymorphicFunction
def factorial(n):
    return rt.cond(n <= 1, lambda: 1, lambda: n * factorial(n - 1))


def calls_in(graph):
    return [node for inner in graph.walk() for node in inner.nodes if isinstance(node.op, RecursiveCall)]


def graph_of(function, *specs):
    return function.get_concrete_function(*specs).graph


def test_the_graph_calls_itself_by_name():
    graph = graph_of(factorial, rt.TensorSpec((), rt.int64))
    (call,) = calls_in(graph)
    module = factorial.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    assert call.op.callee == "factorial"
    assert module.entry is graph
    assert dict(module.functions) == {"factorial": graph}
    verify_module(module)


def test_a_python_number_on_the_path_that_ends_takes_the_dtype_of_the_other():
    assert factorial(rt.asarray(5.0, dtype=rt.float32)).dtype is rt.float32
    assert factorial(rt.asarray(5)).numpy() == 120


def test_the_text_of_such_a_graph_is_read_back():
    graph = graph_of(factorial, rt.TensorSpec((), rt.int64))
    text = to_text(graph)
    assert "RecursiveCall(b, function='factorial', takes=(i64[],), gives=(i64[],), does=())" in text
    assert to_text(from_text(text)) == text


def test_passes_leave_valid_graphs_and_the_optimised_one_calls_itself():
    concrete = factorial.get_concrete_function(rt.TensorSpec((), rt.int64))
    trace(concrete.module)
    (call,) = calls_in(concrete.optimised_graph)
    assert concrete.optimised_module.functions[call.op.callee] is concrete.optimised_graph
    assert concrete.module.functions[call.op.callee] is concrete.graph
    verify_module(concrete.optimised_module)


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_graph_may_be_called_from_another(executor):
    @PolymorphicFunction
    def f(n):
        return factorial(n) + factorial(n + 1)

    module = f.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    (result,) = choose(executor).compile(module).run([np.int64(3)])
    assert result == 6 + 24


def test_effects_are_those_of_the_whole_function():
    log = rt.Variable(0)

    @PolymorphicFunction
    def count(n):
        def again():
            log.assign_add(1)
            return count(n - 1)

        return rt.cond(n <= 0, lambda: n, again)

    (call,) = calls_in(graph_of(count, rt.TensorSpec((), rt.int64)))
    assert call.op.effects == Effects.WRITES
    assert calls_in(graph_of(factorial, rt.TensorSpec((), rt.int64)))[0].op.effects == Effects.NONE
    count(rt.asarray(4))
    assert log.numpy() == 4


def test_what_it_captures_is_handed_on():
    @PolymorphicFunction
    def outer(x, n):
        @PolymorphicFunction
        def inner(k):
            return rt.cond(k <= 0, lambda: x, lambda: inner(k - 1) * x)

        return inner(n)

    assert outer(rt.asarray(2.0), rt.asarray(3)).numpy() == 16.0
    assert outer(rt.asarray(3.0), rt.asarray(1)).numpy() == 9.0


def test_functions_that_call_each_other_are_kept_once_both_are_known():
    @PolymorphicFunction
    def even(n):
        return rt.cond(n <= 0, lambda: True, lambda: odd(n - 1))

    @PolymorphicFunction
    def odd(n):
        return rt.cond(n <= 0, lambda: False, lambda: even(n - 1))

    assert even(rt.asarray(5)).numpy() == np.False_
    assert len(even.concrete_functions) == 1
    assert not odd.concrete_functions
    assert odd(rt.asarray(5)).numpy() == np.True_


def test_shapes_that_never_settle_become_unknown():
    @PolymorphicFunction
    def grown(x, n):
        return rt.cond(n <= 0, lambda: x, lambda: grown(rt.concat([x, x]), n - 1))

    assert grown(rt.asarray([1.0]), rt.asarray(11)).shape == (2048,)
    (concrete,) = grown.concrete_functions
    assert str(concrete.graph.input_specs[0]) == "f64[x.0]"


def test_numbers_that_never_settle_become_inputs():
    @PolymorphicFunction
    def steps(n, count):
        return rt.cond(n <= 0, lambda: count, lambda: steps(n - 1, count + 1))

    assert steps(rt.asarray(20), 0).numpy() == 20
    assert steps(rt.asarray(20), 5).numpy() == 25
    assert steps.experimental_get_tracing_count() == 1


def test_a_result_of_another_structure_is_refused():
    knows = []

    @PolymorphicFunction
    def f(n):
        rt.cond(n <= 0, lambda: n, lambda: (f(n - 1), knows.append(True), n)[-1])
        return (n,) * len(knows)

    with pytest.raises(StateDisagrees, match=r"f\(\) calls itself, and gives something else"):
        f(rt.asarray(3))


def test_a_rank_that_never_settles_becomes_unknown():
    @PolymorphicFunction
    def f(n):
        result = rt.cond(n <= 0, lambda: rt.zeros((1,)), lambda: f(n - 1))
        shape = result.static_shape
        return result if shape is None else rt.zeros((1,) * (len(shape) + 1))

    f(rt.asarray(3))
    assert f.concrete_functions[0].graph.output_specs[0].shape is None


def test_every_path_recursive_is_refused():
    @PolymorphicFunction
    def f(n):
        return rt.cond(n <= 0, lambda: f(n + 1), lambda: f(n - 1))

    with pytest.raises(GraphError, match=r"every path through f\(\) calls it again"):
        f(rt.asarray(3))


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_run_that_is_too_deep_raises_what_python_raises(executor):
    def step(n):
        return rt.cond(n == 0, lambda: n, lambda: endless(n - 2))

    endless = PolymorphicFunction(step, executor=executor)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        endless(rt.asarray(1))


def test_a_numpy_program_goes_as_deep_as_python():
    depth = sys.getrecursionlimit() // 3
    count = PolymorphicFunction(lambda n: rt.cond(n == 0, lambda: 0, lambda: 1 + count(n - 1)))
    assert count(rt.asarray(depth)).numpy() == depth


def test_tensorflow_has_no_such_functions():
    graph = graph_of(factorial, rt.TensorSpec((), rt.int64))
    with pytest.raises(ExportError, match=r"(?s)`RecursiveCall` cannot .*its functions cannot call"):
        graph.as_graph_def()


def test_a_number_that_differs_comes_in_once_a_call_was_repeated():
    traced = []

    @PolymorphicFunction
    def walk(x, k):
        traced.append(k if isinstance(k, int) else "any")

        def further():
            return rt.cond(x % 2 == 0, lambda: walk(x - 1, k), lambda: walk(x - 3, k + 1)) + k

        return rt.cond(x < 0, lambda: x, further)

    assert walk(rt.asarray(9), 0).numpy() == walk(rt.asarray(9), rt.asarray(0)).numpy()
    assert [*dict.fromkeys(traced)] == [0, "any"]


def test_numbers_have_a_graph_each_where_none_serves_all():
    weights, traced = [5, 7, 11], []

    @PolymorphicFunction
    def walk(x, k):
        traced.append(k if isinstance(k, int) else "any")
        weight = weights[k]

        def further():
            return rt.cond(x % 2 == 0, lambda: walk(x - 1, k), lambda: walk(x - 3, (k + 1) % 3)) + weight

        return rt.cond(x < 0, lambda: x, further)

    def expected(x, k):
        if x < 0:
            return x
        return (expected(x - 1, k) if x % 2 == 0 else expected(x - 3, (k + 1) % 3)) + weights[k]

    assert [walk(rt.asarray(x), 0).numpy() for x in (9, 10, -1)] == [expected(x, 0) for x in (9, 10, -1)]
    assert [*dict.fromkeys(traced)] == [0, "any", 1, 2]
