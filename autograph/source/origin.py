"""Where a node stands in the user's file.

Generated nodes get the one-line position of the header they replace, so a traceback through a converted `if`
shows the user's `if` line, underlines its test, and never a body that did not run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import gast

from autograph.source.nodes import walk

__all__ = ["BLOCKS", "Span", "clear", "header_span", "span_of", "stamp"]

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases", "decorator_list"})


class Span(NamedTuple):
    """A stretch of a file; columns count UTF-8 bytes, as in Python's trees."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


def stamp(nodes: gast.AST | Iterable[gast.AST], header: gast.AST) -> None:
    """Give every node that has no position the place of a header.

    Parameters
    ----------
    nodes : gast.AST or iterable of gast.AST
        Generated code; the user's nodes within it have positions and keep them.
    header : gast.AST
        The node that the generated code replaces.

    Examples
    --------
    >>> header = gast.parse("while x > 0: x -= 1").body[0]
    >>> new = gast.Name("y", gast.Load(), None, None)
    >>> stamp(new, header)
    >>> new.lineno, new.col_offset, new.end_lineno, new.end_col_offset
    (1, 0, 1, 11)
    """
    span = header_span(header)
    for node in walk(nodes):
        if node._attributes and getattr(node, "lineno", None) is None:  # noqa: SLF001  # as public as `_fields`
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span


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
    if node.end_lineno == node.lineno and not hasattr(node, "body"):
        return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    ends = [node.col_offset + 1]
    pending = [node]
    while pending:
        for name, value in gast.iter_fields(pending.pop()):
            if name in BLOCKS and isinstance(value, list):
                continue
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, gast.AST):
                    pending.append(child)
                    if getattr(child, "end_lineno", None) == node.lineno:
                        ends.append(child.end_col_offset)
    return Span(node.lineno, node.col_offset, node.lineno, max(ends))
