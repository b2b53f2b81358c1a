"""Removes loop variables that no turn changes.

::

    n1 = n0
    while i < m:                    while i < m:
        x[i % n1] = i                   x[i % n0] = i
        n2 = n1             ⇒           i = i + 1
        i = i + 1
        n1 = n2

The lengths of arrays that a loop carries are such numbers, also where turns exchange the arrays. Who asks
whether an index is inside knows before the loop below what it has to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import (
    Expression,
    Function,
    If,
    Number,
    Set,
    Statement,
    Try,
    Variable,
)
from runtime.executors.native.language.walking import changed_by, inside, rewritten, with_parts

__all__ = ["without_copies"]

_Origin: TypeAlias = "Variable | Number"


def without_copies(function: Function) -> Function:
    """A function without the whole numbers that always are another one."""
    origins = _origins(function)
    if not origins:
        return function

    def read(expression: Expression) -> Expression:
        if isinstance(expression, Variable):
            return origins.get(expression.name, expression)
        return with_parts(expression, read)

    def is_there(statement: Statement) -> bool:
        return not (isinstance(statement, Set) and statement.variable.name in origins)

    body = rewritten(function.body, read, is_there)
    return function.with_body(body)


def _origins(function: Function) -> dict[str, _Origin]:
    """What numbers are at every time: a known one, or one that is set once, in no loop."""
    times = Counter([*changed_by(function.body), *[each.name for each in function.parameters]])
    once = {*[each.name for each in function.parameters], *_set_in_no_loop(function.body)}
    once = {name for name in once if times[name] == 1}
    asked = {each.name for each in function.results}
    copies: dict[str, list[_Origin]] = {}
    for each in inside(function.body):
        match each:
            case Set(Variable(name, dtype), Variable() | Number() as value) if dtype is int64:
                copies.setdefault(name, []).append(value)
    copies = {name: of for name, of in copies.items() if len(of) == times[name] and name not in asked}
    found: dict[str, _Origin | None] = {}
    """As far as was seen: None for what is one number now and another one later."""
    is_news = True
    while is_news:
        is_news = False
        for name, of in copies.items():
            origins = {_origin(each, found, once) for each in of if _is_seen(each, found, copies)}
            if origins:
                now = origins.pop() if len(origins) == 1 else None
                is_news = is_news or name not in found or found[name] != now
                found[name] = now
    return {name: each for name, each in found.items() if each is not None and each != Variable(name, int64)}


def _is_seen(value: _Origin, found: Mapping[str, _Origin | None], copies: Collection[str]) -> bool:
    return isinstance(value, Number) or value.name in found or value.name not in copies


def _origin(value: _Origin, found: Mapping[str, _Origin | None], once: Collection[str]) -> _Origin | None:
    if isinstance(value, Number):
        return value
    return found.get(value.name) or (value if value.name in once else None)


def _set_in_no_loop(statements: Sequence[Statement]) -> Iterator[str]:
    for each in statements:
        match each:
            case If(_, then, orelse):
                yield from _set_in_no_loop([*then, *orelse])
            case Try(body, _, handler):
                yield from _set_in_no_loop([*body, *handler])
            case Set(variable):
                yield variable.name
