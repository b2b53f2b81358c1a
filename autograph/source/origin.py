"""Where a node stands in the user's file.

Generated nodes get the one-line position of the header they replace, so a traceback through a converted `if`
shows the user's `if` line, underlines its test, and never a body that did not run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import gast

from autograph.source.nodes import FIELDS, WITHOUT_NODES, walk

__all__ = ["BLOCKS", "POSITION", "Span", "clear", "header_span", "span_of", "stamp"]

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


def stamp(nodes: Iterable[gast.AST], header: gast.AST) -> None:
    """Give nodes that have no position the place of a header.

    What is below them takes their place, where it has none, when the tree is compiled.

    Parameters
    ----------
    nodes : iterable of gast.AST
        Generated code; the user's nodes have positions and keep them.
    header : gast.AST
        The node that the generated code replaces. Where it has no position itself, it stands below a node
        that has one, and so will the nodes.

    Examples
    --------
    >>> header = gast.parse("while x > 0: x -= 1").body[0]
    >>> new = gast.Name("y", gast.Load(), None, None)
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


def _position(header: gast.AST) -> dict[str, int]:
    """The place of a header, as attributes of a node; quick for what stands on one line."""
    parts = header.__dict__
    if parts["end_lineno"] == parts["lineno"] and "body" not in parts:
        return {name: parts[name] for name in POSITION}
    return header_span(header)._asdict()


def clear(nodes: gast.AST | Iterable[gast.AST]) -> None:
    """Take the positions of nodes away, so that `stamp` gives them new ones."""
    for node in walk(nodes):
        for name in POSITION:
            node.__dict__.pop(name, None)


def span_of(node: gast.AST) -> Span:
    """All lines of a node."""
    return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def header_span(node: gast.AST) -> Span:
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
