"""The functions that the code of a program may call: only those that it does are given to LLVM."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from runtime.core.dtypes import float32, float64
from runtime.executors.native.c_functions import LIBRARY
from runtime.executors.native.intrinsics.services import (
    BASE,
    BUDGET,
    DEEPEST,
    MOST_STACK,
    OFTEN,
    PAUSE,
    SELDOM,
    SERVICES,
    SHARED,
)
from runtime.executors.native.llvm.code import number_text
from runtime.executors.native.mathematics import (
    FAR_FUNCTIONS,
    WRITTEN,
    anywhere,
    name_of,
    written_as,
)

__all__ = ["shared_text", "with_helpers"]

_TWO = frozenset({"hypot", "atan2", "fmod", "nextafter", "pow"})
_WITH_POLES = ("gamma", "lgamma")

ROUNDED = {
    "floor": "llvm.floor",
    "ceil": "llvm.ceil",
    "trunc": "llvm.trunc",
    "rint": "llvm.rint",
    "sqrt": "llvm.sqrt",
    "absolute": "llvm.fabs",
}


def of_library(function: str, suffix: str) -> str:
    """The name of what computes a function by the C library."""
    if function in _WITH_POLES:
        return f"{name_of(function, suffix)}_of_library"
    return LIBRARY[function] + ("" if suffix == "f64" else "f")


def _at_poles(name: str, kind: str) -> str:
    """A function of the library's that Python has as an error where there is a pole: here, no number."""
    suffix, letter = ("f64", "") if kind == "double" else ("f32", "f")
    return f"""define internal {kind} @{of_library(name, suffix)}({kind} %x) alwaysinline {{
  %y = call {kind} @{LIBRARY[name]}{letter}({kind} %x)
  %floor = call {kind} @llvm.floor.{suffix}({kind} %x)
  %whole = fcmp oeq {kind} %floor, %x
  %low = fcmp ole {kind} %x, 0.0
  %finite = fcmp ogt {kind} %x, 0xFFF0000000000000
  %pole.a = and i1 %whole, %low
  %pole = and i1 %pole.a, %finite
  %result = select i1 %pole, {kind} 0x7FF8000000000000, {kind} %y
  ret {kind} %result
}}"""


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
            if width >= 32:
                yield f"ag_{name}_small_u{width}", _of_small_numbers(name, width, "u")
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
        if width >= 32:
            yield f"ag_{name}_small_s{width}", _of_small_numbers(name, width, "s")


def _of_small_numbers(name: str, width: int, letter: str) -> str:
    """A division that first looks whether both numbers are short and not negative: those need little time."""
    kind, word = f"i{width}", "udiv" if name == "floor_divide" else "urem"
    shorten, lengthen = ("trunc i64", "zext i32") if width == 64 else ("freeze i32", "freeze i32")
    as_short, as_long = (" to i32", " to i64") if width == 64 else ("", "")
    return f"""define internal {kind} @ag_{name}_small_{letter}{width}({kind} %a, {kind} %b) alwaysinline {{
start:
  %both = or {kind} %a, %b
  %high = lshr {kind} %both, {32 if width == 64 else 31}
  %short = icmp eq {kind} %high, 0
  %some = icmp ne {kind} %b, 0
  %quick = and i1 %short, %some
  br i1 %quick, label %little, label %any, !prof !1
little:
  %one = {shorten} %a{as_short}
  %other = {shorten} %b{as_short}
  %found = {word} i32 %one, %other
  %wide = {lengthen} %found{as_long}
  br label %end
any:
  %slow = call {kind} @ag_{name}_{letter}{width}({kind} %a, {kind} %b)
  br label %end
end:
  %result = phi {kind} [ %wide, %little ], [ %slow, %any ]
  ret {kind} %result
}}"""


