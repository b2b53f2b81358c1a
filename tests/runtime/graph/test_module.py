"""Modules: what runs, and what it calls by name."""

import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.errors import GraphError, InvalidGraph
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.parser import from_text, module_from_text
from runtime.graph.verify import verify_module
from runtime.ops.arithmetic import Neg
from runtime.passes.pipeline import optimise

CALL = "RecursiveCall(x, function='f', takes=({takes},), gives=({gives},), does=())"


def caller(takes="f32[]", gives="f32[]"):
    return from_text(f"x: f32[]\na = {CALL.format(takes=takes, gives=gives)}\nreturn a", name="entry")


SQUARE = from_text("x: f32[]\na = Square(x)\nreturn a", name="f")


def test_a_module_never_changes():
    module = Module(caller(), {"f": SQUARE})
    with pytest.raises(AttributeError, match="a module never changes"):
        module.entry = SQUARE
    with pytest.raises(AttributeError, match="a module never changes"):
        del module.functions
    with pytest.raises(TypeError):
        module.functions["g"] = SQUARE


def test_functions_that_nothing_calls_are_left_out():
    assert dict(Module(SQUARE, {"f": SQUARE}).functions) == {}
    assert list(Module(caller(), {"g": caller(), "f": SQUARE}).functions) == ["f"]


def test_a_pass_over_one_graph_is_one_over_all_of_a_module():
    module = Module(caller(), {"f": SQUARE})
    assert module.mapped(lambda graph: graph) is module
    other = module.mapped(lambda graph: from_text(graph.text().replace("Square", "Neg"), name=graph.name))
    assert other.functions["f"].ops == ["Neg"]
    assert module.functions["f"].ops == ["Square"]


def test_the_text_of_a_module_shows_its_functions_below_the_entry():
    entry, below = Module(caller(), {"f": SQUARE}).text().split("\n\n")
    assert entry.startswith("x: f32[]\na = RecursiveCall(")
    assert below == "f:\n    x: f32[]\n    a = Square(x)\n    return a"


@pytest.mark.parametrize(
    ("takes", "gives", "functions", "rule"),
    [
        ("f32[]", "f32[]", {}, "calls `f`, which is no function of the module"),
        ("f32[]", "f32[3]", {"f": SQUARE}, r"calls `f`, which gives \(f32\[\]\)"),
        ("f32[]", "f32[]", {"f": from_text("x: f32[3]\nreturn x")}, r"which takes \(f32\[3\]\)"),
        ("f32[]", "f32[]", {"f": from_text("x: f32[]\nreturn")}, r"calls `f`, which gives \(\)"),
    ],
)
def test_what_a_call_says_is_held_against_the_function(takes, gives, functions, rule):
    with pytest.raises(InvalidGraph, match=rule):
        verify_module(Module(caller(takes, gives), functions))


def test_a_call_says_the_effects_of_the_function():
    loud = from_text("x: f32[]\nEvaluated(x)\nreturn x", name="f")
    with pytest.raises(InvalidGraph, match="which has effects that the call does not say"):
        verify_module(Module(caller(), {"f": loud}))


def test_the_reference_runs_what_was_traced_in_recursion_too(monkeypatch):
    ran = []

    @PolymorphicFunction
    def depth(n):
        unneeded = -(-n)
        del unneeded
        return rt.cond(n <= 0, lambda: 0, lambda: 1 + depth(n - 1))

    module = depth.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    monkeypatch.setattr(Neg, "kernel", lambda op, x: ran.append(op) or np.negative(x))
    assert choose("reference").compile(module).run([np.int64(3)]) == [3]
    assert len(ran) == 2 * 4, "twice in each of four calls"
    ran.clear()
    assert choose("reference").compile(optimise(module)).run([np.int64(3)]) == [3]
    assert not ran
    oracle = PolymorphicFunction(depth.python_function, executor="reference")
    assert oracle(rt.asarray(0)).numpy() == 0
    assert len(ran) == 2


