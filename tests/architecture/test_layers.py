"""Imports inside functions hide from the layer contracts, so each one has a reason on its line."""

import ast

from tests.architecture.trees import ROOT, files_of, nodes_in


def imports_inside_functions(text):
    nodes = nodes_in(text)
    imports = {node.lineno for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)}
    inside = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(range(node.lineno, node.end_lineno + 1))
    return imports & inside


def test_imports_inside_functions_say_why():
    for package in ("autograph", "autograph_base", "runtime"):
        for path, text in files_of(package, r"^ +(import|from) "):
            lines = text.splitlines()
            for number in imports_inside_functions(text):
                line = lines[number - 1]
                assert "# noqa: PLC0415  # " in line, f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
