"""`a if test else b`: both arms become functions, so a backend may stage them.

>>> from autograph.converters.picture import show
>>> show("y = a if t else b", IfExp)
y = ag__.if_exp(t, lambda: a, lambda: b, 't')
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.source.template import Expression, literal
from autograph.staging.backend import Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["IfExp", "if_exp"]


class IfExp(Converter[gast.IfExp]):
    """Puts off the arms; the test stays where it is."""

    handles = (gast.IfExp,)
    template = Expression("ag__.if_exp(test, lambda: body, lambda: orelse, text)")

    def convert(self, node: gast.IfExp) -> Replacement:
        """An arm that binds a name would bind it in the lambda, so it stays with Python."""
        if has_walrus([node.body, node.orelse]):
            return node
        text = literal(self.context.texts[node])
        return self.template.fill(test=node.test, body=node.body, orelse=node.orelse, text=text)


@operator
def if_exp(backends: Backends, test: Any, body: Thunk, orelse: Thunk, text: str) -> Any:
    """Either arm's value; staged when `test` belongs to a backend."""
    return backends.of(test).if_exp(test, body, orelse, text)
