"""Reads of attributes where it matters that there may be none, and where their value is handed on."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from typing import Any

from autograph.source.names import NodesByClass
from autograph.source.nodes import walk

__all__ = ["guarded_reads", "handed_on"]

Resolve = Callable[[ast.AST], Any]


def guarded_reads(nodes: NodesByClass, resolve: Resolve) -> set[ast.AST]:
    """The reads of attributes below a `try` or a `with` that may catch the `AttributeError` of one.

    With those of which nobody uses the value: they are there for that error.

    Parameters
    ----------
    nodes : dict of class to list of nodes
        Those of the function.
    resolve : callable
        What a dotted name means outside of the function; None where that cannot be said.
    """
    blocks: list[ast.stmt] = []
    for node in nodes.get(ast.Try, ()):
        if any(_catches(handler.type, resolve) for handler in node.handlers):
            blocks += node.body
    for node in nodes.get(ast.With, ()):
        if any(_names_caught(item.context_expr, resolve) for item in node.items):
            blocks += node.body
    found: set[ast.AST] = {node for node in walk(blocks) if isinstance(node, ast.Attribute)}
    return found | {node.value for node in nodes.get(ast.Expr, ()) if isinstance(node.value, ast.Attribute)}


def handed_on(nodes: NodesByClass) -> set[ast.AST]:
    """The reads of attributes whose value is bound, stored, given away or returned, and not computed with.

    Python raises there where there is none; an operator that gets no value raises itself.

    Examples
    --------
    >>> from autograph.source.names import indexed
    >>> tree = ast.parse("a = p.x; b[p.i] = [p.y, p.z + 1]; p.f(p.c.d)")
    >>> sorted(ast.unparse(read) for read in handed_on(indexed(tree)))
    ['p.c.d', 'p.i', 'p.x', 'p.y']
    """
    found: set[ast.AST] = set()
    for kind, fields in _HANDING_ON.items():
        for node in nodes.get(kind, ()):
            for each in fields:
                value = getattr(node, each)
                found.update(value if isinstance(value, list) else (value,))
    for node in nodes.get(ast.Compare, ()):
        if any(isinstance(each, ast.In | ast.Is | ast.IsNot | ast.NotIn) for each in node.ops):
            found.update([node.left, *node.comparators])
    return {each for each in found if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load)}


_HANDING_ON: dict[type[ast.AST], tuple[str, ...]] = {
    ast.AnnAssign: ("value",),
    ast.Assign: ("value",),
    ast.BoolOp: ("values",),
    ast.Call: ("args",),
    ast.Dict: ("keys", "values"),
    ast.DictComp: ("key", "value"),
    ast.FormattedValue: ("value",),
    ast.GeneratorExp: ("elt",),
    ast.IfExp: ("body", "orelse"),
    ast.Lambda: ("body",),
    ast.List: ("elts",),
    ast.ListComp: ("elt",),
    ast.NamedExpr: ("value",),
    ast.Return: ("value",),
    ast.Set: ("elts",),
    ast.SetComp: ("elt",),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.Subscript: ("slice",),
    ast.Tuple: ("elts",),
    ast.Yield: ("value",),
    ast.keyword: ("value",),
}
"""The expressions and statements that do no more than that with a value, and where they have it."""


def _catches(kind: ast.expr | None, resolve: Resolve) -> bool:
    """Whether a handler may catch an `AttributeError`: where its class is not known, it may."""
    if kind is None:
        return True
    if isinstance(kind, ast.Tuple):
        return any(_catches(each, resolve) for each in kind.elts)
    found = _meant(kind, resolve)
    return not isinstance(found, type) or issubclass(AttributeError, found)


def _names_caught(manager: ast.expr, resolve: Resolve) -> bool:
    """Whether a manager is made of classes to catch, as `suppress(AttributeError)` is."""
    found = [_meant(argument, resolve) for argument in _arguments(manager)]
    return any(isinstance(each, type) and issubclass(AttributeError, each) for each in found)


def _arguments(manager: ast.expr) -> Iterator[ast.expr]:
    if isinstance(manager, ast.Call):
        for argument in manager.args:
            yield from argument.elts if isinstance(argument, ast.Tuple) else (argument,)


def _meant(name: ast.expr, resolve: Resolve) -> Any:
    """What a name means: outside of the function, or to Python."""
    found = resolve(name)
    if found is None and isinstance(name, ast.Name):
        return getattr(builtins, name.id, None)
    return found
