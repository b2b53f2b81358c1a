"""Tree → text, for people to read.

astunparse lays out the statements: a blank line before nested definitions, four spaces, a tuple in its
parentheses. Expressions go to Python's own unparser, which knows which parentheses are needed, and the
statements that came to Python after astunparse was written are laid out here.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

__all__ = ["unparse"]


def unparse(tree: ast.AST | Sequence[ast.AST]) -> str:
    """The source text of a tree; parsing it again gives the tree back.

    Parameters
    ----------
    tree : ast.AST or sequence of ast.AST
        A module, statements or an expression.

    Returns
    -------
    str
        Without leading or trailing blank lines.

    Examples
    --------
    >>> print(unparse(ast.parse("def f(x): return x[:,None]")))
    def f(x):
        return x[:, None]
    """
    if isinstance(tree, ast.expr):
        return ast.unparse(tree)
    from autograph.source.layout import laid_out  # noqa: PLC0415  # astunparse is only for who sees statements

    return laid_out([tree] if isinstance(tree, ast.AST) else list(tree)).strip("\n")
