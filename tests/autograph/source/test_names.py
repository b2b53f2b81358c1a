import ast

import pytest

from autograph.source.names import Namer, QualName, identifiers, indexed
from autograph.source.unparse import unparse


def name(text):
    return QualName.from_node(ast.parse(text).body[0].value)


@pytest.mark.parametrize(
    "text", ["a", "a.b", "a.b.c", "a[0]", "a[-1]", "a['k']", "a[i]", "a[i.j].b[0]", "a[None]"]
)
def test_a_qualified_name_is_spelled_as_in_the_source(text):
    assert str(name(text)) == text
    assert unparse(name(text).ast()) == text
    assert name(text) == name(text)
    assert hash(name(text)) == hash(name(text))


@pytest.mark.parametrize(
    "text", ["f()", "f().a", "a[0:1]", "a[i + 1]", "a[i, j]", "a[1.5]", "1", "(a).b()[0]"]
)
def test_other_expressions_have_no_qualified_name(text):
    assert name(text) is None


def test_a_name_is_shown_in_brackets():
    assert repr(name("a.b")) == "<a.b>"


def test_a_path_knows_its_owner_and_root():
    assert name("a.b[0]").owner == name("a.b")
    assert name("a.b[0]").root == name("a")
    assert name("a").owner is None
    assert name("a").root == name("a")
    assert name("a").is_simple
    assert not name("a.b").is_simple


def test_a_path_reads_its_root_and_its_indices():
    assert list(name("a[i].b[j.k]").parts()) == [name("a"), name("i"), name("j")]


def test_fresh_names_avoid_those_taken_and_those_given():
    namer = Namer({"if_body", "get_state_1"})
    assert [namer.fresh("if_body") for _ in range(3)] == ["if_body_1", "if_body_2", "if_body_3"]
    assert [namer.fresh("get_state") for _ in range(2)] == ["get_state", "get_state_2"]


def test_identifiers_are_those_of_all_scopes():
    text = """
def f(a, *b, c=d, **e):
    global g
    import h.i, j as k
    class L:
        m = n
    try:
        lambda o: o
    except P as q:
        del r
    match s:
        case {"x": t, **u} | [v, *w] | T(y=z):
            pass
    return a.attribute(keyword=1)
"""
    expected = {*"fabcdeghjkmnoqrstuvwz", "L", "P", "T"}
    assert identifiers(indexed(ast.parse(text))) == expected
