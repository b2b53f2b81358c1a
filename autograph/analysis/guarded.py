"""The attributes that a function reads where it says what is to happen if there is none."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from typing import Any

from autograph.source.names import NodesByClass
from autograph.source.nodes import walk

__all__ = ["guarded_reads"]

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
