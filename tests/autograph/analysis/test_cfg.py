import ast
import textwrap

import pytest

from autograph.analysis.cfg import ControlFlow
from autograph.analysis.manager import Analyses
from autograph.source.unparse import unparse


def graph_of(text):
    function = ast.parse("def f():\n" + textwrap.indent(textwrap.dedent(text), "    ")).body[0]
    return Analyses(function).get(ControlFlow).graph(function)


def label(node):
    if node.tree is None:
        return node.kind
    tree = node.tree.context_expr if isinstance(node.tree, ast.withitem) else node.tree
    text = unparse(tree)
    return f"{node.kind} {text}" if node.kind in {"bind", "unbind", "leave"} else text


def edges(text, kind="successors"):
    graph = graph_of(text)
    return {
        f"{label(node)} -> {label(following)}" for node in graph.nodes for following in getattr(node, kind)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "entry -> a, a -> b, b -> exit"),
        ("if t: a\nb", "entry -> t, t -> a, t -> b, a -> b, b -> exit"),
        ("if t: a\nelse: b\nc", "entry -> t, t -> a, t -> b, a -> c, b -> c, c -> exit"),
        ("while t: a\nb", "entry -> loop, loop -> t, t -> a, a -> t, t -> b, b -> exit"),
        ("while t: a\nelse: b\nc", "entry -> loop, loop -> t, t -> a, a -> t, t -> b, b -> c, c -> exit"),
        (
            "while t:\n    if u: break\n    a\nelse: b",
            "entry -> loop, loop -> t, t -> u, u -> break, u -> a, a -> t, t -> b, b -> exit, break -> exit",
        ),
        (
            "while t:\n    continue\n    a",
            "entry -> loop, loop -> t, t -> continue, continue -> t, a -> t, t -> exit",
        ),
        ("while True: a\nb", "entry -> loop, loop -> True, True -> a, a -> True, b -> exit"),
        (
            "for x in y: a\nelse: b",
            "entry -> y, y -> next, next -> bind x, bind x -> a, a -> next, next -> b, b -> exit",
        ),
        (
            "match x:\n    case _ if g: a",
            "entry -> x, x -> _, _ -> bind _, bind _ -> g, g -> a, g -> exit, a -> exit",
        ),
        ("return\na", "entry -> return, return -> exit, a -> exit"),
        ("raise a\nb", "entry -> raise a, b -> exit"),
        ("with a as b: c\nd", "entry -> a, a -> c, c -> leave, leave -> d, d -> exit"),
        (
            "match x:\n    case 1: a\n    case y: a",
            "entry -> x, x -> 1, 1 -> bind 1, 1 -> y, y -> bind y, bind 1 -> a, bind y -> a, a -> exit",
        ),
        (
            "try: a\nexcept E as e: b\nelse: c\nd",
            "entry -> a, a -> c, E -> bind e, bind e -> b, b -> unbind e, unbind e -> d, c -> d, d -> exit",
        ),
        ("try: a\nfinally: b\nc", "entry -> a, a -> finally, finally -> b, b -> c, c -> exit"),
        (
            "try: return\nfinally: b\nc",
            "entry -> return, return -> finally, finally -> b, b -> exit, c -> exit",
        ),
        (
            "while t:\n    try: break\n    finally: a",
            "entry -> loop, loop -> t, t -> break, break -> finally, finally -> a, a -> exit, t -> exit",
        ),
    ],
)
def test_the_way_through_a_body(text, expected):
    assert edges(text) == set(expected.split(", "))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("try: a\nexcept E: b\nelse: c", "a -> E"),
        ("try: a\nexcept E: b\nexcept F: c", "a -> E, a -> F"),
        ("try: a\nexcept E: b\nfinally: c", "a -> E, a -> finally, E -> finally, b -> finally"),
        ("with a: b\nc", "b -> leave"),
        (
            "try:\n    try: a\n    except E: b\nexcept F: c",
            "a -> E, a -> F, E -> F, b -> F",
        ),
        ("try: a\nexcept E as e: b", "a -> E, E -> unbind e, bind e -> unbind e, b -> unbind e"),
    ],
)
def test_the_ways_of_exceptions(text, expected):
    assert edges(text, "raises_to") == set(expected.split(", "))


def test_nodes_are_printed_with_their_place_and_kind():
    assert repr(graph_of("a").entry) == "<0 entry>"


def test_edges_are_known_from_both_ends():
    graph = graph_of("try:\n    while t: a\nexcept E: b\nfinally: c")
    for node in graph.nodes:
        assert all(node in following.predecessors for following in node.successors)
        assert all(node in following.raised_from for following in node.raises_to)


def test_the_nodes_of_a_statement_stand_together():
    graph = graph_of("a\nwhile t:\n    b\n    break\nc")
    first, loop, last = graph.owner.body
    assert [label(graph.nodes[index]) for index in graph.span(loop)] == ["loop", "t", "b", "break"]
    assert label(graph.first(loop)) == "loop"
    assert {label(node) for node in graph.ways_out(loop)} == {"c"}
    assert {label(node) for node in graph.ways_out(loop.body[1])} == {"c"}
    assert {label(node) for node in graph.ways_out(first)} == {"loop"}
    assert {label(node) for node in graph.ways_out(last)} == {"exit"}


def test_every_function_and_class_has_a_graph_of_its_own():
    tree = ast.parse("def f():\n    def g():\n        a\n    class C:\n        if t: b\n    return g")
    flow = Analyses(tree).get(ControlFlow)
    f = tree.body[0]
    g, c, _ = f.body
    assert flow.owner(f) is tree
    assert flow.owner(g) is f
    assert flow.owner(g.body[0]) is g
    assert flow.owner(c.body[0].body[0]) is c
    assert flow.owners() == (tree, f, g, c)
