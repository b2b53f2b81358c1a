"""The driver of rules: to a fixpoint, in order, at the place of what is replaced."""

import numpy as np
import pytest

import runtime as rt
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.errors import GraphError, InvalidGraph
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import UNKNOWN, caller_location, located_at
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.graph.verify import verify
from runtime.ops.arithmetic import AddV2, Mul, Neg, Square
from runtime.ops.shaping import Reshape
from runtime.passes.rule import rewrite, rule, rules_of


def rewritten(text, *rules):
    after = rewrite(from_text(text), rules_of({each.name: each for each in rules}))
    verify(after)
    return after


NEGATED = """
    x: f32[?]
    a = Neg(x)
    return a
"""


@rule(Neg)
def negation_as_product(v):
    return ops.multiply(v.inputs[0], -1.0)


@rule(Mul)
def product_as_negation(v):
    return ops.negative(v.inputs[0])


@rule(Square)
def square_as_product(v):
    return ops.multiply(v.inputs[0], v.inputs[0])


def test_a_graph_in_which_no_rule_fires_is_returned_itself():
    for text in ("x: f32[]\na = Square(x)\nreturn a", "x: f32[]\na = Neg(x)\nreturn a"):
        graph = from_text(text)

        @rule(Neg)
        def never(v):
            return None

        assert rewrite(graph, rules_of({"never": never})) is graph


def test_rules_see_what_other_rules_have_made():
    @rule(Mul)
    def doubled(v):
        x, y = v.inputs
        return ops.add(x, x) if x is y else None

    @rule(AddV2)
    def sum_as_negation(v):
        return ops.negative(v.inputs[0])

    after = rewritten("x: f32[]\na = Square(x)\nreturn a", square_as_product, doubled, sum_as_negation)
    assert after.ops == ["Neg"]


def test_rules_reach_every_node_that_a_rule_makes():
    @rule(Neg)
    def fourth_power(v):
        return ops.square(ops.square(v.inputs[0]))

    assert rewritten(NEGATED, fourth_power, square_as_product).ops == ["Mul", "Mul"]


def test_rules_are_applied_in_sub_graphs():
    after = rewritten(
        """
        p: bool[]
        x: f32[]
        a = StatelessIf(p, x, then_branch=yes, else_branch=no)
            yes:
                x: f32[]
                a = Square(x)
                return a
            no:
                x: f32[]
                return x
        return a
        """,
        square_as_product,
    )
    assert after.nodes[0].op.then_branch.ops == ["Mul"]


def test_rules_that_undo_each_other_are_named():
    with pytest.raises(
        GraphError, match="`product_as_negation` and `negation_as_product` keep undoing each other"
    ):
        rewritten(NEGATED, negation_as_product, product_as_negation)


def test_a_rule_may_not_promise_less_than_what_it_replaces():
    @rule(Neg)
    def forgetful(v):
        return ops.reshape(v.inputs[0], (1, 2))

    message = r"`forgetful` replaces .*, which is f32\[2\], by a value that is f32\[1,2\]"
    with pytest.raises(InvalidGraph, match=message):
        rewritten("x: f32[2]\na = Neg(x)\nreturn a", forgetful)


def test_a_rule_that_would_make_a_node_that_must_raise_does_not_fire():
    @rule(Neg)
    def cannot_fit(v):
        return ops.reshape(v.inputs[0], (7,))

    assert rewritten("x: f32[2]\na = Neg(x)\nreturn a", cannot_fit).ops == ["Neg"]


def test_a_node_that_would_then_be_bound_to_raise_keeps_its_graph_as_it_is():
    @rule(Square)
    def exact(v):
        return ops.reshape(v.inputs[0], (2,))

    graph = from_text("""
        x: f32[?]
        a = Square(x)
        b = Reshape(a, shape=(3,))
        return b
    """)
    assert rewrite(graph, rules_of({"exact": exact})) is graph


def test_what_becomes_more_exact_makes_what_follows_more_exact():
    @rule(Square)
    def exact(v):
        return ops.reshape(v.inputs[0], (2,))

    after = rewritten("x: f32[?]\na = Square(x)\nb = Neg(a)\nreturn b", exact)
    assert after.output_specs == (ArraySpec((2,), rt.float32),)


def test_new_nodes_stand_where_the_user_wrote_the_old_one():
    builder = Builder("located")
    x = builder.input(ArraySpec((), rt.float32), "x")
    with building(builder):
        graph = builder.finish([rt.square(x).value])
    line = caller_location().line - 1
    after = rewrite(graph, rules_of({"rule": square_as_product}))
    assert [(node.location.filename, node.location.line) for node in after.nodes] == [(__file__, line)]


def test_a_location_is_inherited_only_inside():
    with located_at(UNKNOWN):
        assert caller_location() is UNKNOWN
    assert caller_location().filename == __file__


def test_patterns_match_as_deep_as_the_graph():
    @rule(Reshape)
    def deep(v):
        match v:
            case Value(Reshape((2, 2)), [Value(AddV2(), [Value(Neg(), [x]), _])]):
                return ops.reshape(x, (2, 2))
        return None

    text = "x: f32[4]\na = Neg(x)\nb = AddV2(a, x)\nc = Reshape(b, shape={})\nreturn c"
    assert "Reshape(x, shape=(2, 2))" in to_text(rewritten(text.format("(2, 2)"), deep))
    assert "Reshape(b, shape=(1, 4))" in to_text(rewritten(text.format("(1, 4)"), deep))


def test_a_rule_may_make_constants():
    @rule(Neg)
    def constant(v):
        return ops.asarray(np.zeros(2, np.float32))

    after = rewritten("x: f32[2]\na = Neg(x)\nb = Neg(x)\nreturn a, b", constant)
    assert [type(value.op).__name__ for value in after.outputs] == ["Const", "Const"]
