"""Divides by what loops do not change by products with its reciprocal, of which the division keeps every bit.

::

                                          r = reciprocal(s), if that is near enough to 1
    for i in range(256):                  for i in range(256):
        y[i] = x[i] / s            ⇒          y[i] = quotient(x[i], s, r)

                                          for k in range(256):
                                              r[k] = reciprocal(s[k]), likewise
    for i in range(256):                  for i in range(256):
        for j in range(256):       ⇒          for j in range(256):
            y[i, j] = x[i, j] / s[j]              y[i, j] = quotient(x[i, j], s[j], r[j])

A processor divides a vector in the time of ten products. With a reciprocal that is rounded correctly, one
product and two steps that multiply and add give the quotient that is rounded correctly (Markstein, 1990), as
long as nothing on the way overflows or lacks digits. A loop notes where that may not be so, and is
then done again by divisions, as with functions that are right for some arguments only (`lanes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Cast,
    Expression,
    Fold,
    For,
    Function,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Variable,
)
from runtime.executors.native.language.walking import changed_in, inside, kinds_in, parts_of, with_blocks
from runtime.executors.native.language.walking import with_parts as rebuilt
from runtime.executors.native.lower.memories import Memories
from runtime.executors.native.mathematics.quotients import QUOTIENT, least_and_most

__all__ = ["with_quotients"]

_LEAST = {"f64": 128, "f32": 1024}
"""Turns from which on a loop gains: a row of fewer is done before the next one has its reciprocal."""
_LEAST_OF_KNOWN = _LEAST_OF_COLUMNS = 32
"""Where nothing is waited for."""
_FEW = 8
"""Rows from which on one division for each column is little."""
_LARGEST = 8
"""Parts of a divisor that is computed once more, before the loop."""


def with_quotients(function: Function) -> Function:
    """A function whose loops over arrays divide by what they do not change in less time."""
    if not any(_divides(each) for each in inside(function.body)):
        return function
    maker = _Maker(function)
    body = maker.block(function.body)
    return function.with_body([*maker.first, *body])


def _divides(statement: Statement) -> bool:
    return isinstance(statement, Set | Fold | Store) and any(map(_is_division, parts_of(statement.value)))


def _is_division(part: Expression) -> bool:
    return isinstance(part, Apply) and part.function == "divide" and part.dtype.is_floating


class _Maker:
    """A function in the making.

    Attributes
    ----------
    first : list of Statement
        What it begins with.
    """

    def __init__(self, function: Function) -> None:
        self.first: list[Statement] = []
        self._count = 0
        self._memory = _Memory(function)

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """A block of statements."""
        found: list[Statement] = []
        for statement in statements:
            if isinstance(statement, For) and _is_flat(statement):
                found += self._by_rows(statement)
                continue
            if isinstance(statement, For):
                before, loop = self._by_columns(statement)
                found += [*before, with_blocks(loop, self.block)]
                continue
            found.append(with_blocks(statement, self.block))
        return found

    def _by_rows(self, loop: For) -> list[Statement]:
        """A loop that divides by numbers, and what these need before it."""
        if not _is_apart(loop):
            return [loop]
        before: list[Statement] = []
        made: dict[Expression, Variable | Number] = {}

        def reciprocal(divisor: Expression) -> Expression | None:
            if isinstance(divisor, Number):
                return _known_reciprocal(divisor) if _may_be_many(loop.count, _LEAST_OF_KNOWN) else None
            if not _may_be_many(loop.count, _LEAST[divisor.dtype.short]):
                return None
            if divisor not in made:
                made[divisor] = own = Variable(self._name(loop), divisor.dtype)
                before.extend(_set_if_there(own, divisor, loop.count))
            return made[divisor]

        changed = {loop.index.name, *changed_in(loop.body)}
        body = _divided(loop.body, changed, _written(loop.body), reciprocal)
        return [*before, For(loop.index, loop.count, body)]

    def _by_columns(self, loop: For) -> tuple[list[Statement], For]:
        """A loop over rows, of whose columns each is divided by a number; and what these need before it."""
        before: list[Statement] = []
        if not kinds_in(loop.body) <= {Set, Store, Fold, For} or not _may_be_many(loop.count, _FEW):
            return before, loop
        written = _written(loop.body)
        if not self._memory.is_apart(written):
            return before, loop
        changed = {loop.index.name, *changed_in(loop.body)}
        body = [
            self._of_columns(each, loop.count, changed, written, before)
            if isinstance(each, For) and _is_flat(each) and _is_apart(each)
            else each
            for each in loop.body
        ]
        return before, For(loop.index, loop.count, body)

    def _of_columns(
        self,
        row: For,
        rows: Expression,
        changed: set[str],
        written: set[str],
        before: list[Statement],
    ) -> Statement:
        if not isinstance(row.count, Number) or row.count.value < _LEAST_OF_COLUMNS:
            return row
        made: dict[Expression, Load] = {}

        def reciprocal(divisor: Expression) -> Expression | None:
            if not any(part == row.index for part in parts_of(divisor)):
                return None  # it is one number in a row
            arrays = {part.array.name for part in parts_of(divisor) if isinstance(part, Load)}
            if not self._memory.are_others(arrays, written):
                return None
            if divisor not in made:
                name = self._name(row)
                array, column = Array(f"{name}.all", divisor.dtype), Variable(f"{name}.column", int64)
                made[divisor] = Load(array, row.index)
                self.first.append(Allocate(array, row.count))
                one = Variable(f"{name}.of", divisor.dtype)
                of_column = Set(one, _with_index(divisor, row.index, column))
                turn: list[Statement] = [of_column, Store(array, column, _usable(one))]
                before.append(For(column, _if_any(row.count, rows), turn))
            return made[divisor]

        body = _divided(row.body, changed - {row.index.name}, written, reciprocal)
        return For(row.index, row.count, body)

    def _name(self, loop: For) -> str:
        self._count += 1
        return f"{loop.index.name}.reciprocal{self._count}"


class _Memory:
    """Which arrays of a function may be one."""

    def __init__(self, function: Function) -> None:
        self._memories = Memories(function)
        self._made = {each.array.name for each in inside(function.body) if isinstance(each, Allocate)}
        self._is_known = kinds_in(function.body) <= _KNOWN

    def is_apart(self, arrays: set[str]) -> bool:
        """Whether all of these arrays are the function's own, and nobody else changes them."""
        return self._is_known and arrays <= self._made

    def are_others(self, arrays: set[str], written: set[str]) -> bool:
        """Whether none of some arrays is one that is written."""
        of = self._memories.of
        return {of(each) for each in arrays}.isdisjoint(map(of, written))


