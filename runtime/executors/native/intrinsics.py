"""What each scalar function, each cast and each service of a run is in LLVM's code.

Integers wrap around, and their division by zero gives 0, as NumPy's; casts of floats give what NumPy's give
on x86-64, for numbers that are out of range as well. Functions that are not among IEEE 754's basic ones are
the C library's, within the bound that the table of scalar functions states.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence

from runtime.core.dtypes import DType, bool_, int32, int64
from runtime.executors.native.code import Code, Operand, in_register

__all__ = ["applied", "cast", "with_helpers"]

Emit = Callable[[Code, Sequence[Operand], str], str]
"""The text of the result, for operands and the type in which they are computed."""

_LIBRARY = {
    "cbrt": "cbrt",
    "exp": "exp",
    "expm1": "expm1",
    "log": "log",
    "log1p": "log1p",
    "log2": "log2",
    "log10": "log10",
    "exp2": "exp2",
    "hypot": "hypot",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "fmod": "fmod",
    "power": "pow",
}
"""Scalar functions of floats, and the functions of the C library that compute them."""

_TWO = frozenset({"hypot", "atan2", "fmod", "pow"})

_ORDERED = {
    "equal": ("eq", "oeq"),
    "not_equal": ("ne", "une"),
    "less": ("lt", "olt"),
    "less_equal": ("le", "ole"),
    "greater": ("gt", "ogt"),
    "greater_equal": ("ge", "oge"),
}

_INTEGER = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}
_OF_BOOLS = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and", "fmax": "or", "fmin": "and"}
_LOGICAL = {"logical_and": "and", "logical_or": "or", "logical_xor": "xor"}
_FLOAT = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}
_ROUNDED = {
    "floor": "llvm.floor",
    "ceil": "llvm.ceil",
    "trunc": "llvm.trunc",
    "rint": "llvm.roundeven",
    "sqrt": "llvm.sqrt",
    "absolute": "llvm.fabs",
}


def applied(code: Code, function: str, operands: Sequence[Operand], result: DType) -> Operand:
    """A scalar function of operands that it takes as they are."""
    dtype = operands[-1].dtype if function == "select" else operands[0].dtype
    kind = in_register(dtype)
    if function in _ORDERED:
        text = _compared(code, function, operands, kind)
    elif function == "select":
        test, one, other = operands
        text = code.value(f"select i1 {test.text}, {kind} {one.text}, {kind} {other.text}")
    elif function in {"logical_and", "logical_or", "logical_xor", "logical_not"}:
        text = _logical(code, function, operands)
    elif dtype is bool_:
        text = _of_bools(code, function, operands)
    elif dtype.is_floating:
        text = _of_floats(code, function, operands, kind)
    else:
        text = _of_integers(code, function, operands, kind)
    return Operand(text, result)


def _compared(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    one, other = operands
    whole, floating = _ORDERED[function]
    if one.dtype.is_floating:
        return code.value(f"fcmp {floating} {kind} {one.text}, {other.text}")
    sign = "" if whole in {"eq", "ne"} else "s" if one.dtype.kind == "i" else "u"
    return code.value(f"icmp {sign}{whole} {kind} {one.text}, {other.text}")


def _truth(code: Code, operand: Operand) -> str:
    return cast(code, operand, bool_).text


def _logical(code: Code, function: str, operands: Sequence[Operand]) -> str:
    truths = [_truth(code, operand) for operand in operands]
    if function == "logical_not":
        return code.value(f"xor i1 {truths[0]}, true")
    return code.value(f"{_LOGICAL[function]} i1 {truths[0]}, {truths[1]}")


def _of_bools(code: Code, function: str, operands: Sequence[Operand]) -> str:
    if function in {"floor", "ceil", "trunc", "absolute", "conjugate"}:
        return operands[0].text
    if function == "invert":
        return code.value(f"xor i1 {operands[0].text}, true")
    if function in {"isnan", "isinf"}:
        return "false"
    if function == "isfinite":
        return "true"
    instruction = _OF_BOOLS.get(function) or _INTEGER[function]
    return code.value(f"{instruction} i1 {operands[0].text}, {operands[1].text}")


def _of_floats(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    x = operands[0].text
    suffix = "f64" if kind == "double" else "f32"
    if function in _FLOAT:
        return code.value(f"{_FLOAT[function]} {kind} {x}, {operands[1].text}")
    if function in _ROUNDED:
        return code.value(f"call {kind} @{_ROUNDED[function]}.{suffix}({kind} {x})")
    if function in _LIBRARY:
        name = _LIBRARY[function] + ("" if kind == "double" else "f")
        given = ", ".join(f"{kind} {operand.text}" for operand in operands)
        return code.value(f"call {kind} @{name}({given})")
    match function:
        case "negative":
            return code.value(f"fneg {kind} {x}")
        case "square":
            return code.value(f"fmul {kind} {x}, {x}")
        case "reciprocal":
            return code.value(f"fdiv {kind} 1.0, {x}")
        case "copysign":
            return code.value(f"call {kind} @llvm.copysign.{suffix}({kind} {x}, {kind} {operands[1].text})")
        case "isnan":
            return code.value(f"fcmp uno {kind} {x}, {x}")
        case "isinf" | "isfinite":
            size = code.value(f"call {kind} @llvm.fabs.{suffix}({kind} {x})")
            test = "oeq" if function == "isinf" else "one"
            return code.value(f"fcmp {test} {kind} {size}, 0x7FF0000000000000")
        case "signbit":
            whole = "i64" if kind == "double" else "i32"
            bits = code.value(f"bitcast {kind} {x} to {whole}")
            return code.value(f"icmp slt {whole} {bits}, 0")
        case "maximum" | "minimum" | "fmax" | "fmin":
            y = operands[1].text
            test = "oge" if function in {"maximum", "fmax"} else "ole"
            first = code.value(f"fcmp {test} {kind} {x}, {y}")
            other = x if function in {"maximum", "minimum"} else y
            unordered = code.value(f"fcmp uno {kind} {other}, {other}")
            chosen = code.value(f"or i1 {first}, {unordered}")
            return code.value(f"select i1 {chosen}, {kind} {x}, {kind} {y}")
        case "sign":
            return code.value(f"call {kind} @ag_sign_{suffix}({kind} {x})")
    return code.value(f"call {kind} @ag_{function}_{suffix}({kind} {x}, {kind} {operands[1].text})")


def _of_integers(code: Code, function: str, operands: Sequence[Operand], kind: str) -> str:
    x = operands[0].text
    is_signed = operands[0].dtype.kind == "i"
    letter = "s" if is_signed else "u"
    if function in _INTEGER:
        return code.value(f"{_INTEGER[function]} {kind} {x}, {operands[1].text}")
    match function:
        case "floor" | "ceil" | "trunc" | "rint" | "conjugate":
            return x
        case "isnan" | "isinf":
            return "false"
        case "isfinite":
            return "true"
        case "negative":
            return code.value(f"sub {kind} 0, {x}")
        case "square":
            return code.value(f"mul {kind} {x}, {x}")
        case "invert":
            return code.value(f"xor {kind} {x}, -1")
        case "absolute":
            return code.value(f"call {kind} @llvm.abs.{kind}({kind} {x}, i1 false)") if is_signed else x
        case "sign":
            positive = code.value(f"icmp {letter}gt {kind} {x}, 0")
            one = code.value(f"zext i1 {positive} to {kind}")
            negative = code.value(f"icmp slt {kind} {x}, 0")
            return code.value(f"select i1 {negative}, {kind} -1, {kind} {one}") if is_signed else one
        case "maximum" | "minimum" | "fmax" | "fmin":
            name = f"llvm.{letter}{'max' if function in {'maximum', 'fmax'} else 'min'}.{kind}"
            return code.value(f"call {kind} @{name}({kind} {x}, {kind} {operands[1].text})")
        case "floor_divide" | "remainder" if _is_power_of_two(operands[1]):
            return _by_power_of_two(code, function, x, int(operands[1].known or 0), kind, letter)
        case "left_shift" | "right_shift":
            return _shifted(code, function, x, operands[1].text, kind, letter)
    if code.gives_way and function in {"floor_divide", "remainder", "fmod"}:
        _give_way_to_divisor(code, x, operands[1], kind)
    name = f"ag_{function}_{letter}{kind[1:]}"
    return code.value(f"call {kind} @{name}({kind} {x}, {kind} {operands[1].text})")


def _give_way_to_divisor(code: Code, x: str, divisor: Operand, kind: str) -> None:
    """NumPy warns of a division by 0, and of the least number by -1."""
    if divisor.known is not None and divisor.known not in {0, -1}:
        return
    zero = code.value(f"icmp eq {kind} {divisor.text}, 0")
    minus = code.value(f"icmp eq {kind} {divisor.text}, -1")
    least = code.value(f"icmp eq {kind} {x}, {-(1 << int(kind[1:]) - 1)}")
    code.give_way_if(code.value(f"or i1 {zero}, {code.value(f'and i1 {minus}, {least}')}"))


def _is_power_of_two(operand: Operand) -> bool:
    known = operand.known
    return isinstance(known, int) and known > 0 and known & (known - 1) == 0


def _by_power_of_two(code: Code, function: str, x: str, divisor: int, kind: str, letter: str) -> str:
    """Rounded down, division is a shift and what remains the last bits, of negative numbers too."""
    if function == "remainder":
        return code.value(f"and {kind} {x}, {divisor - 1}")
    shift = "ashr" if letter == "s" else "lshr"
    return code.value(f"{shift} {kind} {x}, {divisor.bit_length() - 1}")


def _shifted(code: Code, function: str, x: str, count: str, kind: str, letter: str) -> str:
    """All bits are pushed out by a count that is the width or more, or negative."""
    width = int(kind[1:])
    inside = code.value(f"icmp ult {kind} {count}, {width}")
    if function == "left_shift":
        shifted = code.value(f"shl {kind} {x}, {count}")
        outside = "0"
    elif letter == "s":
        shifted = code.value(f"ashr {kind} {x}, {count}")
        outside = code.value(f"ashr {kind} {x}, {width - 1}")
    else:
        shifted = code.value(f"lshr {kind} {x}, {count}")
        outside = "0"
    return code.value(f"select i1 {inside}, {kind} {shifted}, {kind} {outside}")


# ── casts ──


def cast(code: Code, operand: Operand, to: DType) -> Operand:
    """A number as one of another dtype, as NumPy casts on x86-64."""
    of, x = operand.dtype, operand.text
    kind, wanted = in_register(of), in_register(to)
    if of is to:
        return operand
    if to is bool_:
        text = f"fcmp une {kind} {x}, 0.0" if of.is_floating else f"icmp ne {kind} {x}, 0"
        return Operand(code.value(text), to)
    if of is bool_:
        text = f"uitofp i1 {x} to {wanted}" if to.is_floating else f"zext i1 {x} to {wanted}"
        return Operand(code.value(text), to)
    if of.is_floating:
        if to.is_floating:
            word = "fpext" if to.itemsize > of.itemsize else "fptrunc"
            return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)
        return Operand(_whole(code, operand, to), to)
    if to.is_floating:
        word = "sitofp" if of.kind == "i" else "uitofp"
        return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)
    if to.itemsize == of.itemsize:
        return Operand(x, to)
    word = "trunc" if to.itemsize < of.itemsize else "sext" if of.kind == "i" else "zext"
    return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)


def _whole(code: Code, operand: Operand, to: DType) -> str:
    """A float as an integer: one that is out of range, or none, gives the least, as the processor says."""
    x, kind = operand.text, in_register(operand.dtype)
    if code.gives_way:
        _give_way_to_cast(code, x, kind, to)
    if to.kind == "u" and to.itemsize == 8:
        return code.value(f"call i64 @ag_to_u64_{'f64' if kind == 'double' else 'f32'}({kind} {x})")
    via = int64 if to.itemsize == 8 or (to.kind == "u" and to.itemsize == 4) else int32
    width = in_register(via)
    limit = float(2 ** (8 * via.itemsize - 1))
    low = code.value(f"fcmp oge {kind} {x}, {_hex(-limit)}")
    high = code.value(f"fcmp olt {kind} {x}, {_hex(limit)}")
    inside = code.value(f"and i1 {low}, {high}")
    safe = code.value(f"select i1 {inside}, {kind} {x}, {kind} 0.0")
    whole = code.value(f"fptosi {kind} {safe} to {width}")
    least = str(-int(limit))
    result = code.value(f"select i1 {inside}, {width} {whole}, {width} {least}")
    return (
        result if to.itemsize == via.itemsize else code.value(f"trunc {width} {result} to {in_register(to)}")
    )


def _give_way_to_cast(code: Code, x: str, kind: str, to: DType) -> None:
    """NumPy warns of a float that is no integer of a dtype, and gives what its loops happen to give."""
    bits = 8 * to.itemsize - (to.kind == "i")
    low = (
        code.value(f"fcmp ogt {kind} {x}, {_hex(-1.0)}")
        if to.kind == "u"
        else code.value(f"fcmp oge {kind} {x}, {_hex(-float(2**bits))}")
    )
    high = code.value(f"fcmp olt {kind} {x}, {_hex(float(2**bits))}")
    inside = code.value(f"and i1 {low}, {high}")
    code.give_way_if(code.value(f"xor i1 {inside}, true"))


def _hex(value: float) -> str:
    """A float that both widths have, as LLVM writes it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


