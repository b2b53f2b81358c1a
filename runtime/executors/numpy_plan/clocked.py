"""A program with clocks: before each statement of another line of the user's, it says which line that is."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from runtime.executors.clocks import Lines
from runtime.executors.numpy_plan.syntax import Comment, call, name
from runtime.graph.graph import Node

__all__ = ["with_clocks"]


def with_clocks(
    body: Sequence[ast.stmt], runs: Mapping[ast.AST, Node], lines: Lines, lap: str
) -> list[ast.stmt]:
    """Statements with calls of `lap` between them; those inside of them are changed."""
    clocked: list[ast.stmt] = []
    now: int | None = None
    for statement in body:
        if isinstance(statement, Comment):
            continue
        line = _line(statement, runs, lines)
        if line is not None and line != now:
            clocked.append(_called(lap, line))
            now = line
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if inner:
                inside = with_clocks(inner, runs, lines, lap)
                if isinstance(statement, ast.While) and line is not None:
                    inside.append(_called(lap, line))  # the test comes again
                setattr(statement, field, inside)
                now = None
        for handler in getattr(statement, "handlers", ()):
            handler.body = with_clocks(handler.body, runs, lines, lap)
        clocked.append(statement)
    return clocked


def _line(statement: ast.stmt, runs: Mapping[ast.AST, Node], lines: Lines) -> int | None:
    """The line of what a statement runs, or the first part of it; None where it runs nothing."""
    heads = [statement.test] if isinstance(statement, ast.If | ast.While) else [statement]
    for tree in (statement, *(part for head in heads for part in ast.walk(head))):
        node = runs.get(tree)
        if node is not None and node.location.line:
            return lines.number(node.location)
    return None


def _called(lap: str, line: int) -> ast.stmt:
    return ast.Expr(call(name(lap), ast.Constant(line)))
