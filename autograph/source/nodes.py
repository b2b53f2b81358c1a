"""Faster `ast.iter_child_nodes`, `ast.walk` and `copy.deepcopy`; and new nodes.

As `ast.iter_child_nodes`, `ast.walk` and `copy.deepcopy`, without the nodes that say nothing of their own:
operators and the contexts `Load`, `Store`, `Del`. These are half of all nodes, and looking at nodes is most
of what conversion does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["FIELDS", "LOAD", "WITHOUT_NODES", "children", "constant", "copied", "name", "parameters", "walk"]

WITHOUT_NODES = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops"}
    | {"simple", "tag", "type_comment", "type_ignores"}
)
"""Fields that hold text, numbers, or nodes that are the same everywhere."""

KINDS: list[Any] = [
    kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)
]

FIELDS: Mapping[type[ast.AST], tuple[str, ...]] = {
    **{kind: tuple(field for field in kind._fields if field not in WITHOUT_NODES) for kind in KINDS},
    **dict.fromkeys((ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton), ()),
}
"""The fields of each class of node that may hold nodes, or lists of them."""


MIXED = frozenset({"keys", "kw_defaults", "kwd_attrs"})
"""Fields whose lists hold other things beside nodes, or instead of them."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in the order of its fields.

    >>> [type(child).__name__ for child in children(ast.parse("x += y").body[0])]
    ['Name', 'Name']
    """
    found: list[ast.AST] = []
    parts = node.__dict__
    for field in FIELDS[node.__class__]:
        value: Any = parts.get(field)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)] if field in MIXED else value
        elif value.__class__ in FIELDS:
            found.append(value)
    return found


def walk(nodes: ast.AST | Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes and everything below them, in no particular order."""
    pending = [nodes] if isinstance(nodes, ast.AST) else list(nodes)
    while pending:
        node = pending.pop()
        yield node
        parts = node.__dict__  # as `children` from here on, but without a list for each node
        for field in FIELDS[node.__class__]:
            value: Any = parts.get(field)
            if value.__class__ is list:
                pending += [item for item in value if isinstance(item, ast.AST)] if field in MIXED else value
            elif value.__class__ in FIELDS:
                pending.append(value)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Every parameter of a function, the starred ones last."""
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


LOAD = ast.Load()

_new: Any = ast.Name.__new__


def copied(node: Any) -> Any:
    """A tree of one's own, free to be edited; what says nothing of its own is shared."""
    new = _new(node.__class__)
    parts = new.__dict__
    parts.update(node.__dict__)
    for field in FIELDS[node.__class__]:
        value = parts.get(field)
        if value.__class__ is list:
            parts[field] = [copied(item) if item.__class__ in FIELDS else item for item in value]
        elif value.__class__ in FIELDS:
            parts[field] = copied(value)
    return new


def name(identifier: str, ctx: ast.expr_context = LOAD) -> ast.Name:
    """A variable, made without the checks of its constructor: there are many."""
    node: ast.Name = _new(ast.Name)
    node.__dict__ = {"id": identifier, "ctx": ctx}
    return node


def constant(value: object) -> ast.Constant:
    """A constant, made as `name` makes a variable."""
    node: ast.Constant = _new(ast.Constant)
    node.__dict__ = {"value": value, "kind": None}
    return node
