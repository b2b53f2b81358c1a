"""Attributes of which a backend's value may have others than what it stands for.

>>> from autograph.converters.picture import show
>>> show("kind = x.__class__", Attribute)
kind = ag__.class_of(x, fscope)
>>> show('''
...     try:
...         rows = x.shape
...     except AttributeError:
...         rows = x.rows
... ''', Attribute)
try:
    rows = ag__.attribute_of(x, 'shape')
except AttributeError:
    rows = x.rows

A value of a graph has names of its own, beside those of the array, the number or the list that it stands for,
and has no others. Programs see it where they say what is to happen if there is no such attribute.
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.call import converted_call
from autograph.source.names import is_private
from autograph.source.template import Expression, literal
from autograph.staging.builtins import attribute
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope

__all__ = ["Attribute", "attribute_of", "class_of"]


class Attribute(Converter[ast.Attribute]):
    """Other attributes are left to the objects themselves."""

    handles = (ast.Attribute,)
    of_class = Expression("ag__.class_of(value, scope)")
    template = Expression("ag__.attribute_of(value, name)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where a function names such an attribute."""
        names = context.own_names | {"__class__", "__dict__"}
        reads = context.nodes.get(ast.Attribute, ())
        return cls.handles if context.guarded or any(node.attr in names for node in reads) else ()

    def convert(self, node: ast.Attribute) -> Replacement:
        """A read of the attribute as a call."""
        if not isinstance(node.ctx, ast.Load):
            return node
        return self.read(node, guarded=node in self.context.guarded)

    def read(self, node: ast.Attribute, *, guarded: bool) -> ast.expr:
        """What reads an attribute, for an operator in place, too; `guarded`, where that may be caught."""
        if node.attr == "__class__":
            return self.of_class.fill(value=node.value, scope=self.scope_name)
        is_asked = node.attr in self.context.own_names or node.attr == "__dict__"
        if not (is_asked or guarded):
            return node
        if is_private(node.attr) or isinstance(self.context.resolve(node.value), ModuleType | type):
            return node
        return self.template.fill(value=node.value, name=literal(node.attr))


@operator
def class_of(backends: Backends, value: Any, scope: FunctionScope) -> Any:
    """`value.__class__`."""
    if not backends.owned[type(value)]:
        return value.__class__
    return converted_call(backends, type, (value,), None, scope)


@operator
def attribute_of(backends: Backends, value: Any, name: str) -> Any:
    """`value.name`."""
    return attribute(backends, value, name)
