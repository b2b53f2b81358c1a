"""Scalar expressions: what a `Map` computes for each element, as a small tree with a text.

The text is Python's own notation over the operands ``x0``, ``x1``, …; a dtype that is called makes a number
of that dtype, or casts::

    select(x0 > f32(0.0), x0, f32(0.1) * x0)

Nothing is promoted: the operands of a function have the dtypes in which it computes, so that a compiler reads
off what to do.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DTYPES, LOW_PRECISION, DType, casts_quietly
from runtime.errors import DTypeError, GraphError
from runtime.ops.scalars import SCALARS

__all__ = [
    "Apply",
    "Convert",
    "Expression",
    "Literal",
    "Operand",
    "dtype_of",
    "evaluate",
    "functions_in",
    "is_quiet",
    "operands_of",
    "parse",
    "to_text",
]


@dataclass(frozen=True, slots=True)
class Operand:
    """The element of the operand at `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class Literal:
    """A number of a dtype."""

    value: bool | float
    dtype: DType


@dataclass(frozen=True, slots=True)
class Convert:
    """A cast."""

    to: DType
    of: Expression


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of the table `SCALARS`."""

    function: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = "Operand | Literal | Convert | Apply"

_UNARY: dict[str, type[ast.unaryop]] = {"negative": ast.USub, "invert": ast.Invert}
_BINARY: dict[str, type[ast.operator]] = {
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "floor_divide": ast.FloorDiv,
    "remainder": ast.Mod,
    "power": ast.Pow,
    "bitwise_and": ast.BitAnd,
    "bitwise_or": ast.BitOr,
    "bitwise_xor": ast.BitXor,
    "left_shift": ast.LShift,
    "right_shift": ast.RShift,
}
_COMPARED: dict[str, type[ast.cmpop]] = {
    "less": ast.Lt,
    "less_equal": ast.LtE,
    "greater": ast.Gt,
    "greater_equal": ast.GtE,
    "equal": ast.Eq,
    "not_equal": ast.NotEq,
}
_OF_OPERATOR: dict[type[ast.AST], str] = {
    operator: name for table in (_UNARY, _BINARY, _COMPARED) for name, operator in table.items()
}
_DTYPES = {dtype.short: dtype for dtype in (*DTYPES, *LOW_PRECISION)}
_NUMBERS = {"inf": math.inf, "nan": math.nan}


@cache
def parse(text: str, generic: DType | None = None) -> Expression:
    """The expression that a text stands for.

    Parameters
    ----------
    text : str
    generic : DType, optional
        What ``T`` stands for in the text of an op that works in several dtypes.

    Raises
    ------
    GraphError
        When the text is no expression.
    """
    dtypes = _DTYPES if generic is None else _DTYPES | {"T": generic}
    try:
        return _read(ast.parse(text, mode="eval").body, dtypes)
    except SyntaxError:
        _refuse(text)


def _read(tree: ast.expr, dtypes: dict[str, DType]) -> Expression:
    match tree:
        case ast.Name(name) if name[:1] == "x" and name[1:].isdecimal():
            return Operand(int(name[1:]))
        case ast.Call(ast.Name(name), [one], []) if name in dtypes:
            number = _number(one)
            to = dtypes[name]
            return Convert(to, _read(one, dtypes)) if number is None else Literal(number, to)
        case ast.Call(ast.Name(name), parts, []) if name in SCALARS and len(parts) == SCALARS[name].arity:
            return Apply(name, tuple([_read(part, dtypes) for part in parts]))
        case ast.UnaryOp(operator, one) if type(operator) in _OF_OPERATOR:
            return Apply(_OF_OPERATOR[type(operator)], (_read(one, dtypes),))
        case ast.BinOp(left, operator, right) if type(operator) in _OF_OPERATOR:
            return Apply(_OF_OPERATOR[type(operator)], (_read(left, dtypes), _read(right, dtypes)))
        case ast.Compare(left, [operator], [right]) if type(operator) in _OF_OPERATOR:
            return Apply(_OF_OPERATOR[type(operator)], (_read(left, dtypes), _read(right, dtypes)))
    return _refuse(ast.unparse(tree))


def _number(tree: ast.expr) -> bool | float | None:
    """The number that a tree is, or None."""
    match tree:
        case ast.Constant(bool() | int() | float() as value):
            return value
        case ast.Name(("inf" | "nan") as name):
            return _NUMBERS[name]
        case ast.UnaryOp(ast.USub(), one):
            number = _number(one)
            return None if number is None else -number
    return None


def _refuse(text: str) -> NoReturn:
    raise GraphError(
        f"{text!r} is no scalar expression",
        why="It is made of operands x0, x1, …, numbers and casts such as f32(0.5), operators, and the "
        "functions of `runtime.ops.scalars`.",
        way_out="Write it with these.",
    )


@cache
def to_text(expression: Expression) -> str:
    """The text of an expression, which `parse` reads back."""
    return ast.unparse(_tree(expression))


def _tree(expression: Expression) -> ast.expr:
    match expression:
        case Operand(index):
            return ast.Name(f"x{index}")
        case Literal(value, dtype):
            return _call(dtype.short, ast.Name(repr(value)))
        case Convert(to, of):
            return _call(to.short, _tree(of))
        case Apply(function, (one,)) if function in _UNARY:
            return ast.UnaryOp(_UNARY[function](), _tree(one))
        case Apply(function, (left, right)) if function in _BINARY:
            return ast.BinOp(_tree(left), _BINARY[function](), _tree(right))
        case Apply(function, (left, right)) if function in _COMPARED:
            return ast.Compare(_tree(left), [_COMPARED[function]()], [_tree(right)])
        case Apply(function, arguments):
            return _call(function, *map(_tree, arguments))


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name), list(arguments), [])


def operands_of(expression: Expression) -> frozenset[int]:
    """The operands that an expression reads."""
    match expression:
        case Operand(index):
            return frozenset([index])
        case Convert(_, of):
            return operands_of(of)
        case Apply(_, arguments):
            return frozenset().union(*map(operands_of, arguments))
    return frozenset()


def functions_in(expression: Expression) -> frozenset[str]:
    """The functions that an expression calls."""
    match expression:
        case Convert(_, of):
            return functions_in(of)
        case Apply(function, arguments):
            return frozenset([function]).union(*map(functions_in, arguments))
    return frozenset()


def is_quiet(expression: Expression, dtypes: tuple[DType, ...]) -> bool:
    """Whether computing it warns of nothing, whatever the operands of these dtypes are."""
    match expression:
        case Convert(to, of):
            return casts_quietly(dtype_of(of, dtypes), to) and is_quiet(of, dtypes)
        case Apply(function, arguments):
            given = [dtype_of(each, dtypes) for each in arguments]
            return SCALARS[function].is_quiet(given) and all(is_quiet(each, dtypes) for each in arguments)
    return True


@cache
def dtype_of(expression: Expression, dtypes: tuple[DType, ...]) -> DType:
    """The dtype of an expression over operands of these dtypes.

    Raises
    ------
    DTypeError
        When a function is not defined for the dtypes of its operands as they are.
    """
    match expression:
        case Operand(index):
            return dtypes[index]
        case Literal(_, dtype):
            return dtype
        case Convert(to, of):
            dtype_of(of, dtypes)
            return to
        case Apply(function, arguments):
            given = tuple([dtype_of(each, dtypes) for each in arguments])
            if not SCALARS[function].takes(given):
                listed = " and ".join(dtype.name for dtype in given)
                raise DTypeError(
                    f"`{function}` does not compute in {listed}",
                    why="A scalar expression promotes nothing.",
                    way_out="Cast its operands to the dtype in which it computes.",
                )
            return SCALARS[function].result(given)


def evaluate(expression: Expression, operands: Sequence[Any]) -> Any:
    """The value of an expression for these operands: arrays that broadcast together, or scalars."""
    match expression:
        case Operand(index):
            return operands[index]
        case Literal(value, dtype):
            return dtype.numpy.type(value)
        case Convert(to, of):
            return np.asarray(evaluate(of, operands), to.numpy)
        case Apply(function, arguments):
            return SCALARS[function].meaning(*[evaluate(each, operands) for each in arguments])
