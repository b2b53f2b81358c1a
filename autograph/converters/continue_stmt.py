"""`continue` becomes a flag, and what it would skip asks the flag first.

>>> from autograph.converters.picture import show
>>> show('''
... for x in y:
...     if a:
...         continue
...     b()
... ''', ContinueStmt)
for x in y:
    continue_ = False
    if a:
        continue_ = True
    if not continue_:
        b()
"""

from __future__ import annotations

import ast
from typing import TypeAlias

from autograph.converters.base import Converter, Replacement
from autograph.converters.jumps import Jumps, has_jump
from autograph.source.template import Statements

__all__ = ["ContinueStmt"]

Loop: TypeAlias = "ast.For | ast.While"


class ContinueStmt(Converter[Loop]):
    """Takes `continue` out of loops."""

    handles = (ast.For, ast.While)
    start = Statements("flag = False")
    template = Statements("flag = True")

    def convert(self, node: Loop) -> Replacement:
        """Each turn starts with the flag down."""
        if not has_jump(node.body, ast.Continue):
            return node
        flag = self.context.variable("continue_")
        jumps = Jumps(ast.Continue, flag, lambda _: self.template.fill(flag=flag))
        body, _ = jumps.block(node.body)
        node.body = [*self.start.fill(flag=flag), *body]
        return node
