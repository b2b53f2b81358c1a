"""`if`: both branches become functions, so a backend may run the one, the other, or record both.

>>> from autograph.converters.picture import show
>>> show('''
... def f(x):
...     y = 0
...     if x > 0:
...         y = x
...     print(y)
... ''', IfStmt)
def f(x):
    y = 0
    def get_state():
        return (y,)
    def set_state(vars_):
        nonlocal y
        (y,) = vars_
    def if_body():
        nonlocal y
        y = x
    def else_body():
        nonlocal y
        pass
    ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
    print(y)
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.analysis.activity import Packed
from autograph.converters.base import Replacement
from autograph.converters.blocks import BlockConverter, getter_and_setter
from autograph.source.template import Statements, literal
from autograph.staging.backend import Body
from autograph.staging.dispatch import PLAIN, Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import truth
from autograph.staging.state import Getter, Setter, State

__all__ = ["IfStmt", "if_stmt"]


class IfStmt(BlockConverter[ast.If]):
    """Two bodies, a state, and the call."""

    handles = (ast.If,)
    template = Statements("""
        functions
        def if_body():
            nonlocal nonlocals
            global globals_
            body
        def else_body():
            nonlocal nonlocals
            global globals_
            orelse
        ag__.if_stmt(test, if_body, else_body, get_state, set_state, names, nouts)
    """)

    def live_before(self, node: ast.If) -> Packed:
        """Its blocks read what the test binds, too."""
        return super().live_before(node) | self.live_in_blocks(node.body, node.orelse)

    def body(self, node: ast.If) -> list[ast.AST]:
        """Both branches."""
        return [*node.body, *node.orelse]

    def convert(self, node: ast.If) -> Replacement:
        """The test stays where it is."""
        block = self.leave()
        functions, get_state, set_state = getter_and_setter(self.context, block)
        return self.template.fill(
            functions=functions,
            test=node.test,
            if_body=self.context.helper("if_body"),
            else_body=self.context.helper("else_body"),
            body=node.body,
            orelse=node.orelse or [ast.Pass()],
            nonlocals=block.nonlocals,
            globals_=block.globals,
            get_state=get_state,
            set_state=set_state,
            names=block.names,
            nouts=literal(block.nouts),
        )


@operator
def if_stmt(
    backends: Backends,
    test: Any,
    body: Body,
    orelse: Body,
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
    nouts: int,
) -> None:
    """Runs one branch (plain Python) or records both (a backend's value)."""
    if type(test) not in PLAIN:
        test = truth(backends, test)
    if backends.owned[type(test)]:
        backends.of(test).if_stmt(test, body, orelse, State(get_state, set_state, names, nouts))
    elif test:  # at once: a converted `if` of plain Python is to cost little, and to use no stack
        body()
    else:
        orelse()
