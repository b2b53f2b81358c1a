"""Imports inside functions hide from the layer contracts, so each one has a reason on its line."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def imports_inside_functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        node.lineno
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }


def test_imports_inside_functions_say_why():
    for package in ("autograph", "runtime"):
        for path in (ROOT / package).rglob("*.py"):
            lines = path.read_text(encoding="utf-8").splitlines()
            for number in imports_inside_functions(path):
                line = lines[number - 1]
                assert "# noqa: PLC0415  # " in line, f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