_KNOWN = frozenset({Set, Store, Fold, For, If, Allocate, Alias})
"""Statements in which arrays become one by `Alias` alone."""


def _is_flat(loop: For) -> bool:
    return kinds_in(loop.body) <= {Set, Store, Fold}


def _written(statements: Sequence[Statement]) -> set[str]:
    return {each.array.name for each in inside(statements) if isinstance(each, Store)}


def _is_apart(loop: For) -> bool:
    """Whether it may be done again: it reads nothing that it writes."""
    read = {
        part.array.name
        for each in loop.body
        if isinstance(each, Set | Fold | Store)
        for part in parts_of(each.value)
        if isinstance(part, Load)
    }
    return _written(loop.body).isdisjoint(read)


def _may_be_many(count: Expression, least: int) -> bool:
    return not isinstance(count, Number) or count.value >= least


def _divided(
    statements: Sequence[Statement],
    changed: set[str],
    written: set[str],
    reciprocal: Callable[[Expression], Expression | None],
) -> list[Statement]:
    """Statements of a turn that divide by products where there is a reciprocal of the divisor.

    Parameters
    ----------
    statements : sequence of Statement
    changed, written : set of str
        Numbers that are not the same before the loop, and arrays that have not the same elements.
    reciprocal : callable
        That of a divisor that is known before the loop; None where it has none.
    """
    known: dict[str, Expression] = {}

    def before(expression: Expression) -> Expression | None:
        match expression:
            case Number():
                return expression
            case Variable(name):
                return known.get(name, None if name in changed else expression)
            case Load(array, place):
                there = None if array.name in written else before(place)
                return None if there is None else Load(array, there)
            case Cast(of, dtype):
                inner = before(of)
                if isinstance(inner, Number) and dtype.is_floating:
                    return Number(float(dtype.numpy.type(inner.value)), dtype)
                return None if inner is None else Cast(inner, dtype)
            case Apply(function, arguments, dtype):
                parts = [part for each in arguments if (part := before(each)) is not None]
                return Apply(function, tuple(parts), dtype) if len(parts) == len(arguments) else None

    def read(expression: Expression) -> Expression:
        expression = rebuilt(expression, read)
        if not _is_division(expression):
            return expression
        assert isinstance(expression, Apply), "it is one"
        number, divisor = expression.arguments
        own = before(divisor)
        if own is None or before(number) is not None or _parts(own) > _LARGEST:
            return expression
        found = reciprocal(own)
        if found is None:
            return expression
        return Apply(QUOTIENT, (number, divisor, found), expression.dtype)

    result: list[Statement] = []
    for each in statements:
        match each:
            case Set(variable, value):
                result.append(Set(variable, read(value)))
                own = before(value)
                known.pop(variable.name, None)
                if own is not None and _parts(own) <= _LARGEST:
                    known[variable.name] = own
            case Fold(variable, function, value):
                result.append(Fold(variable, function, read(value)))
            case Store(array, place, value):
                result.append(Store(array, place, read(value)))
            case _:
                result.append(each)
    return result


