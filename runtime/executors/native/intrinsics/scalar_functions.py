"""Scalar functions in LLVM's code.

Integers wrap around, and their division by zero gives 0, as NumPy's. Functions that are not among IEEE 754's
basic ones are our own in loops that become vectors, and elsewhere the C library's, which is faster for one
number; both within the bound that the table of scalar functions states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.core.dtypes import DType, bool_, float64, int64
from runtime.executors.native.c_functions import LIBRARY
from runtime.executors.native.intrinsics.casts import cast, joined, parts_of
from runtime.executors.native.intrinsics.complex_numbers import of_complex
from runtime.executors.native.intrinsics.helpers import ROUNDED, of_library
from runtime.executors.native.llvm.code import Code, Lanes, Operand, in_register, number_text
from runtime.executors.native.mathematics import BOUNDED, FUNCTIONS, name_of, test_of
from runtime.executors.native.mathematics.quotients import QUOTIENT
from runtime.executors.native.numpys_own import PREFIX, name_of_loop

__all__ = ["COMPARISONS", "FUSED", "applied", "folded", "has_vector"]

FUSED = "fused"
"""What a product is called that is added to a number with one rounding: sums of products may have it."""

Emit = Callable[[Code, Sequence[Operand], str], str]
"""The text of the result, for operands and the type in which they are computed."""

_ORDERED = {
    "equal": ("eq", "oeq"),
    "not_equal": ("ne", "une"),
    "less": ("lt", "olt"),
    "less_equal": ("le", "ole"),
    "greater": ("gt", "ogt"),
    "greater_equal": ("ge", "oge"),
}

COMPARISONS = frozenset(_ORDERED)
"""Functions that raise no flag of a number that is known."""

_INTEGER = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}

_FITTING = {"add_fits": "sadd", "subtract_fits": "ssub", "multiply_fits": "smul"}
_OF_BOOLS = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and", "fmax": "or", "fmin": "and"}
_LOGICAL = {"logical_and": "and", "logical_or": "or", "logical_xor": "xor"}
_SMALL_POWERS = frozenset({1.0, 2.0, 3.0, 4.0, 5.0, 6.0})
"""Exponents for which a power is a few multiplications."""
_FOLDS = frozenset({"add", "multiply", "maximum", "minimum"})
"""Functions of floats that LLVM folds in vectors, where it is told that order does not matter."""
_FLOAT = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}


def applied(code: Code, function: str, operands: Sequence[Operand], result: DType) -> Operand:
    """A scalar function of operands that it takes as they are."""
    dtype = operands[-1].dtype if function == "select" else operands[0].dtype
    kind = in_register(dtype)
    if function.startswith(PREFIX):
        name = name_of_loop(function.removeprefix(PREFIX), dtype)
        given = ", ".join(f"{kind} {operand.text}" for operand in operands)
        return Operand(code.value(f"call {in_register(result)} @{name}({given})"), result)
    if dtype.is_complex:
        return of_complex(code, function, operands, result, applied)
    if function == "conjugate":
        return operands[0]
    if function in _ORDERED:
        text = _compared(code, function, operands, kind)
    elif function in _FITTING:
        text = _fits(code, function, operands, kind)
    elif function == "power_fits":
        text = _signed_power(code, operands, kind, 1)
    elif function == "left_shift_fits":
        x, y = operands
        text = code.value(f"call i1 @ag_left_shift_fits_s{kind[1:]}({kind} {x.text}, {kind} {y.text})")
    elif function == "select":
        test, one, other = operands
        wide = code.wide(kind)
        text = code.value(f"select {code.wide('i1')} {test.text}, {wide} {one.text}, {wide} {other.text}")
    elif function in {"logical_and", "logical_or", "logical_xor", "logical_not"}:
        text = _logical(code, function, operands)
    elif dtype is bool_:
        text = _of_bools(code, function, operands)
    elif dtype.is_floating:
        text = _of_floats(code, function, operands, kind)
    else:
        text = _of_integers(code, function, operands, kind)
    return Operand(text, result)


_OF_ROWS = frozenset(
    {"add", "subtract", "multiply", "negative", "absolute", "square", "maximum", "minimum", "fmax", "fmin"}
    | {"isnan", "isinf", "isfinite", "select", "floor", "ceil", "trunc", "rint", *_ORDERED, *_LOGICAL}
    | {"logical_not", "invert"}
)
_OF_ROWS_OF = {
    "f": _OF_ROWS | {"divide", QUOTIENT, FUSED, "reciprocal", "copysign", "signbit", "bits", "sqrt"},
    "i": _OF_ROWS
    | {"bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "sign", *_FITTING},
}
_OF_ROWS_OF["b"] = _OF_ROWS_OF["u"] = _OF_ROWS_OF["i"]
"""Functions that are instructions of vectors, by the kind of the operands."""


def has_vector(function: str, dtype: DType, known: bool | float | None) -> bool:
    """Whether a function of numbers is a few instructions of vectors; its last operand may be known."""
    if function in {"floor_divide", "remainder"}:
        return dtype.is_integer and _is_power_of_two(Operand("", dtype, known))
    return function in _OF_ROWS_OF.get(dtype.kind, ())


def _compared(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    one, other = operands
    kind = code.wide(kind)
    whole, floating = _ORDERED[function]
    if one.dtype.is_floating:
        return code.value(f"fcmp {floating} {kind} {one.text}, {other.text}")
    sign = "" if whole in {"eq", "ne"} else "s" if one.dtype.kind == "i" else "u"
    return code.value(f"icmp {sign}{whole} {kind} {one.text}, {other.text}")


def _fits(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    """Whether an instruction does not wrap around, as the processor says with its result."""
    name, wide = f"llvm.{_FITTING[function]}.with.overflow.{code.suffix(kind)}", code.wide(kind)
    x, y = (operand.text for operand in operands)
    if code.width and function == "multiply_fits" and kind == "i64":
        return _product_fits(code, operands)
    pair = code.value(f"call {{{wide}, {code.wide('i1')}}} @{name}({wide} {x}, {wide} {y})")
    wraps = code.value(f"extractvalue {{{wide}, {code.wide('i1')}}} {pair}, 1")
    return code.value(f"xor {code.wide('i1')} {wraps}, {code.constant('true', 'i1')}")


def _signed_power(code: Code, operands: Sequence[Operand], kind: str, part: int) -> str:
    """The power, or whether it fits: LLVM sees that both are asked of one function, and calls it once."""
    given = ", ".join(f"{kind} {operand.text}" for operand in operands)
    both = code.value(f"call {{{kind}, i1}} @ag_power_s{kind[1:]}({given})")
    return code.value(f"extractvalue {{{kind}, i1}} {both}, {part}")


def _product_fits(code: Code, operands: Sequence[Operand]) -> str:
    """Likewise of products in vectors, which do not say: a little too large, one wraps to the other sign."""
    one, other = [cast(code, each, float64) for each in operands]
    near = applied(code, "multiply", [one, other], float64)
    size = applied(code, "absolute", [near], float64)
    most = Operand(code.constant(number_text(9.3e18, float64), "double"), float64)
    is_small = applied(code, "less", [size, most], bool_)
    product = applied(code, "multiply", operands, operands[0].dtype)
    sign = applied(code, "multiply", [near, cast(code, product, float64)], float64)
    zero = Operand(code.constant("0.0", "double"), float64)
    return _logical(code, "logical_and", [is_small, applied(code, "greater_equal", [sign, zero], bool_)])


def _truth(code: Code, operand: Operand) -> str:
    return cast(code, operand, bool_).text


def _logical(code: Code, function: str, operands: Sequence[Operand]) -> str:
    truths = [_truth(code, operand) for operand in operands]
    if function == "logical_not":
        return code.value(f"xor {code.wide('i1')} {truths[0]}, {code.constant('true', 'i1')}")
    return code.value(f"{_LOGICAL[function]} {code.wide('i1')} {truths[0]}, {truths[1]}")


def _of_bools(code: Code, function: str, operands: Sequence[Operand]) -> str:
    if function in {"floor", "ceil", "trunc", "absolute"}:
        return operands[0].text
    if function == "invert":
        return code.value(f"xor {code.wide('i1')} {operands[0].text}, {code.constant('true', 'i1')}")
    if function in {"isnan", "isinf"}:
        return code.constant("false", "i1")
    if function == "isfinite":
        return code.constant("true", "i1")
    instruction = _OF_BOOLS.get(function) or _INTEGER[function]
    return code.value(f"{instruction} {code.wide('i1')} {operands[0].text}, {operands[1].text}")


def _of_floats(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    x, wide = operands[0].text, code.wide(kind)
    suffix = code.suffix(kind)
    if function in _FLOAT:
        return code.value(f"{_FLOAT[function]} {wide} {x}, {operands[1].text}")
    if function == FUSED:
        given = ", ".join(f"{wide} {operand.text}" for operand in operands)
        return code.value(f"call {wide} @llvm.fma.{suffix}({given})")
    if function in ROUNDED:
        return code.value(f"call {wide} @{ROUNDED[function]}.{suffix}({wide} {x})")
    if function == "power" and operands[1].known in _SMALL_POWERS:
        return _small_power(code, x, int(operands[1].known or 0), wide)
    if function == QUOTIENT and (code.lanes is None or not code.lanes.far):
        return code.value(f"fdiv {wide} {x}, {operands[1].text}")
    if (function in FUNCTIONS or function == QUOTIENT) and code.lanes is not None:
        return _in_lanes(code, code.lanes, function, operands, kind)
    if function in LIBRARY:
        given = ", ".join(f"{kind} {operand.text}" for operand in operands)
        return code.value(f"call {kind} @{of_library(function, suffix)}({given})")
    match function:
        case "negative":
            return code.value(f"fneg {wide} {x}")
        case "square":
            return code.value(f"fmul {wide} {x}, {x}")
        case "reciprocal":
            return code.value(f"fdiv {wide} {code.constant('1.0', kind)}, {x}")
        case "copysign":
            return code.value(f"call {wide} @llvm.copysign.{suffix}({wide} {x}, {wide} {operands[1].text})")
        case "isnan":
            return code.value(f"fcmp uno {wide} {x}, {x}")
        case "isinf" | "isfinite":
            size = code.value(f"call {wide} @llvm.fabs.{suffix}({wide} {x})")
            test = "oeq" if function == "isinf" else "one"
            return code.value(f"fcmp {test} {wide} {size}, {code.constant('0x7FF0000000000000', kind)}")
        case "signbit":
            whole = "i64" if kind == "double" else "i32"
            bits = code.value(f"bitcast {wide} {x} to {code.wide(whole)}")
            return code.value(f"icmp slt {code.wide(whole)} {bits}, {code.constant('0', whole)}")
        case "bits":
            double = x if kind == "double" else code.value(f"fpext {wide} {x} to {code.wide('double')}")
            return code.value(f"bitcast {code.wide('double')} {double} to {code.wide('i64')}")
        case "maximum" | "minimum" | "fmax" | "fmin":
            y = operands[1].text
            is_fmax = function in {"fmax", "fmin"}
            test = f"o{'g' if function in {'maximum', 'fmax'} else 'l'}{'e' if is_fmax else 't'}"
            first = code.value(f"fcmp {test} {wide} {x}, {y}")  # of two zeros the second, as `ties` says
            other = y if is_fmax else x
            unordered = code.value(f"fcmp uno {wide} {other}, {other}")
            chosen = code.value(f"or {code.wide('i1')} {first}, {unordered}")
            return code.value(f"select {code.wide('i1')} {chosen}, {wide} {x}, {wide} {y}")
        case "sign":
            return code.value(f"call {kind} @ag_sign_{suffix}({kind} {x})")
        case "ldexp":
            exponent = cast(code, operands[1], int64).text
            return code.value(f"call {kind} @ag_ldexp_{suffix}({kind} {x}, i64 {exponent})")
    return code.value(f"call {kind} @ag_{function}_{suffix}({kind} {x}, {kind} {operands[1].text})")


def _small_power(code: Code, x: str, exponent: int, kind: str) -> str:
    """A power by multiplications, within the bound."""
    if exponent == 1:
        return x
    half = _small_power(code, x, exponent // 2, kind)
    square = code.value(f"fmul {kind} {half}, {half}")
    return code.value(f"fmul {kind} {square}, {x}") if exponent % 2 else square


def _in_lanes(code: Code, lanes: Lanes, function: str, operands: Sequence[Operand], kind: str) -> str:
    """A function of our own, which has vectors."""
    wide, suffix = code.wide(kind), code.suffix(kind)
    given = ", ".join(f"{wide} {operand.text}" for operand in operands)
    if function not in BOUNDED:
        return code.value(f"call {wide} @{name_of(function, suffix)}({given})")
    if not lanes.far:
        assert not code.width, "it asks the C library"
        return code.value(f"call {kind} @{name_of(function, suffix)}_anywhere({given})")
    is_far = code.value(f"call {code.wide('i1')} @{name_of(test_of(function), suffix)}({given})")
    if code.width:
        is_far = code.value(f"call i1 @llvm.vector.reduce.or.v{code.width}i1({code.wide('i1')} {is_far})")
    before = code.value(f"load i1, ptr {lanes.far}")
    code.add(f"store i1 {code.value(f'or i1 {before}, {is_far}')}, ptr {lanes.far}")
    return code.value(f"call {wide} @{name_of(function, suffix)}({given})")


def folded(code: Code, function: str, total: Operand, operand: Operand) -> Operand:
    """A number combined with another, in any order and in any groups."""
    if total.dtype.is_complex and function == "add":
        pairs = zip(parts_of(code, total), parts_of(code, operand), strict=True)
        real, imaginary = [folded(code, function, one, other).text for one, other in pairs]
        return joined(code, real, imaginary, total.dtype)
    if not total.dtype.is_floating or function not in _FOLDS:
        return applied(code, function, [total, operand], total.dtype)
    kind = in_register(total.dtype)
    if function in {"add", "multiply"}:
        text = f"{_FLOAT[function]} reassoc {kind} {total.text}, {operand.text}"
    else:
        suffix = "f64" if kind == "double" else "f32"
        text = f"call nsz {kind} @llvm.{function}.{suffix}({kind} {total.text}, {kind} {operand.text})"
    return Operand(code.value(text), total.dtype)


def _of_integers(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    x, wide = operands[0].text, code.wide(kind)
    is_signed = operands[0].dtype.kind == "i"
    letter = "s" if is_signed else "u"
    if function in _INTEGER:
        return code.value(f"{_INTEGER[function]} {wide} {x}, {operands[1].text}")
    match function:
        case "floor" | "ceil" | "trunc" | "rint":
            return x
        case "isnan" | "isinf":
            return code.constant("false", "i1")
        case "isfinite":
            return code.constant("true", "i1")
        case "negative":
            return code.value(f"sub {wide} {code.constant('0', kind)}, {x}")
        case "square":
            return code.value(f"mul {wide} {x}, {x}")
        case "invert":
            return code.value(f"xor {wide} {x}, {code.constant('-1', kind)}")
        case "absolute":
            name = f"llvm.abs.{code.suffix(kind)}"
            return code.value(f"call {wide} @{name}({wide} {x}, i1 false)") if is_signed else x
        case "sign":
            zero, truth = code.constant("0", kind), code.wide("i1")
            positive = code.value(f"icmp {letter}gt {wide} {x}, {zero}")
            one = code.value(f"zext {truth} {positive} to {wide}")
            if not is_signed:
                return one
            negative = code.value(f"icmp slt {wide} {x}, {zero}")
            return code.value(f"select {truth} {negative}, {wide} {code.constant('-1', kind)}, {wide} {one}")
        case "maximum" | "minimum" | "fmax" | "fmin":
            name = f"llvm.{letter}{'max' if function in {'maximum', 'fmax'} else 'min'}.{code.suffix(kind)}"
            return code.value(f"call {wide} @{name}({wide} {x}, {wide} {operands[1].text})")
        case "floor_divide" | "remainder" if _is_power_of_two(operands[1]):
            return _by_power_of_two(code, function, x, int(operands[1].known or 0), kind, letter)
        case "bitwise_count":
            size = _of_integers(code, "absolute", operands, kind)
            count = code.value(f"call {wide} @llvm.ctpop.{code.suffix(kind)}({wide} {size})")
            return count if kind == "i8" else code.value(f"trunc {wide} {count} to {code.wide('i8')}")
        case "power" if is_signed:
            return _signed_power(code, operands, kind, 0)
        case "left_shift" | "right_shift":
            return _shifted(code, function, x, operands[1].text, kind, letter)
    if code.gives_way and function in {"floor_divide", "remainder", "fmod"}:
        _give_way_to_divisor(code, x, operands[1], kind)
    is_division = function in {"floor_divide", "remainder", "fmod"}
    if is_division and kind in {"i32", "i64"} and _is_asked_once(code, operands[1]):
        letter = f"small_{letter}"
    name = f"ag_{function}_{letter}{kind[1:]}"
    return code.value(f"call {kind} @{name}({kind} {x}, {kind} {operands[1].text})")


def _give_way_to_divisor(code: Code, x: str, divisor: Operand, kind: str) -> None:
    """NumPy warns of a division by 0, and of the least number by -1."""
    if divisor.known is not None and divisor.known not in {0, -1}:
        return
    zero = code.value(f"icmp eq {kind} {divisor.text}, 0")
    if divisor.dtype.kind == "u":
        code.give_way_if(zero)
        return
    minus = code.value(f"icmp eq {kind} {divisor.text}, -1")
    least = code.value(f"icmp eq {kind} {x}, {-(1 << int(kind[1:]) - 1)}")
    code.give_way_if(code.value(f"or i1 {zero}, {code.value(f'and i1 {minus}, {least}')}"))


def _is_asked_once(code: Code, divisor: Operand) -> bool:
    """Whether one number is divided by one that is not known: elsewhere it is better not to look."""
    return divisor.known is None and not code.width and code.lanes is None


def _is_power_of_two(operand: Operand) -> bool:
    known = operand.known
    return isinstance(known, int) and known > 0 and known & (known - 1) == 0


def _by_power_of_two(code: Code, function: str, x: str, divisor: int, kind: str, letter: str) -> str:
    """Rounded down, division is a shift and what remains the last bits, of negative numbers too."""
    wide = code.wide(kind)
    if function == "remainder":
        return code.value(f"and {wide} {x}, {code.constant(str(divisor - 1), kind)}")
    shift = "ashr" if letter == "s" else "lshr"
    return code.value(f"{shift} {wide} {x}, {code.constant(str(divisor.bit_length() - 1), kind)}")


def _shifted(code: Code, function: str, x: str, count: str, kind: str, letter: str) -> str:
    """All bits are pushed out by a count that is the width or more, or negative."""
    width, wide = int(kind[1:]), code.wide(kind)
    inside = code.value(f"icmp ult {wide} {count}, {code.constant(str(width), kind)}")
    outside = code.constant("0", kind)
    if function == "left_shift":
        shifted = code.value(f"shl {wide} {x}, {count}")
    elif letter == "s":
        shifted = code.value(f"ashr {wide} {x}, {count}")
        outside = code.value(f"ashr {wide} {x}, {code.constant(str(width - 1), kind)}")
    else:
        shifted = code.value(f"lshr {wide} {x}, {count}")
    return code.value(f"select {code.wide('i1')} {inside}, {wide} {shifted}, {wide} {outside}")
