"""What statements bind and read, found in their text."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeGuard

__all__ = ["assigned", "bound", "read", "variables"]


def assigned(form: str) -> dict[str, str] | None:
    """The variables that a statement assigns, each with its value as text; None where it does more."""
    match ast.parse(form).body:
        case [ast.Assign(targets=[ast.Name(name)], value=value)]:
            return {name: ast.unparse(value)}
        case [ast.Assign(targets=[ast.Tuple(names)], value=ast.Tuple(values))] if len(names) == len(values):
            pairs = zip(names, values, strict=True)
            found = {each.id: ast.unparse(value) for each, value in pairs if isinstance(each, ast.Name)}
            return found if len(found) == len(names) else None
    return None


def bound(lines: Sequence[str]) -> Iterator[str]:
    """The names that statements bind, without those that others stand in: functions' own."""
    for statement in ast.parse(textwrap.dedent("\n".join(lines))).body:
        match statement:
            case ast.Assign(targets=targets):
                nodes = [node for target in targets for node in ast.walk(target)]
                yield from (node.id for node in nodes if _is_stored(node))
            case ast.FunctionDef(name=name):
                yield name


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def read(texts: Iterable[str]) -> set[str]:
    """The names in expressions."""
    return {name for text in texts for name in _names(text)}


def variables(result: str) -> list[str]:
    """The variables in what a program returns."""
    return [name for name in _names(result) if not hasattr(builtins, name)]


@cache
def _names(text: str) -> tuple[str, ...]:
    """The names in an expression: ideas have the same ones in all programs."""
    return tuple([node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)])
