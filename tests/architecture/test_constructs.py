"""Passes, analyses and executors ask an op for its regions, not for its class.

A rule is about one construct and names its class, as in `@rule(If)`; whoever writes a graph may make one. Any
other mention of such a class, or of its name as text, is listed here with the reason.
"""

import ast

import pytest

from runtime.graph.op import REGISTRY
from runtime.ops.control_flow.nodes import Construct, RecursiveCall
from tests.architecture.trees import ROOT, files_of, nodes_in

ROOMS = ("analysis", "executors", "functions", "graph", "interchange", "passes")
LOOPS = "runtime.executors.native.language.loops"
"""Statements of the loop language are no ops."""
CONSTRUCTS = {op.__name__ for op in REGISTRY.values() if issubclass(op, Construct | RecursiveCall)}
NAMES = CONSTRUCTS.union(*[REGISTRY[each].names for each in CONSTRUCTS])
ALLOWED = {
    "executors/native/language/loops.py": "the statements of the loop language have these names, too",
    "executors/numpy_plan/exception_stand_ins.py": "writes as text what a `Try` gives where it catches",
    "interchange/graphdef/control_flow.py": "TensorFlow's format has a form of its own for each construct",
}


def mentions(source):
    """The lines that ask for the class of a construct: they make none, and no rule or type is about it."""
    nodes = nodes_in(source)
    imported = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module != LOOPS
        for alias in node.names
        if alias.name in CONSTRUCTS
    }
    made = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    rules = {
        id(argument)
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in {"rule", "node_rule"}
        for argument in decorator.args
    }
    types = {
        id(part)
        for node in nodes
        for field in ("annotation", "returns")
        if (annotation := getattr(node, field, None)) is not None
        for part in nodes_in(annotation)
    }
    fine = made | rules | types
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in imported and id(node) not in fine:
            yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in CONSTRUCTS and ast.unparse(node.value) != "ast":
            yield node.lineno
        elif isinstance(node, ast.Constant) and node.value in NAMES:
            yield node.lineno


def test_what_is_done_with_a_construct_follows_from_its_regions():
    found = {}
    for room in ROOMS:
        for path, text in files_of(f"runtime/{room}", rf"\b({'|'.join(NAMES | CONSTRUCTS)})\b"):
            lines = sorted(set(mentions(text)))
            if lines:
                found[path.relative_to(ROOT / "runtime").as_posix()] = lines
    assert {path: lines for path, lines in found.items() if path not in ALLOWED} == {}
    assert ALLOWED.keys() <= found.keys()


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(op, If)",
        "type(op) is While",
        "{If: 1}[type(op)]",
        "issubclass(kind, (Call, Try))",
        "ops.control_flow.If is type(op)",
        "op.name == 'StatelessIf'",
    ],
)
def test_a_question_for_a_class_is_found(line):
    assert set(mentions(f"from runtime.ops.control_flow import Call, If, Try, While\n{line}\n")) == {2}


def test_a_pattern_of_a_class_is_found():
    source = "from runtime.ops.control_flow import If\nmatch op:\n    case If():\n        pass\n"
    assert list(mentions(source)) == [3]


def test_rules_and_new_ops_name_their_class():
    source = (
        "from runtime.ops.control_flow import If\n@node_rule(If)\ndef of(node) -> If:\n    return If(a, b)\n"
    )
    assert list(mentions(source)) == []
