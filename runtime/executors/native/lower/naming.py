"""What the arms of a branch leave gets the name at once that it has behind the branch.

::

    if less:                                if less:
        now = a + 1                             a = a + 1
    elif more:                              elif more:
        now = a - 1             ⇒               a = a - 1
    else:                                   else:
        now = a                                 a = a
    a = now

LLVM chooses between the numbers of two ways that meet, and each turn of a loop then waits for what the one
before has chosen: for an index, for the element there, and for what is asked of that. A processor that
foresees a branch waits for nothing. Where nothing stands between one branch and the end of another around
it, more than two ways meet at once, and LLVM leaves them as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import is_

from runtime.executors.native.language.loops import Expression, Function, If, Set, Statement, Variable
from runtime.executors.native.language.walking import (
    blocks_in,
    changes_of,
    having,
    inside,
    numbers_in,
    with_blocks,
)

__all__ = ["named_at_once"]

_ROUNDS = 3
"""A number gets a name behind a branch, another one at the end of a turn, and seldom one more."""


@having(If)
def named_at_once(function: Function) -> Function:
    """A function in which fewer numbers are copied behind branches."""
    body: Sequence[Statement] = function.body
    for _ in range(_ROUNDS):
        found = _Names(body, function).block(body)
        if len(found) == len(body) and all(map(is_, found, body)):
            break
        body = found
    if body is function.body:
        return function
    return function.with_body(body)


class _Names:
    """Numbers that are read behind the branches alone that set them, each to get another name."""

    def __init__(self, body: Sequence[Statement], function: Function) -> None:
        reads = Counter([name for each in inside(body) for name in numbers_in(each)])
        reads.update([each.name for each in function.results])
        copies = Counter(_copied(body))
        self._only_copied = {name for name, count in copies.items() if reads[name] == count}

    def block(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Statements, with those inside of them."""
        found: list[Statement] = []
        taken: set[int] = set()
        for place, each in enumerate(statements):
            if place in taken:
                continue
            statement = with_blocks(each, self.block)
            if isinstance(statement, If):
                copies = self._copies(statement, statements, place)
                if copies:
                    names = dict(copies.values())
                    statement = _renamed(statement, names)
                    taken.update(copies)
            found.append(statement)
        return found

    def _copies(
        self, branch: If, statements: Sequence[Statement], place: int
    ) -> Mapping[int, tuple[str, Variable]]:
        """The copies behind a branch that it may do itself, by their places: what is copied, and its name."""
        found: dict[int, tuple[str, Variable]] = {}
        touched: set[str] = set()
        for index, variable, value in _numbers_behind(statements, place):
            if (
                isinstance(value, Variable)
                and value.name in self._only_copied
                and variable.name not in touched
                and variable.name not in changes_of(branch)
                and _leaves(branch, value.name, variable.name)
            ):
                found[index] = value.name, variable
            touched.update((*numbers_in(statements[index]), variable.name))
        return found


def _copied(statements: Sequence[Statement]) -> Iterator[str]:
    """The numbers that branches set and that are copied behind these, once for each branch."""
    for block in blocks_in(statements):
        for place, each in enumerate(block):
            if isinstance(each, If) and place + 1 < len(block) and isinstance(block[place + 1], Set):
                changed = changes_of(each)
                values = [value for _, _, value in _numbers_behind(block, place)]
                names = {value.name for value in values if isinstance(value, Variable)}
                yield from [name for name in names & changed if _leaves(each, name)]


def _numbers_behind(
    statements: Sequence[Statement], place: int
) -> Iterator[tuple[int, Variable, Expression]]:
    """The numbers that are set behind a statement, before anything else is done."""
    for index in range(place + 1, len(statements)):
        match statements[index]:
            case Set(variable, value):
                yield index, variable, value
            case _:
                return


def _leaves(branch: If, name: str, other: str | None = None) -> bool:
    """Whether both arms end with setting a number, after which they do not ask for another one."""
    return all(_ends_with(arm, name, other) for arm in (branch.then, branch.orelse))


def _ends_with(statements: Sequence[Statement], name: str, other: str | None) -> bool:
    for each in reversed(statements):
        match each:
            case Set(variable) if variable.name == name:
                return True
            case If() if name in changes_of(each):
                return _leaves(each, name, other)
            case Set():
                if other in numbers_in(each):
                    return False
            case _:
                return False
    return False


def _renamed(branch: If, names: Mapping[str, Variable]) -> If:
    """A branch that leaves numbers under other names."""

    def block(statements: Sequence[Statement]) -> list[Statement]:
        found: list[Statement] = []
        for each in map(anew, statements):
            if not (_is_kept(each) and any(isinstance(before, If) for before in found)):
                found.append(each)
        return found

    def anew(statement: Statement) -> Statement:
        match statement:
            case Set(variable, value) if variable.name in names:
                return Set(names[variable.name], value)
        return with_blocks(statement, block)

    return If(branch.test, block(branch.then), block(branch.orelse), is_rare=branch.is_rare)


def _is_kept(statement: Statement) -> bool:
    """Whether a number gets the value that it has."""
    return isinstance(statement, Set) and statement.value == statement.variable
