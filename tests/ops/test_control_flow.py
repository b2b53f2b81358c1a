"""`rt.cond`, `rt.case`, `rt.switch`, `rt.while_loop` by hand: in eager code, and staged on both executors."""

import collections

import numpy as np
import pytest

import runtime as rt
from runtime.core.structure import flatten
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.module import Module

Pair = collections.namedtuple("Pair", "first second")


def check(function, *arguments):
    """Staged, the function gives on every executor what it gives in eager code."""
    tensors = [rt.asarray(argument) for argument in arguments]
    wanted, structure = flatten(function(*tensors))
    concrete = PolymorphicFunction(function).get_concrete_function(*tensors)
    assert concrete.structured_outputs is None or flatten(concrete.structured_outputs)[1] == structure
    arrays = [np.asarray(argument) for argument in arguments]
    for executor in ("reference", "numpy"):
        for graph in (concrete.graph, concrete.optimised_graph):
            found = choose(executor).compile(Module(graph)).run(arrays)
            for one, other in zip(wanted, found, strict=True):
                assert np.array_equal(np.asarray(one), other), (executor, one, other)
    return concrete.graph


def test_cond_runs_one_branch():
    for x in (3, -3):
        graph = check(lambda x: rt.cond(x > 0, lambda: x * 2, lambda: x - 1), x)
    assert graph.ops == ["Greater", "StatelessIf"]


def test_cond_hands_out_nests():
    def f(x):
        return rt.cond(x > 0, lambda: {"a": (x, 1), "b": None}, lambda: {"a": (x + 1, 2), "b": None})

    check(f, 1)
    check(f, -1)


def test_a_number_counts_as_true_unless_it_is_zero():
    for x in (0, 2, -1):
        check(lambda x: rt.cond(x, lambda: x + 1, lambda: x - 1), x)


def test_branches_capture_what_they_use_once():
    graph = check(lambda x, y: rt.cond(x > 0, lambda: x + y + y, lambda: y), 1, 2)
    assert len(graph.nodes[-1].inputs) == 3


def test_dtypes_of_branches_are_promoted_and_python_numbers_are_weak():
    f = PolymorphicFunction(lambda x: rt.cond(x > 0, lambda: x, lambda: 0))
    assert f(rt.asarray(1, dtype=rt.int8)).dtype == rt.int8
    assert f(rt.asarray(1, dtype=rt.float32)).dtype == rt.float32
    g = PolymorphicFunction(lambda x: rt.cond(x > 0, lambda: x, lambda: 0.5))
    assert g(rt.asarray(1)).dtype == rt.float64


def test_shapes_of_branches_are_joined():
    f = PolymorphicFunction(lambda x: rt.cond(rt.sum(x) > 0, lambda: x, lambda: x[:1]))
    assert f(rt.ones(3)).shape == (3,)
    assert f(-rt.ones(3)).shape == (1,)
    assert str(f.concrete_functions[0].graph.output_specs[0]) == "f64[stateless_if.0]"


def test_branches_of_different_structure_are_refused_with_the_line():
    with pytest.raises(TypeError, match=r"(?s)what is returned.*rt\.cond\(x > 0.*if true:   \(\*, \*\)"):
        PolymorphicFunction(lambda x: rt.cond(x > 0, lambda: (x, x), lambda: x))(rt.asarray(1))


def test_branches_that_return_different_objects_are_refused():
    with pytest.raises(TypeError, match=r"(?s)different object.*'a' \(str\).*'b' \(str\)"):
        PolymorphicFunction(lambda x: rt.cond(x > 0, lambda: "a", lambda: "b"))(rt.asarray(1))


def test_a_test_of_more_than_one_element_is_ambiguous():
    for run in (lambda f: f, PolymorphicFunction):
        with pytest.raises(ValueError, match=r"truth of a tensor of shape \(2,\) is ambiguous"):
            run(lambda x: rt.cond(x > 0, lambda: 1, lambda: 2))(rt.ones(2))


def test_case_takes_the_first_that_holds():
    def f(x):
        return rt.case(
            [(x < 0, lambda: rt.asarray(-1)), (x < 10, lambda: rt.asarray(0))], lambda: rt.asarray(1)
        )

    for x in (-5, 5, 50):
        check(f, x)


def test_switch_takes_the_last_branch_where_the_index_is_outside():
    branches = [lambda: rt.asarray(10), lambda: rt.asarray(20), lambda: rt.asarray(30)]
    for index in (0, 1, 2, 7, -1):
        check(lambda i: rt.switch(i, branches), index)
        check(lambda i: rt.switch(i, branches, lambda: rt.asarray(0)), index)
    with pytest.raises(rt.errors.GraphError, match="`switch` was given no branch"):
        rt.switch(rt.asarray(0), [])


