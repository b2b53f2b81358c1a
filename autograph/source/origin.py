"""Source positions of nodes, and of the nodes that are generated for them.

Generated nodes get the one-line position of the header they replace, so a traceback through a converted `if`
shows the user's `if` line, underlines its test, and never a body that did not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from autograph.source.nodes import FIELDS, WITHOUT_NODES, walk
from autograph_base.named_tuple import NamedTuple

__all__ = ["BLOCKS", "Span", "clear", "header_span", "place", "span_of", "stamp"]

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases", "decorator_list"})


PLACED = frozenset(kind for kind in FIELDS if kind._attributes)  # noqa: SLF001  # as public as `_fields`
"""Classes of nodes that have a place in the file."""


class Span(NamedTuple):
    """A stretch of a file; columns count UTF-8 bytes, as in Python's trees."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


def stamp(nodes: Iterable[ast.AST], header: ast.AST) -> None:
    """Give nodes that have no position the place of a header.

    What is below them takes their place, where it has none, when the tree is compiled.

    Parameters
    ----------
    nodes : iterable of ast.AST
        Generated code; the user's nodes have positions and keep them.
    header : ast.AST
        The node that the generated code replaces. Where it has no position itself, it stands below a node
        that has one, and so will the nodes.

    Examples
    --------
    >>> header = ast.parse("while x > 0: x -= 1").body[0]
    >>> new = ast.Name("y", ast.Load())
    >>> stamp([new], header)
    >>> new.lineno, new.col_offset, new.end_lineno, new.end_col_offset
    (1, 0, 1, 11)
    """
    position = None
    for node in nodes:
        if node.__class__ in PLACED and "lineno" not in node.__dict__:
            if position is None:
                if "lineno" not in header.__dict__:
                    return
                position = _position(header)
            node.__dict__.update(position)


def place(tree: Any) -> Any:
    """The tree, with all nodes in their places: a node that has none takes that of the node above it.

    Parameters
    ----------
    tree : ast.AST
        Its own place is known.

    Returns
    -------
    ast.AST
        The same object, which Python's compiler takes.
    """
    _place(tree, tree.__dict__)
    return tree


def _place(node: Any, above: Mapping[str, Any]) -> None:
    """Gives a node and all below it their places; quick, for it sees every node of what is compiled."""
    parts = node.__dict__
    if "end_lineno" not in parts:
        parts["lineno"], parts["col_offset"] = above["lineno"], above["col_offset"]
        parts["end_lineno"], parts["end_col_offset"] = above["end_lineno"], above["end_col_offset"]
    for field in FIELDS[node.__class__]:
        value = parts.get(field)
        if value.__class__ is list:
            for item in value:
                if item.__class__ in FIELDS:
                    _place(item, parts)
        elif value.__class__ in FIELDS:
            _place(value, parts)


def _position(header: ast.AST) -> dict[str, int]:
    """The place of a header, as attributes of a node; quick for what stands on one line."""
    parts = header.__dict__
    if parts["end_lineno"] == parts["lineno"] and "body" not in parts:
        return {
            "lineno": parts["lineno"],
            "col_offset": parts["col_offset"],
            "end_lineno": parts["end_lineno"],
            "end_col_offset": parts["end_col_offset"],
        }
    return header_span(header)._asdict()


def clear(nodes: ast.AST | Iterable[ast.AST]) -> None:
    """Take the positions of nodes away, so that `stamp` gives them new ones."""
    for node in walk(nodes):
        for name in POSITION:
            node.__dict__.pop(name, None)


def span_of(node: Any) -> Span:
    """All lines of a node."""
    return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def header_span(node: Any) -> Span:
    """The first line of a node, as far as its header reaches: `if x > 0` of an `if` with its blocks."""
    if node.end_lineno == node.lineno and "body" not in node.__dict__:
        return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    line, end = node.lineno, node.col_offset + 1
    pending = [node]
    while pending:
        for name, value in pending.pop().__dict__.items():
            is_list = value.__class__ is list
            if name in WITHOUT_NODES or (is_list and name in BLOCKS):  # the `body` of an expression is one
                continue
            for part in value if is_list else (value,):
                if part.__class__ not in FIELDS:
                    continue
                last = part.__dict__.get("end_lineno")
                if last == line:  # with all that is in it
                    end = max(end, part.end_col_offset)
                elif last is None or part.lineno == line:
                    pending.append(part)
    return Span(line, node.col_offset, line, end)
