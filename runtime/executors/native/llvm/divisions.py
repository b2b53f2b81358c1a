"""Divisions in the place of products with reciprocals (`lower.quotients`), for processors that divide fast.

A processor without AVX-512 that divides four doubles in five cycles, as a Zen 3 does, has done so before it
has multiplied them, and looked whether the products are quotients. The bits are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    For,
    Function,
    Program,
    Set,
    Statement,
    Store,
)
from runtime.executors.native.language.walking import arrays_read, expressions_in, inside, parts_of, rewritten
from runtime.executors.native.language.walking import with_parts as rebuilt
from runtime.executors.native.mathematics.quotients import QUOTIENT

__all__ = ["dividing"]


def dividing(program: Program) -> Program:
    """A program that divides wherever it may, without loops over reciprocals that nobody reads then."""
    if not any(_has_quotients(each) for each in program.functions):
        return program
    return replace(program, functions=[_divided(each) for each in program.functions])


def _has_quotients(function: Function) -> bool:
    return any(
        isinstance(part, Apply) and part.function == QUOTIENT
        for statement in inside(function.body)
        for each in expressions_in(statement)
        for part in parts_of(each)
    )


def _divided(function: Function) -> Function:
    body = rewritten(function.body, _by_divisions, lambda _: True)
    read = {name for each in inside(body) if not isinstance(each, Store) for name in arrays_read(each)}
    read |= {name for each in inside(body) if isinstance(each, Store) for name in arrays_read(each)[:-1]}
    read |= {each.name for each in [*function.results, *function.parameters]}
    body = rewritten(body, lambda expression: expression, lambda each: not _is_in_vain(each, read))
    return Function(function.name, function.parameters, body, function.results, function.own)


def _by_divisions(expression: Expression) -> Expression:
    match expression:
        case Apply(function, (number, divisor, _), dtype) if function == QUOTIENT:
            return Apply("divide", (_by_divisions(number), _by_divisions(divisor)), dtype)
    return rebuilt(expression, _by_divisions)


def _is_in_vain(statement: Statement, read: set[str]) -> bool:
    """Whether a loop only fills arrays that nobody reads."""
    if not isinstance(statement, For):
        return False
    stores = [each for each in statement.body if isinstance(each, Store)]
    others: Sequence[Statement] = [each for each in statement.body if not isinstance(each, Store | Set)]
    return bool(stores) and not others and all(each.array.name not in read for each in stores)
