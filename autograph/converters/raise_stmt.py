"""`raise a if test else b` becomes an `if` with a `raise` in each branch: a graph holds no exceptions.

>>> from autograph.converters.picture import show
>>> show("raise ValueError(x) if x < 0 else KeyError(x)", RaiseStmt)
if x < 0:
    raise ValueError(x)
else:
    raise KeyError(x)
"""

from __future__ import annotations

import ast

from autograph.converters.base import Converter, Replacement
from autograph.source.template import Statements

__all__ = ["RaiseStmt"]


class RaiseStmt(Converter[ast.Raise]):
    """Each branch raises one of them, at the line of the user's."""

    handles = (ast.Raise,)
    template = Statements("""
        if test:
            one
        else:
            other
    """)
    plain = Statements("raise error")

    def convert(self, node: ast.Raise) -> Replacement:
        """With a `from` it stays: the cause is evaluated after the exception."""
        if not isinstance(node.exc, ast.IfExp) or node.cause is not None:
            return node
        return self._raising(node.exc)

    def _raising(self, error: ast.expr) -> list[ast.stmt]:
        if not isinstance(error, ast.IfExp):
            return self.plain.fill(error=error)
        return self.template.fill(
            test=error.test, one=self._raising(error.body), other=self._raising(error.orelse)
        )
