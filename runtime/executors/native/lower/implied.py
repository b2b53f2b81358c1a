"""Sinks checks below a later one that implies them: `int(x)` compares twice, not four times.

::

    a = x == x
    if not a: fail(1)                       a, b = x == x, absolute(x) != inf
    b = absolute(x) != inf                  c = x >= -2.0**63 and x < 2.0**63
    if not b: fail(2)                       if not c:
    c = x >= -2.0**63 and x < 2.0**63   ⇒       if not a: fail(1)
    if not c: fail(3)                           if not b: fail(2)
                                                fail(3)

A run ends where it would have ended: nothing stands between these checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fail,
    Function,
    If,
    Number,
    Set,
    Statement,
)
from runtime.executors.native.language.walking import with_blocks

__all__ = ["without_implied_checks"]


def without_implied_checks(function: Function) -> Function:
    """A function that looks at each float once."""
    body = _block(function.body)
    return Function(function.name, function.parameters, body, function.results, function.own)


def _block(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case If(test, [Fail() as fail], []):
                tests, earlier = list[Statement](), list[Statement]()
                number = _in_range(found, test)
                if number is not None:
                    tests.append(found.pop())
                    while _says_of(found, number):
                        earlier.insert(0, found.pop())
                        tests.insert(0, found.pop())
                found += [*tests, If(test, [*earlier, fail], [])]
            case _:
                found.append(with_blocks(statement, _block))
    return found


def _in_range(before: Sequence[Statement], test: Expression) -> Expression | None:
    """The number of which a check says that it lies in a range, where it was computed right before it."""
    match [*before[-1:], test]:
        case [
            Set(
                variable,
                Apply(
                    "logical_and", (Apply("greater_equal", (x, Number())), Apply("less", (same, Number())))
                ),
            ),
            Apply("logical_not", (asked,)),
        ] if asked == variable and x == same and x.dtype.is_floating:
            return x
    return None


def _says_of(before: Sequence[Statement], number: Expression) -> bool:
    """Whether the last check there is implied: it says that a number is one, or that it is finite."""
    match before[-2:]:
        case [Set(variable, said), If(Apply("logical_not", (asked,)), [Fail()], [])] if asked == variable:
            pass
        case _:
            return False
    match said:
        case Apply("equal", (x, same)):
            return x == same == number
        case Apply("not_equal", (Apply("absolute", (x,)), Number(value))):
            return x == number and value == inf
    return False