def _unsigned_power(width: int) -> str:
    """By squaring, wrapping around."""
    kind = f"i{width}"
    return f"""define internal {kind} @ag_power_u{width}({kind} %a, {kind} %n) {{
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


def _signed_power(width: int) -> str:
    """Likewise, and whether no product wraps around: squares count where there is another bit.

    Of a negative exponent nobody asks for the power. Who asks for one of both and then for the other is given
    them by one call.
    """
    kind = f"i{width}"
    both, product = f"{{{kind}, i1}}", f"call {{{kind}, i1}} @llvm.smul.with.overflow.{kind}({kind}"
    pure = "nounwind willreturn memory(none)"
    return f"""define internal {both} @ag_power_s{width}({kind} %a, {kind} %n) {pure} {{
start:
  %some = icmp sgt {kind} %n, 0
  br i1 %some, label %body, label %end
body:
  %left = phi {kind} [ %n, %start ], [ %half, %more ]
  %base = phi {kind} [ %a, %start ], [ %square, %more ]
  %made = phi {kind} [ 1, %start ], [ %next, %more ]
  %fitted = phi i1 [ true, %start ], [ %here, %more ]
  %odd = trunc {kind} %left to i1
  %times = {product} %made, {kind} %base)
  %product = extractvalue {both} %times, 0
  %wraps = extractvalue {both} %times, 1
  %next = select i1 %odd, {kind} %product, {kind} %made
  %fails = and i1 %odd, %wraps
  %fitting = select i1 %fails, i1 false, i1 %fitted
  %half = lshr {kind} %left, 1
  %done = icmp eq {kind} %half, 0
  br i1 %done, label %end, label %more
more:
  %twice = {product} %base, {kind} %base)
  %square = extractvalue {both} %twice, 0
  %beyond = extractvalue {both} %twice, 1
  %here = select i1 %beyond, i1 false, i1 %fitting
  br label %body
end:
  %power = phi {kind} [ 1, %start ], [ %next, %body ]
  %fits = phi i1 [ true, %start ], [ %fitting, %body ]
  %one = insertvalue {both} poison, {kind} %power, 0
  %two = insertvalue {both} %one, i1 %fits, 1
  ret {both} %two
}}"""


def _gcd(width: int, letter: str) -> str:
    """The greatest common divisor of two magnitudes: of odd ones, that of the lesser and their difference."""
    kind = f"i{width}"
    zeros = f"call {kind} @llvm.cttz.{kind}({kind}"
    return f"""define internal {kind} @ag_gcd_{letter}{width}({kind} %a, {kind} %b) {{
start:
{_magnitudes(kind, letter)}
  %both = or {kind} %x, %y
  %common = {zeros} %both, i1 false)
  %none = icmp eq {kind} %x, 0
  br i1 %none, label %other, label %some
some:
  %even = {zeros} %x, i1 true)
  %odd = lshr {kind} %x, %even
  %alone = icmp eq {kind} %y, 0
  br i1 %alone, label %one, label %turn
turn:
  %left = phi {kind} [ %odd, %some ], [ %less, %turn ]
  %right = phi {kind} [ %y, %some ], [ %gap, %turn ]
  %halves = {zeros} %right, i1 true)
  %now = lshr {kind} %right, %halves
  %less = call {kind} @llvm.umin.{kind}({kind} %left, {kind} %now)
  %more = call {kind} @llvm.umax.{kind}({kind} %left, {kind} %now)
  %gap = sub {kind} %more, %less
  %done = icmp eq {kind} %gap, 0
  br i1 %done, label %end, label %turn
end:
  %found = shl {kind} %less, %common
  ret {kind} %found
one:
  ret {kind} %x