def test_functions_of_one_name_are_told_apart_where_they_meet():
    def recursive(step):
        def down(n):
            return rt.cond(n <= 0, lambda: rt.asarray(0), lambda: step + again(n - 1))

        again = PolymorphicFunction(down)
        return again

    ones, tens = recursive(1), recursive(10)
    for function in (ones, tens):
        function.get_concrete_function(rt.TensorSpec((), rt.int64))  # each in a module of its own

    @PolymorphicFunction
    def both(n):
        return ones(n) + tens(n)

    module = both.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    assert list(module.functions) == ["down", "down_1"]
    verify_module(module)
    verify_module(optimise(module))
    assert both(rt.asarray(3)).numpy() == 33


def test_a_function_that_a_module_has_already_keeps_its_name():
    @PolymorphicFunction
    def down(n):
        return rt.cond(n <= 0, lambda: rt.asarray(0), lambda: 1 + down(n - 1))

    @PolymorphicFunction
    def twice(n):
        return down(n) + down(n)

    module = twice.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    assert list(module.functions) == ["down"]
    assert twice(rt.asarray(4)).numpy() == 8


@PolymorphicFunction
def factorial(n):
    return rt.cond(n > 1, lambda: n * factorial(n - 1), lambda: n)


@PolymorphicFunction
def even(n):
    return rt.cond(n < 1, lambda: rt.asarray(True), lambda: odd(n - 1))


@PolymorphicFunction
def odd(n):
    return rt.cond(n < 1, lambda: rt.asarray(False), lambda: even(n - 1))


@PolymorphicFunction
def several(n):
    rt.print("of", n)
    return factorial(n) + factorial(n + 1), even(n)


@pytest.mark.parametrize("function", [factorial, even, several], ids=["itself", "each other", "several"])
def test_a_module_is_read_back_from_its_text_and_its_bytes(function):
    module = function.get_concrete_function(rt.TensorSpec((), rt.int64)).module
    for kind in (module, optimise(module)):
        text = kind.text(longest=None)
        for again in (
            module_from_text(text, name=kind.name, objects=kind.resources),
            from_bytes(to_bytes(kind), objects=kind.resources),
            pickle.loads(pickle.dumps(kind)),
        ):
            verify_module(again)
            assert again.text(longest=None) == text
            assert list(again.functions) == list(kind.functions)
            assert digest(again) == digest(kind)
            assert [graph is again.entry for graph in again.functions.values()] == [
                graph is kind.entry for graph in kind.functions.values()
            ]
            arrays = [np.asarray(5)]
            expected = choose("reference").compile(kind).run(arrays)
            assert choose("numpy").compile(again).run(arrays) == expected


def test_the_digest_of_a_module_is_that_of_its_functions_too():
    one = digest(Module(caller(), {"f": SQUARE}))
    assert digest(Module(caller(), {"f": from_text("x: f32[]\na = Neg(x)\nreturn a", name="f")})) != one
    assert digest(Module(caller(), {"f": from_text(SQUARE.text(), name="f")})) == one


def test_functions_with_names_that_are_no_words_are_read_back():
    entry = from_text(
        "x: f32[]\na = RecursiveCall(x, function='a b', takes=(f32[],), gives=(f32[],), does=())\nreturn a"
    )
    module = Module(entry, {"a b": SQUARE})
    assert "\n'a b':\n" in module.text()
    assert list(module_from_text(module.text()).functions) == ["a b"]


@pytest.mark.parametrize(
    ("below", "why"),
    [
        ("f = g", "names a graph that no line before it has: 'g'"),
        ("f = entry\nf = entry", "names a function again: 'f'"),
        ("f:\n    x: f32[]", "ends before its `return`"),
        ("f = g: x", "goes on where it should end"),
        ("and more", "comes after the last `return`"),
    ],
)
def test_functions_that_are_none_are_refused(below, why):
    with pytest.raises(GraphError, match=why):
        module_from_text(f"x: f32[]\nreturn x\n\n{below}")


def test_a_text_of_several_graphs_is_not_one_graph():
    with pytest.raises(GraphError, match="more than one graph: f"):
        from_text(Module(caller(), {"f": SQUARE}).text())
