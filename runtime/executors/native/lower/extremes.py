"""The least and the most so far are seldom exceeded: the branch that does it stays a branch.

::

    for i in range(1000):                       for i in range(1000):
        t = x[i] < least                            t = x[i] < least
        if t:                                       if t (seldom):
            now = x[i]                  ⇒               now = x[i]
        else:                                       else:
            now = least                                 now = least
        least = now                                 least = now

Where LLVM chooses between two floats, each turn waits for what the one before has chosen. A processor that
expects the branch not to be taken waits for nothing; of many numbers in any order, few take it. Where the
branch does nothing else, it is one instruction to take the least, and stays a choice. Whole numbers
are left alone, as LLVM makes vectors of the least of these, and so are loops that do not count: these may be
short.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from runtime.core.dtypes import bool_
from runtime.executors.native.language.choices import is_choice
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    For,
    Function,
    If,
    Load,
    Number,
    Set,
    Statement,
    Variable,
)
from runtime.executors.native.language.walking import bottom_up, changed_in, exposed_in, inside, with_blocks

__all__ = ["expecting_extremes"]

_MANY = 64
"""Turns from which on a number is seldom exceeded."""
_COMPARES = frozenset({"less", "less_equal", "greater", "greater_equal"})


def expecting_extremes(function: Function) -> Function:
    """A function that expects of long loops what they mostly do."""
    return bottom_up(function, _statement)


def _statement(statement: Statement) -> Statement:
    match statement:
        case For(_, count, _) if not isinstance(count, Number) or count.value >= _MANY:
            return with_blocks(statement, _turn)
    return statement


def _turn(body: Sequence[Statement]) -> list[Statement]:
    """A turn whose branches are seldom taken that exceed what the turns before have found."""
    carried = exposed_in(body, set()) & changed_in(body)
    values: dict[str, list[Expression]] = {}
    known: dict[Variable, Expression] = {}
    found = list[Statement]()
    for each in body:
        match each:
            case If(Variable(name), then, orelse, is_rare=False) if orelse and name in values:
                tests = list(_comparisons(name, values))
                is_all = any(is_choice(test, then, orelse, known) for test in tests)
                if not is_all and any(_exceeds(test, then, orelse, carried, known) for test in tests):
                    found.append(If(each.test, then, orelse, is_rare=True))
                    continue
        found.append(each)
        for inner in inside([each]):
            if isinstance(inner, Set):
                known[inner.variable] = inner.value
                values.setdefault(inner.variable.name, []).append(inner.value)
    return found


def _comparisons(name: str, values: Mapping[str, Sequence[Expression]]) -> Iterator[Apply]:
    """What is compared where a truth is found, of which there may be several that have to hold."""
    pending, seen = [name], {name}
    while pending:
        for value in values.get(pending.pop(), ()):
            if isinstance(value, Apply) and value.function in _COMPARES:
                yield value
            elif isinstance(value, Variable) and value.dtype is bool_ and value.name not in seen:
                seen.add(value.name)
                pending.append(value.name)


def _exceeds(
    test: Apply,
    then: Sequence[Statement],
    orelse: Sequence[Statement],
    carried: Collection[str],
    known: Mapping[Variable, Expression],
) -> bool:
    """Whether a branch gives another value to a float that a comparison is of, and the other keeps it.

    So it may to the place of an element that it is of, whatever that is: it has to be read in each turn.
    """
    compared = [each for each in test.arguments if isinstance(each, Variable)]
    places = [value.place for each in compared if isinstance(value := known.get(each), Load)]
    asked = [each for each in compared if each.dtype.is_floating]
    asked += [each for each in places if isinstance(each, Variable)]
    kept = {each.variable: each.value for each in orelse if isinstance(each, Set)}
    other = {each.variable: each.value for each in then if isinstance(each, Set)}
    changed = {value for name, value in kept.items() if other.get(name, value) != value}
    return any(one.name in carried and one in changed for one in asked)
