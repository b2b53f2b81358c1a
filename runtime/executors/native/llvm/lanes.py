"""Which inner loops LLVM may vectorise, and the functions of floats in them.

Such a loop has no other loop, no branch and no call inside, and no turn has a number of the one before. In
it, exponentials, sines and their like are our own, which have vectors. Of these, sines are right up to some
size of the argument; a loop notes whether one was larger, and is then done again with a slower function. So
it has to be one that may be done again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from runtime.executors.native.language.choices import is_choice
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Call,
    Expression,
    Fail,
    Fold,
    For,
    If,
    Load,
    Number,
    Rows,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import exposed_in, expressions_in, inside, kinds_in, parts_of
from runtime.executors.native.mathematics import BOUNDED
from runtime.executors.native.mathematics.quotients import QUOTIENT

__all__ = [
    "changed",
    "counts_at_branches",
    "has_aliases",
    "has_far",
    "has_lanes",
    "has_quotients",
    "is_straight",
    "looks_up",
    "may_be_repeated",
    "runs_straight",
    "waits_at_branches",
]


def has_lanes(loop: For) -> bool:
    """Whether several turns may be done at a time."""
    if not all(isinstance(each, Set | Store | Fold) for each in loop.body):
        return False
    numbers = {each.variable.name for each in loop.body if isinstance(each, Set)}
    return exposed_in(loop.body, {loop.index.name}).isdisjoint(numbers)


def is_straight(loop: For) -> bool:
    """Whether it fills memory turn for turn: what vectors leave of it are too few turns to unroll."""
    return any(isinstance(each, Store) for each in loop.body) and all(
        isinstance(each, Set | Store | Fold | Alias) for each in loop.body
    )


def has_far(loop: For) -> bool:
    """Whether it applies a function that is right up to some size of the argument only."""
    return any(
        isinstance(part, Apply) and part.function in BOUNDED and part.dtype.is_floating
        for statement in inside(loop.body)
        for each in expressions_in(statement)
        for part in parts_of(each)
    )


def has_quotients(loop: For) -> bool:
    """Whether it computes quotients by reciprocals: for more than two vectors at a time there is no room."""
    return any(
        isinstance(part, Apply) and part.function == QUOTIENT
        for statement in loop.body
        for each in expressions_in(statement)
        for part in parts_of(each)
    )


def looks_up(loop: For) -> bool:
    """Whether it takes small elements from where other elements say.

    No processor has an instruction that gathers bytes for a vector. LLVM makes vectors even so, of which it
    takes each place apart.
    """
    if not kinds_in(loop.body).isdisjoint({For, While, Rows}):
        return False  # LLVM makes vectors of inner loops alone
    found: set[str] = set()
    for each in inside(loop.body):
        if isinstance(each, Set) and any(_is_found(part, found) for part in parts_of(each.value)):
            found.add(each.variable.name)
    return any(
        isinstance(part, Load)
        and part.array.dtype.itemsize < _GATHERED
        and any(_is_found(inner, found) for inner in parts_of(part.place))
        for each in inside(loop.body)
        for value in expressions_in(each)
        for part in parts_of(value)
    )


_GATHERED = 4
"""Bytes of the smallest elements that processors gather."""


def _is_found(part: Expression, found: Collection[str]) -> bool:
    return isinstance(part, Load) or (isinstance(part, Variable) and part.name in found)


def waits_at_branches(loop: For) -> bool:
    """Whether turns take one way or another, and need numbers of the turn before.

    Copies of such a turn gain nothing: a processor learns the ways of each copy on its own. It foresees what
    is seldom, and has instructions for the greater of two numbers, and to count what holds.
    """
    if not kinds_in(loop.body).isdisjoint({For, While, Rows}):
        return False
    known = {each.variable: each.value for each in inside(loop.body) if isinstance(each, Set)}
    branches = [
        each
        for each in inside(loop.body)
        if isinstance(each, If) and not each.is_rare and not _is_one_step(each, known)
    ]
    if all(isinstance(each, Fail) for branch in branches for each in branch.then[-1:]):
        return False
    numbers = {each.variable.name for each in inside(loop.body) if isinstance(each, Set)}
    return not exposed_in(loop.body, {loop.index.name}).isdisjoint(numbers)


def counts_at_branches(loop: For) -> bool:
    """Whether all that branches do is to choose between numbers, and to count: two vectors do so at once."""
    if any(isinstance(each, Store) for each in inside(loop.body)):
        return False
    branches = [each for each in inside(loop.body) if isinstance(each, If)]
    arms = [each for branch in branches for each in (*branch.then, *branch.orelse)]
    return all(isinstance(each, If) or (isinstance(each, Set) and _is_counted(each.value)) for each in arms)


def _is_counted(value: Expression) -> bool:
    match value:
        case Variable() | Number():
            return True
        case Apply(function, (Variable(), Number())):
            return function in _COUNTING
    return False


_COUNTING = frozenset({"add", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})


def _is_one_step(branch: If, known: Mapping[Variable, Expression]) -> bool:
    """Whether a branch takes one of two numbers that it compares, or counts."""
    test = known.get(branch.test) if isinstance(branch.test, Variable) else None
    if isinstance(test, Apply) and is_choice(test, branch.then, branch.orelse, known):
        return True
    match branch.then, branch.orelse:
        case [Set(more, Apply("add", (counted, Number()))), Set(one, now)], [Set(other, kept)]:
            return one == other and now == more and kept == counted
    return False


def runs_straight(loop: While) -> bool:
    """Whether each turn takes one way, but where it ends the run: copies have nothing to foresee."""
    return all(
        isinstance(each, Set | Store | Fold | Alias)
        or (isinstance(each, If) and not each.orelse and _only_fails(each.then))
        for each in (*loop.before, *loop.body)
    )


def _only_fails(arm: Sequence[Statement]) -> bool:
    return Fail in kinds_in(arm) and kinds_in(arm) <= {Set, If, Fail}


def may_be_repeated(loop: For, fresh: Collection[str]) -> bool:
    """Whether a loop that has lanes may be done again: it reads nothing that it writes.

    Parameters
    ----------
    loop : For
    fresh : collection of str
        Arrays that were made since anything else got a name.
    """
    read = {
        part.array.name
        for statement in loop.body
        for each in expressions_in(statement)
        for part in parts_of(each)
        if isinstance(part, Load)
    }
    written = {each.array.name for each in loop.body if isinstance(each, Store)}
    return written <= set(fresh) and not written & read


def changed(loop: For) -> list[Variable]:
    """The numbers that a loop changes."""
    found = [each.variable for each in loop.body if isinstance(each, Set | Fold)]
    return list(dict.fromkeys(found))


def has_aliases(statements: Sequence[Statement]) -> bool:
    """Whether memory may get another name."""
    return not kinds_in(statements).isdisjoint({Alias, Call})