# ── helpers ──


def _division(width: int, letter: str) -> Iterator[tuple[str, str]]:
    """Division of integers that rounds down; by zero it gives 0, and it wraps around."""
    kind = f"i{width}"
    if letter == "u":
        for name, word in (("floor_divide", "udiv"), ("remainder", "urem"), ("fmod", "urem")):
            yield (
                f"ag_{name}_u{width}",
                f"""define internal {kind} @ag_{name}_u{width}({kind} %a, {kind} %b) alwaysinline {{
  %zero = icmp eq {kind} %b, 0
  %safe = select i1 %zero, {kind} 1, {kind} %b
  %q = {word} {kind} %a, %safe
  %r = select i1 %zero, {kind} 0, {kind} %q
  ret {kind} %r
}}""",
            )
        return
    results = {
        "floor_divide": f"""
  %less = sext i1 %down to {kind}
  %floor = add {kind} %q, %less
  %negated = sub {kind} 0, %a
  %one = select i1 %minus, {kind} %negated, {kind} %floor
  %result = select i1 %zero, {kind} 0, {kind} %one""",
        "remainder": f"""
  %add = select i1 %down, {kind} %safe, {kind} 0
  %rest = add {kind} %r, %add
  %result = select i1 %odd, {kind} 0, {kind} %rest""",
        "fmod": f"""
  %result = select i1 %odd, {kind} 0, {kind} %r""",
    }
    for name, rest in results.items():
        yield (
            f"ag_{name}_s{width}",
            f"""define internal {kind} @ag_{name}_s{width}({kind} %a, {kind} %b) alwaysinline {{
  %zero = icmp eq {kind} %b, 0
  %minus = icmp eq {kind} %b, -1
  %odd = or i1 %zero, %minus
  %safe = select i1 %odd, {kind} 1, {kind} %b
  %q = sdiv {kind} %a, %safe
  %p = mul {kind} %q, %safe
  %r = sub {kind} %a, %p
  %some = icmp ne {kind} %r, 0
  %mixed = xor {kind} %r, %safe
  %differ = icmp slt {kind} %mixed, 0
  %down = and i1 %some, %differ{rest}
  ret {kind} %result
}}""",
        )