other:
  ret {kind} %y
}}"""


def _lcm(width: int, letter: str) -> str:
    """The least common multiple of the magnitudes of two integers, which wraps around."""
    kind = f"i{width}"
    return f"""define internal {kind} @ag_lcm_{letter}{width}({kind} %a, {kind} %b) {{
{_magnitudes(kind, letter)}
  %common = call {kind} @ag_gcd_u{width}({kind} %x, {kind} %y)
  %none = icmp eq {kind} %common, 0
  %divisor = select i1 %none, {kind} 1, {kind} %common
  %part = udiv {kind} %x, %divisor
  %product = mul {kind} %part, %y
  ret {kind} %product
}}"""


def _magnitudes(kind: str, letter: str) -> str:
    found = [
        f"add {kind} %{each}, 0"
        if letter == "u"
        else f"call {kind} @llvm.abs.{kind}({kind} %{each}, i1 false)"
        for each in "ab"
    ]
    return "\n".join([f"  %{name} = {value}" for name, value in zip("xy", found, strict=True)])


def _shift_fits(width: int) -> str:
    """Whether a shift to the left keeps all bits; by less than 0 it is an error elsewhere."""
    kind = f"i{width}"
    return f"""define internal i1 @ag_left_shift_fits_s{width}({kind} %a, {kind} %n) alwaysinline {{
  %inside = icmp ult {kind} %n, {width}
  %count = select i1 %inside, {kind} %n, {kind} 0
  %shifted = shl {kind} %a, %count
  %back = ashr {kind} %shifted, %count
  %same = icmp eq {kind} %back, %a
  %fits = and i1 %inside, %same
  %negative = icmp slt {kind} %n, 0
  %zero = icmp eq {kind} %a, 0
  %any = or i1 %negative, %zero
  %result = or i1 %any, %fits
  ret i1 %result
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


def _times_power_of_two(kind: str, suffix: str) -> str:
    """A number times a power of two, rounded once: at most two steps go beyond what one factor may be.

    Down, each step leaves all digits that may be in the result.
    """
    dtype, most, digits, whole = (float64, 1023, 52, "i64") if kind == "double" else (float32, 127, 23, "i32")
    least, down = 1 - most, digits + 2 - most
    step_up, step_down = number_text(2.0**most, dtype), number_text(2.0**down, dtype)

    def stepped(place: int) -> str:
        return f"""
  %high{place} = icmp sgt i64 %n{place}, {most}
  %low{place} = icmp slt i64 %n{place}, {least}
  %one{place} = select i1 %low{place}, {kind} {step_down}, {kind} 1.0
  %factor{place} = select i1 %high{place}, {kind} {step_up}, {kind} %one{place}
  %less{place} = select i1 %low{place}, i64 {down}, i64 0
  %taken{place} = select i1 %high{place}, i64 {most}, i64 %less{place}
  %n{place + 1} = sub i64 %n{place}, %taken{place}
  %x{place + 1} = fmul {kind} %x{place}, %factor{place}"""

    steps = stepped(0) + stepped(1)
    return f"""define internal {kind} @ag_ldexp_{suffix}({kind} %x0, i64 %n0) alwaysinline {{{steps}
  %small = call i64 @llvm.smin.i64(i64 %n2, i64 {most})
  %n = call i64 @llvm.smax.i64(i64 %small, i64 {least})
  %biased = add i64 %n, {most}
  %exponent = shl i64 %biased, {digits}
  %word = {"add i64 %exponent, 0" if whole == "i64" else "trunc i64 %exponent to i32"}
  %power = bitcast {whole} %word to {kind}
  %result = fmul {kind} %x2, %power
  ret {kind} %result
}}"""


def _declarations() -> Iterator[tuple[str, str]]:
    for kind, letter, suffix in (("double", "", "f64"), ("float", "f", "f32")):
        for name in LIBRARY.values():
            operands = ", ".join([kind] * (2 if name in _TWO else 1))
            pure = "nounwind willreturn memory(none)"
            yield f"{name}{letter}", f"declare {kind} @{name}{letter}({operands}) {pure}"
        for name in ROUNDED.values():
            yield f"{name}.{suffix}", f"declare {kind} @{name}.{suffix}({kind})"
        for name in ("maximum", "minimum"):
            yield f"llvm.{name}.{suffix}", f"declare {kind} @llvm.{name}.{suffix}({kind}, {kind})"
        yield f"llvm.fma.{suffix}", f"declare {kind} @llvm.fma.{suffix}({kind}, {kind}, {kind})"
        yield f"llvm.copysign.{suffix}", f"declare {kind} @llvm.copysign.{suffix}({kind}, {kind})"
    for width in (8, 16, 32, 64):
        for name in ("smax", "smin", "umax", "umin"):
            yield f"llvm.{name}.i{width}", f"declare i{width} @llvm.{name}.i{width}(i{width}, i{width})"
        yield f"llvm.ctpop.i{width}", f"declare i{width} @llvm.ctpop.i{width}(i{width})"
        yield f"llvm.cttz.i{width}", f"declare i{width} @llvm.cttz.i{width}(i{width}, i1)"
        yield f"llvm.abs.i{width}", f"declare i{width} @llvm.abs.i{width}(i{width}, i1)"


_DEFINED = re.compile(r"^(?:define|declare) .*?@([\w.]+)\(", re.MULTILINE)
_DIVIDES = re.compile(r"@ag_(?:floor_divide|remainder|fmod)_(?:small_)?[su]\d+\(")
_ANY_SIZE = re.compile(r"ag_(floor_divide|remainder|fmod)_([su])(\d+)")
_MOST_DIVISIONS = 64
"""Divisions of integers from which on a program has one copy of each kind: LLVM's time grows with copies."""
_NAMED = re.compile(r"@([\w.]+)\(")


def _helpers() -> Iterator[tuple[str, str]]:
    """What the functions of a program may refer to, by name."""
    yield from _declarations()
    for width in (8, 16, 32, 64):
        for letter in "su":
            yield from _division(width, letter)
            yield f"ag_gcd_{letter}{width}", _gcd(width, letter)
            yield f"ag_lcm_{letter}{width}", _lcm(width, letter)
        yield f"ag_left_shift_fits_s{width}", _shift_fits(width)
        yield f"ag_power_u{width}", _unsigned_power(width)
        yield f"ag_power_s{width}", _signed_power(width)
    for kind, suffix in (("double", "f64"), ("float", "f32")):
        yield f"ag_ldexp_{suffix}", _times_power_of_two(kind, suffix)
    services = SERVICES.strip()
    numbers = {
        "DEEPEST": DEEPEST,
        "MOST_STACK": MOST_STACK,
        "BUDGET": BUDGET,
        "MOST_UNITS": BUDGET - 1,
        "UNITS_LIE_AT": 65 - BUDGET.bit_length(),
        "PAUSE": PAUSE,
        "SHARED": SHARED,
    }
    for word, number in numbers.items():
        services = services.replace(word, str(number))
    for text in (services, _of_float_kind("double", "f64"), _of_float_kind("float", "f32")):
        for part in re.split(r"\n+(?=define|declare)", text):
            (name,) = _DEFINED.findall(part)
            yield name, part


_HELPERS = dict(_helpers())
_OF_VECTORS = re.compile(r"(ag_\w+)_v(\d+)(f\d\d)")
_MATHEMATICS = {name_of(name, suffix): (name, suffix) for name in WRITTEN for suffix in ("f32", "f64")}


for _name in _WITH_POLES:
    for _kind, _suffix in (("double", "f64"), ("float", "f32")):
        _HELPERS[of_library(_name, _suffix)] = _at_poles(_name, _kind)
for _suffix in ("f32", "f64"):
    for _name in FAR_FUNCTIONS:
        _HELPERS[f"{name_of(_name, _suffix)}_anywhere"] = anywhere(_name, _suffix, of_library(_name, _suffix))


def _text_of(name: str) -> str | None:
    """What a function is; None where it is one of the program's own."""
    if name in _MATHEMATICS:
        return written_as(*_MATHEMATICS[name])
    if (found := _OF_VECTORS.fullmatch(name)) and (plain := f"{found[1]}_{found[3]}") in _MATHEMATICS:
        return written_as(*_MATHEMATICS[plain], int(found[2]))
    return _HELPERS.get(name)


def _written_once(name: str, helper: str, text: str) -> str:
    """A helper that is not copied to where the text calls it, if it divides integers of any size.

    What is left comes from the quotient where the text asks for both: LLVM then divides once.
    """
    found = _ANY_SIZE.fullmatch(name)
    if found is None:
        return helper
    function, letter, width = found.groups()
    kind = f"i{width}"
    if function != "remainder" or not re.search(rf"@ag_floor_divide_(?:small_)?{letter}{width}\(", text):
        return helper.replace("alwaysinline", "noinline nounwind willreturn memory(none)")
    return f"""define internal {kind} @{name}({kind} %a, {kind} %b) alwaysinline {{
  %zero = icmp eq {kind} %b, 0
  %q = call {kind} @ag_floor_divide_{letter}{width}({kind} %a, {kind} %b)
  %p = mul {kind} %q, %b
  %r = sub {kind} %a, %p
  %result = select i1 %zero, {kind} 0, {kind} %r
  ret {kind} %result
}}"""


def with_helpers(
    text: str,
    services: Sequence[str] = (),
    *,
    makes_memory_often: bool = True,
    shared: set[str] | None = None,
) -> str:
    """Functions of a program, and all that they refer to, and no more: LLVM reads what it is given.

    What the text defines itself takes the place of what is here. LLVM spends no time on what keeps memory
    where each run makes some a few times. Where there is a set for what is `shared`, what all programs can
    call is declared alone: its names are put there, with those of all that it calls.
    """
    memory = f"attributes #0 = {{ {OFTEN if makes_memory_often else SELDOM} }}"
    parts, pending = [BASE, memory, text], [*services, *_NAMED.findall(text)]
    known = set(_DEFINED.findall(text))
    has_many = sum(1 for _ in _DIVIDES.finditer(text)) > _MOST_DIVISIONS
    while pending:
        name = pending.pop()
        if name not in known and (helper := _text_of(name)):
            known.add(name)
            if shared is not None and (head := _head_of(name)):
                parts.append(f"declare {head}")
                shared |= _shared_with(name)
                continue
            helper = _written_once(name, helper, text) if has_many else helper
            parts.append(helper)
            pending += _NAMED.findall(helper)
    return "\n\n".join(parts)


def shared_text(names: Collection[str]) -> str:
    """A module of functions that programs share, with names that others see; it declares what they call."""
    functions = [(_text_of(name) or "").replace("define internal ", "define ", 1) for name in names]
    return with_helpers("\n\n".join(functions), shared=set())


@cache
def _head_of(name: str) -> str | None:
    """Result, name and parameters of a function that programs can share; None of all others.

    These are copied to where they are called, or refer to what a program has, or take vectors: how those are
    passed depends on who calls.
    """
    text = _text_of(name) or ""
    found = _OWN.match(text)
    is_plain = found is not None and "alwaysinline" not in text and "<" not in found[1]
    return found[1] if found and is_plain and text.count("define ") == 1 and not _DATA.search(text) else None


@cache
def _shared_with(name: str) -> frozenset[str]:
    """The functions that a program shares with others which calls one."""
    found, pending = set(), [name]
    while pending:
        each = pending.pop()
        if each not in found and (text := _text_of(each)):
            found.add(each)
            pending += _NAMED.findall(text)
    return frozenset(filter(_head_of, found))


_OWN = re.compile(r"define internal ([^(]*@[\w.]+\([^()]*\))")
_DATA = re.compile(r"@[\w.]+(?![\w.(])")
