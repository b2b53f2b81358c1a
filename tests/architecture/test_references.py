"""What a program means does not depend on how many references Python happens to have to an object.

A debugger, a tracer or another Python would count others. Nor does it depend on who refers to an object, or
on the instructions of the frame of a caller.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNTED = {"getrefcount", "get_referrers", "get_referents", "get_objects"}


def names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("package", ["autograph", "runtime"])
def test_nothing_counts_the_references_to_an_object(package):
    for path in sorted((ROOT / package).rglob("*.py")):
        assert COUNTED.isdisjoint(names(ast.parse(path.read_text(encoding="utf-8")))), path
