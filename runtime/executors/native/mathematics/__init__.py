"""Functions of floats that LLVM can make vectors of: within 4 units in the last place of the true result.

Each is a straight line of IEEE's basic operations: an argument is reduced to a small range, a polynomial is
computed there (`benchmarks/polynomials.py` fits it), and the result is put together. NaN, infinities, zeros
with their signs and numbers that lack digits are what the C library says.

    >>> print(written_as("hypot", "f32"))  # doctest: +ELLIPSIS
    define internal float @ag_hypot_f32(float %x0, float %x1) alwaysinline ...
"""

from __future__ import annotations

from functools import cache

from runtime.executors.native.mathematics import (
    angles,
    exponentials,
    gammas,
    logarithms,
    powers,
    quotients,
)
from runtime.executors.native.mathematics.writing import DOUBLE, SINGLE, written

__all__ = ["BOUNDED", "FAR_FUNCTIONS", "FUNCTIONS", "WRITTEN", "anywhere", "name_of", "test_of", "written_as"]

_PARTS = frozenset(
    {
        *("FAR", "is_far", "is_negative", "log_in_parts", "number_of", "power_of_two", "reduced", "scaled"),
        "split",
    }
)
"""What the rooms have for each other."""

FUNCTIONS = {
    name: getattr(room, name)
    for room in (angles, exponentials, gammas, logarithms, powers)
    for name in room.__all__
    if name not in _PARTS
}
"""By the names that the table of scalar functions has for them."""

FAR_FUNCTIONS = {**dict.fromkeys(("sin", "cos", "tan"), angles.is_far), "lgamma": gammas.is_negative}
"""Those that are right for some arguments only, and the test whether one is none of these."""


BOUNDED = {**FAR_FUNCTIONS, quotients.QUOTIENT: quotients.is_out}
"""Those, and quotients by a number whose reciprocal is known: elsewhere, these are divisions."""


def test_of(function: str) -> str:
    """What the test is called whether an argument is one that a function is not right for."""
    return f"{function}_is_far"


WRITTEN = {
    **FUNCTIONS,
    quotients.QUOTIENT: quotients.quotient,
    **{test_of(name): test for name, test in BOUNDED.items()},
}
"""All that `written_as` writes."""


def name_of(function: str, suffix: str) -> str:
    """What a function is called in LLVM's code."""
    return f"ag_{function}_{suffix}"


def anywhere(function: str, suffix: str, library: str) -> str:
    """The text of one of these functions that is right for any argument: far off, another one.

    Of that, LLVM is to know nothing: it would compute it beforehand where it can, in float64.
    """
    kind = "double" if suffix == "f64" else "float"
    own = name_of(function, suffix)
    return f"""define internal {kind} @{own}_anywhere({kind} %x) noinline nounwind willreturn memory(none) {{
  %is_far = call i1 @{name_of(test_of(function), suffix)}({kind} %x)
  br i1 %is_far, label %far, label %near
near:
  %one = call {kind} @{own}({kind} %x)
  ret {kind} %one
far:
  %other = call {kind} @{library}({kind} %x) nobuiltin
  ret {kind} %other
}}"""


_ARITIES = {
    **dict.fromkeys(("arctan2", "hypot", "power"), 2),
    **dict.fromkeys((quotients.QUOTIENT, test_of(quotients.QUOTIENT)), 3),
}


@cache
def written_as(function: str, suffix: str, width: int = 0) -> str:
    """The text of a function, for a format of floats; with a width, of vectors of these."""
    arity = _ARITIES.get(function, 1)
    form = DOUBLE if suffix.endswith("f64") else SINGLE
    name = name_of(function, f"v{width}{suffix}" if width else suffix)
    return written(name, WRITTEN[function], form, arity, width)
