"""Assignments to several targets: a backend gives as many values as there are targets.

>>> from autograph.converters.picture import show
>>> show("a, b = f(t)", Unpack)
(a, b) = ag__.unpack(f(t), 2)
>>> show("first, *rest = t", Unpack)
(first, rest) = ag__.unpack_starred(t, 1, 0)

What is spelled out on the right, or goes to several groups of targets, is left to Python; so is a group
within a group, which gets what stands in its place.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.converters.targets import has_several_targets
from autograph.source.template import Expression, literal
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import given

__all__ = ["Unpack", "unpack", "unpack_starred"]

SPELLED_OUT = ast.Tuple | ast.List | ast.Constant | ast.JoinedStr


class Unpack(Converter[ast.Assign]):
    """The value passes through an operator; a starred target gets its list from it."""

    handles = (ast.Assign,)
    plain = Expression("ag__.unpack(value, count)")
    starred = Expression("ag__.unpack_starred(value, before, after)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function assigns to several targets at once, or a pattern does."""
        return cls.handles if ast.Match in context.nodes or has_several_targets(context) else ()

    def convert(self, node: ast.Assign) -> Replacement:
        """The targets stay as they are, but for the star."""
        targets = node.targets[0]
        if len(node.targets) > 1 or not isinstance(targets, ast.Tuple | ast.List):
            return node
        if isinstance(node.value, SPELLED_OUT) and not _has_star(node.value):
            return node
        places = [place for place, target in enumerate(targets.elts) if isinstance(target, ast.Starred)]
        if not places:
            node.value = self.plain.fill(value=node.value, count=literal(len(targets.elts)))
            return node
        (before,) = places
        target: Any = targets.elts[before]
        if isinstance(target.value, ast.Tuple | ast.List):
            return node
        after = len(targets.elts) - before - 1
        targets.elts[before] = target.value
        node.value = self.starred.fill(value=node.value, before=literal(before), after=literal(after))
        return node


def _has_star(value: ast.expr) -> bool:
    """Whether it is a display that may have as many items as a run knows."""
    return any(isinstance(item, ast.Starred) for item in getattr(value, "elts", ()))


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
