"""Pieces of Python's syntax tree, each made by one short call; they have no positions yet."""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

__all__ = [
    "DEL",
    "EMPTY",
    "LOAD",
    "STORE",
    "Comment",
    "Place",
    "array_of",
    "assign",
    "attribute",
    "call",
    "copied",
    "filled",
    "name",
    "names_in",
    "numpy",
    "parsed",
    "places_in",
    "subscript",
    "tuple_of",
]

LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()
_Tree = TypeVar("_Tree", bound=ast.AST)


class Place(ast.expr):
    """Stands in a template for an operand.

    Attributes
    ----------
    index : int
        Which operand.
    """

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


class Comment(ast.stmt):
    """Says that what follows stands for a line of the user's; it is printed, and does nothing."""

    def __init__(self, filename: str, line: int) -> None:
        super().__init__()
        self.filename = filename
        self.line = line

    @property
    def text(self) -> str:
        """``model.py:12: y = x + 1``."""
        text = linecache.getline(self.filename, self.line).strip()
        file = os.path.basename(self.filename)  # noqa: PTH119  # pathlib is slow to import
        return f"{file}:{self.line}" + (f": {text}" if text else "")


def name(identifier: str) -> ast.Name:
    """`identifier`, read."""
    return ast.Name(identifier, LOAD)


def attribute(start: ast.expr, *names: str) -> ast.expr:
    """``start.a.b``."""
    for each in names:
        start = ast.Attribute(start, each, LOAD)
    return start


def numpy(function: str) -> ast.expr:
    """``np.function``."""
    return ast.Attribute(ast.Name("np", LOAD), function, LOAD)


def call(function: ast.expr | str, /, *arguments: ast.expr, **named: ast.expr) -> ast.Call:
    """``function(argument, …, name=argument, …)``."""
    called = name(function) if isinstance(function, str) else function
    return ast.Call(called, list(arguments), [ast.keyword(key, value) for key, value in named.items()])


def subscript(start: ast.expr, key: ast.expr) -> ast.Subscript:
    """``start[key]``."""
    return ast.Subscript(start, key, LOAD)


def tuple_of(parts: Sequence[ast.expr]) -> ast.Tuple:
    """``(part, …)``."""
    return ast.Tuple(list(parts), LOAD)


def array_of(expression: ast.expr, *dtype: ast.expr) -> ast.Call:
    """``np.asarray(expression, dtype)``."""
    return call(numpy("asarray"), expression, *dtype)


def EMPTY() -> ast.Tuple:  # a tree of its own for each use, named like the constant that it is
    """``()``, as in ``x[()]``: the scalar in an array without axes."""
    return ast.Tuple([], LOAD)


def assign(targets: Sequence[str], values: Sequence[ast.expr]) -> ast.stmt:
    """``a, b = x, y``, or ``a, b = x`` where one value gives several."""
    names: list[ast.expr] = [ast.Name(target, STORE) for target in targets]
    left = names[0] if len(names) == 1 else ast.Tuple(names, STORE)
    return ast.Assign([left], values[0] if len(values) == 1 else tuple_of(values))


def parsed(text: str) -> ast.expr:
    """The tree of an expression that is written down."""
    return ast.parse(text, mode="eval").body


def copied(tree: _Tree) -> _Tree:
    """A copy of a tree, with its places; what has no fields is shared."""
    found: _Tree = _copied(tree, None)
    return found


def filled(template: ast.expr, operands: Sequence[ast.expr]) -> ast.expr:
    """A copy of `template` with operands in its places; an operand that stands there twice is a name."""
    found: ast.expr = _copied(template, operands)
    return found


def _copied(tree: Any, operands: Sequence[ast.expr] | None) -> Any:
    kind = type(tree)
    if kind is ast.Name:
        return ast.Name(tree.id, tree.ctx)
    if kind is Place:
        if operands is None:
            return Place(tree.index)
        operand = operands[tree.index]
        return ast.Name(operand.id, LOAD) if type(operand) is ast.Name else operand
    if kind is ast.BinOp:
        return ast.BinOp(_copied(tree.left, operands), tree.op, _copied(tree.right, operands))
    if kind is list:
        return [_copied(each, operands) for each in tree]
    if kind in _ATOMS or not isinstance(tree, ast.AST) or not kind._fields:
        return tree
    return kind(*[_copied(getattr(tree, field, None), operands) for field in kind._fields])


_ATOMS = {str, int, float, bool, type(None), ast.Load, ast.Store, ast.Add, ast.Sub, ast.Mult}
"""Kinds of parts that trees may share, the most frequent of them: the others have no fields either."""


def places_in(template: ast.AST) -> Iterator[int]:
    """The operands for which a template has places, each as often as it has one."""
    for node in ast.walk(template):
        if type(node) is Place:
            yield node.index


def names_in(tree: ast.AST) -> set[str]:
    """The names in a tree."""
    return {node.id for node in ast.walk(tree) if type(node) is ast.Name}
