"""Loops whose turns end in a branch: each arm asks on its own whether there is another turn.

::

    while i < n and j < m:                  if i < n and j < m:
        if x[i] < y[j]:                         while True:
            i = i + 1                               if x[i] < y[j]:
        else:                                           i = i + 1
            j = j + 1                ⇒                  if not i < n: break
                                                    else:
                                                        j = j + 1
                                                        if not j < m: break

An arm asks for what it has changed alone: the rest held when the turn began. A processor foresees each
question from the way that it has come. LLVM does so by itself only where the tests are branches, and makes
one number of two tests before it comes to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Break,
    Expression,
    Fail,
    If,
    Load,
    Number,
    Set,
    Statement,
    While,
)
from runtime.executors.native.language.walking import (
    changed_in,
    expressions_in,
    kinds_in,
    parts_of,
    size_of,
    times_read,
)
from runtime.executors.native.llvm.moves import Path, followed

__all__ = ["with_tests_in_arms"]

_LARGEST = 12
"""Statements of a test that is written several times, or of what stands behind the arms."""
_DEEPEST = 3
"""Branches inside of one another of which each arm asks."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One of the truths that have to hold for another turn.

    Attributes
    ----------
    sets : sequence of Set
        What is computed for it; also what one before it needs, as `i + 1` in ``0 <= i + 1 < n``.
    test : Expression
    """

    sets: Sequence[Set]
    test: Expression

    def may_change(self, names: Collection[str], *, writes: bool) -> bool:
        """Whether it may be another one when names have changed, or elements of arrays."""
        question: list[Statement] = [*self.sets, If(self.test, [], [])]
        values = [value for each in question for value in expressions_in(each)]
        read = {part.array.name for value in values for part in parts_of(value) if isinstance(part, Load)}
        if read and (writes or not read.isdisjoint(names)):
            return True
        return not times_read(question).keys().isdisjoint(names)


def with_tests_in_arms(loop: While, reads: Counter[str]) -> list[Statement] | None:
    """A turn of a loop, which leaves it where there is no other one; None of a loop that gains nothing by it.

    Parameters
    ----------
    loop : While
    reads : Counter of str
        How often the function reads each number.
    """
    test = [*loop.before, If(loop.test, [], [])]
    if size_of(loop.before) > _LARGEST or not kinds_in(loop.before) <= {Set, If}:
        return None
    inside = times_read(test)
    if any(reads[name] > inside[name] for name in changed_in(loop.before)):
        return None
    asked = _asked(loop.before, loop.test)
    turn = _Turn(asked)
    found = turn.asking(loop.body, {}, writes=False, depth=0) if asked else []
    return found if turn.has_gained else None


def _asked(before: Sequence[Statement], test: Expression, known: Sequence[Set] = ()) -> list[_Asked]:
    """The truths of a test, each of which is asked for where those before it hold; none of another test.

    Parameters
    ----------
    before : sequence of Statement
        What the test computes where those before it hold.
    test : Expression
    known : sequence of Set
        What it has computed in front of that.
    """
    sets = [each for each in before if isinstance(each, Set)]
    if len({each.variable.name for each in [*known, *sets]}) < len(known) + len(sets):
        return []
    match before:
        case [*firsts, If(first, then, [Set(found, Number(False))])] if found == test and firsts == sets:
            more = _asked(then, test, [*known, *sets])
            return more and [_Asked(_needed([*known, *sets], first), first), *more]
        case [*_, Set(found, value)] if found == test and list(before) == sets:
            return [_Asked(_needed([*known, *sets[:-1]], value), value)]
        case _ if list(before) == sets:
            return [_Asked(_needed([*known, *sets], test), test)]
    return []


def _needed(sets: Sequence[Set], test: Expression) -> list[Set]:
    """What a question needs of what has been computed."""
    names, found = set(times_read([If(test, [], [])])), list[Set]()
    for each in reversed(sets):
        if each.variable.name in names:
            names |= times_read([each]).keys()
            found.append(each)
    return found[::-1]


def _questions(asked: Sequence[_Asked]) -> list[Statement]:
    """Where one of these does not hold, the loop is left; what several need is computed once."""
    found, computed = list[Statement](), set[str]()
    for each in asked:
        found += [one for one in each.sets if one.variable.name not in computed]
        computed |= {one.variable.name for one in each.sets}
        found.append(If(Apply("logical_not", (each.test,), bool_), [Break()], []))
    return found


def _writes(statements: Sequence[Statement]) -> bool:
    """Whether statements may write into arrays."""
    return not kinds_in(statements) <= {Alias, Break, Fail, If, Set}


class _Turn:
    """A turn of a loop in the making.

    Parameters
    ----------
    asked : list of _Asked
        What has to hold for another one.

    Attributes
    ----------
    has_gained : bool
        Whether some arm has to ask for less than all.
    """

    def __init__(self, asked: Sequence[_Asked]) -> None:
        self._asked = asked
        self.has_gained = False

    def asking(
        self, statements: Sequence[Statement], path: Path, *, writes: bool, depth: int
    ) -> list[Statement]:
        """The end of a turn, and what it has to ask for behind that, from what is known before it."""
        if any(isinstance(each, Break) for each in statements[-1:]):
            return list(statements)
        before, branch, after = _parted(statements)
        if branch is None or depth == _DEEPEST:
            changed = {name for name, left in followed(statements, path).items() if left != (name, 0)}
            writes = writes or _writes(statements)
            own = [each for each in self._asked if each.may_change(changed, writes=writes)]
            self.has_gained |= len(own) < len(self._asked) and depth > 0
            return [*statements, *_questions(own)]
        path, writes = followed(before, path), writes or _writes(before)
        arms = [
            self.asking([*arm, *after], path, writes=writes, depth=depth + 1)
            for arm in (branch.then, branch.orelse)
        ]
        return [*before, If(branch.test, *arms, is_rare=branch.is_rare)]


def _parted(statements: Sequence[Statement]) -> tuple[Sequence[Statement], If | None, Sequence[Statement]]:
    """Statements as a branch, what is in front of it, and the names that are given behind it."""
    for place in reversed(range(len(statements))):
        each = statements[place]
        if isinstance(each, If) and len(statements) - place <= _LARGEST:
            return statements[:place], each, statements[place + 1 :]
        if not isinstance(each, Set | Alias):
            break
    return statements, None, []
