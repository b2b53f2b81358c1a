"""Which functions raise none of the processor's flags of floats, and divide by nothing that may be zero.

NumPy has nothing to warn of in them.
"""

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
    Matrices,
    Number,
    Share,
    Sums,
    Try,
)
from runtime.executors.native.language.walking import expressions_in, inside, kinds_in, parts_of

__all__ = ["is_flagless"]

_ELSEWHERE = frozenset({Call, Draw, Host, Matrices, Share, Sums, Try})
"""Statements that do what stands elsewhere."""
_QUIET = frozenset(
    {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isnan", "isinf", "isfinite"}
    | {"select", "negative", "absolute", "copysign", "signbit"}
)
"""What is asked of floats without an exception, by NumPy as by processors, and what moves them."""


_DIVIDES = frozenset({"floor_divide", "remainder", "fmod"})
"""What NumPy warns of where it divides by zero, though no flag says so."""


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
    for part in parts_of(expression):
        match part:
            case Cast(of) if _is_rounded(of) or _is_rounded(part):
                return False
            case Apply(function, arguments) if function not in _QUIET:
                if any(map(_is_rounded, (part, *arguments))):
                    return False
                if function in _DIVIDES and not _is_harmless(arguments[1]):
                    return False
    return True


def _is_harmless(divisor: Expression) -> bool:
    """Whether nobody is told of a division by a number: not by 0, nor by -1 of the least number there is."""
    return isinstance(divisor, Number) and divisor.value not in {0, -1}


def _is_rounded(number: Expression) -> bool:
    return number.dtype.is_floating or number.dtype.is_complex
