"""Assignments to several targets, items or attributes among them: one assignment for each.

>>> from autograph.converters.picture import show
>>> show("x[i], x[j] = x[j], x[i]", Targets)
(value_, value__1) = (x[j], x[i])
x[i] = value_
x[j] = value__1
>>> show("a = x[0] = f()", Targets)
value_ = f()
a = value_
x[0] = value_

As in Python the targets get their values from left to right. A group that has groups inside stays as it is.
"""

from __future__ import annotations

import ast

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.source.template import Statements

__all__ = ["Targets", "has_several_targets"]


class Targets(Converter[ast.Assign]):
    """An item or attribute that is one of several targets gets a statement of its own."""

    handles = (ast.Assign,)
    template = Statements("target = value")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where an assignment of the function has several targets."""
        return cls.handles if has_several_targets(context) else ()

    def convert(self, node: ast.Assign) -> Replacement:
        """Plain names, and a single target, stay as they are."""
        if len(node.targets) > 1:
            if not any(map(_is_place, node.targets)):
                return node
            kept = self.context.variable("value_")
            return [
                *self.template.fill(target=kept, value=node.value),
                *[each for target in node.targets for each in self._assigned(target, kept)],
            ]
        (group,) = node.targets
        if not isinstance(group, ast.Tuple | ast.List) or not any(map(_is_place, group.elts)):
            return node
        if any(isinstance(_inner(target), ast.Tuple | ast.List) for target in group.elts):
            return node
        names = [self.context.variable("value_") for _ in group.elts]
        assigned = [
            each
            for target, name in zip(group.elts, names, strict=True)
            for each in self._assigned(_inner(target), name)
        ]
        group.elts = [_as_name(target, name) for target, name in zip(group.elts, names, strict=True)]
        return [node, *assigned]

    def _assigned(self, target: ast.expr, name: str) -> list[ast.stmt]:
        return [ast.Assign([target], ast.Name(name, ast.Load()), None)]


def has_several_targets(context: Context) -> bool:
    """Whether the user's function assigns to several targets at once anywhere."""
    return any(
        len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple | ast.List)
        for node in context.nodes.get(ast.Assign, ())
    )


def _is_place(target: ast.expr) -> bool:
    """Whether an item or an attribute is assigned."""
    return isinstance(_inner(target), ast.Subscript | ast.Attribute)


def _inner(target: ast.expr) -> ast.expr:
    return target.value if isinstance(target, ast.Starred) else target


def _as_name(target: ast.expr, name: str) -> ast.expr:
    """The variable in the place of a target."""
    variable = ast.Name(name, ast.Store())
    return ast.Starred(variable, ast.Store()) if isinstance(target, ast.Starred) else variable
