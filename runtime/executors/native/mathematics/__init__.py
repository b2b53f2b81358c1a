"""Functions of floats that LLVM can make vectors of: within 4 units in the last place of the true result.

Each is a straight line of IEEE's basic operations: an argument is reduced to a small range, a polynomial is
computed there (`benchmarks/polynomials.py` fits it), and the result is put together. NaN, infinities, zeros
with their signs and numbers that lack digits are what the C library says.

    >>> print(written_as("hypot", "f32"))  # doctest: +ELLIPSIS
    define internal float @ag_hypot_f32(float %x0, float %x1) alwaysinline ...
"""

from __future__ import annotations

from functools import cache

from runtime.executors.native.mathematics import angles, exponentials, logarithms, powers
from runtime.executors.native.mathematics.writing import DOUBLE, SINGLE, written

__all__ = ["FAR_FUNCTIONS", "FUNCTIONS", "anywhere", "far_text", "name_of", "written_as"]

FUNCTIONS = {
    name: getattr(room, name)
    for room in (angles, exponentials, logarithms, powers)
    for name in room.__all__
    if name not in {"FAR", "number_of", "power_of_two", "reduced", "scaled", "split"}
}
"""By the names that the table of scalar functions has for them."""


def name_of(function: str, suffix: str) -> str:
    """What a function is called in LLVM's code."""
    return f"ag_{function}_{suffix}"


FAR_FUNCTIONS = ("sin", "cos", "tan")
"""Those that are right up to some size of the argument only."""


def far_text(suffix: str) -> str:
    """That size, as LLVM writes it."""
    return f"0x{DOUBLE.bits(angles.FAR[suffix]):016X}"


def anywhere(function: str, suffix: str, library: str) -> str:
    """The text of one of these functions that is right for any argument: far off, the C library's."""
    kind, name = ("double", library) if suffix == "f64" else ("float", f"{library}f")
    own = name_of(function, suffix)
    return f"""define internal {kind} @{own}_anywhere({kind} %x) noinline nounwind willreturn memory(none) {{
  %size = call {kind} @llvm.fabs.{suffix}({kind} %x)
  %is_far = fcmp oge {kind} %size, {far_text(suffix)}
  br i1 %is_far, label %far, label %near
near:
  %one = call {kind} @{own}({kind} %x)
  ret {kind} %one
far:
  %other = call {kind} @{name}({kind} %x)
  ret {kind} %other
}}"""


@cache
def written_as(function: str, suffix: str, width: int = 0) -> str:
    """The text of a function, for a format of floats; with a width, of vectors of these."""
    arity = 2 if function in {"arctan2", "hypot", "power"} else 1
    form = DOUBLE if suffix.endswith("f64") else SINGLE
    name = name_of(function, f"v{width}{suffix}" if width else suffix)
    return written(name, FUNCTIONS[function], form, arity, width)
