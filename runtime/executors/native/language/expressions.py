"""Numbers, arrays and objects of the loop language by name, and what is computed of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, int64

__all__ = [
    "Apply",
    "Array",
    "Cast",
    "Expression",
    "Load",
    "Named",
    "Number",
    "Object",
    "Variable",
    "add",
    "as_int64",
    "expression_text",
    "folded",
    "linear",
    "multiply",
    "truth",
]


@dataclass(frozen=True, slots=True)
class Variable:
    """A number by name."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is known."""

    value: bool | float
    dtype: DType


@dataclass(frozen=True, slots=True)
class Array:
    """An array by name: a place in memory."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Object:
    """An object of Python's by name: what has no form in machine code is handed from call to call."""

    name: str


Named: TypeAlias = "Variable | Array | Object"


@dataclass(frozen=True, slots=True)
class Load:
    """An element."""

    array: Array
    place: Expression

    @property
    def dtype(self) -> DType:
        """That of the array."""
        return self.array.dtype


@dataclass(frozen=True, slots=True)
class Apply:
    """A scalar function of numbers."""

    function: str
    arguments: tuple[Expression, ...]
    dtype: DType


@dataclass(frozen=True, slots=True)
class Cast:
    """A number as one of another dtype; `fits` says that a float is known to be in the range of that."""

    of: Expression
    dtype: DType
    fits: bool = False


Expression: TypeAlias = "Variable | Number | Load | Apply | Cast"


def add(*parts: Expression | int) -> Expression:
    """A sum of whole numbers, in which the known ones are added up."""
    known, unknown = 0, list[Expression]()
    for part in parts:
        if isinstance(part, int):
            known += part
        elif isinstance(part, Number):
            known += int(part.value)
        else:
            unknown.append(part)
    if known or not unknown:
        unknown.append(Number(known, int64))
    total = unknown[0]
    for part in unknown[1:]:
        total = Apply("add", (total, part), int64)
    return total


def truth(function: str, *arguments: Expression) -> Expression:
    """What a function says of some values that gives a truth of them, as ``less`` does."""
    return Apply(function, arguments, bool_)


def as_int64(value: Expression) -> Expression:
    """A whole number as one of 64 bits."""
    return value if value.dtype is int64 else Cast(value, int64)


def multiply(*parts: Expression | int) -> Expression:
    """A product of whole numbers, in which the known ones are multiplied."""
    known, unknown = 1, list[Expression]()
    for part in parts:
        if isinstance(part, int):
            known *= part
        elif isinstance(part, Number):
            known *= int(part.value)
        else:
            unknown.append(part)
    if known == 0:
        return Number(0, int64)
    if known != 1 or not unknown:
        unknown.append(Number(known, int64))
    total = unknown[0]
    for part in unknown[1:]:
        total = Apply("multiply", (total, part), int64)
    return total


_OF_WHOLE: Mapping[str, Callable[[int, int], int]] = {
    "maximum": max,
    "minimum": min,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}
"""What is computed of whole numbers that are known, where nothing can wrap around."""


def folded(value: Expression) -> Expression:
    """An expression without what is known beforehand of lengths, places and tests of them."""
    if not isinstance(value, Apply) or value.dtype not in {int64, bool_}:
        return value
    arguments = tuple(map(folded, value.arguments))
    match value.function, arguments:
        case "logical_not", (Number(truth),):
            return Number(not truth, bool_)
        case "logical_and", (Number(truth), other) | (other, Number(truth)):
            return other if truth else Number(False, bool_)
        case "logical_or", (Number(truth), other) | (other, Number(truth)):
            return Number(True, bool_) if truth else other
        case "select", (Number(truth), one, other):
            return one if truth else other
        case ("add" | "subtract", (one, Number(0))) | ("multiply" | "floor_divide", (one, Number(1))):
            return one
        case function, (Number(one, first), Number(other, second)) if first is second is int64:
            if function in _OF_WHOLE:
                return Number(_OF_WHOLE[function](int(one), int(other)), value.dtype)
        case function, (Variable() as one, other) if one == other and one.dtype is int64:
            if function in _OF_WHOLE:
                found = _OF_WHOLE[function](0, 0)
                return Number(found, bool_) if value.dtype is bool_ else one
    return Apply(value.function, arguments, value.dtype)


_SIGNS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
}


def expression_text(expression: Expression) -> str:
    """An expression as text."""
    match expression:
        case Variable(name):
            return name
        case Number(value, dtype):
            return repr(value) if dtype is int64 else f"{dtype.short}({value!r})"
        case Load(array, place):
            return f"{array.name}[{expression_text(place)}]"
        case Cast(of, dtype):
            return f"{dtype.short}({expression_text(of)})"
        case Apply(function, (left, right)) if function in _SIGNS:
            return f"({expression_text(left)} {_SIGNS[function]} {expression_text(right)})"
        case Apply(function, arguments):
            return f"{function}({', '.join(map(expression_text, arguments))})"


def linear(place: Expression) -> tuple[dict[Variable, int], int] | None:
    """A whole number as a sum of multiples of variables and a number that is not negative."""
    match place:
        case Variable():
            return {place: 1}, 0
        case Number(value, _):
            return ({}, int(value)) if value >= 0 else None
        case Apply("add", (one, other)):
            first, second = linear(one), linear(other)
            if first is None or second is None:
                return None
            terms = dict(first[0])
            for variable, factor in second[0].items():
                terms[variable] = terms.get(variable, 0) + factor
            return terms, first[1] + second[1]
        case Apply("multiply", (one, Number(value, _))):
            inner = linear(one)
            if inner is None or value < 0:
                return None
            factor = int(value)
            return {variable: each * factor for variable, each in inner[0].items()}, inner[1] * factor
    return None
