"""Logarithms and what is made of them: ``x = 2 ** k m``, and a polynomial of ``s = (m - 1) / (m + 1)``."""

from __future__ import annotations

import math

from runtime.executors.native.mathematics.writing import (
    SINGLE,
    Format,
    Value,
    bits,
    constants,
    fused,
    magnitude,
    number,
    polynomial,
    root,
    signed_as,
    where,
)

__all__ = [
    "arccosh",
    "arcsinh",
    "arctanh",
    "log",
    "log1p",
    "log2",
    "log10",
    "log_in_parts",
    "number_of",
    "split",
]


def log(f: Format, x: Value) -> Value:
    """The natural logarithm."""
    k, m = split(f, x)
    return _of_any(f, x, _combined(f, k, m - 1.0))


def log2(f: Format, x: Value) -> Value:
    """The logarithm to the base 2."""
    k, m = split(f, x)
    high, low = _parts(m - 1.0)
    product, rest = _times(high, low, "1/log(2)")
    total = k + product
    return _of_any(f, x, total + ((product - (total - k)) + rest))


def log10(f: Format, x: Value) -> Value:
    """The logarithm to the base 10."""
    k, m = split(f, x)
    high, low = _parts(m - 1.0)
    product, rest = _times(high, low, "1/log(10)")
    two, more, _ = constants("log10(2)", x)
    whole = k * two
    rest = rest + fused(k, more, fused(k, two, -whole))
    total = whole + product
    return _of_any(f, x, total + ((product - (total - whole)) + rest))


def log1p(f: Format, x: Value) -> Value:
    """The logarithm of 1 and a number."""
    return _of_any(f, x + 1.0, _log1p(f, x), x)


def arctanh(f: Format, x: Value) -> Value:
    """The inverse of the hyperbolic tangent."""
    size = magnitude(x)
    argument = (size + size) / (1.0 - size)
    return signed_as(_of_any(f, argument + 1.0, _log1p(f, argument), argument) * 0.5, x)


def arcsinh(f: Format, x: Value) -> Value:
    """The inverse of the hyperbolic sine."""
    size = magnitude(x)
    is_large = size > math.ldexp(1.0, f.digits + 4)  # there, 1 more is the same
    square = size * size
    argument = where(is_large, size, size + square / (root(square + 1.0) + 1.0))
    result = _log1p(f, argument) + where(is_large, constants("log(2)", x)[0], 0.0)
    return signed_as(where(size < math.inf, result, size), x)


def arccosh(f: Format, x: Value) -> Value:
    """The inverse of the hyperbolic cosine."""
    is_large = x > math.ldexp(1.0, f.digits + 4)
    less = x - 1.0
    argument = where(is_large, x, less + root(fused(less, less, less + less)))
    result = _log1p(f, argument) + where(is_large, constants("log(2)", x)[0], 0.0)
    return where(x < 1.0, number(x, math.nan), where(x < math.inf, result, x))


def split(f: Format, x: Value) -> tuple[Value, Value]:
    """``k`` and ``m`` of ``x = 2 ** k m``, with `m` near 1; of positive numbers that are finite."""
    is_tiny = x < f.tiny
    k, m = _split(f, where(is_tiny, x * math.ldexp(1.0, f.digits + 2), x))
    return where(is_tiny, k - (f.digits + 2.0), k), m


def _split(f: Format, x: Value) -> tuple[Value, Value]:
    """Likewise, of numbers that have all their digits."""
    least = f.bits(math.sqrt(0.5))
    moved = bits(x) + (f.bits(1.0) - least)
    k = number_of(f, (moved >> f.digits) - f.bias)
    m = ((moved & ((1 << f.digits) - 1)) + least).as_float()
    return k, m


def log_in_parts(f: Format, x: Value) -> tuple[Value, Value]:
    """The logarithm of what is positive and finite as two numbers, the second one's digits being more."""
    k, m = split(f, x)
    high, low = _parts(m - 1.0)
    two, more, _ = constants("log(2)", x)
    whole = k * two
    total = whole + high
    return total, (high - (total - whole)) + fused(k, more, fused(k, two, -whole) + low)


def number_of(f: Format, whole: Value) -> Value:
    """A small whole number as a float."""
    return (whole + f.bits(f.shift)).as_float() - f.shift


def _combined(f: Format, k: Value, part: Value) -> Value:
    """``k log(2) + log(1 + part)``."""
    high, low, _ = constants("log(2)", part)
    if f is SINGLE:
        square = part * part
        rest = fused(k, low, square * fused(part, polynomial("log", part), -0.5))
        return fused(k, high, part + rest)
    half, rest = _half_square_and_rest(part)
    return fused(k, high, part - (half - fused(k, low, rest)))


def _half_square_and_rest(part: Value) -> tuple[Value, Value]:
    """``log(1 + part)`` as `part` less the first, plus the second."""
    s = part / (part + 2.0)
    square = s * s
    half = part * part * 0.5
    return half, s * fused(square, polynomial("log_parts", square), half)


def _parts(part: Value) -> tuple[Value, Value]:
    """``log(1 + part)`` as two numbers, the second of which the first has no digits for."""
    half, rest = _half_square_and_rest(part)
    high = part - half
    return high, ((part - high) - half) + rest


def _times(high: Value, low: Value, factor: str) -> tuple[Value, Value]:
    """The product of a number of two parts and a constant, in two parts."""
    first, second, _ = constants(factor, high)
    product = high * first
    return product, fused(high, first, -product) + fused(low, first, high * second)


def _log1p(f: Format, x: Value) -> Value:
    """``log(1 + x)`` of what is more than -1 and finite; of 0, either."""
    total = x + 1.0
    lost = where(x < 1.0, x - (total - 1.0), 1.0 - (total - x))
    k, m = _split(f, total)
    pattern = (f.bits(1.0) - ((bits(k + f.shift) - f.bits(f.shift)) << f.digits)).as_float()
    scale = where(k < f.digits + 2.0, pattern, 0.0)
    result = _combined(f, k, fused(lost, scale, m - 1.0))
    return signed_as(result, x)


def _of_any(f: Format, x: Value, result: Value, given: Value | None = None) -> Value:
    """A logarithm, where it is known for what is positive and finite; else that of what was given."""
    given = x if given is None else given
    others = where(x.same(0.0), number(x, -math.inf), where(x < 0.0, number(x, math.nan), given))
    is_other = (bits(x) - 1).exceeds(f.bits(math.inf) - 2)  # LLVM asks longer for a float's class
    return where(is_other, others, result)
