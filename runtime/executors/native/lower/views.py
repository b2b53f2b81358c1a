"""Reads parts of arrays where they are: a copy of elements in a row that is only read needs no memory.

::

    for i in range(n):                          for i in range(n):
        row = memory(f64, 50)
        for k in range(50):
            row[k] = x[i * 50 + k]      ⇒
        for j in range(50):                         for j in range(50):
            total = total + row[j]                      total = total + x[i * 50 + j]

Such are the rows that `for row in x` goes over. Nothing may write into the array between the copy and what
reads it, under any of its names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autograph_base.dataclass import dataclass
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Array,
    Copy,
    Expression,
    For,
    Function,
    Load,
    Mark,
    Release,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    allocates,
    arrays_read,
    arrays_written,
    changed_in,
    expressions_in,
    having,
    inside,
    parts_of,
    rewritten,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower.memories import Memories

__all__ = ["with_views"]


@having(Allocate)
def with_views(function: Function) -> Function:
    """A function without the copies that are only read where the array itself may be."""
    uses = Counter([name for each in inside(function.body) for name in arrays_read(each)])
    uses.update(each.name for each in function.results if isinstance(each, Array))
    uses.update(
        kept.name for each in inside(function.body) if isinstance(each, Release) for kept in each.keep
    )
    block = _Block(uses, Memories(function))
    body = block.statements(function.body)
    if not block.has_views:
        return function
    return function.with_body(_without_marks(body))


@dataclass(frozen=True)
class _View:
    """A copy of elements that lie one after the other.

    Attributes
    ----------
    array, of : Array
    start : tuple of Expression
        What is added to a place in the copy, for the place in the array.
    """

    array: Array
    of: Array
    start: tuple[Expression, ...]

    @classmethod
    def of_statements(cls, one: Statement, other: Statement) -> _View | None:
        """The copy that two statements make; None where they make something else."""
        match one, other:
            case Allocate(array), For(index, _, [Store(to, Variable() as place, Load(of, start))]) if (
                to == array and place == index and of.dtype is array.dtype
            ):
                pass
            case Allocate(array), Copy(to, of, _) if to == array and of.dtype is array.dtype:
                return cls(array, of, ())
            case _:
                return None
        terms = list(_terms(start))
        if terms.count(index) != 1:
            return None
        rest = tuple([each for each in terms if each != index])
        if any(part == index or isinstance(part, Load) for each in rest for part in parts_of(each)):
            return None
        return cls(array, of, rest)

    def place(self, place: Expression) -> Expression:
        """The place in the array, of one in the copy."""
        for each in self.start:
            place = Apply("add", (each, place), place.dtype)
        return place


def _terms(expression: Expression) -> list[Expression]:
    match expression:
        case Apply("add", (one, other)):
            return [*_terms(one), *_terms(other)]
    return [expression]


class _Block:
    """Blocks of statements that are written anew.

    Parameters
    ----------
    uses : Counter of str
        How often each array is asked for.
    memories : Memories
    """

    has_views = False
    """Whether anything is read elsewhere than before."""

    def __init__(self, uses: Counter[str], memories: Memories) -> None:
        self._uses = uses
        self._memories = memories

    def statements(self, statements: Sequence[Statement]) -> list[Statement]:
        """A block."""
        found = list(statements)
        place = 0
        while place < len(found):
            view = _View.of_statements(*found[place : place + 2]) if place + 1 < len(found) else None
            if view is not None and self._is_read_alone(view, found[place + 2 :]):
                found[place:] = _reading(found[place + 2 :], view)
                self.has_views = True
                continue
            found[place] = with_blocks(found[place], self.statements)
            place += 1
        return found

    def _is_read_alone(self, view: _View, behind: Sequence[Statement]) -> bool:
        """Whether a copy is only read, behind it, while what it is a copy of stays as it is."""
        name, uses, last = view.array.name, 0, 0
        for number, each in enumerate(behind, 1):
            own = sum(_loads(one, name) for one in inside([each]))
            uses += own
            last = number if own else last
            if uses + 1 >= self._uses[name]:
                break  # nothing further behind has to do with it
        if uses + 1 != self._uses[name]:
            return False  # it is stored to, given away, or asked for elsewhere
        span = behind[:last]
        names = {part.name for each in view.start for part in parts_of(each) if isinstance(part, Variable)}
        memory = self._memories.of(view.of.name)
        written = {self._memories.of(array) for each in inside(span) for array in arrays_written(each)}
        return not changed_in(span) & {*names, name, view.of.name} and memory not in written


def _loads(statement: Statement, name: str) -> int:
    """How often a statement itself reads an element of an array."""
    parts = [part for each in expressions_in(statement) for part in parts_of(each)]
    return sum(isinstance(part, Load) and part.array.name == name for part in parts)


def _reading(statements: Sequence[Statement], view: _View) -> list[Statement]:
    def read(expression: Expression) -> Expression:
        match expression:
            case Load(array, place) if array == view.array:
                return Load(view.of, view.place(read(place)))
        return with_parts(expression, read)

    return rewritten(statements, read, lambda _: True)


def _without_marks(statements: Sequence[Statement]) -> list[Statement]:
    """Statements whose loops give no memory back where turns make none any more."""
    idle = {
        each.body[-1].mark
        for each in inside(statements)
        if isinstance(each, While) and each.body and isinstance(each.body[-1], Release)
        if not allocates(each.before) and not allocates(each.body)
    }

    def is_there(statement: Statement) -> bool:
        return not (isinstance(statement, Mark | Release) and statement.mark in idle)

    return rewritten(statements, lambda expression: expression, is_there)
