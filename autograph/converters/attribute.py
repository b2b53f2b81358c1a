"""Attributes that there may not be: a backend's value has others than what it stands for, and paths set some.

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
    rows = ag__.ld(x.rows)

A value of a graph has names of its own, beside those of the array, the number or the list that it stands for,
and has no others. Programs see it where they say what is to happen if there is no such attribute.

An attribute that only some paths have set is asked for where its value is handed on. What computes with it
asks itself.
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.callees import converted_call
from autograph.source.names import is_private
from autograph.source.template import Expression, literal
from autograph.staging.builtins import attribute
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope

__all__ = ["Attribute", "attribute_of", "class_of", "numpys"]

OF_NUMPY = frozenset(
    {"T", "all", "any", "argmax", "argmin", "argsort", "astype", "base", "clip", "conj", "cumprod", "cumsum"}
    | {
        "diagonal",
        "dot",
        "dtype",
        "fill",
        "flags",
        "flat",
        "flatten",
        "item",
        "itemsize",
        "mT",
        "max",
        "mean",
    }
    | {
        "min",
        "nbytes",
        "ndim",
        "nonzero",
        "prod",
        "ravel",
        "repeat",
        "reshape",
        "round",
        "searchsorted",
        "shape",
    }
    | {
        "size",
        "squeeze",
        "std",
        "strides",
        "sum",
        "swapaxes",
        "take",
        "tobytes",
        "tolist",
        "trace",
        "transpose",
    }
    | {"var", "view"}
)
"""Attributes that arrays and numbers of NumPy's have, and no numbers or containers of Python's."""


class Attribute(Converter[ast.Attribute]):
    """Other attributes are left to the objects themselves."""

    handles = (ast.Attribute,)
    of_class = Expression("ag__.class_of(value, scope)")
    of_numpy = Expression("ag__.numpys(value, name)")
    template = Expression("ag__.attribute_of(value, name)")
    value = Expression("ag__.ld(attribute)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where a function names such an attribute."""
        names = context.own_names | {"__class__", "__dict__"} | OF_NUMPY
        reads = context.nodes.get(ast.Attribute, ())
        is_wanted = context.guarded or context.handed_on or any(node.attr in names for node in reads)
        return cls.handles if is_wanted else ()

    def convert(self, node: ast.Attribute) -> Replacement:
        """A read of the attribute as a call."""
        if not isinstance(node.ctx, ast.Load):
            return node
        found = self.read(node, guarded=node in self.context.guarded)
        if found is not node or node not in self.context.handed_on or self._is_of_module(node):
            return found
        return self.value.fill(attribute=node)

    def read(self, node: ast.Attribute, *, guarded: bool) -> ast.expr:
        """What reads an attribute, for an operator in place, too; `guarded`, where that may be caught."""
        if node.attr == "__class__":
            return self.of_class.fill(value=node.value, scope=self.scope_name)
        if node.attr in OF_NUMPY and not (guarded or self._is_of_module(node)):
            node.value = self.of_numpy.fill(value=node.value, name=literal(node.attr))
            return node
        is_asked = node.attr in self.context.own_names or node.attr == "__dict__"
        if not (is_asked or guarded):
            return node
        if is_private(node.attr) or self._is_of_module(node):
            return node
        return self.template.fill(value=node.value, name=literal(node.attr))

    def _is_of_module(self, node: ast.Attribute) -> bool:
        """Whether it is one of a module, which is known to be there: a class may have its on some paths."""
        return isinstance(self.context.resolve(_as_written(node.value)), ModuleType)


def _as_written(node: ast.expr) -> ast.expr:
    """A dotted name without what reads the variable that it begins with: that is converted by now."""
    match node:
        case ast.Call(ast.Attribute(attr="ld"), [ast.Name() as variable]):
            return variable
        case ast.Attribute():
            return ast.Attribute(_as_written(node.value), node.attr, node.ctx)
    return node


@operator
def class_of(backends: Backends, value: Any, scope: FunctionScope) -> Any:
    """`value.__class__`."""
    if not backends.owned[type(value)]:
        return value.__class__
    return converted_call(backends, type, (value,), None, scope)


@operator
def numpys(backends: Backends, value: Any, name: str) -> Any:
    """`value`, before it is asked for an attribute that numbers of Python's do not have."""
    if backends.owned[type(value)]:
        backends.of(value).require_numpys(value, name)
    return value


@operator
def attribute_of(backends: Backends, value: Any, name: str) -> Any:
    """`value.name`."""
    return attribute(backends, value, name)
