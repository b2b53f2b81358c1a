"""Branches that take one of two numbers which they compare: processors have an instruction for these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.executors.native.language.loops import Apply, Expression, Load, Set, Statement, Variable

__all__ = ["is_choice"]


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
