"""Sinks checks below a later one that implies them: `int(x)` compares once, not four times.

::

    a = x == x                              a, b = x == x, absolute(x) != inf
    if not a: fail(1)                       c = x >= -2.0**63 and x < 2.0**63
    b = absolute(x) != inf                  if not absolute(x) < 2.0**63:
    if not b: fail(2)                           if not c:
    c = x >= -2.0**63 and x < 2.0**63   ⇒           if not a: fail(1)
    if not c: fail(3)                               if not b: fail(2)
                                                    fail(3)

A run ends where it would have ended: nothing stands between these checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fail,
    Function,
    If,
    Number,
    Set,
    Statement,
    Variable,
)
from runtime.executors.native.language.walking import with_blocks

__all__ = ["without_implied_checks"]


def without_implied_checks(function: Function) -> Function:
    """A function that looks at each float once."""
    body = _block(function.body)
    return function.with_body(body)


def _block(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case If(test, [Fail() as fail], []):
                tests, earlier = list[Statement](), list[Statement]()
                number, near = _in_range(found, test), None
                if number is not None:
                    near = _near(found[-1], number)
                    tests.append(found.pop())
                    while _says_of(found, number):
                        earlier.insert(0, found.pop())
                        tests.insert(0, found.pop())
                check = If(test, [*earlier, fail], [])
                if near is not None:
                    far = [tests.pop(), check]
                    tests.append(near)
                    check = If(Apply("logical_not", (near.variable,), bool_), far, [], is_rare=True)
                found += [*tests, check]
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


def _near(said: Statement, number: Expression) -> Set | None:
    """One comparison that holds for all of a range but its end; None where the range is no such."""
    match said:
        case Set(variable, Apply(_, (Apply(_, (_, Number(least))), Apply(_, (_, Number(most)))))) if (
            least == -most
        ):
            size = Apply("absolute", (number,), number.dtype)
            near = Apply("less", (size, Number(most, number.dtype)), bool_)
            return Set(Variable(f"{variable.name}.near", bool_), near)
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
