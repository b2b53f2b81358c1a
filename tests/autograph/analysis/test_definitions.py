import ast
import textwrap

import pytest

from autograph.analysis.activity import Activity
from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses


def function(text, parameters=""):
    return ast.parse(f"def f({parameters}):\n" + textwrap.indent(textwrap.dedent(text), "    ")).body[0]


def words(names):
    return " ".join(sorted(map(str, names)))


def at_end(text, parameters=""):
    """The names surely defined before the last statement."""
    tree = function(text, parameters)
    analyses = Analyses(tree)
    return words(analyses.get(Activity).named(analyses.get(Definitions).defined_in(tree.body[-1])))


@pytest.mark.parametrize(
    ("text", "surely"),
    [
        ("x = 1\nreturn", "x"),
        ("if t: x = 1\nreturn", ""),
        ("if t: x = 1\nelse: x = 2\nreturn", "x"),
        ("if t: x = 1\nelse: return\nreturn", "x"),
        ("while t: x = 1\nreturn", ""),
        ("while True:\n    x = 1\n    if t: break\nreturn", "x"),
        ("for i in s: x = i\nreturn", ""),
        ("for i in s: x = i\nelse: x = 0\nreturn", "x"),
        ("x = 1\ndel x\nreturn", ""),
        ("x = 1\nif t: del x\nreturn", ""),
        ("try: x = g()\nexcept E: pass\nreturn", ""),
        ("try: x = g()\nexcept E: x = 1\nreturn", "x"),
        ("try: x = g()\nexcept E as e: x = e\nreturn", "x"),
        ("try: x = g()\nfinally: y = 1\nreturn", "y"),
        ("with c as x: y = 1\nreturn", "x"),
        ("match s:\n    case [x]: pass\n    case _: y = 1\nreturn", ""),
        ("match s:\n    case [x] | x: pass\nreturn", ""),
        ("match s:\n    case x: pass\nreturn", "x"),
        ("t and (x := 1)\nreturn", ""),
        ("import a.b\ndef g(): pass\nclass C: pass\nreturn", "C a g"),
        ("x: int\nreturn", ""),
        ("return\nx", ""),
        ("def g():\n    nonlocal x\n    x = 1\nx = 2\ndel x\nreturn", "g"),
    ],
)
def test_what_has_a_value_at_the_end(text, surely):
    assert at_end(text) == surely


def test_parameters_and_names_of_other_frames_are_defined():
    text = "global g\nnonlocal n\nif t: g = n = 1\nreturn"
    assert at_end(text, "a, *b, c, **d") == "a b c d g n"


def test_a_read_may_find_no_value():
    tree = function("x = 1\nif t: y = x\nz = x + y + t")
    definitions = Analyses(tree).get(Definitions)
    total = tree.body[-1].value
    reads = [total.left.left, total.left.right, total.right]
    assert [definitions.is_unsure(name) for name in reads] == [False, True, False]


def test_what_a_nested_function_may_bind_is_not_certain():
    text = "def g():\n    nonlocal x\n    x = 1\ng()\nif t: x = 2\nreturn x"
    assert at_end(text) == "g"