def _power(width: int, letter: str) -> str:
    """By squaring, wrapping around; the exponent is no negative number."""
    kind = f"i{width}"
    return f"""define internal {kind} @ag_power_{letter}{width}({kind} %a, {kind} %n) {{
start:
  br label %head
head:
  %left = phi {kind} [ %n, %start ], [ %half, %body ]
  %base = phi {kind} [ %a, %start ], [ %squared, %body ]
  %made = phi {kind} [ 1, %start ], [ %next, %body ]
  %done = icmp eq {kind} %left, 0
  br i1 %done, label %end, label %body
body:
  %bit = and {kind} %left, 1
  %odd = icmp ne {kind} %bit, 0
  %times = mul {kind} %made, %base
  %next = select i1 %odd, {kind} %times, {kind} %made
  %squared = mul {kind} %base, %base
  %half = lshr {kind} %left, 1
  br label %head
end:
  ret {kind} %made
}}"""


def _of_float_kind(kind: str, suffix: str) -> str:
    """The functions of floats that take more than an instruction; NumPy's own definitions."""
    letter = "" if kind == "double" else "f"
    return f"""define internal {kind} @ag_remainder_{suffix}({kind} %a, {kind} %b) alwaysinline {{
  %m = call {kind} @fmod{letter}({kind} %a, {kind} %b)
  %some = fcmp une {kind} %m, 0.0
  %mn = fcmp olt {kind} %m, 0.0
  %bn = fcmp olt {kind} %b, 0.0
  %differ = xor i1 %mn, %bn
  %moved = fadd {kind} %m, %b
  %one = select i1 %differ, {kind} %moved, {kind} %m
  %zero = call {kind} @llvm.copysign.{suffix}({kind} 0.0, {kind} %b)
  %r = select i1 %some, {kind} %one, {kind} %zero
  %bz = fcmp oeq {kind} %b, 0.0
  %result = select i1 %bz, {kind} %m, {kind} %r
  ret {kind} %result
}}
define internal {kind} @ag_floor_divide_{suffix}({kind} %a, {kind} %b) alwaysinline {{
  %m = call {kind} @fmod{letter}({kind} %a, {kind} %b)
  %plain = fdiv {kind} %a, %b
  %some = fcmp une {kind} %m, 0.0
  %mn = fcmp olt {kind} %m, 0.0
  %bn = fcmp olt {kind} %b, 0.0
  %differ = xor i1 %mn, %bn
  %down = and i1 %some, %differ
  %rest = fsub {kind} %a, %m
  %div = fdiv {kind} %rest, %b
  %less = fsub {kind} %div, 1.0
  %q = select i1 %down, {kind} %less, {kind} %div
  %floor = call {kind} @llvm.floor.{suffix}({kind} %q)
  %gap = fsub {kind} %q, %floor
  %far = fcmp ogt {kind} %gap, 0.5
  %up = fadd {kind} %floor, 1.0
  %near = select i1 %far, {kind} %up, {kind} %floor
  %zero = call {kind} @llvm.copysign.{suffix}({kind} 0.0, {kind} %plain)
  %nonzero = fcmp une {kind} %q, 0.0
  %whole = select i1 %nonzero, {kind} %near, {kind} %zero
  %bz = fcmp oeq {kind} %b, 0.0
  %result = select i1 %bz, {kind} %plain, {kind} %whole
  ret {kind} %result
}}
define internal {kind} @ag_sign_{suffix}({kind} %a) alwaysinline {{
  %positive = fcmp ogt {kind} %a, 0.0
  %negative = fcmp olt {kind} %a, 0.0
  %nan = fcmp uno {kind} %a, %a
  %one = select i1 %positive, {kind} 1.0, {kind} 0.0
  %two = select i1 %negative, {kind} -1.0, {kind} %one
  %result = select i1 %nan, {kind} %a, {kind} %two
  ret {kind} %result
}}
define internal i64 @ag_to_u64_{suffix}({kind} %a) alwaysinline {{
  %small = fcmp olt {kind} %a, 0x43E0000000000000
  %least = fcmp oge {kind} %a, 0xC3E0000000000000
  %fits = and i1 %small, %least
  %here = select i1 %fits, {kind} %a, {kind} 0.0
  %one = fptosi {kind} %here to i64
  %shifted = fsub {kind} %a, 0x43E0000000000000
  %low = fcmp oge {kind} %shifted, 0.0
  %high = fcmp olt {kind} %shifted, 0x43E0000000000000
  %large = and i1 %low, %high
  %there = select i1 %large, {kind} %shifted, {kind} 0.0
  %other = fptosi {kind} %there to i64
  %flipped = xor i64 %other, -9223372036854775808
  %outside = select i1 %small, i64 -9223372036854775808, i64 0
  %two = select i1 %large, i64 %flipped, i64 %outside
  %result = select i1 %fits, i64 %one, i64 %two
  ret i64 %result
}}"""


