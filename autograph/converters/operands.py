"""Shared by `and`, `or`, conditional expressions and chains: parts that may not be evaluated, as functions.

A part becomes a lambda. One that binds a name by `:=` cannot, for the lambda would keep the name for itself:
it becomes a function in front of the statement, and the names that it binds are state, as those of a branch.

>>> from autograph.converters.logic import Logic
>>> from autograph.converters.picture import show
>>> show('''
... def f(a):
...     y = a and (n := b(a))
...     print(y, n)
... ''', Logic)
def f(a):
    def get_state():
        return (n,)
    def set_state(vars_):
        nonlocal n
        (n,) = vars_
    def operand():
        nonlocal n
        return (n := b(a))
    y = ag__.and_(lambda: a, operand, get_state, set_state, ('n',))
    print(y, n)

In a lambda or a comprehension there is no place for such a function; there the expression stays with Python.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Sequence

from autograph.converters.base import Context, Converter, Node, Walk, has_walrus
from autograph.converters.blocks import Block, getter_and_setter
from autograph.converters.put_off import bound_names
from autograph.source.template import Expression, Statements

__all__ = ["OperandConverter"]


class OperandConverter(Converter[Node]):
    """An expression some of whose parts become functions."""

    put_off = Expression("lambda: value")
    function_of = Statements("""
        def operand():
            nonlocal nonlocals
            global globals_
            return value
    """)

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._bound: list[list[str]] = []

    @abstractmethod
    def later(self, node: Node) -> Sequence[ast.expr]:
        """The parts that are put off."""

    def enter(self, node: Node) -> None:
        """Looks for names that the parts bind, before those of an inner expression move away."""
        later = self.later(node) if self.context.has_walrus else ()
        self._bound.append(sorted(set(bound_names(later))))

    def leave(self) -> list[str] | None:
        """The names that the parts of the expression entered last bind; None when it stays with Python."""
        bound = self._bound.pop()
        return bound if not bound or isinstance(self.walk.scope, ast.FunctionDef) else None

    def operand(self, value: ast.expr) -> ast.expr | str:
        """A part as a function, or the name of one in front of the statement."""
        if not (self.context.has_walrus and has_walrus([value])):
            return self.put_off.fill(value=value)
        block, name = self._block(sorted(set(bound_names([value])))), self.context.helper("operand")
        self.walk.hoisted += self.function_of.fill(
            operand=name, value=value, nonlocals=block.nonlocals, globals_=block.globals
        )
        return name

    def state(self, bound: list[str]) -> list[ast.expr]:
        """The arguments that hand over the names; none when there are none."""
        if not bound:
            return []
        block = self._block(bound)
        functions, *names = getter_and_setter(self.context, block)
        self.walk.hoisted += functions
        return [*(ast.Name(name, ast.Load()) for name in names), block.names]

    def _block(self, bound: list[str]) -> Block:
        """The names as the variables of a block; each has a value from the start (see `put_off`)."""
        frame, names = self.frame, frozenset(bound)
        return Block(
            nonlocals=sorted(names - frame.globals),
            globals=sorted(names & frame.globals),
            state=tuple(sorted(names)),
            nouts=len(names),
            unsure=frame.globals | frame.nonlocals,
        )
