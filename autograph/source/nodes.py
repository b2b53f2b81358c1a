"""The nodes below a node.

As `gast.iter_child_nodes` and `gast.walk`, without the nodes that say nothing of their own: operators and the
contexts `Load`, `Store`, `Del`. These are half of all nodes, and looking at nodes is most of what conversion
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import gast

__all__ = ["FIELDS", "LOAD", "WITHOUT_NODES", "children", "constant", "name", "parameters", "walk"]

WITHOUT_NODES = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops"}
    | {"simple", "tag", "type_comment", "type_ignores"}
)
"""Fields that hold text, numbers, or nodes that are the same everywhere."""

KINDS: list[Any] = [
    kind for kind in vars(gast).values() if isinstance(kind, type) and issubclass(kind, gast.AST)
]

FIELDS: Mapping[type[gast.AST], tuple[str, ...]] = {
    **{kind: tuple(field for field in kind._fields if field not in WITHOUT_NODES) for kind in KINDS},
    **dict.fromkeys((gast.Constant, gast.Global, gast.Nonlocal, gast.MatchSingleton), ()),
}
"""The fields of each class of node that may hold nodes, or lists of them."""


MIXED = frozenset({"keys", "kw_defaults", "kwd_attrs"})
"""Fields whose lists hold other things beside nodes, or instead of them."""


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes directly below a node, in the order of its fields.

    >>> [type(child).__name__ for child in children(gast.parse("x += y").body[0])]
    ['Name', 'Name']
    """
    found: list[gast.AST] = []
    parts = node.__dict__
    for field in FIELDS[node.__class__]:
        value = parts.get(field)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, gast.AST)] if field in MIXED else value
        elif value.__class__ in FIELDS:
            found.append(value)
    return found


def walk(nodes: gast.AST | Iterable[gast.AST]) -> Iterator[gast.AST]:
    """The nodes and everything below them, in no particular order."""
    pending = [nodes] if isinstance(nodes, gast.AST) else list(nodes)
    while pending:
        node = pending.pop()
        yield node
        parts = node.__dict__  # as `children` from here on, but without a list for each node
        for field in FIELDS[node.__class__]:
            value = parts.get(field)
            if value.__class__ is list:
                pending += [item for item in value if isinstance(item, gast.AST)] if field in MIXED else value
            elif value.__class__ in FIELDS:
                pending.append(value)


def parameters(arguments: Any) -> list[Any]:
    """Every parameter of a function, the starred ones last; of gast's arguments, or of those of `ast`."""
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


LOAD = gast.Load()

_new: Any = gast.Name.__new__


def name(identifier: str, ctx: gast.expr_context = LOAD) -> gast.Name:
    """A variable, made without the checks of its constructor: there are many."""
    node = _new(gast.Name)
    node.__dict__ = {"id": identifier, "ctx": ctx, "annotation": None, "type_comment": None}
    return node


def constant(value: object) -> gast.Constant:
    """A constant, made as `name` makes a variable."""
    node = _new(gast.Constant)
    node.__dict__ = {"value": value, "kind": None}
    return node
