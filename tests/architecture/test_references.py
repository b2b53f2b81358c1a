"""What a program means does not depend on how many references Python happens to have to an object.

A debugger, a tracer or another Python would count others. Nor does it depend on who refers to an object, or
on the instructions of the frame of a caller.
"""

import ast

import pytest

from tests.architecture.trees import files_of, nodes_in

COUNTED = {"getrefcount", "get_referrers", "get_referents", "get_objects"}


def names(text):
    for node in nodes_in(text):
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
    for path, text in files_of(package, "|".join(COUNTED)):
        assert COUNTED.isdisjoint(names(text)), path
