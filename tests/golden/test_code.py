"""`to_code` of the programs in `code/`: the text in the `.out` files, which is the tree that is compiled."""

import ast
import importlib.util
from pathlib import Path

import pytest

import autograph as ag
from autograph.transpiler import Transpiler

CODE = Path(__file__).parent / "code"
PROGRAMS = sorted(path.stem for path in CODE.glob("*.py"))


def function_of(name):
    """The function that a program file is about."""
    spec = importlib.util.spec_from_file_location(f"golden_{name}", CODE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def dump(tree):
    """A tree as text, without what does not show in source: positions, contexts, and the order in `nonlocal`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Nonlocal):
            node.names.sort()
    return ast.dump(tree, indent=1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_listing_is_as_expected(name, golden):
    golden(CODE / f"{name}.out", ag.to_code(function_of(name)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_listing_is_the_tree_that_runs(name):
    function = function_of(name)
    tree = Transpiler().transform(function)
    (shown,) = ast.parse(ag.to_code(function)).body
    assert dump(shown.value if isinstance(tree, ast.Lambda) else shown) == dump(tree)


def test_the_listing_of_the_guide_is_reproduced():
    guide = (CODE / "simple_relu.guide").read_text()
    assert dump(ast.parse(ag.to_code(function_of("simple_relu")))) == dump(ast.parse(guide))
