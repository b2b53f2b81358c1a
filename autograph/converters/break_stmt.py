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

A test that binds a name moves into the body, which reads that name; the loop ends by a flag here, too.

>>> show('while (line := read()): use(line)', BreakStmt)
ended_ = False
while not ended_:
    if not (line := read()):
        ended_ = True
        continue
    use(line)
"""

from __future__ import annotations

import ast
from typing import TypeAlias

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.converters.jumps import NOT, Jumps, add_loop_test, guard, has_jump
from autograph.source.origin import stamp
from autograph.source.template import Statements

__all__ = ["BreakStmt"]

Loop: TypeAlias = "ast.For | ast.While"


class BreakStmt(Converter[Loop]):
    """Takes `break` and `else` out of loops, the innermost first."""

    handles = (ast.For, ast.While)
    start = Statements("flag = False")
    template = Statements("""
        flag = True
        continue
    """)
    test_in_body = Statements("""
        if not test:
            flag = True
            continue
    """)

    def convert(self, node: Loop) -> Replacement:
        """Without a `break` the `else` always runs, so it just follows the loop."""
        after, node.orelse = node.orelse, []
        before = self._test_moved(node) if isinstance(node, ast.While) and has_walrus([node.test]) else []
        if not has_jump(node.body, ast.Break):
            return [*before, node, *after]
        flag = self.context.variable("break_")
        jumps = Jumps(ast.Break, flag, lambda _: self.template.fill(flag=flag), guards=False)
        node.body, _ = jumps.block(node.body)
        add_loop_test(node, flag)
        return [*before, *self.start.fill(flag=flag), node, *guard(flag, after)]

    def _test_moved(self, loop: ast.While) -> list[ast.stmt]:
        """Moves the test into the body; returns what comes before the loop."""
        flag = self.context.variable("ended_")
        moved = self.test_in_body.fill(flag=flag, test=loop.test)
        stamp(moved, loop)
        loop.body = [*moved, *loop.body]
        loop.test = NOT.fill(flag=flag)
        stamp([loop.test], loop)
        return self.start.fill(flag=flag)
