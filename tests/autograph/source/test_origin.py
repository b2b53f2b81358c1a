import ast

import pytest

from autograph.source.origin import clear, header_span, place, stamp


def only(text):
    return ast.parse(text).body[0]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("if x > 0:\n    y = 1\nelse:\n    y = 2", "if x > 0"),
        ("while f(x):\n    pass", "while f(x)"),
        ("for i, j in pairs(x):\n    pass", "for i, j in pairs(x)"),
        ("with a as b, c:\n    pass", "with a as b, c"),
        ("@decorator\ndef f(x, y=2):\n    pass", "def f(x, y=2"),
        ("if x: y = 1", "if x"),
        ("x = (1 +\n  2)", "x = (1"),
        ("return_ = f(x)", "return_ = f(x)"),
        ("try:\n    pass\nfinally:\n    pass", "t"),
    ],
)
def test_a_header_is_the_first_line_without_the_blocks(text, header):
    span = header_span(only(text))
    line = text.splitlines()[span.lineno - 1]
    assert line[span.col_offset : span.end_col_offset] == header
    assert span.end_lineno == span.lineno


def test_only_nodes_without_a_position_are_stamped():
    header = only("if x:\n    y = 1")
    user = header.body[0]
    new = ast.If(ast.Name("t", ast.Load()), [user], [])
    stamp([new], header)
    assert (new.lineno, new.end_col_offset) == (1, 4)
    assert place(new).test.lineno == 1  # what is below takes it when the tree is compiled
    assert (user.lineno, user.targets[0].lineno) == (2, 2)


def test_a_stamped_tree_compiles():
    tree = ast.parse("def f():\n    if x:\n        y = 1")
    clear(tree)
    stamp(tree.body, only("while True:\n    pass"))
    tree.body = list(map(place, tree.body))
    compile(tree, "<text>", "exec")


def test_cleared_nodes_have_no_position():
    node = only("x = 1")
    clear(node)
    assert not hasattr(node, "lineno")
    assert not hasattr(node.value, "col_offset")
