import ast
import textwrap

import pytest

from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses
from autograph.source.names import QualName
from autograph.source.unparse import unparse


def function(text, parameters=""):
    return ast.parse(f"def f({parameters}):\n" + textwrap.indent(textwrap.dedent(text), "    ")).body[0]


def words(names):
    return " ".join(sorted(map(str, names)))


def at_end(text, parameters=""):
    """The names surely and maybe defined before the last statement."""
    tree = function(text, parameters)
    definitions = Analyses(tree).get(Definitions)
    last = tree.body[-1]
    return words(definitions.defined_in(last)), words(definitions.maybe_defined_in(last))


def spelled(bindings):
    return sorted("unbound" if binding is None else unparse(binding) for binding in bindings)


@pytest.mark.parametrize(
    ("text", "surely", "maybe"),
    [
        ("x = 1\nreturn", "x", "x"),
        ("if t: x = 1\nreturn", "", "x"),
        ("if t: x = 1\nelse: x = 2\nreturn", "x", "x"),
        ("if t: x = 1\nelse: return\nreturn", "x", "x"),
        ("while t: x = 1\nreturn", "", "x"),
        ("while True:\n    x = 1\n    if t: break\nreturn", "x", "x"),
        ("for i in s: x = i\nreturn", "", "i x"),
        ("for i in s: x = i\nelse: x = 0\nreturn", "x", "i x"),
        ("x = 1\ndel x\nreturn", "", ""),
        ("x = 1\nif t: del x\nreturn", "", "x"),
        ("try: x = g()\nexcept E: pass\nreturn", "", "x"),
        ("try: x = g()\nexcept E: x = 1\nreturn", "x", "x"),
        ("try: x = g()\nexcept E as e: x = e\nreturn", "x", "x"),
        ("try: x = g()\nfinally: y = 1\nreturn", "y", "x y"),
        ("with c as x: y = 1\nreturn", "x", "x y"),
        ("match s:\n    case [x]: pass\n    case _: y = 1\nreturn", "", "x y"),
        ("match s:\n    case [x] | x: pass\nreturn", "", "x"),
        ("match s:\n    case x: pass\nreturn", "x", "x"),
        ("t and (x := 1)\nreturn", "", "x"),
        ("import a.b\ndef g(): pass\nclass C: pass\nreturn", "C a g", "C a g"),
        ("x: int\nreturn", "", ""),
        ("return\nx", "", ""),
        ("def g():\n    nonlocal x\n    x = 1\nx = 2\ndel x\nreturn", "g", "g x"),
    ],
)
def test_what_has_a_value_at_the_end(text, surely, maybe):
    assert at_end(text) == (surely, maybe)


def test_parameters_and_names_of_other_frames_are_defined():
    assert at_end("global g\nnonlocal n\nif t: g = n = 1\nreturn", "a, *b, c, **d") == (
        "a b c d g n",
        "a b c d g n",
    )


def test_every_binding_that_may_reach_a_statement_is_found():
    tree = function("x = 1\nwhile t:\n    x = 2\n    x = 3\nif u: x = 4\nreturn x")
    definitions = Analyses(tree).get(Definitions)
    x = QualName("x")
    assert spelled(definitions.reaching(tree.body[1], x)) == ["x = 1"]
    assert spelled(definitions.reaching(tree.body[1].body[1], x)) == ["x = 2"]
    assert spelled(definitions.reaching(tree.body[-1], x)) == ["x = 1", "x = 3", "x = 4"]
    assert definitions.reaching(tree.body[-1], QualName("elsewhere")) == frozenset()


def test_bindings_of_all_kinds_are_named():
    tree = function("for x in s: a = x\nreturn x, y", "y")
    definitions = Analyses(tree).get(Definitions)
    assert spelled(definitions.reaching(tree.body[-1], QualName("x"))) == ["unbound", "x"]
    assert definitions.reaching(tree.body[-1], QualName("y")) == {tree.args.args[0]}


def test_the_bindings_behind_one_read_are_found():
    tree = function("x = 1\nif t: x = 2\ny = x + x")
    total = tree.body[-1].value
    definitions = Analyses(tree).get(Definitions)
    assert spelled(definitions.of_read(total.left)) == ["x = 1", "x = 2"]
    assert definitions.of_read(total.left) == definitions.of_read(total.right)
    assert spelled(definitions.of_read(tree.body[1].test)) == []


def test_what_a_nested_function_may_bind_is_never_certain():
    tree = function("x = 0\ndef g():\n    nonlocal x\n    x = 1\nx = 2\ng()\nreturn x")
    found = Analyses(tree).get(Definitions).reaching(tree.body[-1], QualName("x"))
    assert found == {tree.body[1], tree.body[2]}
