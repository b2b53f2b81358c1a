"""Displays: a backend may make its own of them, and hears of each list and dict that a path makes.

>>> from autograph.converters.picture import show
>>> show("s = {x, 1}", Displays)
s = ag__.set_display(x, 1)
>>> show("d = {x: y, 'a': 1}", Displays)
d = ag__.dict_display((x, y), ('a', 1))
>>> show("l = [*x, y]", Displays)
l = ag__.list_display((True, x), (False, y))
>>> show("t = (*x, y)", Displays)
t = ag__.tuple_display((True, x), (False, y))
>>> show("d = {**x, 'a': 1}", Displays)
d = ag__.starred_dict((x,), ('a', 1))
>>> show("rows = [x, y, {'a': x}]", Displays)
rows = ag__.made([x, y, ag__.made({'a': x})])
>>> show("x in [1, 2]", Displays)
x in [1, 2]

A dict whose keys are all spelled out is Python's own. Lists and dicts that are announced where they are made
are known not to have been there before the statement around; others show that only where it is traced again.
"""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from autograph.converters.base import Context, Converter, Replacement, Walk
from autograph.source.names import NodesByClass
from autograph.source.template import Expression
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.fresh import note_fresh
from autograph.staging.heap import current, tell_apart
from autograph.staging.meeting import note_made
from autograph.staging.operators import operator, unbound_operator
from autograph.staging.special_methods import given

__all__ = [
    "Displays",
    "dict_display",
    "list_display",
    "made",
    "makes_list",
    "set_display",
    "starred_dict",
    "starred_set",
    "tuple_display",
]

Display: TypeAlias = "ast.Set | ast.Dict | ast.List | ast.Tuple"


class Displays(Converter[Display]):
    """Each item where it stands, so that they are evaluated in Python's order."""

    handles = (ast.Set, ast.Dict, ast.List, ast.Tuple)
    set_of = Expression("ag__.set_display(items)")
    dict_of = Expression("ag__.dict_display(items)")
    starred_dict_of = Expression("ag__.starred_dict(items)")
    list_of = Expression("ag__.list_display(items)")
    tuple_of = Expression("ag__.tuple_display(items)")
    starred_set_of = Expression("ag__.starred_set(items)")
    made = Expression("ag__.made(display)")

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        displays = {node for kind in (ast.List, ast.Dict) for node in context.nodes.get(kind, ())}
        self._kept = displays - context.announced - _passing(context.nodes) if displays else displays

    def convert(self, node: Display) -> Replacement:
        """Displays of constants stay."""
        if isinstance(node, ast.Set):
            if _has_star(node.elts):
                return self.starred_set_of.fill(items=[_part(item) for item in node.elts])
            is_one_constant = len(node.elts) > _ONE_BY_ONE and all(map(_is_constant, node.elts))
            return node if is_one_constant else self.set_of.fill(items=node.elts)
        if isinstance(node, ast.Dict):
            keys = [key for key in node.keys if key is not None]
            is_starred = len(keys) < len(node.keys)
            if not is_starred and all(isinstance(key, ast.Constant) for key in keys):
                return self._announced(node)
            rows = zip(node.keys, node.values, strict=True)
            items = [ast.Tuple([value] if key is None else [key, value], ast.Load()) for key, value in rows]
            return (self.starred_dict_of if is_starred else self.dict_of).fill(items=items)
        if not isinstance(node.ctx, ast.Load):
            return node
        if not _has_star(node.elts):
            return node if isinstance(node, ast.Tuple) else self._announced(node)
        display = self.list_of if isinstance(node, ast.List) else self.tuple_of
        return display.fill(items=[_part(item) for item in node.elts])

    def _announced(self, node: ast.List | ast.Dict) -> Replacement:
        """The display; those that converters made, and those that nobody keeps, stay."""
        return self.made.fill(display=node) if node in self._kept else node


