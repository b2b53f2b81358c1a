"""Which functions raise none of the processor's flags of floats, so that NumPy has nothing to warn of."""

from __future__ import annotations

from runtime.executors.native.language.loops import (
    Apply,
    Call,
    Cast,
    Draw,
    Expression,
    Fold,
    Function,
    Host,
    Share,
    Sums,
    Try,
)
from runtime.executors.native.language.walking import expressions_in, inside, kinds_in, parts_of

__all__ = ["is_flagless"]

_ELSEWHERE = frozenset({Call, Draw, Host, Share, Sums, Try})
"""Statements that do what stands elsewhere."""
_QUIET = frozenset(
    {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isnan", "isinf", "isfinite"}
    | {"select", "negative", "absolute", "copysign", "signbit"}
)
"""What is asked of floats without an exception, by NumPy as by processors, and what moves them."""


def is_flagless(function: Function) -> bool:
    """Whether a function computes with whole numbers, and at most compares floats and moves them."""
    if not _ELSEWHERE.isdisjoint(kinds_in(function.body)):
        return False
    for each in inside(function.body):
        if isinstance(each, Fold) and _is_rounded(each.variable):
            return False
        if not all(map(_is_quiet, expressions_in(each))):
            return False
    return True


def _is_quiet(expression: Expression) -> bool:
    return all(
        (isinstance(part, Apply) and part.function in _QUIET)
        or not isinstance(part, Apply | Cast)
        or not any(map(_is_rounded, (part, *(part.arguments if isinstance(part, Apply) else (part.of,)))))
        for part in parts_of(expression)
    )


def _is_rounded(number: Expression) -> bool:
    return number.dtype.is_floating or number.dtype.is_complex
