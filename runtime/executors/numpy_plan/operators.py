"""Python's operators in place of calls of NumPy, where they mean the same."""

from __future__ import annotations

import ast

from autograph_base.dataclass import dataclass
from runtime.executors.numpy_plan.syntax import Place, call, subscript

__all__ = ["OF_NUMBERS", "OPERATORS", "Operator"]


@dataclass(frozen=True)
class Operator:
    """What Python writes for a ufunc.

    Attributes
    ----------
    template : ast.expr
        With a place for each operand.
    count : int
        Of operands.
    kinds : str
        The kinds of dtype for which it means the same on scalars.
    augmented : ast.operator or None
        As in ``x += y``.
    where : str
        "arrays" or "scalars" where it means the same on those alone, "" where on both.
    wraps : bool
        Whether integers may overflow, of which NumPy's scalars warn.
    """

    template: ast.expr
    count: int
    kinds: str
    augmented: ast.operator | None = None
    where: str = ""
    wraps: bool = False

    @property
    def is_choice(self) -> bool:
        """Whether it gives one of two operands as it is."""
        return isinstance(self.template, ast.Call) and self.count == 2


def _binary(
    operator: ast.operator, kinds: str, *, where: str = "", wraps: bool = False, augments: bool = True
) -> Operator:
    template = ast.BinOp(Place(0), operator, Place(1))
    return Operator(template, 2, kinds, operator if augments else None, where, wraps)


def _compared(operator: ast.cmpop) -> Operator:
    return Operator(ast.Compare(Place(0), [operator], [Place(1)]), 2, "biuf")


def _unary(operator: ast.unaryop, kinds: str, *, wraps: bool = False) -> Operator:
    return Operator(ast.UnaryOp(operator, Place(0)), 1, kinds, wraps=wraps)


def _chosen(function: str) -> Operator:
    return Operator(call(function, Place(0), Place(1)), 2, "iu", where="scalars")


OPERATORS: dict[str, Operator] = {
    "add": _binary(ast.Add(), "iuf", wraps=True),
    "subtract": _binary(ast.Sub(), "iuf", wraps=True),
    "multiply": _binary(ast.Mult(), "iuf", wraps=True),
    "floor_divide": _binary(ast.FloorDiv(), "iuf", wraps=True),
    "negative": _unary(ast.USub(), "iuf", wraps=True),
    "absolute": Operator(call("abs", Place(0)), 1, "iuf", wraps=True),
    "remainder": _binary(ast.Mod(), "iuf"),
    "divide": _binary(ast.Div(), "f"),
    "true_divide": _binary(ast.Div(), "f"),
    "less": _compared(ast.Lt()),
    "less_equal": _compared(ast.LtE()),
    "greater": _compared(ast.Gt()),
    "greater_equal": _compared(ast.GtE()),
    "equal": _compared(ast.Eq()),
    "not_equal": _compared(ast.NotEq()),
    "bitwise_and": _binary(ast.BitAnd(), "biu"),
    "bitwise_or": _binary(ast.BitOr(), "biu"),
    "bitwise_xor": _binary(ast.BitXor(), "biu"),
    "invert": _unary(ast.Invert(), "biu"),
    "left_shift": _binary(ast.LShift(), "iu"),
    "right_shift": _binary(ast.RShift(), "iu"),
    "logical_and": _binary(ast.BitAnd(), "b", augments=False),
    "logical_or": _binary(ast.BitOr(), "b", augments=False),
    "logical_xor": _binary(ast.BitXor(), "b", augments=False),
    "logical_not": _unary(ast.Invert(), "b"),
    "matmul": _binary(ast.MatMult(), "biufc", where="arrays", augments=False),
    "maximum": _chosen("max"),
    "minimum": _chosen("min"),
    "power": _binary(ast.Pow(), "iu", where="scalars", augments=False),
}
"""By the name of the ufunc.

Operators on NumPy's scalars are about twenty times as fast as calls of ufuncs.
"""

_NUMBERS = [subscript(Place(index), ast.Tuple([], ast.Load())) for index in range(2)]
"""The operands as NumPy's scalars, which an array without axes is not."""

_POWER = ast.BinOp(_NUMBERS[0], ast.Pow(), _NUMBERS[1])

OF_NUMBERS: dict[str, dict[str, ast.expr]] = {
    "c": {
        "multiply": ast.BinOp(_NUMBERS[0], ast.Mult(), _NUMBERS[1]),
        "absolute": call("abs", _NUMBERS[0]),
        "power": _POWER,
        "square": ast.BinOp(_NUMBERS[0], ast.Mult(), _NUMBERS[0]),
    },
    "f": {"power": _POWER},
}
"""What NumPy's scalars compute otherwise than its arrays, by their kind."""
