"""Quotients by a number whose reciprocal is known, with every bit of a division (`lower.quotients`)."""

from __future__ import annotations

from runtime.core.dtypes import DType
from runtime.executors.native.mathematics.writing import Format, Value, bits, fused, magnitude, signed_as

__all__ = ["QUOTIENT", "least_and_most"]

QUOTIENT = "quotient"
"""The function of a number, a divisor, and the reciprocal of that; no number where that is of no use."""
_DIVISORS = {"f32": (2.0**-40, 2.0**40), "f64": (2.0**-400, 2.0**400)}
_RESULTS = {"f32": (2.0**-60, 2.0**60), "f64": (2.0**-500, 2.0**500)}
"""Magnitudes between which no step on the way to a quotient overflows, or rounds what is left."""


def least_and_most(dtype: DType) -> tuple[float, float]:
    """Between which magnitudes a divisor is."""
    return _DIVISORS[dtype.short]


def quotient(_f: Format, x: Value, divisor: Value, reciprocal: Value) -> Value:
    """The quotient, rounded as IEEE says: what is left of `x` is known exactly. A zero keeps its sign."""
    near = x * reciprocal
    left = fused(-near, divisor, x)
    return signed_as(fused(left, reciprocal, near), near)


def is_out(f: Format, x: Value, _divisor: Value, reciprocal: Value) -> Value:
    """Whether it may be another number.

    A product of 0 is right: no two numbers have a quotient that is less than 0.5 (1 + 2⁻⁵³) times the least
    number that there is, and is not rounded to 0.
    """
    least, most = map(f.bits, _RESULTS[f.name])
    near = x * reciprocal
    return (bits(magnitude(near)) - least).exceeds(most - least) & near.differs(0.0)
