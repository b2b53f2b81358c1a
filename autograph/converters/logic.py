"""`and`, `or` and `not`: operands that Python may not evaluate become functions.

>>> from autograph.converters.picture import show
>>> show("y = a and b or not c", Logic)
y = ag__.or_(lambda: ag__.and_(lambda: a, lambda: b), lambda: ag__.not_(c))
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gast

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.source.template import Expression
from autograph.staging.backend import Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["Logic", "and_", "not_", "or_"]

Operation: TypeAlias = "gast.BoolOp | gast.UnaryOp"


class Logic(Converter[Operation]):
    """Operators of two operands; a longer chain nests to the right, which is Python's order."""

    handles = (gast.BoolOp, gast.UnaryOp)
    conjunction = Expression("ag__.and_(lambda: left, lambda: right)")
    disjunction = Expression("ag__.or_(lambda: left, lambda: right)")
    negation = Expression("ag__.not_(operand)")

    def convert(self, node: Operation) -> Replacement:
        """An operand that binds a name would bind it in the lambda, so it stays with Python."""
        if isinstance(node, gast.UnaryOp):
            return self.negation.fill(operand=node.operand) if isinstance(node.op, gast.Not) else node
        if has_walrus([node]):
            return node
        template = self.conjunction if isinstance(node.op, gast.And) else self.disjunction
        *others, result = node.values
        for value in reversed(others):
            result = template.fill(left=value, right=result)
        return result


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
def not_(backends: Backends, a: Any) -> Any:
    """`not a`."""
    return backends.of(a).not_(a)
