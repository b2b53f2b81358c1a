"""A converted function as the text that people read, and, when asked for, as the text that runs.

With ``AUTOGRAPH_RUN_TEXT=1`` in the environment, what is compiled is not the converted tree but its listing:
tracebacks, breakpoints and single steps are then in the generated code, which Python finds by its made-up
file name. It is there for looking at the converter itself; line numbers of the user's are gone.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import os
from types import CodeType

from autograph.frames import LISTINGS
from autograph.source.unparse import unparse

__all__ = ["RUN_TEXT", "listing", "reparsed", "runs_text"]

RUN_TEXT = "AUTOGRAPH_RUN_TEXT"
"""The environment variable that makes the text run instead of the tree."""


def runs_text() -> bool:
    """Whether the text is to run."""
    return os.environ.get(RUN_TEXT, "") not in {"", "0"}


def listing(tree: ast.AST) -> str:
    """The text of a converted function; a lambda is given a name.

    Parameters
    ----------
    tree : ast.FunctionDef or ast.Lambda

    Returns
    -------
    str
    """
    if isinstance(tree, ast.Lambda):
        tree = ast.Assign([ast.Name("tf__lam", ast.Store())], tree, None)
    return unparse(tree) + "\n"


def reparsed(tree: ast.AST, original: CodeType) -> tuple[ast.FunctionDef | ast.Lambda, str]:
    """The tree of a function's listing, and the file name under which Python finds that text.

    Parameters
    ----------
    tree : ast.FunctionDef or ast.Lambda
    original : code
        The code object of the function that the tree comes from.

    Returns
    -------
    tree : ast.FunctionDef or ast.Lambda
        Its lines and columns are those of the listing.
    filename : str
    """
    text = listing(tree)
    (statement,) = ast.parse(text).body
    definition = statement.value if isinstance(statement, ast.Assign) else statement
    assert isinstance(definition, ast.FunctionDef | ast.Lambda), "it is the text of one"
    return definition, _registered(text, original)


def _registered(text: str, original: CodeType) -> str:
    """A file name for a text; the same text has one, and another text of the same function another."""
    place = f"{original.co_qualname} of {original.co_filename}:{original.co_firstlineno}"
    lines = text.splitlines(keepends=True)
    for number in itertools.count(1):
        filename = f"<autograph {place}>" if number == 1 else f"<autograph {place}, {number}>"
        if linecache.getlines(filename) in ([], lines):
            break
    linecache.cache[filename] = len(text), None, lines, filename
    LISTINGS.add(filename)
    return filename
