"""Powers and roots: ``x ** y = exp(y log(x))``, with as many digits of the logarithm as `y` can show."""

from __future__ import annotations

import math

from runtime.executors.native.mathematics.exponentials import power_of_two, reduced, scaled
from runtime.executors.native.mathematics.logarithms import number_of, split
from runtime.executors.native.mathematics.writing import (
    DOUBLE,
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
    truncated,
    where,
)

__all__ = ["cbrt", "hypot", "power"]


def power(f: Format, x: Value, y: Value) -> Value:
    """`x` to the power of `y`."""
    if f is SINGLE:  # doubles have all the digits that are wanted
        return _signed(x, y, _power_in_doubles(magnitude(x).to("double"), y.to("double")).to("float"))
    size = magnitude(x)
    high, low = _precise_log(f, size)
    high = where(size.same(0.0), number(x, -math.inf), where(size < math.inf, high, size))
    product = y * high
    rest = fused(y, low, fused(y, high, -product))
    rest = where(magnitude(product) < 1024.0, rest, 0.0)
    product = where(product < -746.0, number(x, -746.0), product)
    product = where(product > 710.0, number(x, 710.0), product)
    n, r = reduced(f, product)
    r = r + rest
    return _signed(x, y, scaled(f, fused(r * r, polynomial("exp", r), r) + 1.0, n))


def _signed(x: Value, y: Value, result: Value) -> Value:
    """A power of the magnitude of `x` as that of `x`."""
    is_whole = truncated(y).same(y)
    is_odd = is_whole & truncated(y * 0.5).differs(y * 0.5)
    result = where(is_odd, signed_as(result, x), result)
    result = where((x < 0.0) & (x > -math.inf) & ~is_whole, number(x, math.nan), result)
    is_one = y.same(0.0) | x.same(1.0) | (x.same(-1.0) & magnitude(y).same(math.inf))
    return where(is_one, number(x, 1.0), result)


def _power_in_doubles(x: Value, y: Value) -> Value:
    """A power of a float that is not negative, with some digits more than a float has."""
    k, m = split(DOUBLE, x)
    part = m - 1.0
    s = part / (part + 2.0)
    square = s * s
    log = fused(s * square, polynomial("log_parts.wide", square), s + s)
    log2 = fused(log, constants("1/log(2)", x)[0], k)
    log2 = where(x.same(0.0), number(x, -math.inf), where(x < math.inf, log2, x))
    product = y * log2
    product = where(product < -200.0, number(x, -200.0), product)
    product = where(product > 200.0, number(x, 200.0), product)
    shifted = product + DOUBLE.shift
    r = product - (shifted - DOUBLE.shift)
    n = bits(shifted) - DOUBLE.bits(DOUBLE.shift)
    return fused(r, polynomial("exp2.wide", r), 1.0) * power_of_two(DOUBLE, n)


def _precise_log(f: Format, x: Value) -> tuple[Value, Value]:
    """The logarithm as a sum of two numbers, with about 66 digits."""
    k, m = split(f, x)
    part = m - 1.0
    below = m + 1.0
    lost = m - (below - 1.0)
    inverse = 1.0 / below
    s = part * inverse
    s_low = fused(-s, lost, fused(-s, below, part)) * inverse
    z = s * s
    z_low = fused(s, s_low + s_low, fused(s, s, -z))
    # the sum of 2/3 and what follows, times the square, times s
    first, second, _ = constants("2/3", x)
    tail = z * polynomial("log_tail", z)
    factor = tail + first
    factor_low = (tail - (factor - first)) + second
    w = z * factor
    w_low = fused(z, factor_low, fused(z_low, factor, fused(z, factor, -w)))
    v = s * w
    v_low = fused(s, w_low, fused(s_low, w, fused(s, w, -v)))
    twice = s + s
    log = twice + v
    log_low = (v - (log - twice)) + (s_low + s_low + v_low)
    high, low, _ = constants("log(2)", x)
    whole = k * high
    whole_low = fused(k, low, fused(k, high, -whole))
    total = whole + log
    return total, (log - (total - whole)) + (whole_low + log_low)


def cbrt(f: Format, x: Value) -> Value:
    """The cube root."""
    size = magnitude(x)
    step = 3 * (f.digits // 3 + 1)
    is_tiny = size < f.tiny
    pattern = bits(where(is_tiny, size * math.ldexp(1.0, step), size))
    exponent = number_of(f, (pattern >> f.digits) - f.bias)
    shifted = fused(exponent - 1.0, 1.0 / 3.0, f.shift)  # a third, rounded down
    third = shifted - f.shift
    rest = bits(fused(third, -3.0, exponent) + f.shift) - f.bits(f.shift)
    c = ((pattern & ((1 << f.digits) - 1)) + ((rest + f.bias) << f.digits)).as_float()
    inverse = polynomial("cbrt", c)
    for _ in range(2 if f is DOUBLE else 1):
        e = fused(-(inverse * inverse), c * inverse, 1.0)
        inverse = fused(
            inverse * e, fused(e, fused(e, number(x, 14.0 / 81.0), 2.0 / 9.0), 1.0 / 3.0), inverse
        )
    square = inverse * inverse
    y = c * square
    y = fused(fused(-(y * y), y, c), square * (1.0 / 3.0), y)
    lowered = where(is_tiny, number(x, step / 3.0), number(x, 0.0))
    scale = power_of_two(f, bits((third - lowered) + f.shift) - f.bits(f.shift))
    return where((size > 0.0) & (size < math.inf), signed_as(y * scale, x), x)


def hypot(f: Format, x: Value, y: Value) -> Value:
    """The length of the longest side of a triangle with a right angle."""
    x, y = magnitude(x), magnitude(y)
    if f is SINGLE:
        wide, other = x.to("double"), y.to("double")
        result = root(fused(wide, wide, other * other)).to("float")
    else:
        longer, shorter = where(x < y, y, x), where(x < y, x, y)
        is_large, is_small = longer > 2.0**500, longer < 2.0**-500
        down = where(is_large, number(x, 2.0**-600), where(is_small, number(x, 2.0**600), 1.0))
        up = where(is_large, number(x, 2.0**600), where(is_small, number(x, 2.0**-600), 1.0))
        longer, shorter = longer * down, shorter * down
        result = root(fused(longer, longer, shorter * shorter)) * up
    return where(x.same(math.inf) | y.same(math.inf), number(x, math.inf), result)