def _declarations() -> Iterator[tuple[str, str]]:
    for kind, letter, suffix in (("double", "", "f64"), ("float", "f", "f32")):
        for name in _LIBRARY.values():
            operands = ", ".join([kind] * (2 if name in _TWO else 1))
            pure = "nounwind willreturn memory(none)"
            yield f"{name}{letter}", f"declare {kind} @{name}{letter}({operands}) {pure}"
        for name in _ROUNDED.values():
            yield f"{name}.{suffix}", f"declare {kind} @{name}.{suffix}({kind})"
        yield f"llvm.copysign.{suffix}", f"declare {kind} @llvm.copysign.{suffix}({kind}, {kind})"
    for width in (8, 16, 32, 64):
        for name in ("smax", "smin", "umax", "umin"):
            yield f"llvm.{name}.i{width}", f"declare i{width} @llvm.{name}.i{width}(i{width}, i{width})"
        yield f"llvm.abs.i{width}", f"declare i{width} @llvm.abs.i{width}(i{width}, i1)"


_BASE = """
%context = type { ptr, i64, i64, i64, i64, i64, [4 x i64], ptr }
; memory and objects, how many, room for how many, how many are kept, the lowest frame, site, shown, error

!0 = !{!"branch_weights", i32 1, i32 1000000}
"""

