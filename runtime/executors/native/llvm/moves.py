"""Numbers by which a loop says, when it is over, how many turns it has had at most.

::

    while i < n and j < m:
        if x[i] < y[j]:
            i = i + 1
        else:                   ⇒       (i - what it was) + (j - what it was)
            j = j + 1

Each turn moves one of them, and none is ever moved back. There may be fewer turns than they say.

    >>> from runtime.core.dtypes import bool_, int64
    >>> from runtime.executors.native.language.loops import add
    >>> i, j, less = Variable("i", int64), Variable("j", int64), Variable("t", bool_)
    >>> [(each.name, step) for each, step in moves_of([If(less, [Set(i, add(i, 1))], [Set(j, add(j, -2))])])]
    [('i', 1), ('j', -1)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import (
    Apply,
    Break,
    Expression,
    Fail,
    If,
    Number,
    Set,
    Statement,
    Variable,
)
from runtime.executors.native.language.walking import changes_of, inside, step_of

__all__ = ["Moves", "Path", "followed", "moves_of"]

Moves = Sequence[tuple[Variable, int]]
"""Numbers, and at least how far a turn moves one of them: below 0 where it gets less."""

_MOST_PATHS, _MOST_NUMBERS, _FARTHEST = 32, 3, 16

Path = Mapping[str, "tuple[str, int] | None"]
"""How far names are from what others were at the beginning of a turn; None where that is not known."""


def moves_of(turn: Sequence[Statement]) -> Moves:
    """The fewest numbers of which each turn moves one; none where there are no such."""
    written = {each.variable.name: each.variable for each in inside(turn) if isinstance(each, Set)}
    numbers = [each for each in written.values() if each.dtype is int64]
    for number in numbers:
        step = step_of(number, turn)
        if step:
            return [(number, step)]
    paths = _paths(turn, [{}])
    if not paths:
        return []
    far = {each: [_moved(each, path) for path in paths] for each in numbers}
    ways = {each: _way(steps) for each, steps in far.items()}
    for count in range(1, _MOST_NUMBERS + 1):
        for some in combinations([each for each in numbers if ways[each]], count):
            if all(any(steps) for steps in zip(*(far[each] for each in some), strict=True)):
                return [(each, ways[each]) for each in some]
    return []


def _moved(number: Variable, path: Path) -> int | None:
    """How far a path has moved a number."""
    left = path.get(number.name, (number.name, 0))
    return left[1] if left is not None and left[0] == number.name else None


def _way(steps: Sequence[int | None]) -> int:
    """Whether steps make a number greater, or less; 0 where neither is known, or they say little of turns."""
    known = [each for each in steps if each is not None]
    if len(known) < len(steps) or not any(known) or max(map(abs, known)) > _FARTHEST:
        return 0
    return 1 if min(known) >= 0 else -1 if max(known) <= 0 else 0


def _paths(statements: Sequence[Statement], paths: list[Path]) -> list[Path]:
    """What is known at the end of statements on each path through them behind which there is another turn."""
    for each in statements:
        if isinstance(each, Break | Fail):
            return []
        if isinstance(each, If):
            paths = [way for arm in (each.then, each.orelse) for way in _paths(arm, paths)]
        else:
            paths = [{**path, **_left_by(each, path)} for path in paths]
        paths = list(_distinct(paths))
        if len(paths) > _MOST_PATHS:
            return []
    return paths


def followed(statements: Sequence[Statement], path: Path) -> Path:
    """What is known behind statements, whichever way these take."""
    for each in statements:
        path = {**path, **_left_by(each, path)}
    return path


def _left_by(statement: Statement, path: Path) -> Path:
    """What is known of the names that a statement gives another value."""
    if isinstance(statement, Set):
        variable, value = statement.variable, statement.value
        is_followed = variable.dtype is int64 or isinstance(value, Variable)
        return {variable.name: _from(value, path) if is_followed else None}
    return dict.fromkeys(changes_of(statement))


def _from(value: Expression, path: Path) -> tuple[str, int] | None:
    match value:
        case Variable(name):
            return path.get(name, (name, 0))
        case Apply("add", (one, Number(more))) | Apply("add", (Number(more), one)):
            step = int(more)
        case Apply("subtract", (one, Number(less))):
            step = -int(less)
        case _:
            return None
    found = _from(one, path)
    return None if found is None else (found[0], found[1] + step)


def _distinct(paths: Sequence[Path]) -> Iterator[Path]:
    """Paths that do not leave the same."""
    return iter({frozenset(path.items()): path for path in paths}.values())
