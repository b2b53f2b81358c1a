import ast

from autograph.analysis.cfg import ControlFlow
from autograph.analysis.manager import Analyses
from autograph.analysis.picture import dot


def test_a_graph_is_drawn_with_its_exceptions_dashed():
    text = 'try:\n    with a as b: x = "q"\nexcept E: pass\ndef g(): pass'
    tree = ast.parse(text)
    assert dot(Analyses(tree).get(ControlFlow).graph(tree)).splitlines() == [
        'digraph "module" {',
        "  node [shape=box, fontname=monospace]",
        '  0 [label="entry"]',
        '  1 [label="exit"]',
        '  2 [label="enter: a"]',
        "  3 [label=\"x = 'q'\"]",
        '  4 [label="leave"]',
        '  5 [label="handler: E"]',
        '  6 [label="pass"]',
        '  7 [label="define g"]',
        "  0 -> 2",
        "  2 -> 3",
        "  2 -> 5 [style=dashed]",
        "  3 -> 4",
        "  3 -> 4 [style=dashed]",
        "  3 -> 5 [style=dashed]",
        "  4 -> 7",
        "  4 -> 5 [style=dashed]",
        "  5 -> 6",
        "  6 -> 7",
        "  7 -> 1",
        "}",
    ]


def test_quotes_and_lines_in_labels_are_escaped():
    tree = ast.parse("x = \"it's\"\ny = 'a\\\\'")
    drawn = dot(Analyses(tree).get(ControlFlow).graph(tree))
    assert '[label="x = \\"it\'s\\""]' in drawn
    assert "[label=\"y = 'a\\\\\\\\'\"]" in drawn
