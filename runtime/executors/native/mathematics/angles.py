"""Sines and their like: ``x = n π + r``, and a polynomial of ``r²``; and the angles that have them."""

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
    root,
    signed_as,
    where,
)

__all__ = ["FAR", "arccos", "arcsin", "arctan", "arctan2", "cos", "is_far", "sin", "tan"]

FAR = {"f32": 2.0**17, "f64": 2.0**30}
"""The magnitude from which on sines, cosines and tangents are the C library's, which knows more of π."""


def sin(f: Format, x: Value) -> Value:
    """The sine of what is not far from 0."""
    shifted = fused(x, constants("1/pi", x)[0], f.shift)
    return where(x.same(0.0), x, _sine(f, shifted, _less(x, shifted - f.shift, "pi")))


def cos(f: Format, x: Value) -> Value:
    """The cosine of what is not far from 0."""
    shifted = fused(x, constants("1/pi", x)[0], 0.5) + f.shift
    return _sine(f, shifted, _less(x, (shifted - f.shift) - 0.5, "pi"))


def tan(f: Format, x: Value) -> Value:
    """The tangent of what is not far from 0; in doubles, for it loses digits where it is steep."""
    wide = x.to("double")
    shifted = fused(wide, constants("2/pi", wide)[0], DOUBLE.shift)
    r = _less(wide, shifted - DOUBLE.shift, "pi/2")
    z = r * r
    sine = fused(r * z, polynomial(f"sin_near.{f.name}", z), r)
    cosine = fused(z * z, polynomial(f"cos_near.{f.name}", z), fused(z, number(z, -0.5), 1.0))
    is_odd = (bits(shifted) & 1).differs(0)
    quotient = where(is_odd, -cosine, sine) / where(is_odd, sine, cosine)
    return where(x.same(0.0), x, quotient.to(x.kind))


def is_far(f: Format, x: Value) -> Value:
    """Whether a sine, a cosine or a tangent is not known here."""
    return magnitude(x) >= FAR[f.name]


def _less(x: Value, n: Value, name: str) -> Value:
    """`x` less a multiple of a constant, with as many digits of that as it takes."""
    for part in constants(name, x):
        x = fused(-n, part, x)
    return x


def _sine(f: Format, shifted: Value, r: Value) -> Value:
    """The sine of `r`, up to a right angle, turned around where the number of half turns is odd."""
    z = r * r
    y = fused(r * z, polynomial("sin", z), r)
    width = 64 if f is DOUBLE else 32
    return (bits(y) ^ (bits(shifted) << (width - 1))).as_float()


def arcsin(_f: Format, x: Value) -> Value:
    """The angle that has a sine."""
    size = magnitude(x)
    is_large = size > 0.5
    z, base = _root_or_itself(size, is_large)
    angle = fused(base * z, polynomial("asin", z), base)
    high, low, _ = constants("pi/2", x)
    far = high - fused(angle, 2.0, -low)
    return signed_as(where(is_large, far, angle), x)


def arccos(_f: Format, x: Value) -> Value:
    """The angle that has a cosine."""
    size = magnitude(x)
    is_large = size > 0.5
    z, base = _root_or_itself(size, is_large)
    base = where(is_large, base, signed_as(base, x))
    angle = fused(base * z, polynomial("asin", z), base)
    right, rest, _ = constants("pi/2", x)
    straight, more, _ = constants("pi", x)
    twice = angle + angle
    far = where(x < 0.0, straight - (twice - more), twice)
    return where(is_large, far, right - (angle - rest))


def _root_or_itself(size: Value, is_large: Value) -> tuple[Value, Value]:
    """The square and the sine of half the angle to a right one, where that is large; else of the angle."""
    half = fused(size, number(size, -0.5), 0.5)
    z = where(is_large, half, size * size)
    return z, where(is_large, root(half), size)


def arctan(_f: Format, x: Value) -> Value:
    """The angle that has a tangent."""
    return signed_as(_angle(magnitude(x), number(x, 1.0)), x)


def arctan2(f: Format, y: Value, x: Value) -> Value:
    """The angle of a point, from the first axis."""
    up, along = magnitude(y), magnitude(x)
    both = up.same(math.inf) & along.same(math.inf)
    up, along = where(both, number(x, 1.0), up), where(both, number(x, 1.0), along)
    is_large = (up > f.largest / 4) | (along > f.largest / 4)
    is_small = (up < f.tiny * 2.0**f.digits) & (along < f.tiny * 2.0**f.digits)
    scale = where(is_large, number(x, 0.25), where(is_small, number(x, 2.0 ** (2 * f.digits)), 1.0))
    angle = _angle(up * scale, along * scale)
    angle = where(up.same(0.0) & along.same(0.0), number(x, 0.0), angle)
    straight, rest, _ = constants("pi", x)
    is_behind = bits(x) < 0
    return signed_as(where(is_behind, straight - (angle - rest), angle), y)


def _angle(up: Value, along: Value) -> Value:
    """The angle of a point of which neither coordinate is negative: as that to one of three directions."""
    steep = up > along * (math.sqrt(2.0) + 1.0)
    middling = up > along * (math.sqrt(2.0) - 1.0)
    above = where(steep, -along, where(middling, up - along, up))
    below = where(steep, up, where(middling, up + along, along))
    right, right_rest, _ = constants("pi/2", up)
    half, half_rest, _ = constants("pi/4", up)
    base = where(steep, right, where(middling, half, 0.0))
    rest = where(steep, right_rest, where(middling, half_rest, 0.0))
    t = above / below
    z = t * t
    return base + (t + fused(t * z, polynomial("atan", z), rest))
