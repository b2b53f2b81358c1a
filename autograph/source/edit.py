"""Walking a tree and rewriting it, with the enclosing scopes at hand."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.source.nodes import children

__all__ = ["COMPREHENSIONS", "COMPREHENSION_FRAMES", "SCOPES", "Rewriter", "blocks_of", "children_in_frame"]

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

COMPREHENSION_FRAMES = (ast.GeneratorExp,) if sys.version_info >= (3, 12) else COMPREHENSIONS
"""Those that run in a frame of their own: what they read of the function around is a free variable."""

SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
    *COMPREHENSIONS,
)
"""Nodes that open a scope of their own."""

INSIDE = frozenset({"body", "args", "elt", "key", "value", "generators"})
"""Fields of such a node that belong to the new scope; decorators, bases and annotations belong to the old."""


def blocks_of(statement: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """The blocks of a statement that are not empty: the node, and its field, that hold each, and the block.

    >>> [loop] = ast.parse("while waits: pass; pass").body
    >>> [(field, len(block)) for _, field, block in blocks_of(loop)]
    [('body', 2)]
    """
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(part, field, None)
            if isinstance(block, list) and block:
                yield part, field, block


def children_in_frame(node: Any) -> Sequence[ast.AST]:
    """The children of a node that run in the frame that the node itself runs in.

    >>> [child.id for child in children_in_frame(ast.parse("lambda x=a: b").body[0].value)]
    ['a']
    """
    if not isinstance(node, SCOPES):
        return children(node)
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter] if isinstance(node, COMPREHENSION_FRAMES) else children(node)
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    return defaults if isinstance(node, ast.Lambda) else [*node.decorator_list, *defaults]


class Rewriter:
    """Edits a tree in place: `visit_X` returns what takes the node's place.

    That is a node, or, where a list of statements (or arguments, or elements) is expected, a list of nodes;
    None or an empty list removes the node. A block that becomes empty gets a `pass`. Nodes without a
    `visit_X` stay, and their children are visited.
    """

    def __init__(self) -> None:
        self.scopes: list[Any] = []
        self._methods: dict[type, Callable[[Any], Any]] = {}

    @property
    def scope(self) -> ast.AST | None:
        """The innermost function, lambda, class or comprehension around the current node."""
        return self.scopes[-1] if self.scopes else None

    def visit(self, node: ast.AST) -> Any:
        """Hand a node to `visit_<its class>`; to `generic_visit` where there is none."""
        kind = type(node)
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = getattr(self, f"visit_{kind.__name__}", self.generic_visit)
        return method(node)

    def generic_visit(self, node: ast.AST) -> Any:
        """Visit the children: first those outside of a scope that the node opens, then those inside."""
        if not isinstance(node, SCOPES):
            for field in node._fields:
                self._field(node, field)
            return node
        for field in node._fields:
            if field not in INSIDE:
                self._field(node, field)
        self.scopes.append(node)
        for field in node._fields:
            if field in INSIDE:
                self._field(node, field)
        self.scopes.pop()
        return node

    def visit_arguments(self, node: ast.AST) -> Any:
        """Parameters belong to the function; their defaults are evaluated around it."""
        function, self.scopes[-1:] = self.scopes[-1:], []
        for field in ("defaults", "kw_defaults"):
            self._field(node, field)
        self.scopes += function
        for field in ("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg"):
            self._field(node, field)
        return node

    def visit_comprehension(self, node: Any) -> Any:
        """The first iterable of a comprehension is evaluated around it."""
        if node is self.scopes[-1].generators[0]:
            comprehension = self.scopes.pop()
            self._field(node, "iter")
            self.scopes.append(comprehension)
        else:
            self._field(node, "iter")
        self._field(node, "target")
        self._field(node, "ifs")
        return node

    def visit_block(self, block: Sequence[ast.AST]) -> list[ast.AST]:
        """The statements that take the place of a block's."""
        rewritten: list[ast.AST] = []
        for item in block:
            result: Any = self.visit(item) if isinstance(item, ast.AST) else item
            if isinstance(result, (list, tuple)):
                rewritten.extend(result)
            elif result is not None or item is None:
                rewritten.append(result)
        return rewritten

    def _field(self, node: ast.AST, field: str) -> None:
        value = getattr(node, field, None)
        if isinstance(value, list):
            rewritten = self.visit_block(value)
            if value and not rewritten and field == "body":
                rewritten = [ast.copy_location(ast.Pass(), value[0])]
            setattr(node, field, rewritten)
        elif isinstance(value, ast.AST):
            result = self.visit(value)
            if isinstance(result, list | tuple):
                raise TypeError(f"{field!r} of {type(node).__name__} takes one node, not a list")
            setattr(node, field, result)
