import ast
import textwrap

import pytest

from autograph.analysis.functions import LocalFunctions
from autograph.analysis.manager import Analyses


def reaching(text):
    """What the call in the last statement may run."""
    tree = ast.parse("def f(p):\n" + textwrap.indent(textwrap.dedent(text), "    ")).body[0]
    return tree, Analyses(tree).get(LocalFunctions).reaching(tree.body[-1].value)


def test_a_local_definition_is_found():
    tree, found = reaching("def g(): pass\nreturn g()")
    assert found == {tree.body[0]}


def test_the_definitions_of_both_branches_are_found():
    tree, found = reaching("if p:\n    def g(): pass\nelse:\n    g = lambda: 1\nreturn g()")
    choice = tree.body[0]
    assert found == {choice.body[0], choice.orelse[0].value}


@pytest.mark.parametrize(
    "text",
    [
        "return p()",
        "return print()",
        "g = p\nreturn g()",
        "if p:\n    def g(): pass\nreturn g()",
        "@p\ndef g(): pass\nreturn g()",
        "def g(): pass\nreturn g.h()",
        "g, h = lambda: 1, 2\nreturn g()",
    ],
)
def test_a_call_that_may_run_anything_else_is_not_claimed(text):
    assert reaching(text)[1] is None