def test_while_loop_carries_nests():
    def f(n):
        def step(i, pair):
            return i + 1, Pair(pair.second, pair.first + pair.second)

        return rt.while_loop(lambda i, _: i < n, step, (0, Pair(rt.asarray(0), rt.asarray(1))))

    check(f, 0)
    graph = check(f, 10)
    assert "StatelessWhile" in graph.ops


def test_while_loop_gives_a_list_for_a_list():
    f = PolymorphicFunction(lambda n: rt.while_loop(lambda i: i < n, lambda i: i + 1, [0]))
    assert isinstance(f(rt.asarray(3)), list)
    assert isinstance(rt.while_loop(lambda i: i < 3, lambda i: i + 1, [0]), list)


def test_while_loop_widens_dtypes_and_shapes_until_they_settle():
    def f(n):
        return rt.while_loop(
            lambda i, x, y: i < n,
            lambda i, x, y: (i + 1, x / 2, rt.concat([y, y])),
            (0, 1, rt.ones(1)),
        )

    staged = PolymorphicFunction(f)
    _, x, y = staged(rt.asarray(3))
    assert (x.numpy(), y.shape) == (0.125, (8,))
    _, x, y = staged(rt.asarray(0))
    assert (x.numpy(), x.dtype, y.shape) == (1.0, rt.float64, (1,))


def test_a_promised_shape_is_kept_or_refused():
    def f(n, invariants):
        return rt.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, rt.concat([x, x])),
            (0, rt.ones(1)),
            shape_invariants=invariants,
        )

    assert PolymorphicFunction(f)(rt.asarray(2), ((), (None,)))[1].shape == (4,)
    with pytest.raises(TypeError, match=r"(?s)`loop_vars\[1\]` was promised to keep the shape \(1,\)"):
        PolymorphicFunction(f)(rt.asarray(2), ((), (1,)))
    with pytest.raises(TypeError, match=r"starts with shape \(1,\)"):
        PolymorphicFunction(f)(rt.asarray(2), ((), (7,)))


def test_a_loop_stops_after_its_maximum():
    def f(n):
        return rt.while_loop(lambda i: i < n, lambda i: i + 1, (0,), maximum_iterations=5)

    check(f, 3)
    check(f, 50)


def test_a_body_that_returns_another_number_of_variables_is_refused():
    for n in (3, rt.asarray(3)):
        with pytest.raises(TypeError, match="What it returns are the 2 variables of the next iteration"):
            PolymorphicFunction(
                lambda n: rt.while_loop(lambda i, j: i < n, lambda i, j: i + 1, (rt.asarray(0), 0))
            )(rt.asarray(n))


def test_a_variable_that_stops_being_a_tensor_is_refused():
    def f(n):
        return rt.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, "text"), (0, 1))

    with pytest.raises(TypeError, match=r"(?s)`loop_vars\[1\]` is a tensor before .*'text' \(str\)"):
        PolymorphicFunction(f)(rt.asarray(3))


def test_what_is_no_tensor_is_handed_through_a_loop():
    mode = object()

    def f(n):
        return rt.while_loop(lambda i, m: i < n, lambda i, m: (i + 1, m), (0, mode))

    i, same = PolymorphicFunction(f)(rt.asarray(3))
    assert i.numpy() == 3
    assert same is mode


def test_effects_in_branches_and_loops_run_in_order(capsys):
    def show(i):
        rt.print("turn", i)
        return i + 1

    @PolymorphicFunction
    def f(n):
        rt.print("start")
        rt.while_loop(lambda i: i < n, show, (0,))
        rt.cond(n > 1, lambda: (rt.print("many"), 0)[1], lambda: (rt.print("few"), 0)[1])
        rt.print("end")

    f(rt.asarray(2))
    assert capsys.readouterr().out.split("\n")[:-1] == ["start", "turn 0", "turn 1", "many", "end"]
    f(rt.asarray(0))
    assert capsys.readouterr().out.split("\n")[:-1] == ["start", "few", "end"]


def test_a_graph_that_needs_an_operation_twice_runs_its_effects_once(capsys):
    @PolymorphicFunction
    def f(x):
        y = rt.cond(x > 0, lambda: (rt.print("ran"), x)[1], lambda: x)
        return y + y

    f(rt.asarray(1))
    assert capsys.readouterr().out == "ran\n"
