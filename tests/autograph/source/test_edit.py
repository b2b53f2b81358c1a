import ast

import pytest

from autograph.source.edit import Rewriter
from autograph.source.unparse import unparse


class Names(Rewriter):
    """Notes each name with the kind of scope that it stands in."""

    def __init__(self):
        super().__init__()
        self.found = {}

    def visit_Name(self, node):
        return self.noted(node, node.id)

    def visit_arg(self, node):
        return self.noted(node, node.arg)

    def noted(self, node, name):
        self.found[name] = type(self.scope).__name__ if self.scope else None
        return node


def scopes(text):
    names = Names()
    names.visit(ast.parse(text))
    return names.found


def test_headers_belong_to_the_scope_around():
    assert scopes("@d\ndef f(p=v, *, k=w) -> r: b") == {
        **dict.fromkeys("dvwr"),
        **dict.fromkeys("pkb", "FunctionDef"),
    }
    assert scopes("@d\nclass C(base): b") == {"d": None, "base": None, "b": "ClassDef"}


def test_lambdas_and_comprehensions_are_scopes():
    assert scopes("lambda x=d: b") == {"d": None, "x": "Lambda", "b": "Lambda"}
    assert scopes("{k: v for x in y if z}") == dict.fromkeys("kvxz", "DictComp") | {"y": None}
    assert scopes("[k for x in y for k in z]")["z"] == "ListComp"
    assert scopes("def f(): [lambda: x for i in y]")["x"] == "Lambda"


def test_arguments_can_be_visited_alone():
    names = Names()
    names.visit(ast.parse("lambda x=d: b").body[0].value.args)
    assert names.found == {"d": None, "x": None}


def rewritten(text, **methods):
    tree = ast.parse(text)
    rewriter = type("Custom", (Rewriter,), {f"visit_{kind}": method for kind, method in methods.items()})()
    assert rewriter.visit(tree) is tree
    return unparse(tree)


def test_a_statement_becomes_several():
    def twice(self, node):
        return [node, ast.Pass()]

    assert rewritten("if x:\n    y = 1\nz = 2", Assign=twice) == "if x:\n    y = 1\n    pass\nz = 2\npass"


def test_a_removed_statement_leaves_a_pass_where_a_block_would_be_empty():
    def remove(self, node):
        return None

    assert rewritten("if x:\n    y = 1\nelse:\n    z = 1", Assign=remove) == "if x:\n    pass"


def test_an_expression_is_replaced_in_place():
    def double(self, node):
        self.generic_visit(node)
        return ast.BinOp(node, ast.Mult(), ast.Constant(2))

    assert rewritten("f(x, key=y)", Call=double) == "f(x, key=y) * 2"


def test_an_expression_cannot_become_a_list():
    def several(self, node):
        return [node, node]

    with pytest.raises(TypeError, match="takes one node"):
        rewritten("x = f(y)", Call=several)


def test_absent_entries_of_lists_stay_absent():
    assert (
        rewritten("def f(*, a, b=1): return {**a, 'k': b}") == "def f(*, a, b=1):\n    return {**a, 'k': b}"
    )
