"""`raise a if test else b` becomes an `if` with a `raise` in each branch: a graph holds no exceptions.

What has a name already, a backend may have chosen: it raises the one that is meant.

>>> from autograph.converters.picture import show
>>> show("raise ValueError(x) if x < 0 else KeyError(x)", RaiseStmt)
if x < 0:
    raise ValueError(x)
else:
    raise KeyError(x)
>>> show("raise error from cause", RaiseStmt)
raise ag__.raised(error, cause) from cause
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Converter, Replacement
from autograph.source.template import Expression, Statements
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["RaiseStmt", "raised"]


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
    named = Expression("ag__.raised(error)")
    chained = Expression("ag__.raised(error, cause)")

    def convert(self, node: ast.Raise) -> Replacement:
        """With a `from` no branches are made: the cause is evaluated after the exception."""
        if isinstance(node.exc, ast.IfExp) and node.cause is None:
            return self._raising(node.exc)
        if node.exc is not None and isinstance(node.cause, ast.Name | ast.Constant):
            node.exc = self.chained.fill(error=node.exc, cause=node.cause)
        elif node.exc is not None:
            node.exc = self.named.fill(error=node.exc)
        return node

    def _raising(self, error: ast.expr) -> list[ast.stmt]:
        if not isinstance(error, ast.IfExp):
            return self.plain.fill(error=error)
        return self.template.fill(
            test=error.test, one=self._raising(error.body), other=self._raising(error.orelse)
        )


@operator
def raised(backends: Backends, error: Any, *cause: Any) -> Any:
    """What `raise error`, or `raise error from cause`, is to raise."""
    return backends.of(error, *cause).raised(error, *cause)
