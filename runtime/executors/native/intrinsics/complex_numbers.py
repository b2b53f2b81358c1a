"""Complex numbers in LLVM's code: pairs of floats, computed as NumPy computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from runtime.core.dtypes import DType, bool_
from runtime.executors.native.intrinsics.casts import cast, joined, parts_of
from runtime.executors.native.intrinsics.helpers import of_library
from runtime.executors.native.llvm.code import Code, Operand, in_register
from runtime.ops.roundings import arrays_fuse, arrays_scale

__all__ = ["COMPLEX", "of_complex"]

COMPLEX = frozenset(
    {
        *("add", "subtract", "multiply", "divide", "negative", "square", "reciprocal", "absolute", "exp"),
        *("scalar_multiply", "scalar_square", "scalar_absolute"),
        *("real", "imag", "of_parts", "conjugate", "select", "isnan", "isinf", "isfinite"),
        *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
        *("logical_and", "logical_or", "logical_xor", "logical_not"),
    }
)
"""Scalar functions of complex numbers that have machine code."""

Applied: TypeAlias = Callable[[Code, str, Sequence[Operand], DType], Operand]
Pair: TypeAlias = tuple[Operand, Operand]


class _Reals:
    """Scalar functions of the parts."""

    def __init__(self, code: Code, part: DType, applied: Applied) -> None:
        self._code, self.part, self._applied = code, part, applied

    def __call__(self, function: str, *operands: Operand) -> Operand:
        return self._applied(self._code, function, operands, self.part)

    def test(self, function: str, *operands: Operand) -> Operand:
        """A function that says whether something holds."""
        return self._applied(self._code, function, operands, bool_)

    def number(self, text: str) -> Operand:
        """A number that is known."""
        return Operand(text, self.part)

    def product(self, one: Pair, other: Pair, *, fuses: bool) -> Pair:
        """The product of two complex numbers; `fuses`: with sums that are rounded once."""
        (a, b), (c, d) = one, other
        first, second = self("multiply", b, d), self("multiply", b, c)
        if fuses:
            return self.fused(a, c, self("negative", first)), self.fused(a, d, second)
        return (
            self("subtract", self("multiply", a, c), first),
            self("add", self("multiply", a, d), second),
        )

    def fused(self, one: Operand, other: Operand, more: Operand) -> Operand:
        """``one * other + more``, rounded once."""
        kind = in_register(self.part)
        wide = self._code.wide(kind)
        given = ", ".join(f"{wide} {each.text}" for each in (one, other, more))
        return Operand(
            self._code.value(f"call {wide} @llvm.fma.{self._code.suffix(kind)}({given})"), self.part
        )

    def length(self, one: Pair) -> Operand:
        """The magnitude as the C library has it, in loops of vectors, too: our own has other last bits."""
        kind = in_register(self.part)
        given = ", ".join(f"{kind} {each.text}" for each in one)
        name = of_library("hypot", self._code.suffix(kind))
        return Operand(self._code.value(f"call {kind} @{name}({given})"), self.part)

    def where(self, test: Operand, one: Pair, other: Pair) -> Pair:
        """One complex number or another."""
        return self("select", test, one[0], other[0]), self("select", test, one[1], other[1])


def of_complex(
    code: Code, function: str, operands: Sequence[Operand], result: DType, applied: Applied
) -> Operand:
    """A scalar function of complex operands.

    Parameters
    ----------
    code : Code
    function : str
        One of `COMPLEX`.
    operands : sequence of Operand
    result : DType
    applied : callable
        Applies functions to the parts.
    """
    if function.startswith("logical_"):
        return applied(code, function, [cast(code, each, bool_) for each in operands], bool_)
    if function == "select":
        test, *operands = operands
    pairs = [parts_of(code, each) for each in operands]
    reals = _Reals(code, pairs[0][0].dtype, applied)
    if result is bool_:
        return _test(reals, function, pairs)
    match function:
        case "real":
            return pairs[0][0]
        case "imag":
            return pairs[0][1]
        case "absolute":
            return _scaled_length(reals, pairs[0]) if arrays_scale() else reals.length(pairs[0])
        case "scalar_absolute":
            return reals.length(pairs[0])
        case "select":
            found = reals.where(test, *pairs)
        case "add" | "subtract":
            (a, b), (c, d) = pairs
            found = reals(function, a, c), reals(function, b, d)
        case "multiply":
            found = reals.product(*pairs, fuses=arrays_fuse())
        case "scalar_multiply":
            found = reals.product(*pairs, fuses=False)
        case "square":
            found = reals.product(pairs[0], pairs[0], fuses=arrays_fuse())
        case "scalar_square":
            found = reals.product(pairs[0], pairs[0], fuses=False)
        case "negative":
            found = reals("negative", pairs[0][0]), reals("negative", pairs[0][1])
        case "of_parts":
            found = pairs[0][0], pairs[1][0]
        case "conjugate":
            found = pairs[0][0], reals("negative", pairs[0][1])
        case "divide":
            found = _quotient(reals, *pairs)
        case "reciprocal":
            found = _reciprocal(reals, pairs[0])
        case _:
            found = _exponential(reals, pairs[0])
    return joined(code, found[0].text, found[1].text, result)


def _test(reals: _Reals, function: str, pairs: Sequence[Pair]) -> Operand:
    if function in {"isnan", "isinf", "isfinite"}:
        word = "logical_and" if function == "isfinite" else "logical_or"
        return reals.test(word, *[reals.test(function, each) for each in pairs[0]])
    (a, b), (c, d) = pairs
    if function in {"equal", "not_equal"}:
        word = "logical_and" if function == "equal" else "logical_or"
        return reals.test(word, reals.test(function, a, c), reals.test(function, b, d))
    strictly = function.removesuffix("_equal")  # in lexical order, of numbers
    known = reals.test("logical_and", reals.test("equal", b, b), reals.test("equal", d, d))
    first = reals.test("logical_and", reals.test(strictly, a, c), known)
    second = reals.test("logical_and", reals.test("equal", a, c), reals.test(function, b, d))
    return reals.test("logical_or", first, second)


def _scaled_length(reals: _Reals, one: Pair) -> Operand:
    """The magnitude by the ratio of the parts, as instructions on vectors of NumPy's have it."""
    a, b = [reals("absolute", each) for each in one]
    wide = reals.test("greater_equal", a, b)
    more, less = reals("select", wide, a, b), reals("select", wide, b, a)
    nothing = reals.test("equal", more, reals.number("0.0"))
    ratio = reals("divide", less, reals("select", nothing, reals.number("1.0"), more))
    found = reals("multiply", reals("sqrt", reals.fused(ratio, ratio, reals.number("1.0"))), more)
    endless = reals.test("logical_or", reals.test("isinf", a), reals.test("isinf", b))
    return reals("select", endless, reals.number("0x7FF0000000000000"), found)


