"""A `finally` that a jump leaves: its statements follow the rest, once for an exception and once without.

>>> from autograph.converters.picture import show
>>> show('''
... for x in items:
...     try:
...         return f(x)
...     finally:
...         if g(x):
...             break
... ''', FinallyStmt)
for x in items:
    return_ = False
    retval_ = ag__.UndefinedReturnValue()
    try:
        retval_ = f(x)
        return_ = True
    except:
        if g(x):
            break
        raise
    if g(x):
        break
    if return_:
        return retval_

Such a jump swallows the exception in flight, as a jump out of a handler does; and a jump that waits for the
`finally` is forgotten. So the jumps that wait become flags, which are asked behind the statements. Any other
`finally` is left to Python.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, TypeAlias

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.jumps import Jumps, jumps_out
from autograph.source.template import Statements
from autograph.staging.state import Role

__all__ = ["FinallyStmt"]

Handled: TypeAlias = "ast.Try | ast.TryStar"


class FinallyStmt(Converter[Handled]):
    """Takes a `finally` apart that a jump leaves, the innermost first."""

    handles = (ast.Try, ast.TryStar)
    template = Statements("""
        try:
            body
        except:
            final
            reraise
    """)
    reraise = Statements("raise")
    start = Statements("flag = False")
    start_return = Statements("""
        flag = False
        value = ag__.UndefinedReturnValue()
    """)
    take = Statements("flag = True")
    take_return = Statements("""
        value = returned
        flag = True
    """)
    go_on = Statements("""
        if flag:
            jump
    """)

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function has a `finally`."""
        return [kind for kind in cls.handles if any(node.finalbody for node in context.nodes.get(kind, ()))]

    def convert(self, node: Handled) -> Replacement:
        """A copy of the `finally` handles what the body raises; the other one follows."""
        final = node.finalbody
        if not jumps_out(final):
            return node
        node.finalbody = []
        body: list[ast.stmt] = [node] if node.handlers else node.body
        before: list[ast.stmt] = []
        after: list[ast.stmt] = []
        for kind, root in FLAGS.items():
            if kind in jumps_out(body):
                start, body, jump = self._put_off(kind, root, body)
                before += start
                after += jump
        always_leaves = isinstance(final[-1], LEAVING)
        reraise = [] if always_leaves else self.reraise.fill()
        attempt = self.template.fill(body=body, final=self.context.copied(final), reraise=reraise)
        return [*before, *attempt, *final, *([] if always_leaves else after)]

    def _put_off(
        self, kind: type[ast.stmt], root: str, body: list[ast.stmt]
    ) -> tuple[list[ast.stmt], list[ast.stmt], list[ast.stmt]]:
        """What comes before, the body with its jumps of a kind as a flag, and the jump that asks the flag."""
        flag, returns = self.context.variable(root), kind is ast.Return
        value = self.context.variable("retval_", Role.RETURNED) if returns else ""

        def lower(jump: Any) -> list[ast.stmt]:
            if not returns:
                return self.take.fill(flag=flag)
            returned = ast.Constant(None) if jump.value is None else jump.value
            return self.take_return.fill(flag=flag, value=value, returned=returned)

        start = self.start_return.fill(flag=flag, value=value) if returns else self.start.fill(flag=flag)
        jump = ast.Return(ast.Name(value, ast.Load())) if returns else kind()
        lowered, _ = Jumps(kind, flag, lower, enters_loops=returns).block(body)
        return start, lowered, self.go_on.fill(flag=flag, jump=[jump])


FLAGS: Mapping[type[ast.stmt], str] = {
    ast.Return: "return_",
    ast.Break: "break_",
    ast.Continue: "continue_",
}
"""Jumps, and what their flags are called."""

LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Raise)
"""Statements that never go on with the next one."""
