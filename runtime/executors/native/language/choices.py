"""Branches that take one of two numbers which they compare, or compare one number twice.

Processors have an instruction for these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    If,
    Load,
    Number,
    Set,
    Statement,
    Variable,
)

__all__ = ["between", "is_choice", "limit_of"]


def limit_of(test: Expression) -> tuple[Expression, Expression] | None:
    """A whole number, and what it is below where a test holds that it is not negative either."""
    match test:
        case Apply("logical_and", (Apply("greater_equal", (x, Number(0))), Apply("less", (same, limit)))) if (
            x == same and x.dtype is int64
        ):
            return x, limit
    return None


def between(before: Statement, branch: Statement) -> list[Statement] | None:
    """A branch that only asks twice where a number lies, as ``0 <= k and k < n`` does, as one test.

    `before` is what stands right before it. None of another branch.
    """
    match before, branch:
        case (
            Set(test, Apply("greater_equal", (Variable() as x, Number(0))) as first),
            If(
                asked,
                [Set(below, Apply("less", (same, Variable() | Number())) as second), Set(found, left)],
                [Set(other, Number(False))],
            ),
        ) if asked == test and x == same and left == below and found == other and below.dtype is bool_:
            return [Set(below, second), Set(found, Apply("logical_and", (first, second), bool_))]
    return None


def is_choice(
    test: Apply, then: Sequence[Statement], orelse: Sequence[Statement], known: Mapping[Variable, Expression]
) -> bool:
    """Whether a branch only takes one of the two numbers that its test compares.

    Parameters
    ----------
    test : Apply
        The comparison.
    then, orelse : sequence of Statement
    known : mapping of Variable to Expression
        What numbers of the turn were set to: an element may be read anew.
    """
    match then, orelse:
        case [Set(one, taken)], [Set(other, kept)]:
            return one == other and taken in test.arguments and kept in test.arguments
        case [Set(again, Load() as element), Set(one, taken)], [Set(other, kept)]:
            read = [known.get(each) for each in test.arguments if isinstance(each, Variable)]
            return one == other and taken == again and element in read and kept in test.arguments
    return False
