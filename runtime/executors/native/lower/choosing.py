"""Branches that only choose between whole numbers, and count, are choices where LLVM makes vectors of them.

::

    for i in range(n):                              for i in range(n):
        if x[i] == 32:                                  a = x[i] == 32
            blank = True                                b = x[i] == 9
        else:                               ⇒           blank = a or b
            blank = x[i] == 9                           c = blank or inside
        if not blank and not inside:                    words = select(c, words, words + 1)
            words = words + 1                           inside = not blank
        inside = not blank

So it is where a turn needs nothing of the one before but numbers that it adds to, and what that one has found
without others. LLVM makes no vectors of such a loop while the number that is handed on has come by a branch.
Where it needs more, each turn would wait for what the one before has chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from runtime.core.dtypes import bool_
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
from runtime.executors.native.language.walking import (
    bottom_up,
    changed_by,
    changed_in,
    exposed_in,
    having,
    inside,
    kinds_in,
    numbers_in,
    parts_of,
    size_of,
    with_parts,
)

__all__ = ["choosing_anyway"]

_FEW = 32
"""Turns that are not worth vectors."""
_LARGEST = 60
"""Statements of a turn."""
_CHEAP = frozenset(
    {
        *("add", "subtract", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
        *("logical_and", "logical_or", "logical_not"),
    }
)
"""What an arm may compute that is done in any case."""


@having(For, If)
def choosing_anyway(function: Function) -> Function:
    """A function whose loops choose where that is all that their branches decide about."""
    reads = Counter(_reads_in(function.body))
    reads.update(each.name for each in function.results if isinstance(each, Variable))

    def statement(each: Statement) -> Statement:
        if not isinstance(each, For) or not _is_choosing(each):
            return each
        own = Counter(_reads_in(each.body))
        if not _Turn(each.index, each.body).needs_little() or not _leaves_nothing_else(each.body, own, reads):
            return each
        return For(each.index, each.count, list(_Straight().block(each.body)))

    return bottom_up(function, statement)


def _reads_in(statements: Sequence[Statement]) -> Iterator[str]:
    for each in inside(statements):
        yield from numbers_in(each)


def _is_choosing(loop: For) -> bool:
    """Whether a loop may have many turns, and all that branches do in these may be done in any case."""
    if isinstance(loop.count, Number) and loop.count.value <= _FEW:
        return False
    kinds = kinds_in(loop.body)
    return (
        If in kinds
        and kinds <= {Set, If}
        and size_of(loop.body) <= _LARGEST
        and all(map(_is_cheap, loop.body))
    )


def _leaves_nothing_else(body: Sequence[Statement], own: Counter[str], reads: Counter[str]) -> bool:
    """Whether what one arm of a branch alone sets is read in that arm alone."""
    for each in inside(body):
        if not isinstance(each, If):
            continue
        then, orelse = changed_in(each.then), changed_in(each.orelse)
        for arm, others in (each.then, then - orelse), (each.orelse, orelse - then):
            here = Counter(_reads_in(arm))
            if any(not here[name] == own[name] == reads[name] for name in others):
                return False
            if not exposed_in(arm, set()).isdisjoint(others):
                return False
    return True


def _is_cheap(statement: Statement) -> bool:
    """Whether a statement of a turn may be done in any case."""
    if isinstance(statement, Set):
        return True
    assert isinstance(statement, If), "there is nothing else"
    if statement.is_rare or not isinstance(statement.test, Variable):
        return False
    sets = [each for each in inside([statement]) if isinstance(each, Set)]
    return all(_is_cheap(each) for each in (*statement.then, *statement.orelse)) and all(
        each.variable.dtype.kind in "iub"
        and not isinstance(part, Load)
        and (not isinstance(part, Apply) or part.function in _CHEAP)
        for each in sets
        for part in parts_of(each.value)
    )


class _Turn:
    """What the numbers of a turn are made of.

    Parameters
    ----------
    index : Variable
    body : sequence of Statement
        Numbers that are set, and branches.
    """

    def __init__(self, index: Variable, body: Sequence[Statement]) -> None:
        self._carried = exposed_in(body, {index.name}) & changed_in(body)
        self._times = Counter(changed_by(body))
        self._values = list(_values_of(body))
        self._needs: dict[str, set[str]] = {}
        for variable, value, tests in self._values:
            names = {part.name for part in parts_of(value) if isinstance(part, Variable)}
            self._needs.setdefault(variable.name, set()).update(names, tests)

    def needs_little(self) -> bool:
        """Whether turns need nothing of each other but sums, and what one finds without those before."""
        found = [self._is_found_anew(name) for name in self._carried]
        if not found or all(found):
            return bool(found)
        return any(found) and all(
            is_found or self._is_sum(name) for name, is_found in zip(self._carried, found, strict=True)
        )

    def _is_found_anew(self, name: str) -> bool:
        """Whether what a turn leaves in a number needs no number of the turn before."""
        pending, seen = list(self._needs[name]), set(self._needs[name])
        while pending:
            more = self._needs.get(pending.pop(), set()) - seen
            seen |= more
            pending += more
        return self._times[name] == 1 and seen.isdisjoint(self._carried)

    def _is_sum(self, name: str) -> bool:
        """Whether turns only add to a whole number, and nobody asks for it."""
        family, before = {name}, 0
        while before != (before := len(family)):
            family |= {variable.name for variable, value, _ in self._values if _is_more(value, family)}
        for variable, value, tests in self._values:
            names = {part.name for part in parts_of(value) if isinstance(part, Variable)}
            if not family.isdisjoint(tests) or (variable.name in family and not variable.dtype.is_integer):
                return False
            if (variable.name in family or not family.isdisjoint(names)) and not _is_more(value, family):
                return False
        return True


def _values_of(
    statements: Sequence[Statement], tests: frozenset[str] = frozenset()
) -> Iterator[tuple[Variable, Expression, frozenset[str]]]:
    """All numbers that are set, with their values and the tests on which it depends that they are."""
    for each in statements:
        if isinstance(each, Set):
            yield each.variable, each.value, tests
        elif isinstance(each, If):
            asked = tests | {part.name for part in parts_of(each.test) if isinstance(part, Variable)}
            yield from _values_of(each.then, asked)
            yield from _values_of(each.orelse, asked)


def _is_more(value: Expression, family: set[str]) -> bool:
    """Whether a value is one of some numbers, or one with something added."""
    match value:
        case Variable(name):
            return name in family
        case Apply("add" | "subtract", (Variable(name), Number() | Variable() as more)):
            return name in family and not (isinstance(more, Variable) and more.name in family)
    return False


class _Straight:
    """A turn without branches, in the making."""

    def __init__(self) -> None:
        self._count = 0

    def block(self, statements: Sequence[Statement]) -> Iterator[Set]:
        """Statements, with what branches leave under the names that it has."""
        for each in statements:
            if isinstance(each, Set):
                yield each
            elif isinstance(each, If):
                yield from self._branch(each)

    def _branch(self, branch: If) -> Iterator[Set]:
        made: list[Set] = []
        left = self._chosen(branch, {}, made)
        for variable, value in left.items():
            if isinstance(value, Variable) and value in left:  # two numbers may have changed places
                left[variable] = self._made(value, variable, made)
        yield from made
        for variable, value in left.items():
            yield Set(variable, value)

    def _chosen(
        self, branch: If, names: Mapping[Variable, Expression], made: list[Set]
    ) -> dict[Variable, Expression]:
        """What a branch leaves in the numbers that both of its arms set."""
        test = _read(branch.test, names)
        one, other = [self._arm(arm, names, made) for arm in (branch.then, branch.orelse)]
        return {
            variable: self._named(_choice(test, value, other[variable]), variable, made)
            for variable, value in one.items()
            if variable in other
        }

    def _arm(
        self, statements: Sequence[Statement], names: Mapping[Variable, Expression], made: list[Set]
    ) -> dict[Variable, Expression]:
        """What the numbers are that an arm sets, of which the parts are `made` before."""
        known, own = dict(names), dict[Variable, Expression]()
        for each in statements:
            if isinstance(each, Set):
                found = {each.variable: self._named(_read(each.value, known), each.variable, made)}
            else:
                assert isinstance(each, If), "there is nothing else"
                found = self._chosen(each, known, made)
            known |= found
            own |= found
        return own

    def _named(self, value: Expression, variable: Variable, made: list[Set]) -> Expression:
        return value if isinstance(value, Variable | Number) else self._made(value, variable, made)

    def _made(self, value: Expression, variable: Variable, made: list[Set]) -> Variable:
        self._count += 1
        own = Variable(f"{variable.name}.way{self._count}", variable.dtype)
        made.append(Set(own, value))
        return own


def _read(value: Expression, names: Mapping[Variable, Expression]) -> Expression:
    if isinstance(value, Variable):
        return names.get(value, value)
    return with_parts(value, lambda part: _read(part, names))


def _choice(test: Expression, one: Expression, other: Expression) -> Expression:
    """One of two values."""
    if one == other:
        return one
    match one, other:
        case Number(True, dtype), _ if dtype is bool_:
            return Apply("logical_or", (test, other), bool_)
        case _, Number(False, dtype) if dtype is bool_:
            return Apply("logical_and", (test, one), bool_)
    return Apply("select", (test, one, other), one.dtype)
