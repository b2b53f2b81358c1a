"""LLVM IR of long straight loops, as vectors: LLVM's own vectoriser takes seconds for thousands of steps.

A group of turns is several registers of each number, so that one result need not wait for the one before. The
last group is as long as all, and does some turns again: it stores the same once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from runtime.core.dtypes import int64
from runtime.executors.native.intrinsics import has_vector, has_vector_cast
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    For,
    Load,
    Number,
    Rows,
    Set,
    Store,
    Variable,
)
from runtime.executors.native.language.walking import changed_by, expressions_in, parts_of
from runtime.executors.native.llvm.emit_rows import Around, RowsEmitter
from runtime.executors.native.llvm.lanes import may_be_repeated
from runtime.executors.native.llvm.polling import work_of
from runtime.executors.native.mathematics import FUNCTIONS

__all__ = ["emit_wide", "has_vector_of", "width_of"]

_MANY = 24
"""Steps of a turn from which on a loop is long: LLVM makes vectors of others as well, and in little time."""
_BYTES = 128
"""Of one number of a group: two of the widest registers."""


def width_of(loop: For, fresh: Collection[str], without_place: Collection[str]) -> int:
    """How many turns of a loop a group has; 0 for a loop that is LLVM's.

    Parameters
    ----------
    loop : For
        Which has lanes.
    fresh : collection of str
        Arrays that were made since anything else got a name.
    without_place : collection of str
        The numbers that nobody asks for behind the loop.
    """
    if not all(isinstance(each, Set | Store) for each in loop.body):
        return 0
    parts = [part for each in loop.body for value in expressions_in(each) for part in parts_of(value)]
    steps = [part for part in parts if isinstance(part, Apply | Cast)]
    if len(steps) < _MANY or not may_be_repeated(loop, fresh) or not all(map(has_vector_of, steps)):
        return 0
    names = set(changed_by(loop.body))
    if not names <= set(without_place):
        return 0
    places = _Places(loop, names)
    if not places.are_together([part.place for part in parts if isinstance(part, Load)]):
        return 0
    width = _BYTES // places.widest()
    return min(width, max(1, int(loop.count.value))) if isinstance(loop.count, Number) else width


def has_vector_of(step: Expression) -> bool:
    """Whether a step of an expression is one of vectors, or a function that has such."""
    match step:
        case Cast(operand, dtype):
            return has_vector_cast(operand.dtype, dtype)
        case Apply(function, arguments, dtype):
            of = arguments[-1].dtype if function == "select" else arguments[0].dtype
            if of.is_complex or dtype.is_complex:
                return False
            last = arguments[-1]
            known = last.value if isinstance(last, Number) and not isinstance(last.value, complex) else None
            return has_vector(function, of, known) or (function in FUNCTIONS and of.is_floating)
    return not step.dtype.is_complex


class _Places:
    """Where the elements are that turns of a loop read and store."""

    def __init__(self, loop: For, changed: Collection[str]) -> None:
        self._loop = loop
        self._varying = {loop.index.name, *changed}
        self._along = {loop.index.name}
        """Numbers that grow by 1 from turn to turn."""
        for each in loop.body:
            if isinstance(each, Set) and each.variable.dtype is int64 and self._goes_along(each.value):
                self._along.add(each.variable.name)

    def are_together(self, read: Sequence[Expression]) -> bool:
        """Whether those of one statement lie next to one another, or are read and are the same.

        An array is written to at one place a turn: what others write is the same in any order.
        """
        written: dict[str, Expression] = {}
        for each in self._loop.body:
            if isinstance(each, Store):
                place = written.setdefault(each.array.name, each.place)
                if place != each.place or not self._goes_along(place):
                    return False
        return all(self._goes_along(place) or self._is_same(place) for place in read)

    def widest(self) -> int:
        """The bytes of the largest number that a turn computes beside these."""
        return max(
            part.dtype.itemsize
            for each in self._loop.body
            if isinstance(each, Set | Store)
            and not (isinstance(each, Set) and each.variable.name in self._along)
            for part in _computed(each.value)
        )

    def _goes_along(self, place: Expression) -> bool:
        match place:
            case Variable(name):
                return name in self._along
            case Apply("add", (one, other), dtype) if dtype is int64:
                if self._is_same(one):
                    return self._goes_along(other)
                return self._is_same(other) and self._goes_along(one)
            case Apply("subtract", (one, other), dtype) if dtype is int64:
                return self._is_same(other) and self._goes_along(one)
        return False

    def _is_same(self, expression: Expression) -> bool:
        names = (part.name for part in parts_of(expression) if isinstance(part, Variable))
        return not any(name in self._varying for name in names)


def _computed(expression: Expression) -> Iterator[Expression]:
    """What is computed for each turn."""
    yield expression
    match expression:
        case Cast(of, _):
            yield from _computed(of)
        case Apply(_, arguments):
            for each in arguments:
                yield from _computed(each)


def emit_wide(around: Around, loop: For, width: int) -> None:
    """Writes all turns of a loop that has at least as many as a group."""
    code, slot = around.code, around.slot(loop.index)
    rows = RowsEmitter(around, Rows(loop.index, loop.count, loop.body, []), width)
    count = around.expression(loop.count).text
    last = code.value(f"sub i64 {count}, {width}")
    head, after = map(code.label, ("groups", "after"))
    code.add(f"store i64 0, ptr {slot}")
    start = rows.begin_group(last, head, after)
    rows.group(loop.body)
    code.add(f"store i64 {code.value(f'add nuw nsw i64 {start}, {width}')}, ptr {slot}")
    around.worked(str(width * work_of(loop.body)))
    code.add(f"br label %{head}")
    code.begin(after)
    code.add(f"store i64 {count}, ptr {slot}")
