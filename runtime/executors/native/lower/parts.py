"""Parallelises large loops without dependences between turns: functions of ranges.

::

                                            def part(x, y, start, stop):
    for i in range(n):                          for k in range(stop - start):
        y[i] = exp(x[i])            ⇒               i = start + k
                                                    y[i] = exp(x[i])

                                            part(x, y) for ranges of 4096 below n

What a range is, the length of the loop says, and the work of a turn; threads do not. So a sum has the same
last bit on any number of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from runtime.core.dtypes import DType, bool_, int64
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Call,
    Expression,
    Fold,
    For,
    Function,
    Host,
    If,
    Load,
    Named,
    Number,
    Set,
    Share,
    Statement,
    Store,
    Try,
    Variable,
    While,
    add,
    multiply,
)
from runtime.executors.native.language.walking import (
    exposed_in,
    expressions_in,
    inside,
    parts_of,
    times_read,
    with_blocks,
)
from runtime.executors.native.llvm.polling import work_of
from runtime.executors.native.lower.fusing import Facts, is_by_rows, is_plain

__all__ = ["RANGE", "in_parts"]

RANGE = 1 << 19
"""Work of a range, in units of about one operation: some tens of microseconds."""
_LEAST = 4
"""Ranges of a loop of known length that is worth it."""


def in_parts(function: Function) -> list[Function]:
    """The functions of ranges that a function becomes, and what is left of it, which is the last."""
    parts = _Parts(function)
    body = parts.block(function.body, set())
    return [*parts.found, function.with_body(body)]


def least_or_most(combine: str, dtype: DType) -> Number:
    """What is less, or more, than every number: the maximum, or the minimum, of none."""
    if dtype.is_floating:
        return Number(-math.inf if combine == "maximum" else math.inf, dtype)
    if dtype is bool_:
        return Number(combine == "minimum", dtype)
    info = np.iinfo(dtype.numpy)
    return Number(int(info.min if combine == "maximum" else info.max), dtype)


class _Parts:
    """The loops of a function that become functions of their own."""

    def __init__(self, function: Function) -> None:
        self.found: list[Function] = []
        self._name = function.name
        self._reads = times_read(function.body)
        self._reads.update(each.name for each in function.results if isinstance(each, Variable))
        self._here = {each.name for each in function.parameters}
        for each in inside(function.body):
            match each:
                case Alias(array, _) | Allocate(array, _):
                    self._here.add(array.name)
                case Call(_, _, results) | Host(_, _, results):
                    self._here.update(result.name for result in results)
        """Arrays that have a name in the function, and not in the program."""

    def block(self, statements: Sequence[Statement], made: set[str]) -> list[Statement]:
        """A block of statements; in `made` are arrays that are new, and have no other name."""
        found: list[Statement] = []
        for statement in statements:
            match statement:
                case Allocate(array, _):
                    made.add(array.name)
                case Alias(array, of):
                    made -= {array.name, of.name}
                case While() | If():
                    statement = with_blocks(statement, lambda block: self.block(block, set()))  # noqa: PLW2901  # itself, with other loops
            if isinstance(statement, Call | Host | While | If | Try):
                made.clear()
            if isinstance(statement, For):
                found += self._shared(statement, made) or [statement]
            else:
                found.append(statement)
        return found

    def _shared(self, loop: For, made: set[str]) -> list[Statement] | None:
        """What a loop becomes; None where it stays."""
        size = _size(loop)
        if size is None or not is_plain(loop.body):
            return None
        facts = Facts.of(loop)
        if not facts.written <= made or not all(is_by_rows(facts, facts, name) for name in facts.written):
            return None
        folds = self._folds(loop, facts)
        if folds is None:
            return None
        start, stop = (Variable(f"{loop.index.name}.{each}", int64) for each in ("start", "stop"))
        turn = Variable(f"{loop.index.name}.turn", int64)
        given: list[Variable | Array] = [
            *_numbers(loop),
            *[each for each in _arrays(loop) if each.name in self._here],
        ]
        name = f"{self._name}.{loop.index.name}"
        turns = For(
            turn,
            Apply("subtract", (stop, start), int64),
            [Set(loop.index, add(start, turn)), *loop.body],
        )
        body: list[Statement] = [Set(variable, _started(variable, combine)) for variable, combine in folds]
        body.append(turns)
        results: list[Named] = [variable for variable, _ in folds]
        own = frozenset(facts.written)
        self.found.append(Function(name, [*given, start, stop], body, results, own))
        return [Share(name, tuple(given), loop.count, size, tuple(folds))]

    def _folds(self, loop: For, facts: Facts) -> list[tuple[Variable, str]] | None:
        """The numbers that a loop folds; None where its turns have other numbers in common."""
        own = {each.variable for each in inside(loop.body) if isinstance(each, Set)}
        folds = [each for each in inside(loop.body) if isinstance(each, Fold) and each.variable not in own]
        found = dict.fromkeys((each.variable, each.function) for each in folds)
        names = {variable.name for variable, _ in found}
        times, within = Counter(each.variable.name for each in folds), times_read([loop])
        if len(names) < len(found) or any(within[name] != times[name] for name in names):
            return None  # a turn looks at what was found until then
        if any(_start_of(combine, variable.dtype) is None for variable, combine in found):
            return None
        inner = {variable.name for variable in facts.changed} - names
        if exposed_in(loop.body, {loop.index.name}) & inner:
            return None  # a turn needs what the one before it has found
        if any(self._reads[name] != within[name] for name in inner):
            return None  # it is asked for when the loop is over
        return list(found)


def _arrays(loop: For) -> list[Array]:
    """The arrays that a loop touches, by their names: code is found on disk by its text."""
    found = {each.array for each in inside(loop.body) if isinstance(each, Store)}
    for each in inside(loop.body):
        for expression in expressions_in(each):
            found |= {part.array for part in parts_of(expression) if isinstance(part, Load)}
    return sorted(found, key=lambda array: array.name)


def _numbers(loop: For) -> list[Variable]:
    """The numbers that a loop reads and does not set itself, by their names."""
    own = {each.variable for each in inside(loop.body) if isinstance(each, Set | Fold)}
    own |= {each.index for each in inside([loop]) if isinstance(each, For)}
    found = {
        part
        for each in inside(loop.body)
        for expression in expressions_in(each)
        for part in parts_of(expression)
        if isinstance(part, Variable)
    }
    return sorted(found - own, key=lambda variable: variable.name)


def _started(variable: Variable, combine: str) -> Number:
    start = _start_of(combine, variable.dtype)
    assert start is not None, "it was asked"
    return start


def _start_of(combine: str, dtype: DType) -> Number | None:
    """What leaves every number as it is that it is combined with; None where that is nothing."""
    if combine in {"maximum", "minimum"}:
        return least_or_most(combine, dtype)
    if combine == "add" and dtype.is_floating:
        return Number(-0.0, dtype)
    identity = getattr(np, combine).identity
    return None if identity is None else Number(dtype.numpy.type(identity).item(), dtype)


def _size(loop: For) -> Expression | None:
    """How many turns are a range; None for a loop that is known to be short."""
    units = _units(loop.body, {each.index for each in inside(loop.body) if isinstance(each, For)})
    if units is None:
        return None
    if not isinstance(units, Number):
        one = Number(1, int64)
        turns = Apply("floor_divide", (Number(RANGE, int64), Apply("maximum", (units, one), int64)), int64)
        return Apply("maximum", (turns, one), int64)
    size = max(1, RANGE // max(1, int(units.value)))
    if isinstance(loop.count, Number) and loop.count.value < _LEAST * size:
        return None
    return Number(size, int64)


def _units(statements: Sequence[Statement], inner: set[Variable]) -> Expression | None:
    """The work of statements; None where loops inside have lengths that they find themselves."""
    own = {each.variable for each in inside(statements) if isinstance(each, Set | Fold)} | inner
    found: list[Expression | int] = []
    for each in statements:
        if not isinstance(each, For):
            found.append(work_of([each]))
            continue
        body = _units(each.body, inner)
        if body is None or any(part in own for part in parts_of(each.count)):
            return None
        found.append(multiply(each.count, body))
    return add(*found)