_ONE_BY_ONE = 2
"""Constants of a set that Python puts into it one after the other: more of them are one constant."""


def _is_constant(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant)


def _passing(nodes: NodesByClass) -> set[ast.AST]:
    """The displays that are gone behind the expression around, or that this announces."""
    found: set[ast.AST] = set()
    for compared in nodes.get(ast.Compare, ()):
        found.update(compared.comparators)
    for kind in (ast.For, ast.comprehension):
        found.update(each.iter for each in nodes.get(kind, ()))
    for call in nodes.get(ast.Call, ()):
        found.update(keyword.value for keyword in call.keywords if keyword.arg is None)
    for operation in nodes.get(ast.BinOp, ()):
        if makes_list(operation):
            found |= {operation.left, operation.right}
    return found


def makes_list(node: ast.AST) -> bool:
    """Whether a node is a list that is made on the spot, or a sum or a multiple of such."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        return makes_list(node.left) or makes_list(node.right)
    return isinstance(node, ast.List | ast.ListComp)


def _has_star(items: list[ast.expr]) -> bool:
    return any(isinstance(item, ast.Starred) for item in items)


def _part(item: ast.expr) -> ast.expr:
    is_starred = isinstance(item, ast.Starred)
    value = item.value if isinstance(item, ast.Starred) else item
    return ast.Tuple([ast.Constant(is_starred), value], ast.Load())


@unbound_operator
def made(container: Any) -> Any:
    """A container that was made just now, after all listeners have heard of it.

    In the body of a `try` it is not announced: the handlers restore what may have been there before.
    """
    if staging.journal is not None and not staging.handlers and type(container) in MADE:
        note_made(container)
    return container


MADE = frozenset({list, dict})


@operator
def set_display(backends: Backends, *items: Any) -> Any:
    """`{*items}`."""
    if {*map(type, items)} <= ATOMS:
        return note_fresh({*items}, items)
    tell_apart(items)
    backend = backends.inside(*items)
    return note_fresh({*items}, items) if backend is backends.plain else backend.set_(list(items))


@operator
def dict_display(backends: Backends, *items: tuple[Any, Any]) -> Any:
    """`{key: value, …}`."""
    keys = [key for key, _ in items]
    tell_apart(keys)
    backend = backends.plain if {*map(type, keys)} <= ATOMS else backends.inside(*keys)
    return made(dict(items)) if backend is backends.plain else backend.dict_(list(items))


@operator
def list_display(backends: Backends, *items: tuple[bool, Any]) -> Any:
    """`[*one, another, …]`; each item comes with whether it has a star."""
    found: Any = []
    note_made(found)
    for is_starred, item in items:
        part = current(item)
        if is_starred:
            part = given(backends, part)
        more = backends.of(part).list_(part) if is_starred else [part]
        if type(found) is type(more) is list:
            found += more
        else:
            found = found + more
    return found


@operator
def tuple_display(backends: Backends, *items: tuple[bool, Any]) -> Any:
    """`(*one, another, …)`, likewise."""
    found = list_display(backends, *items)
    return backends.of(found).tuple_(found)


@operator
def starred_set(backends: Backends, *items: tuple[bool, Any]) -> Any:
    """`{*one, another, …}`, likewise: Python makes room for all elements of a set or a dict at once."""
    parts = []
    for is_starred, item in items:
        part = current(item)
        parts.append((is_starred, given(backends, part) if is_starred else part))
    return backends.inside(*[part for _, part in parts]).starred_set(parts)


@operator
def starred_dict(backends: Backends, *items: tuple[Any, ...]) -> Any:
    """`{**one, key: value, …}`; an item of one is a mapping."""
    found: Any = {}
    note_made(found)
    for item in items:
        if len(item) > 1:
            more = dict_display(backends, (item[0], item[1]))
        else:
            part = current(item[0])
            more = backends.of(part).mapping(part)
        if type(found) is type(more) is dict:
            found.update(more)
        else:
            found = found | more
    return found
