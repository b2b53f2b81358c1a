"""Exponentials and what is made of them: ``x = n log(2) + r``, and a polynomial of `r`."""

from __future__ import annotations

import math

from runtime.executors.native.mathematics.writing import (
    DOUBLE,
    Format,
    Value,
    bits,
    constants,
    fused,
    magnitude,
    number,
    polynomial,
    signed_as,
    where,
)

__all__ = ["cosh", "erf", "erfc", "exp", "exp2", "expm1", "power_of_two", "reduced", "scaled", "sinh", "tanh"]


def exp(f: Format, x: Value) -> Value:
    """The exponential."""
    least, most = (-746.0, 710.0) if f is DOUBLE else (-104.0, 89.0)
    n, r = reduced(f, _between(x, least, most))
    return scaled(f, fused(r * r, polynomial("exp", r), r) + 1.0, n)


def exp2(f: Format, x: Value) -> Value:
    """Two to a power."""
    least, most = (-1080.0, 1025.0) if f is DOUBLE else (-152.0, 129.0)
    x = _between(x, least, most)
    shifted = x + f.shift
    r = x - (shifted - f.shift)
    return scaled(f, fused(r, polynomial("exp2", r), 1.0), _count(f, shifted))


def expm1(f: Format, x: Value) -> Value:
    """The exponential, less 1."""
    half = _half_expm1(f, _between(x, -40.0, 710.0 if f is DOUBLE else 89.0), 1)
    return where(magnitude(x) < math.ldexp(1.0, -f.digits), x, half + half)


def sinh(f: Format, x: Value) -> Value:
    """The hyperbolic sine."""
    size = magnitude(x)
    quarter = _half_expm1(f, _between(size, 0.0, 710.6 if f is DOUBLE else 89.6), 2)
    half = quarter + quarter / (quarter * 4.0 + 1.0)
    return signed_as(where(size < math.ldexp(1.0, -f.digits), size, half + half), x)


def cosh(f: Format, x: Value) -> Value:
    """The hyperbolic cosine."""
    most = 710.6 if f is DOUBLE else 89.6
    n, r = reduced(f, _between(magnitude(x), 0.0, most))
    quarter = (fused(r * r, polynomial("exp", r), r) + 1.0) * power_of_two(f, n - 2)
    return fused(quarter, 2.0, 0.125 / quarter)


def tanh(f: Format, x: Value) -> Value:
    """The hyperbolic tangent."""
    size = _between(magnitude(x), 0.0, 22.0 if f is DOUBLE else 10.0)
    e = _half_expm1(f, size + size, 0)
    return signed_as(e / (e + 2.0), x)


def erf(f: Format, x: Value) -> Value:
    """The error function: of what is small a polynomial, else what ``exp(-x²)`` times another leaves of 1."""
    size = _between(magnitude(x), 0.0, 6.0)
    z = size * size
    near = fused(x, polynomial("erf", z), x)
    t = (size - 2.0) / (size + 2.0)
    far = 1.0 - exp(f, -z) * polynomial("erfc", t)
    return where(size < _ERF_NEAR, near, signed_as(far, x))


def erfc(f: Format, x: Value) -> Value:
    """What the error function leaves of 1."""
    size = _between(magnitude(x), 0.0, 28.0 if f is DOUBLE else 11.0)
    square = size * size
    lost = fused(size, size, -square)
    n, r = reduced(f, -square)
    r = r - lost
    wide = size.to("double")
    name = "erfc_tail.f64" if f is DOUBLE else "erfc_tail.wide"
    tail = (polynomial(name, (wide - 3.75) / (wide + 3.75)) / (wide * 2.0 + 1.0)).to(f.kind)
    far = scaled(f, fused(tail, fused(r * r, polynomial("exp", r), r), tail), n)
    more = x * polynomial("erf", x * x)
    near = where(x < 0.25, 1.0 - (x + more), 0.5 - ((x - 0.5) + more))
    return where(size < _ERF_NEAR, near, where(x < 0.0, 2.0 - far, far))


_ERF_NEAR = 0.84375
"""Where the two forms of the error function meet."""


def reduced(f: Format, x: Value) -> tuple[Value, Value]:
    """``n`` and ``r`` of ``x = n log(2) + r``, where `r` is small."""
    shifted = fused(x, constants("1/log(2)", x)[0], f.shift)
    n = shifted - f.shift
    high, low, _ = constants("log(2)", x)
    return _count(f, shifted), fused(-n, low, fused(-n, high, x))


def scaled(f: Format, y: Value, n: Value) -> Value:
    """``y * 2 ** n``, rounded once, where the result may be too small or too large."""
    doubled = n + 2 * f.bias
    some = doubled >> 1
    rest = doubled - some
    return y * (some << f.digits).as_float() * (rest << f.digits).as_float()


def power_of_two(f: Format, n: Value) -> Value:
    """``2 ** n``, where that has all its digits."""
    return ((n + f.bias) << f.digits).as_float()


def _count(f: Format, shifted: Value) -> Value:
    """The whole number that was shifted into the last bits."""
    return bits(shifted) - f.bits(f.shift)


def _half_expm1(f: Format, x: Value, less: int) -> Value:
    """``exp(x) - 1``, over ``2 ** less``."""
    n, r = reduced(f, x)
    scale = power_of_two(f, n - less)
    return fused(scale, fused(r * r, polynomial("expm1", r), r), scale - math.ldexp(1.0, -less))


def _between(x: Value, least: float, most: float) -> Value:
    """A number, or the nearer end; what is no number stays none."""
    x = where(x < least, number(x, least), x)
    return where(x > most, number(x, most), x)
