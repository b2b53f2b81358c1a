"""The source of our packages as lists of nodes: quicker to go over, again and again, than `ast.walk`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["ROOT", "files_of", "nodes_in"]

ROOT = Path(__file__).parents[2]


def files_of(folder: str, pattern: str = "") -> Iterator[tuple[Path, str]]:
    """The files of a folder of ours in which a pattern is, each with its text."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if re.search(pattern, text, re.MULTILINE):
            yield path, text


def nodes_in(source: str | ast.AST) -> list[ast.AST]:
    """All nodes of a text, or of a tree, each before those inside of it."""
    found = [ast.parse(source) if isinstance(source, str) else source]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif type(value) is list:
                found += [each for each in value if isinstance(each, ast.AST)]
    return found
