"""`assert` becomes a call, so that a backend may check it when the graph runs.

>>> from autograph.converters.picture import show
>>> show("assert x > 0, message(x)", AssertStmt)
ag__.assert_stmt(x > 0, lambda: message(x))
>>> show("assert x", AssertStmt)
ag__.assert_stmt(x, None)
"""

from __future__ import annotations

import ast

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.source.template import Expression, Statements
from autograph.staging.backend import Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import truth

__all__ = ["AssertStmt", "assert_stmt"]


class AssertStmt(Converter[ast.Assert]):
    """The message is put off: it is evaluated only when the test fails."""

    handles = (ast.Assert,)
    template = Statements("ag__.assert_stmt(test, message)")
    message = Expression("lambda: message")

    def convert(self, node: ast.Assert) -> Replacement:
        """Under `python -O` the statement stays, and Python drops it."""
        if not __debug__ or has_walrus([node.msg]):
            return node
        message = ast.Constant(None) if node.msg is None else self.message.fill(message=node.msg)
        return self.template.fill(test=node.test, message=message)


@operator
def assert_stmt(backends: Backends, test: object, message: Thunk | None) -> None:
    """Raises, or records a check when `test` belongs to a backend."""
    test = truth(backends, test)
    backends.of(test).assert_stmt(test, message)