def _parts(expression: Expression) -> int:
    return sum(1 for _ in parts_of(expression))


def _known_reciprocal(divisor: Number) -> Number | None:
    """The reciprocal of a number that is known; None where LLVM knows better, or it is of no use."""
    value, kind = float(divisor.value), divisor.dtype.numpy.type
    least, most = least_and_most(divisor.dtype)
    if not least <= abs(value) <= most or abs(math.frexp(value)[0]) == 0.5:  # a power of two
        return None
    return Number(float(kind(1) / kind(value)), divisor.dtype)


def _set_if_there(own: Variable, divisor: Expression, count: Expression) -> list[Statement]:
    """The reciprocal of a divisor, which is read where the loop has a turn."""
    some: list[Statement] = [Set(own, divisor), Set(own, _usable(own))]
    if isinstance(count, Number) or not any(isinstance(part, Load) for part in parts_of(divisor)):
        return some
    has_turns = Apply("greater", (count, Number(0, int64)), bool_)
    return [If(has_turns, some, [Set(own, Number(math.nan, own.dtype))])]


def _usable(divisor: Expression) -> Expression:
    """The reciprocal of a divisor; no number, where quotients may differ from divisions."""
    dtype = divisor.dtype
    least, most = [Number(each, dtype) for each in least_and_most(dtype)]
    size = Apply("absolute", (divisor,), dtype)
    is_near = Apply(
        "logical_and",
        (Apply("greater_equal", (size, least), bool_), Apply("less_equal", (size, most), bool_)),
        bool_,
    )
    return Apply("select", (is_near, Apply("reciprocal", (divisor,), dtype), Number(math.nan, dtype)), dtype)


def _with_index(expression: Expression, index: Variable, own: Variable) -> Expression:
    return own if expression == index else rebuilt(expression, lambda part: _with_index(part, index, own))


def _if_any(count: Expression, rows: Expression) -> Expression:
    """A number of columns; none where there are no rows."""
    if isinstance(rows, Number):
        return count
    has_rows = Apply("greater", (rows, Number(0, int64)), bool_)
    return Apply("select", (has_rows, count, Number(0, int64)), int64)
