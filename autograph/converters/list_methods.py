"""Lists that grow: a backend may replace the list, so the variable is bound again.

>>> from autograph.converters.picture import show
>>> show('''
... l = []
... l.append(x)
... l.extend(t)
... y = l.pop()
... ''', ListMethods)
l = ag__.new_list([])
l = ag__.list_append(l, x, fscope)
l = ag__.list_extend(l, t, fscope)
(l, y) = ag__.list_pop(l, (), fscope)

Only for a list in a local variable: a name of another scope, or an attribute, is called as any method is.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable
from typing import Any, TypeAlias

from autograph.converters.base import Context, Converter, Kinds, Replacement, Walk, has_walrus
from autograph.converters.callees import converted_call
from autograph.converters.displays import made
from autograph.source.template import Expression, Statements
from autograph.staging.dispatch import Backends
from autograph.staging.heap import again
from autograph.staging.notes import note
from autograph.staging.operators import operator
from autograph.staging.places import Contents
from autograph.staging.scope import FunctionScope
from autograph.staging.special_methods import given

__all__ = ["ListMethods", "list_append", "list_extend", "list_pop", "new_list"]

Statement: TypeAlias = "ast.Assign | ast.Expr"


class ListMethods(Converter[Statement]):
    """`append`, `extend` and `pop` where they are statements, and the displays that such lists start from."""

    handles = (ast.Assign, ast.Expr)
    new = Expression("ag__.new_list(display)")
    append = Statements("target = ag__.list_append(target, element, scope)")
    extend = Statements("target = ag__.list_extend(target, items, scope)")
    pop = Statements("target, popped = ag__.list_pop(target, index, scope)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where such a method of a plain name is called anywhere."""
        called = any(_is_of_list(call) for call in context.nodes.get(ast.Call, ()))
        return cls.handles if called else ()

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._grow = _growing(context.nodes.get(ast.Call, ()))

    def convert(self, node: Statement) -> Replacement:
        """Statements of another shape stay."""
        value: Any = node.value
        if isinstance(node, ast.Assign) and isinstance(value, ast.List):
            if all(isinstance(target, ast.Name) and target.id in self._grow for target in node.targets):
                self.context.announced.add(value)
                node.value = self.new.fill(display=value)
        elif isinstance(node, ast.Expr) and _method(value, "append", 1, 1) and self._may_rebind(value):
            return self.append.fill(target=value.func.value, element=value.args[0], scope=self.scope_name)
        elif isinstance(node, ast.Expr) and _method(value, "extend", 1, 1) and self._may_rebind(value):
            return self.extend.fill(target=value.func.value, items=value.args[0], scope=self.scope_name)
        elif _method(value, "pop", 0, 1) and self._may_rebind(value):
            popped = node.targets[0] if isinstance(node, ast.Assign) else self._unused()
            if not isinstance(node, ast.Assign) or len(node.targets) == 1:
                index = ast.Tuple(value.args, ast.Load())
                return self.pop.fill(
                    target=value.func.value, popped=popped, index=index, scope=self.scope_name
                )
        return node

    def _may_rebind(self, call: Any) -> bool:
        """Whether the variable can be bound again without anybody noticing."""
        name = call.func.value.id
        frame = self.frame
        mine = name in frame.locals and name not in frame.bound_later
        return mine and isinstance(self.function, ast.FunctionDef) and not has_walrus(call.args)

    def _unused(self) -> ast.Name:
        return ast.Name(self.context.variable("popped_"), ast.Store())


def _is_of_list(call: ast.Call) -> bool:
    """Whether a plain name's method is called, and may make a list longer or shorter."""
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in CHANGING
        and isinstance(function.value, ast.Name)
    )


CHANGING = frozenset({"append", "extend", "pop"})


def _growing(calls: Iterable[Any]) -> set[str]:
    """The names whose `append` or `pop` is called."""
    return {
        call.func.value.id for call in calls if _method(call, "append", 1, 1) or _method(call, "pop", 0, 1)
    }


def _method(node: ast.AST, name: str, least: int, most: int) -> bool:
    """Whether a node calls a method of a plain name, with so many arguments."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr), args=args, keywords=[]):
            starred = any(isinstance(argument, ast.Starred) for argument in args)
            return attr == name and least <= len(args) <= most and not starred
    return False


@operator
def new_list(backends: Backends, elements: Any) -> Any:
    """A list that will grow; a backend that owns an element may make it its own."""
    if type(elements) is not list:  # a display with a star is a backend's already
        return elements
    return made(backends.of(*elements).new_list(elements))


@operator
def list_append(backends: Backends, target: Any, element: Any, scope: FunctionScope) -> Any:
    """What the variable holds after `target.append(element)`."""
    target = again(target)
    if type(target) is list or type(target) is deque:
        note(Contents(target), reshapes=True)
        target.append(element)
        return target
    backend = backends.of(target)
    if backend is not backends.plain and not backend.is_choice(target):
        return backend.list_append(target, element)
    converted_call(backends, target.append, (element,), None, scope)
    return target


@operator
def list_pop(
    backends: Backends, target: Any, index: tuple[Any, ...], scope: FunctionScope
) -> tuple[Any, Any]:
    """What the variable holds after `target.pop(*index)`, and what was popped."""
    target = again(target)
    backend = backends.of(target, *index)
    if type(target) is list or (backend is not backends.plain and not backend.is_choice(target)):
        note(Contents(target))
        return backend.list_pop(target, *index)
    return target, converted_call(backends, target.pop, index, None, scope)


@operator
def list_extend(backends: Backends, target: Any, items: Any, scope: FunctionScope) -> Any:
    """What the variable holds after `target.extend(items)`."""
    target, items = again(target), given(backends, items)
    backend = backends.of(target, items)
    is_choice = backend.is_choice(target) or backend.is_choice(items)
    if not is_choice and (type(target) is list or backend is not backends.plain):
        note(Contents(target))
        return backend.list_extend(target, items)
    converted_call(backends, target.extend, (items,), None, scope)
    return target