def _quotient(reals: _Reals, one: Pair, other: Pair) -> Pair:
    """By the greater part of the divisor first, so that nothing overflows (Smith)."""
    (a, b), (c, d) = one, other
    wide = reals.test("greater_equal", reals("absolute", c), reals("absolute", d))
    more, less = reals("select", wide, c, d), reals("select", wide, d, c)
    ratio = reals("divide", less, more)
    scale = reals("divide", reals.number("1.0"), reals("add", more, reals("multiply", less, ratio)))
    (first, second), (third, fourth) = reals.where(wide, (a, b), (b, a)), reals.where(wide, (b, a), (a, b))
    real = reals("add", first, reals("multiply", second, ratio))
    upper, lower = third, reals("multiply", fourth, ratio)
    imaginary = reals(
        "select", wide, reals("subtract", upper, lower), reals("subtract", reals("multiply", b, ratio), a)
    )
    by_zero = reals.test("logical_not", reals.test("logical_or", _is_some(reals, c), _is_some(reals, d)))
    size = reals("absolute", c)
    plain = reals("divide", a, size), reals("divide", b, size)
    return reals.where(by_zero, plain, (reals("multiply", real, scale), reals("multiply", imaginary, scale)))


def _is_some(reals: _Reals, part: Operand) -> Operand:
    return reals.test("not_equal", part, reals.number("0.0"))


def _reciprocal(reals: _Reals, one: Pair) -> Pair:
    a, b = one
    wide = reals.test("less_equal", reals("absolute", b), reals("absolute", a))
    more, less = reals("select", wide, a, b), reals("select", wide, b, a)
    ratio = reals("divide", less, more)
    total = reals("add", more, reals("multiply", less, ratio))
    plain = reals("divide", reals.number("1.0"), total)
    rest = reals("divide", ratio, total)
    return reals.where(wide, (plain, reals("negative", rest)), (rest, reals("negative", plain)))


def _exponential(reals: _Reals, one: Pair) -> Pair:
    """In two halves, where the whole would overflow and the result does not."""
    a, b = one
    zero, nothing = reals.number("0.0"), reals.number("0x7FF8000000000000")
    half = reals("exp", reals("multiply", a, reals.number("0.5")))
    real = reals("multiply", reals("multiply", half, reals("cos", b)), half)
    imaginary = reals("multiply", reals("multiply", half, reals("sin", b)), half)
    is_infinite, is_real = reals.test("isinf", a), reals.test("equal", b, zero)
    turned = reals.test("logical_not", reals.test("isfinite", b))
    whole = reals("exp", a)
    edge = reals.test("logical_and", is_infinite, turned)
    grows = reals.test("greater", a, zero)
    found = reals.where(edge, (whole, reals("select", grows, nothing, zero)), (real, imaginary))
    return reals.where(is_real, (whole, b), found)
