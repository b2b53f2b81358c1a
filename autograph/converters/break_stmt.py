"""`break` becomes a flag that the loop asks before its next turn; an `else` of the loop asks it, too.

>>> from autograph.converters.picture import show
>>> show('''
... while a:
...     if b:
...         break
...     c()
... else:
...     d()
... ''', BreakStmt)
break_ = False
while not break_ and a:
    if b:
        break_ = True
        continue
    c()
if not break_:
    d()

A `for` gets the test as a mark at the end of its body, which `ForStmt` takes out again.
"""

from __future__ import annotations

from typing import TypeAlias

import gast

from autograph.converters.base import Converter, Replacement
from autograph.converters.jumps import Jumps, add_loop_test, guard, has_jump
from autograph.source.template import Statements

__all__ = ["BreakStmt"]

Loop: TypeAlias = "gast.For | gast.While"


class BreakStmt(Converter[Loop]):
    """Takes `break` and `else` out of loops, the innermost first."""

    handles = (gast.For, gast.While)
    start = Statements("flag = False")
    template = Statements("""
        flag = True
        continue
    """)

    def convert(self, node: Loop) -> Replacement:
        """Without a `break` the `else` always runs, so it just follows the loop."""
        after, node.orelse = node.orelse, []
        if not has_jump(node.body, gast.Break):
            return [node, *after]
        flag = self.context.namer.fresh("break_")
        jumps = Jumps(gast.Break, flag, lambda _: self.template.fill(flag=flag), guards=False)
        node.body, _ = jumps.block(node.body)
        add_loop_test(node, flag)
        return [*self.start.fill(flag=flag), node, *guard(flag, after)]
