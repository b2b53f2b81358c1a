"""Before and after: what some converters make of a piece of code. For docstrings and tests."""

from __future__ import annotations

import ast
import textwrap

from autograph.converters.base import Context, Converter, Walk
from autograph.options import STD
from autograph.source.unparse import unparse

__all__ = ["show"]


def show(text: str, *converters: type[Converter[ast.AST]]) -> None:
    """Prints a function, or the statements of one, after each converter in turn has seen it.

    Parameters
    ----------
    text : str
        One `def`, which is shown whole, or the statements of a function body.
    *converters : classes of Converter
        One walk each.

    Examples
    --------
    >>> show("return x")
    return x
    """
    text = textwrap.dedent(text).strip()
    whole = text.startswith("def ")
    module = ast.parse(text if whole else "def f():\n" + textwrap.indent(text, "    "))
    (tree,) = module.body
    assert isinstance(tree, ast.FunctionDef), "a `def`, ours or theirs"
    context = Context(tree, STD)
    context.scope_names[tree] = "fscope"
    for converter in converters:
        Walk(context, [converter]).run()
    lines = unparse(tree if whole else tree.body).splitlines()
    print("\n".join(line for line in lines if line))  # noqa: T201  (the picture)
