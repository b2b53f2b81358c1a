"""Sets source positions in generated trees, so that warnings and tracebacks show the user's lines.

A function of a plan computes what a function of the user's, or a block of one, says; so its tree takes over
the file, the name and the positions. Where it was made of several files, or of none, each node has a line of
its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import CodeType
from typing import TypeAlias

from autograph_base.dataclass import dataclass
from runtime.executors.numpy_plan.syntax import Comment
from runtime.graph.graph import Node

__all__ = ["Home", "Position", "compiled", "home_of"]

Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]
"""First and last line, first and last column."""


@dataclass(frozen=True)
class Home:
    """Where a function of a plan is said to stand.

    Attributes
    ----------
    filename : str
    function : str
    first : int
        Its first line.
    position : callable
        First and last line and column of a node, each None where it is not known.
    """

    filename: str
    function: str
    first: int
    position: Callable[[Node], Position]


def home_of(runs: Mapping[ast.AST, Node], called: str) -> Home:
    """Where the function that runs these nodes stands; `called` is its name in the plan."""
    nodes = dict.fromkeys(runs.values())
    known = [node.location for node in nodes if node.location.line]
    if len({location.filename for location in known}) == 1:
        outermost = min(known, key=lambda location: location.first_line)
        first = min([location.line for location in known])
        return Home(outermost.filename, outermost.function, first, lambda node: node.location.positions())
    lines = {node: number for number, node in enumerate(nodes, 2)}
    return Home(f"<runtime plan {called}>", called, 1, lambda node: (lines[node], lines[node], 0, 0))


def compiled(tree: ast.FunctionDef, runs: Mapping[ast.AST, Node], home: Home) -> CodeType:
    """The code of a module with this function in it, which stands at its home; comments leave the tree."""
    _Placing(runs, home).place(tree, (home.first, home.first, -1, -1))
    return compile(ast.Module([tree], []), home.filename, "exec")


class _Placing:
    """Gives every part of a tree a position: that of the node which it runs, or of what it is a part of."""

    def __init__(self, runs: Mapping[ast.AST, Node], home: Home) -> None:
        self.runs = runs
        self.home = home

    def place(self, tree: ast.AST, around: _Place) -> _Place:
        """Places a tree, `around` which is that position; returns the one that it has."""
        node = self.runs.get(tree)
        here = around if node is None else _told(self.home.position(node), around)
        tree.lineno, tree.end_lineno, tree.col_offset, tree.end_col_offset = here  # type: ignore[attr-defined]
        kind = type(tree)
        if kind is ast.Name or kind is ast.Constant:
            return here
        for field in _parts_of(kind):
            part = getattr(tree, field, None)
            if type(part) is list:
                self._place_all(part, here)
            elif isinstance(part, _PLACED):
                self.place(part, here)
            elif type(part) is ast.arguments:
                for argument in part.args:
                    self.place(argument, here)
        return here

    def _place_all(self, parts: list[ast.AST], here: _Place) -> None:
        """Places parts in their order; a statement that runs no node stands where the one before it does."""
        before = here
        parts[:] = [part for part in parts if type(part) is not Comment]
        for part in parts:
            if isinstance(part, ast.stmt):
                before = self.place(part, before)
            elif isinstance(part, ast.withitem):
                self.place(part.context_expr, here)
            elif isinstance(part, _PLACED):
                self.place(part, here)


_PLACED = (ast.expr, ast.stmt, ast.keyword, ast.arg, ast.excepthandler)
"""Parts that have a position."""
_PLAIN = frozenset(["arg", "attr", "ctx", "id", "name", "op", "ops", "type_comment", "type_params"])
"""Fields of trees in which nothing has a position."""


_PARTS: dict[type[ast.AST], tuple[str, ...]] = {}


def _parts_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of tree in which something has a position."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple([field for field in kind._fields if field not in _PLAIN])
    return _PARTS[kind]


_Place = tuple[int, int, int, int]
"""First and last line, first and last column; -1 for a column that is not known."""


def _told(position: Position, around: _Place) -> _Place:
    first, last, start, end = position
    if first is None:
        return around
    if start is None or end is None:
        return first, last or first, -1, -1
    return first, last or first, start, end
