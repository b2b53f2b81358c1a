"""Text with slots as Python source: an f-string where it can be one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.core.text import METHODS, Apply, Slot, Template
from runtime.executors.numpy_plan.literals import expression
from runtime.executors.numpy_plan.syntax import attribute, call, name, tuple_of

__all__ = ["text_source"]

_NOT_SIMPLE = frozenset("{}'\"\\")
"""What a format specification must not have to stand in an f-string of any kind."""


def text_source(template: Template, names: Sequence[str]) -> str:
    """An expression that gives the text, where `names` are what the slots hold, in order."""
    return ast.unparse(_tree(template, iter(names)))


def _tree(part: Any, names: Iterator[str]) -> ast.expr:
    """A part of a template as an expression; it takes the names of its slots from `names`."""
    match part:
        case Slot(is_number):
            value = name(next(names))
            return call(attribute(value, "item")) if is_number else value
        case Apply("join", parts):
            return _joined(parts, names)
        case Apply("str" | "repr" | "format", (Slot(), *rest)) if _is_field(rest):
            return _joined([part], names)
        case Apply("%", (text, *values)):
            shown = _tree(text, names)
            return ast.BinOp(shown, ast.Mod(), tuple_of([_tree(each, names) for each in values]))
        case Apply(function, arguments):
            first, *others = [_tree(each, names) for each in arguments]
            if function in METHODS:
                return call(attribute(first, function), *others)
            return call(function, first, *others)
        case _:
            return expression(part)


def _joined(parts: Sequence[Template], names: Iterator[str]) -> ast.expr:
    """Pieces as one f-string, and what no f-string can hold between such strings."""
    pieces: list[ast.expr] = []
    held: list[ast.expr] = []
    for part in parts:
        field = ast.Constant(part) if isinstance(part, str) else _field(part, names)
        if field is None:
            pieces += [*_f_string(held), _tree(part, names)]
            held = []
        else:
            held.append(field)
    whole, *others = [*pieces, *_f_string(held)] or [ast.Constant("")]
    for piece in others:
        whole = ast.BinOp(whole, ast.Add(), piece)
    return whole


def _f_string(held: Sequence[ast.expr]) -> list[ast.expr]:
    if any(isinstance(each, ast.FormattedValue) for each in held):
        return [ast.JoinedStr(list(held))]
    text = "".join([str(each.value) for each in held if isinstance(each, ast.Constant)])
    return [ast.Constant(text)] if text else []


def _field(part: Template, names: Iterator[str]) -> ast.expr | None:
    """A slot as a field of an f-string."""
    match part:
        case Apply("str" | "repr" | "format" as function, (Slot() as slot, *rest)) if _is_field(rest):
            conversion = ord("r") if function == "repr" else -1
            spec = ast.JoinedStr([ast.Constant(rest[0])]) if rest and rest[0] else None
            return ast.FormattedValue(_tree(slot, names), conversion, spec)
    return None


def _is_field(rest: Sequence[Any]) -> bool:
    """Whether the format specification, if there is one, may stand in an f-string."""
    return all(isinstance(spec, str) and _NOT_SIMPLE.isdisjoint(spec) for spec in rest)
