"""`while`: the test and the body become functions.

>>> from autograph.converters.picture import show
>>> show('''
... def f(x):
...     while x > 0:
...         x = x - 1
...     print(x)
... ''', WhileStmt)
def f(x):
    def get_state():
        return (x,)
    def set_state(vars_):
        nonlocal x
        (x,) = vars_
    def loop_body():
        nonlocal x
        x = x - 1
    def loop_test():
        return x > 0
    ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('x',), {})
    print(x)
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Replacement
from autograph.converters.blocks import BlockConverter, getter_and_setter
from autograph.converters.directive import loop_options
from autograph.converters.for_stmt import are_many, asked_after, is_much
from autograph.source.template import Statements, literal
from autograph.staging.backend import Body, LoopOptions, LoopTest
from autograph.staging.context import staging
from autograph.staging.dispatch import PLAIN, Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import truth
from autograph.staging.state import Getter, Setter, State

__all__ = ["WhileStmt", "while_stmt"]


class WhileStmt(BlockConverter[ast.While]):
    """A body, a test, a state, and the call. `break`, `continue` and `else` are gone by now."""

    handles = (ast.While,)
    template = Statements("""
        functions
        def loop_body():
            nonlocal nonlocals
            global globals_
            body
        def loop_test():
            return test
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, names, options)
    """)

    def body(self, node: ast.While) -> list[ast.AST]:
        """The test is a function, too."""
        return [node.test, *node.body]

    def convert(self, node: ast.While) -> Replacement:
        """The loop as a call. A test that binds names is in the body by now."""
        block = self.leave()
        functions, get_state, set_state = getter_and_setter(self.context, block)
        options = self.context.loop_options.get(node, {})
        if _never_fails(node.test):
            options = options | {"is_endless": literal(True)}
        return self.template.fill(
            functions=functions,
            loop_body=self.context.helper("loop_body"),
            loop_test=self.context.helper("loop_test"),
            body=node.body,
            test=node.test,
            nonlocals=block.nonlocals,
            globals_=block.globals,
            get_state=get_state,
            set_state=set_state,
            names=block.names,
            options=loop_options(options),
        )


def _never_fails(test: ast.expr) -> bool:
    """Whether only an exception ends a loop: `break` and `return` are part of the test by now."""
    return isinstance(test, ast.Constant) and bool(test.value)


TURNS_WITHOUT_END = 16
"""Turns of Python's after which a loop that only an exception ends may become one of a backend."""
FEW_TURNS = 2
"""Those after which it may already, where turns are large: many of them would take long to trace."""
LARGE_TURN = 50
"""Operations that one turn adds."""
MANY_TURNS = 200
"""Those after which any other one may, of which a turn may raise: that may be what ends it."""


@operator
def while_stmt(
    backends: Backends,
    test: LoopTest,
    body: Body,
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    """Runs the loop in Python until its test gives a backend's value; the backend runs the rest."""
    owned = backends.owned
    turns, may_raise, recorded = 0, 0, (0, 1)
    raising_after = TURNS_WITHOUT_END if options.get("is_endless") else MANY_TURNS
    rolled_after = asked_after()
    while True:
        value = test()
        if type(value) not in PLAIN:
            value = truth(backends, value)
        if owned[type(value)]:
            state = State(get_state, set_state, names, len(names))
            loop_options = LoopOptions(**options, has_run=turns > 0)
            backends.of(value).while_stmt(lambda: truth(backends, test()), body, state, loop_options, value)
            return
        if not value:
            return
        if may_raise > (0 if turns >= raising_after else LARGE_TURN):
            state = State(get_state, set_state, names, len(names))
            asked = options if turns >= raising_after else options | {"is_endless": False}  # it may still end
            now, loop_options = backends.staging_now(), LoopOptions(**asked, has_run=True)
            if now.until_raised(lambda: truth(backends, test()), body, state, loop_options):
                return
        if turns in rolled_after and (recorded[0] or not turns):
            state = State(get_state, set_state, names, len(names))

            def is_worth_it(left: int, done: int = turns, each: tuple[int, int] = recorded) -> bool:
                return are_many(done + left) or (left > 1 and is_much(each[0] * left, each[1]))

            if backends.staging_now().roll_while(
                lambda: truth(backends, test()),
                body,
                state,
                LoopOptions(**options),
                after=turns,
                is_worth_it=is_worth_it,
                rest=lambda: while_stmt(backends, test, body, get_state, set_state, names, options),
            ):
                return
        turns += 1
        may_raise, recorded = 0, (0, 1)
        if turns == 1 and staging.attempts:
            state = State(get_state, set_state, names, len(names))
            loop_options = LoopOptions(**options | {"is_endless": False})
            if backends.staging_now().first_turn(lambda: truth(backends, test()), body, state, loop_options):
                return
        elif turns == raising_after or (turns == FEW_TURNS and options.get("is_endless")):
            may_raise = backends.staging_now().is_raising(body)
        elif turns in rolled_after:
            recorded = backends.staging_now().recorded(body)
        else:
            body()
