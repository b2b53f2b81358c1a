"""`a if test else b`: both arms become functions, so a backend may stage them.

>>> from autograph.converters.picture import show
>>> show("y = a if t else b", IfExp)
y = ag__.if_exp(t, lambda: a, lambda: b, 't')
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Replacement
from autograph.converters.operands import OperandConverter
from autograph.source.template import Expression, literal
from autograph.staging.backend import Thunk
from autograph.staging.chosen import chosen
from autograph.staging.dispatch import PLAIN, Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import truth

__all__ = ["IfExp", "if_exp"]


class IfExp(OperandConverter[ast.IfExp]):
    """Puts off the arms; the test stays where it is."""

    handles = (ast.IfExp,)
    template = Expression("ag__.if_exp(test, body, orelse, text, state)")

    def later(self, node: ast.IfExp) -> list[ast.expr]:
        """Both arms."""
        return [node.body, node.orelse]

    def convert(self, node: ast.IfExp) -> Replacement:
        """The text of the test is for messages."""
        bound = self.leave()
        if bound is None:
            return node
        return self.template.fill(
            test=node.test,
            body=self.operand(node.body),
            orelse=self.operand(node.orelse),
            text=literal(self.context.texts[node]),
            state=self.state(bound),
        )


@operator
def if_exp(backends: Backends, test: Any, body: Thunk, orelse: Thunk, text: str, *state: Any) -> Any:
    """Either arm's value; staged when `test` belongs to a backend. `state` is about what the arms bind."""
    if type(test) not in PLAIN:
        test = truth(backends, test)
    if not backends.owned[type(test)]:
        return body() if test else orelse()
    backend = backends.of(test)
    return chosen(backend, test, body, orelse, *state) if state else backend.if_exp(test, body, orelse, text)
