"""Assignments to several targets: a backend gives as many values as there are targets.

>>> from autograph.converters.picture import show
>>> show("a, b = f(t)", Unpack)
(a, b) = ag__.unpack(f(t), 2)
>>> show("first, *rest = t", Unpack)
(first, rest) = ag__.unpack_starred(t, 1, 0)
>>> show("a, b = f(t) if t else (0, 0)", Unpack)
if t:
    (a, b) = ag__.unpack(f(t), 2)
else:
    (a, b) = (0, 0)

What is spelled out on the right is left to Python.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.targets import has_several_targets
from autograph.source.template import Expression, Statements, literal
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import given

__all__ = ["Unpack", "unpack", "unpack_starred", "unpacked"]

SPELLED_OUT = ast.Tuple | ast.List | ast.Constant | ast.JoinedStr


class Unpack(Converter[ast.Assign]):
    """The value passes through an operator; a starred target gets its list from it."""

    handles = (ast.Assign,)
    template = Statements("""
        if test:
            one
        else:
            other
    """)

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function assigns to several targets at once, or a pattern does."""
        return cls.handles if ast.Match in context.nodes or has_several_targets(context) else ()

    def convert(self, node: ast.Assign) -> Replacement:
        """The targets stay as they are, but for the star."""
        targets = node.targets[0]
        if len(node.targets) > 1 or not isinstance(targets, ast.Tuple | ast.List):
            return node
        if _is_spelled_out(node.value):
            return node
        if _has_arms(node.value) and all(map(_is_name, targets.elts)):
            return self._by_arm(node, node.value)
        node.value = unpacked(targets, node.value)
        return node

    def _by_arm(self, node: ast.Assign, value: Any) -> list[ast.stmt]:
        """An assignment for each arm: what is unpacked in one does not have to be known behind it."""
        one, other = [
            self.convert(ast.Assign(copy.deepcopy(node.targets), arm, None))
            for arm in (value.body, value.orelse)
        ]
        return self.template.fill(test=value.test, one=one, other=other)


PLAIN = Expression("ag__.unpack(value, count)")
STARRED = Expression("ag__.unpack_starred(value, before, after)")


def unpacked(group: ast.Tuple | ast.List, value: ast.expr) -> ast.expr:
    """The values for a group of targets, which loses its star: what that takes is a list by then."""
    count = len(group.elts)
    for before, target in enumerate(group.elts):
        if isinstance(target, ast.Starred):
            group.elts[before] = target.value
            return STARRED.fill(value=value, before=literal(before), after=literal(count - before - 1))
    return PLAIN.fill(value=value, count=literal(count))


def _is_name(target: ast.expr) -> bool:
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def _is_spelled_out(value: ast.expr) -> bool:
    """Whether it is a display that shows how many items it has."""
    has_star = any(isinstance(item, ast.Starred) for item in getattr(value, "elts", ()))
    return isinstance(value, SPELLED_OUT) and not has_star


def _has_arms(value: ast.expr) -> bool:
    """Whether it is one of several values whose contents only a run knows."""
    if not isinstance(value, ast.IfExp):
        return False
    arms = (value.body, value.orelse)
    return any(_has_arms(arm) or not (_is_spelled_out(arm) or isinstance(arm, ast.IfExp)) for arm in arms)


@operator
def unpack(backends: Backends, value: Any, count: int) -> Any:
    """What Python unpacks into so many targets."""
    if staging.attempts:
        staging.attempts[-1].require_own(value)
    value = given(backends, value)
    return backends.of(value).unpack(value, count)


@operator
def unpack_starred(backends: Backends, value: Any, before: int, after: int) -> Any:
    """A value for each target: some, then a list, then some."""
    if staging.attempts:
        staging.attempts[-1].require_own(value)
    value = given(backends, value)
    return backends.of(value).unpack_starred(value, before, after)
