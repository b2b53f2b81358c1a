"""`x.__class__`: of what a backend's value stands for, as `type(x)` says it.

>>> from autograph.converters.picture import show
>>> show("kind = x.__class__", ClassAttribute)
kind = ag__.class_of(x, fscope)
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.call import converted_call
from autograph.source.template import Expression
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope

__all__ = ["ClassAttribute", "class_of"]


class ClassAttribute(Converter[ast.Attribute]):
    """Other attributes are left to the objects themselves."""

    handles = (ast.Attribute,)
    template = Expression("ag__.class_of(value, scope)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where a function names the attribute."""
        return cls.handles if any(map(_is_wanted, context.nodes.get(ast.Attribute, ()))) else ()

    def convert(self, node: ast.Attribute) -> Replacement:
        """A read of the attribute as a call."""
        return self.template.fill(value=node.value, scope=self.scope_name) if _is_wanted(node) else node


def _is_wanted(node: Any) -> bool:
    return node.attr == "__class__" and isinstance(node.ctx, ast.Load)


@operator
def class_of(backends: Backends, value: Any, scope: FunctionScope) -> Any:
    """`value.__class__`."""
    if not backends.owned[type(value)]:
        return value.__class__
    return converted_call(backends, type, (value,), None, scope)
