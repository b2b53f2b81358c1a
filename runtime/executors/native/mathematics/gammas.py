"""The logarithm of the gamma function: a polynomial near 2, and the way there; else Stirling's series."""

from __future__ import annotations

import math

from runtime.executors.native.mathematics.logarithms import log_in_parts, split
from runtime.executors.native.mathematics.writing import (
    DOUBLE,
    Format,
    Value,
    constants,
    fused,
    number,
    polynomial,
    where,
)

__all__ = ["is_negative", "lgamma"]

FACTORS = 4
"""Factors that a number has at most on its way down to 2."""


def lgamma(f: Format, x: Value) -> Value:
    """The logarithm of the gamma function of what is not negative; no number at 0, as in Python.

    With `r` in [1.4, 2.5), the result is ``log(gamma(r))``, a polynomial, and the logarithm of a product:
    of ``(x - 1) ... r`` for what is larger, of ``1 / x`` or ``1 / (x (x + 1))`` for what is less. Floats of
    32 bits are computed in doubles, with shorter polynomials: enough is left where two logarithms cancel.
    """
    wide = x.to("double")
    is_low, is_far = wide < 1.4, wide >= 2.5 + FACTORS
    product, r = _way_down(wide)
    lowest = wide < 0.5
    product = where(is_low, where(lowest, fused(wide, wide, wide), wide), product)
    r = where(is_low, where(lowest, wide, wide - 1.0), r)
    high, low = _log(f, where(is_far, wide, product))
    near = fused(r, polynomial(_named("lgamma", f), r), where(is_low, -high, high))
    near = where(is_low, near - low, near + low)
    result = where(is_far, _by_stirling(f, wide, high, low), near).to(x.kind)
    return where(x > 0.0, where(x < math.inf, result, x), number(x, math.nan))


def is_negative(f: Format, x: Value) -> Value:
    """Whether the logarithm is not known here: below 0 it has a zero on both sides of each pole."""
    del f
    return x < 0.0


def _way_down(x: Value) -> tuple[Value, Value]:
    """``(x - 1) ... r`` and ``r - 2`` of a number from 1.4 to `FACTORS` more than 2.5."""
    product, r = number(x, 1.0), x - 2.0
    for step in range(1, FACTORS + 1):
        is_on = x >= 1.5 + step
        product = where(is_on, product * (x - step), product)
        r = where(is_on, x - (step + 2.0), r)
    return product, r


def _by_stirling(f: Format, x: Value, high: Value, low: Value) -> Value:
    """``(x - 1/2) (log(x) - 1) + (log(2 π) - 1) / 2``, and what the series adds."""
    inverse = 1.0 / x
    tail = polynomial(_named("lgamma_tail", f), inverse * inverse)
    rest = fused(inverse, tail, constants("(log(2 pi) - 1)/2", x)[0])
    less = x - 0.5
    return fused(less, high - 1.0, fused(less, low, rest))


def _log(f: Format, x: Value) -> tuple[Value, Value]:
    """The logarithm of a double that is positive, as a sum; for a float of 32 bits with some digits more."""
    if f is DOUBLE:
        return log_in_parts(f, x)
    k, m = split(DOUBLE, x)
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    log = fused(s * square, polynomial("log_parts.wide", square), s + s)
    return fused(k, constants("log(2)", x)[0], log), number(x, 0.0)


def _named(name: str, f: Format) -> str:
    return f"{name}.f64" if f is DOUBLE else f"{name}.wide"
