"""Expressions put inside expressions, in parentheses only where Python's precedence asks for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

__all__ = ["OPERAND", "as_atom", "filled"]

OPERAND = "operand_{}_"
"""Stands for an operand in a template."""
_PLACE = re.compile(r"operand_(\d+)_")
_NAME = re.compile(r"[\w.]+")

_CONDITIONAL, _OR, _AND, _NOT, _COMPARISON = range(5)
_BINARY: dict[type[ast.operator], int] = {
    ast.BitOr: 5,
    ast.BitXor: 6,
    ast.BitAnd: 7,
    ast.LShift: 8,
    ast.RShift: 8,
    ast.Add: 9,
    ast.Sub: 9,
    ast.Mult: 10,
    ast.Div: 10,
    ast.FloorDiv: 10,
    ast.Mod: 10,
    ast.MatMult: 10,
    ast.Pow: 12,
}
_UNARY, _ATOM = 11, 13
"""How strongly each kind of expression holds together."""


def filled(template: str, operands: Sequence[str]) -> str:
    """`template` with operands, which are expressions, in its places.

    >>> filled("operand_0_ * operand_1_", ["a + b", "c[0]"])
    '(a + b) * c[0]'
    """
    needs = iter(_needs(template))
    return _PLACE.sub(lambda place: _wrapped(operands[int(place[1])], next(needs)), template)


def as_atom(text: str) -> str:
    """An expression that an attribute or an index may follow."""
    return _wrapped(text, _ATOM)


def _wrapped(text: str, need: int) -> str:
    return text if need == _CONDITIONAL or _strength(text) >= need else f"({text})"


def _strength(text: str) -> int:
    if _NAME.fullmatch(text):
        return _ATOM
    return _strength_of(ast.parse(text, mode="eval").body)


def _strength_of(node: ast.expr) -> int:
    match node:
        case ast.IfExp():
            return _CONDITIONAL
        case ast.BoolOp(op=ast.Or()):
            return _OR
        case ast.BoolOp():
            return _AND
        case ast.UnaryOp(op=ast.Not()):
            return _NOT
        case ast.Compare():
            return _COMPARISON
        case ast.BinOp(op=operator):
            return _BINARY[type(operator)]
        case ast.UnaryOp():
            return _UNARY
    return _ATOM


@lru_cache(maxsize=1024)
def _needs(template: str) -> tuple[int, ...]:
    """For each place of a template, in order, how strong its operand must be to stand bare."""
    found = {(node.lineno, node.col_offset): need for node, need in _places(ast.parse(template))}
    return tuple([need for _, need in sorted(found.items())])


def _places(node: ast.AST) -> Iterator[tuple[ast.Name, int]]:
    for child, need in _children(node):
        if isinstance(child, ast.Name) and _PLACE.fullmatch(child.id):
            yield child, need
        yield from _places(child)


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """The parts of an expression, and how strong each must be."""
    match node:
        case ast.BinOp(left, operator, right):
            own = _BINARY[type(operator)]
            is_power = isinstance(operator, ast.Pow)
            yield left, own + is_power
            yield right, own + (not is_power)
        case ast.UnaryOp(operand=operand):
            yield operand, _strength_of(node)
        case ast.Compare(left, _, others):
            yield from ((each, _COMPARISON + 1) for each in (left, *others))
        case ast.BoolOp(values=[first, *others]):
            own = _strength_of(node)
            yield from ((first, own), *((each, own + 1) for each in others))
        case ast.IfExp(test, body, orelse):
            yield from ((test, _OR), (body, _OR), (orelse, _CONDITIONAL))
        case ast.Attribute(value=value):
            yield value, _ATOM
        case ast.Subscript(value, index):
            yield from ((value, _ATOM), (index, _CONDITIONAL))
        case ast.Call(function, arguments, keywords):
            yield from ((function, _ATOM), *((each, _CONDITIONAL) for each in (*arguments, *keywords)))
        case _:
            yield from ((each, _CONDITIONAL) for each in ast.iter_child_nodes(node))
