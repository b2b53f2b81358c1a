"""Assignments to several targets, items, attributes or groups among them: one assignment for each.

>>> from autograph.converters.picture import show
>>> show("x[i], x[j] = x[j], x[i]", Targets)
(value_, value__1) = (x[j], x[i])
x[i] = value_
x[j] = value__1
>>> show("a = x[0] = f()", Targets)
value_ = f()
a = value_
x[0] = value_
>>> show("(a, *b), c = f()", Targets)
(value_, value__1) = f()
(a, *b) = value_
c = value__1
>>> show("for a, b in items: print(a)", Targets)
for value_ in items:
    (a, b) = value_
    print(a)

As in Python the targets get their values from left to right.
"""

from __future__ import annotations

import ast

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.source.template import Statements, literal
from autograph.source.unparse import unparse

__all__ = ["Targets", "has_several_targets"]


class Targets(Converter[ast.Assign | ast.For]):
    """An item, an attribute or a group that is one of several targets gets a statement of its own."""

    handles = (ast.Assign, ast.For)
    template = Statements("target = value")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where an assignment or a loop of the function has several targets."""
        return cls.handles if has_several_targets(context) else ()

    def convert(self, node: ast.Assign | ast.For) -> Replacement:
        """Plain names, and a single target, stay as they are."""
        if isinstance(node, ast.Assign):
            return self._one_by_one(node)
        if isinstance(node.target, ast.Tuple | ast.List):
            self.context.loop_options.setdefault(node, {})["iterate_names"] = literal(unparse(node.target))
            kept = self.context.variable("value_")
            first = [ast.copy_location(each, node.target) for each in self._assigned(node.target, kept)]
            node.target, node.body = _as_name(node.target, kept), [*first, *node.body]
        return node

    def _one_by_one(self, node: ast.Assign) -> list[ast.stmt]:
        if len(node.targets) > 1:
            if all(map(_is_name, node.targets)):
                return [node]
            kept = self.context.variable("value_")
            return [
                *self.template.fill(target=kept, value=node.value),
                *[each for target in node.targets for each in self._assigned(target, kept)],
            ]
        (group,) = node.targets
        if not isinstance(group, ast.Tuple | ast.List) or all(map(_is_name, group.elts)):
            return [node]
        names = [self.context.variable("value_") for _ in group.elts]
        assigned = [
            each
            for target, name in zip(group.elts, names, strict=True)
            for each in self._assigned(_inner(target), name)
        ]
        group.elts = [_as_name(target, name) for target, name in zip(group.elts, names, strict=True)]
        return [node, *assigned]

    def _assigned(self, target: ast.expr, name: str) -> list[ast.stmt]:
        return self._one_by_one(ast.Assign([target], ast.Name(name, ast.Load()), None))


def has_several_targets(context: Context) -> bool:
    """Whether the user's function may assign to several targets at once anywhere: a loop may."""
    return ast.For in context.nodes or any(
        len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple | ast.List)
        for node in context.nodes.get(ast.Assign, ())
    )


def _is_name(target: ast.expr) -> bool:
    """Whether nothing is asked to take a value: a name has it."""
    return isinstance(_inner(target), ast.Name)


def _inner(target: ast.expr) -> ast.expr:
    return target.value if isinstance(target, ast.Starred) else target


def _as_name(target: ast.expr, name: str) -> ast.expr:
    """The variable in the place of a target."""
    variable = ast.Name(name, ast.Store())
    return ast.Starred(variable, ast.Store()) if isinstance(target, ast.Starred) else variable
