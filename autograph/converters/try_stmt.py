"""`try`: its body becomes a function, and so does the rest, which Python runs with whatever the body raises.

>>> from autograph.converters.picture import show
>>> show('''
... def f(x, y):
...     try:
...         z = x // y
...     except ZeroDivisionError:
...         z = 0
...     return z
... ''', TryStmt)
def f(x, y):
    def get_state():
        return (z,)
    def set_state(vars_):
        nonlocal z
        (z,) = vars_
    def try_body():
        nonlocal z
        z = x // y
    def except_body(run):
        nonlocal z
        try:
            run()
        except ZeroDivisionError:
            z = 0
    ag__.try_stmt(try_body, except_body, None, lambda: (ZeroDivisionError,), get_state, set_state, ('z',), 1)
    return z

A `finally` is a function of its own, which runs what is in front of it: the handlers may raise, too.
A backend that records the body may learn that its graph can raise: it then runs the rest once for each way
in which the body can end; so with `except*`. A `try` around nothing but names, constants and imports stays as
it is.
"""

from __future__ import annotations

import ast
import copy
from typing import TypeAlias

from autograph.analysis.activity import Packed
from autograph.converters.base import Replacement
from autograph.converters.blocks import BlockConverter, getter_and_setter
from autograph.source.nodes import walk
from autograph.source.template import Expression, Statements, literal
from autograph.staging.backend import Body, Rest, Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.state import Getter, Setter, State

__all__ = ["TryStmt", "try_stmt"]

RUNNING = (
    *(
        ast.Assert,
        ast.AugAssign,
        ast.BinOp,
        ast.Call,
        ast.Compare,
        ast.For,
        ast.If,
        ast.IfExp,
        ast.Match,
    ),
    *(ast.Attribute, ast.Raise, ast.Subscript, ast.UnaryOp, ast.While, ast.With),
)
"""What a graph may raise something for."""


Handled: TypeAlias = "ast.Try | ast.TryStar"


class TryStmt(BlockConverter[Handled]):
    """A body, the rest, a state, and the call. Jumps are gone by now."""

    handles = (ast.Try, ast.TryStar)
    template = Statements("""
        functions
        def try_body():
            nonlocal nonlocals
            global globals_
            body
        def except_body(run):
            nonlocal nonlocals
            global globals_
            statement
        final
        ag__.try_stmt(try_body, except_body, final_body, kinds, get_state, set_state, names, nouts)
    """)
    final = Statements("""
        def final_body(run):
            nonlocal nonlocals
            global globals_
            try:
                run()
            finally:
                final
    """)
    run = Statements("run()")
    kinds = Expression("lambda: classes")
    value = Expression("ag__.ld(attribute)")
    everything = Expression("ag__.BaseException")

    def body(self, node: Handled) -> list[ast.AST]:
        """All of its blocks."""
        return [*node.body, *node.handlers, *node.orelse, *node.finalbody]

    def live_before(self, node: Handled) -> Packed:
        """Every block but the body reads what the body had done until then."""
        handlers = [handler.body for handler in node.handlers]
        return super().live_before(node) | self.live_in_blocks(node.orelse, node.finalbody, *handlers)

    def enter(self, node: Handled) -> None:
        """Looks at the statement as the user wrote it."""
        if self._matters(node):
            super().enter(node)

    def convert(self, node: Handled) -> Replacement:
        """The clauses stay a `try` of Python's, around a call of the body or of what stands for it."""
        if not self._matters(node):
            return node
        block = self.leave()
        functions, get_state, set_state = getter_and_setter(self.context, block)
        run = self.context.shared("run")
        is_of_groups = isinstance(node, ast.TryStar)  # whose clauses also look at what is in a group
        types = [copy.deepcopy(each.type) for each in node.handlers]  # where they stand they are read, too
        classes = [self.everything.fill() if each is None or is_of_groups else each for each in types]
        handled: list[ast.stmt] = self.run.fill(run=run)
        if node.handlers:
            handled = [type(node)(handled, node.handlers, node.orelse, [])]
        final: list[ast.stmt] = []
        final_body: ast.expr | str = ast.Constant(None)
        if node.finalbody:
            final_body = self.context.helper("final_body")
            final = self.final.fill(
                final_body=final_body,
                run=run,
                final=node.finalbody,
                nonlocals=block.nonlocals,
                globals_=block.globals,
            )
        return self.template.fill(
            functions=functions,
            try_body=self.context.helper("try_body"),
            except_body=self.context.helper("except_body"),
            body=self._read(node.body),
            run=run,
            statement=handled,
            final=final,
            final_body=final_body,
            kinds=self.kinds.fill(classes=ast.Tuple(classes, ast.Load())),
            nonlocals=block.nonlocals,
            globals_=block.globals,
            get_state=get_state,
            set_state=set_state,
            names=block.names,
            nouts=literal(block.nouts),
        )

    def _read(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A body that reads what it takes from an attribute: one without a value is missed there."""
        for node in walk(body):
            if isinstance(node, ast.Assign | ast.NamedExpr) and isinstance(node.value, ast.Attribute):
                node.value = self.value.fill(attribute=node.value)
        return body

    def _matters(self, node: Handled) -> bool:
        """Whether a graph may raise something in the body of a statement that is the user's."""
        if node in self.context.kept:
            return False
        return any(isinstance(inner, RUNNING) or self.may_lack(inner) for inner in walk(node.body))


@operator
def try_stmt(
    backends: Backends,
    body: Body,
    rest: Rest,
    final: Rest | None,
    kinds: Thunk,
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
    nouts: int,
) -> None:
    """Runs the statement as Python does, unless a backend records."""
    for backend in backends.members:
        if backend.is_staging():
            backend.try_stmt(body, rest, final, kinds, State(get_state, set_state, names, nouts))
            return
    backends.plain.try_stmt(body, rest, final, kinds, State(get_state, set_state, names, nouts))