_SERVICES = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @PyEval_SaveThread()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyLong_FromVoidPtr(ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_DecRef(ptr)
declare void @PyEval_RestoreThread(ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define internal i32 @ag_poll(ptr %context) noinline {
  %thread = call ptr @PyEval_SaveThread() ; whoever waits has its turn
  call void @PyEval_RestoreThread(ptr %thread)
  %raised = call i32 @PyErr_CheckSignals()
  %quiet = icmp eq i32 %raised, 0
  br i1 %quiet, label %on, label %keep
on:
  ret i32 0
keep:
  call void @ag_take(ptr %context)
  ret i32 2
}

define internal void @ag_take(ptr %context) cold { ; the exception that Python has raised is kept
  %type = alloca ptr
  %value = alloca ptr
  %trace = alloca ptr
  call void @PyErr_Fetch(ptr %type, ptr %value, ptr %trace)
  call void @PyErr_NormalizeException(ptr %type, ptr %value, ptr %trace)
  %kind = load ptr, ptr %type
  call void @Py_DecRef(ptr %kind)
  %frames = load ptr, ptr %trace
  call void @Py_DecRef(ptr %frames)
  %error = load ptr, ptr %value
  %place = getelementptr %context, ptr %context, i32 0, i32 7
  store ptr %error, ptr %place
  ret void
}

define internal i32 @ag_call(ptr %context, i64 %site, ptr %given, ptr %found) noinline {
start:
  %arguments = alloca [4 x ptr]
  %second = getelementptr ptr, ptr %arguments, i64 1
  %third = getelementptr ptr, ptr %arguments, i64 2
  %fourth = getelementptr ptr, ptr %arguments, i64 3
  %number = inttoptr i64 %site to ptr
  %a = call ptr @PyLong_FromVoidPtr(ptr %number)
  %b = call ptr @PyLong_FromVoidPtr(ptr %context)
  %c = call ptr @PyLong_FromVoidPtr(ptr %given)
  %d = call ptr @PyLong_FromVoidPtr(ptr %found)
  store ptr %a, ptr %arguments
  store ptr %b, ptr %second
  store ptr %c, ptr %third
  store ptr %d, ptr %fourth
  %python = load ptr, ptr @ag_host
  %result = call ptr @PyObject_Vectorcall(ptr %python, ptr %arguments, i64 4, ptr null)
  call void @Py_DecRef(ptr %a)
  call void @Py_DecRef(ptr %b)
  call void @Py_DecRef(ptr %c)
  call void @Py_DecRef(ptr %d)
  %failed = icmp eq ptr %result, null
  br i1 %failed, label %keep, label %done
keep:
  call void @ag_take(ptr %context)
  ret i32 2
done:
  call void @Py_DecRef(ptr %result)
  ret i32 0
}

define internal i32 @ag_enter(ptr %context) alwaysinline {
  %place = getelementptr %context, ptr %context, i32 0, i32 4
  %lowest = load i64, ptr %place
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %over = icmp ult i64 %here, %lowest
  %status = select i1 %over, i32 4, i32 0
  ret i32 %status
}

define internal void @ag_begin(ptr %context) alwaysinline {
  %place = getelementptr %context, ptr %context, i32 0, i32 4
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %lowest = sub i64 %here, DEEPEST
  store i64 %lowest, ptr %place
  ret void
}

define internal void @ag_fail(ptr %context, i64 %site) cold {
  %place = getelementptr %context, ptr %context, i32 0, i32 5
  store i64 %site, ptr %place
  ret void
}

define internal void @ag_show(ptr %context, i64 %index, i64 %bits) cold {
  %place = getelementptr %context, ptr %context, i32 0, i32 6, i64 %index
  store i64 %bits, ptr %place
  ret void
}

define internal i64 @ag_mark(ptr %context) {
  %place = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %place
  ret i64 %height
}

define internal i1 @ag_push(ptr %context, ptr %block) {
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %rooms = getelementptr %context, ptr %context, i32 0, i32 2
  %height = load i64, ptr %heights
  %room = load i64, ptr %rooms
  %full = icmp eq i64 %height, %room
  br i1 %full, label %grow, label %go
grow:
  %twice = mul i64 %room, 2
  %more = add i64 %twice, 16
  %size = mul i64 %more, 8
  %old = load ptr, ptr %context
  %new = call ptr @realloc(ptr %old, i64 %size)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %grown
grown:
  store ptr %new, ptr %context
  store i64 %more, ptr %rooms
  br label %go
go:
  %stack = load ptr, ptr %context
  %top = getelementptr ptr, ptr %stack, i64 %height
  store ptr %block, ptr %top
  %higher = add i64 %height, 1
  store i64 %higher, ptr %heights
  ret i1 true
none:
  ret i1 false
}

define internal ptr @ag_allocate(ptr %context, i64 %bytes) {
  %negative = icmp slt i64 %bytes, 0
  br i1 %negative, label %none, label %go
go:
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %block = call ptr @malloc(i64 %some)
  %missing = icmp eq ptr %block, null
  br i1 %missing, label %none, label %made
made:
  %pushed = call i1 @ag_push(ptr %context, ptr %block)
  br i1 %pushed, label %done, label %drop
done:
  ret ptr %block
drop:
  call void @free(ptr %block)
  ret ptr null
none:
  ret ptr null
}

define ptr @ag_memory(ptr %context, i64 %bytes) {
  %block = call ptr @ag_allocate(ptr %context, i64 %bytes)
  ret ptr %block
}

define i8 @ag_hold(ptr %context, ptr %object) {
  %word = ptrtoint ptr %object to i64
  %marked = or i64 %word, 1
  %block = inttoptr i64 %marked to ptr
  %pushed = call i1 @ag_push(ptr %context, ptr %block)
  %result = zext i1 %pushed to i8
  ret i8 %result
}

define internal void @ag_begin_release(ptr %context, i64 %mark) {
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  store i64 %mark, ptr %place
  ret void
}

define internal void @ag_keep(ptr %context, ptr %block) {
start:
  %stack = load ptr, ptr %context
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %heights
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  %kept = load i64, ptr %place
  br label %head
head:
  %index = phi i64 [ %kept, %start ], [ %following, %next ]
  %inside = icmp slt i64 %index, %height
  br i1 %inside, label %look, label %end
look:
  %slot = getelementptr ptr, ptr %stack, i64 %index
  %here = load ptr, ptr %slot
  %same = icmp eq ptr %here, %block
  br i1 %same, label %found, label %next
next:
  %following = add i64 %index, 1
  br label %head
found:
  %front = getelementptr ptr, ptr %stack, i64 %kept
  %other = load ptr, ptr %front
  store ptr %other, ptr %slot
  store ptr %block, ptr %front
  %more = add i64 %kept, 1
  store i64 %more, ptr %place
  ret void
end:
  ret void
}

define internal void @ag_end_release(ptr %context) {
start:
  %stack = load ptr, ptr %context
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %heights
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  %kept = load i64, ptr %place
  br label %head
head:
  %index = phi i64 [ %kept, %start ], [ %following, %next ]
  %inside = icmp slt i64 %index, %height
  br i1 %inside, label %body, label %end
body:
  %slot = getelementptr ptr, ptr %stack, i64 %index
  %block = load ptr, ptr %slot
  %word = ptrtoint ptr %block to i64
  %bit = and i64 %word, 1
  %is_object = icmp ne i64 %bit, 0
  br i1 %is_object, label %let, label %give
let: ; what the object does when it goes may add to the memory of no run
  %bare = and i64 %word, -2
  %object = inttoptr i64 %bare to ptr
  call void @Py_DecRef(ptr %object)
  br label %next
give:
  call void @free(ptr %block)
  br label %next
next:
  %following = add i64 %index, 1
  br label %head
end:
  store i64 %kept, ptr %heights
  ret void
}

define void @ag_free(ptr %context) {
  call void @ag_begin_release(ptr %context, i64 0)
  call void @ag_end_release(ptr %context)
  %stack = load ptr, ptr %context
  call void @free(ptr %stack)
  ret void
}
"""

DEEPEST = 512 * 1024
"""Bytes of stack for the frames of calls inside one another: every thread of Python's has them."""

_DEFINED = re.compile(r"^(?:define|declare) .*?@([\w.]+)\(", re.MULTILINE)
_NAMED = re.compile(r"@([\w.]+)\(")


def _helpers() -> Iterator[tuple[str, str]]:
    """What the functions of a program may refer to, by name."""
    yield from _declarations()
    for width in (8, 16, 32, 64):
        for letter in "su":
            yield from _division(width, letter)
            yield f"ag_power_{letter}{width}", _power(width, letter)
    services = _SERVICES.replace("DEEPEST", str(DEEPEST)).strip()
    for text in (services, _of_float_kind("double", "f64"), _of_float_kind("float", "f32")):
        for part in re.split(r"\n+(?=define|declare)", text):
            (name,) = _DEFINED.findall(part)
            yield name, part


_HELPERS = dict(_helpers())


def with_helpers(text: str, services: Sequence[str] = ()) -> str:
    """Functions of a program, and all that they refer to, and no more: LLVM reads what it is given."""
    parts, pending, known = [_BASE, text], [*services, *_NAMED.findall(text)], set[str]()
    while pending:
        name = pending.pop()
        if name in _HELPERS and name not in known:
            known.add(name)
            parts.append(_HELPERS[name])
            pending += _NAMED.findall(_HELPERS[name])
    return "\n\n".join(parts)
