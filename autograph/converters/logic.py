"""`and`, `or` and `not`: operands that Python may not evaluate become functions.

>>> from autograph.converters.picture import show
>>> show("y = a and b or not c", Logic)
y = ag__.or_(lambda: ag__.and_(lambda: a, lambda: b), lambda: ag__.not_(c))
>>> show("y = (n := a) and b(n)", Logic)
y = ag__.and_now((n := a), lambda: b(n))
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gast

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.source.template import Expression
from autograph.staging.backend import Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["Logic", "and_", "and_now", "not_", "or_", "or_now"]

Operation: TypeAlias = "gast.BoolOp | gast.UnaryOp"


class Logic(Converter[Operation]):
    """Operators of two operands; a longer chain nests to the right, which is Python's order.

    The first operand is always evaluated, so it may bind a name. One that follows would do so in its
    lambda, and then the expression stays with Python.
    """

    handles = (gast.BoolOp, gast.UnaryOp)
    conjunction = Expression("ag__.and_(lambda: left, lambda: right)")
    disjunction = Expression("ag__.or_(lambda: left, lambda: right)")
    conjunction_now = Expression("ag__.and_now(left, lambda: right)")
    disjunction_now = Expression("ag__.or_now(left, lambda: right)")
    negation = Expression("ag__.not_(operand)")

    def convert(self, node: Operation) -> Replacement:
        """The first operand is put off, too, unless it binds a name: the listing then shows them alike."""
        if isinstance(node, gast.UnaryOp):
            return self.negation.fill(operand=node.operand) if isinstance(node.op, gast.Not) else node
        first, *others, result = node.values
        if has_walrus([*others, result]):
            return node
        both = isinstance(node.op, gast.And)
        template = self.conjunction if both else self.disjunction
        for value in reversed(others):
            result = template.fill(left=value, right=result)
        if has_walrus([first]):
            template = self.conjunction_now if both else self.disjunction_now
        return template.fill(left=first, right=result)


@operator
def and_(backends: Backends, a: Thunk, b: Thunk) -> Any:
    """The operand that decides `a and b`."""
    left = a()
    return backends.of(left).and_(left, b)


@operator
def or_(backends: Backends, a: Thunk, b: Thunk) -> Any:
    """The operand that decides `a or b`."""
    left = a()
    return backends.of(left).or_(left, b)


@operator
def and_now(backends: Backends, left: Any, b: Thunk) -> Any:
    """The operand that decides `left and b`, where the first was evaluated in its place."""
    return backends.of(left).and_(left, b)


@operator
def or_now(backends: Backends, left: Any, b: Thunk) -> Any:
    """The operand that decides `left or b`, where the first was evaluated in its place."""
    return backends.of(left).or_(left, b)


@operator
def not_(backends: Backends, a: Any) -> Any:
    """`not a`."""
    return backends.of(a).not_(a)
