"""Loop fusion: adjacent loops become one where each turn of the second needs only that turn of the first.

::

    for i in range(n):                  for i in range(n):
        y[i] = exp(x[i])        ⇒           y[i] = exp(x[i])
    sum = 0.0                               sum = fold(add, sum, y[i])
    for k in range(n):
        sum = fold(add, sum, y[k])

What is written by one loop and touched by the other has to lie in rows, one for each turn: a turn touches its
own row alone. So a softmax goes row by row, and each row stays where it is near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from autograph_base.dataclass import dataclass
from runtime.executors.native.language.expressions import linear
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Call,
    Expression,
    Fold,
    For,
    Host,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Try,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    inside,
    kinds_in,
    parts_of,
    rewritten,
    size_of,
    with_blocks,
    with_parts,
)
from runtime.executors.native.llvm.lanes import has_far

__all__ = ["Facts", "fused", "is_by_rows", "is_plain"]

_MOST = 100
"""Statements of a loop that is not made any longer: LLVM's time grows faster than they do."""


def fused(statements: Sequence[Statement]) -> list[Statement]:
    """The statements of a block, with fewer loops."""
    return _block(statements, set())


def _block(statements: Sequence[Statement], made: set[str]) -> list[Statement]:
    """A block of statements.

    Parameters
    ----------
    statements : sequence of Statement
    made : set of str
        Arrays that are new, and have no other name.
    """
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case Allocate(array, _):
                made.add(array.name)
            case Alias(array, of):
                made -= {array.name, of.name}
            case Call() | Host():
                made.clear()
            case While() | If():
                statement = with_blocks(statement, lambda block: _block(block, set()))  # noqa: PLW2901  # itself, with fewer loops
                made.clear()
            case Try():
                made.clear()
        if not (isinstance(statement, For) and _joined(found, statement, made)):
            found.append(statement)
    return [_within(each, made) for each in found]


def _within(statement: Statement, made: set[str]) -> Statement:
    """A loop whose body has fewer loops."""
    if isinstance(statement, For) and is_plain(statement.body):
        return with_blocks(statement, lambda block: _block(block, set(made)))
    return statement


def _joined(found: list[Statement], loop: For, made: set[str]) -> bool:
    """Puts a loop into the last one that there is, if it may: what is between goes in front."""
    place = next((k for k in reversed(range(len(found))) if isinstance(found[k], For)), None)
    if place is None:
        return False
    first, between = found[place], found[place + 1 :]
    assert isinstance(first, For), "it was asked"
    if first.count != loop.count or not _are_separate(first, loop, made):
        return False
    if not all(_may_go_before(each, first) for each in between):
        return False

    def read(expression: Expression) -> Expression:
        return first.index if expression == loop.index else with_parts(expression, read)

    renamed = rewritten(loop.body, read, lambda _: True)
    found[place:] = [*between, For(first.index, first.count, [*first.body, *renamed])]
    return True


def is_plain(statements: Sequence[Statement]) -> bool:
    """Whether statements only compute with numbers and elements, in loops of known turns."""
    return kinds_in(statements) <= {Set, Store, Fold, For}


def _may_go_before(statement: Statement, loop: For) -> bool:
    """Whether a statement has nothing to do with a loop."""
    facts = Facts.of(loop)
    match statement:
        case Set(variable, value):
            own = {variable, *_variables(value)}
            return not own & (facts.changed | facts.read) and not any(_loads(value))
        case Allocate(array, count):
            is_known = not set(_variables(count)) & facts.changed and not any(_loads(count))
            return is_known and array.name not in facts.accesses
    return False


def _are_separate(one: For, other: For, made: set[str]) -> bool:
    """Whether a turn of the second loop needs, and disturbs, that turn of the first alone."""
    if not (is_plain(one.body) and is_plain(other.body)):
        return False
    if size_of(one.body) + size_of(other.body) > _MOST:
        return False
    first, second = Facts.of(one), Facts.of(other)
    if first.changed & (second.read | second.changed) or second.changed & first.read:
        return False
    if set(_variables(other.count)) & first.changed:
        return False
    written = first.written | second.written
    if not written <= made:
        return False
    if _is_innermost(one) and _is_innermost(other) and (has_far(one) or has_far(other)):
        return False  # it may have to be done again, and must not read what it writes
    shared = {name for name in written if name in first.accesses and name in second.accesses}
    return all(is_by_rows(first, second, name) for name in shared)


def _is_innermost(loop: For) -> bool:
    return not any(isinstance(each, For) for each in loop.body)


@dataclass
class Facts:
    """What a loop reads and changes.

    Attributes
    ----------
    index : Variable
    changed, read : set of Variable
    written : set of str
        Arrays.
    accesses : dict of str to list
        For each array, the places that are read or written.
    lengths : dict of Variable to int
        How often the loops inside turn, by their index; 0 where that is not known.
    """

    index: Variable
    changed: set[Variable] = field(default_factory=set)
    read: set[Variable] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    accesses: dict[str, list[Expression]] = field(default_factory=dict)
    lengths: dict[Variable, int] = field(default_factory=dict)

    @classmethod
    def of(cls, loop: For) -> Facts:
        """The facts of a loop."""
        facts = cls(loop.index, {loop.index})
        for each in inside(loop.body):
            match each:
                case Set(variable, value) | Fold(variable, _, value):
                    facts.changed.add(variable)
                    facts._reads(value)
                case Store(array, place, value):
                    facts.written.add(array.name)
                    facts.accesses.setdefault(array.name, []).append(place)
                    facts._reads(place)
                    facts._reads(value)
                case For(index, count, _):
                    facts.changed.add(index)
                    facts._reads(count)
                    facts.lengths[index] = int(count.value) if isinstance(count, Number) else 0
        return facts

    def _reads(self, value: Expression) -> None:
        self.read.update(_variables(value))
        for load in _loads(value):
            self.accesses.setdefault(load.array.name, []).append(load.place)


def is_by_rows(first: Facts, second: Facts, name: str) -> bool:
    """Whether an array lies in rows of which each turn touches its own."""
    rows = [_row(facts, place) for facts in (first, second) for place in facts.accesses[name]]
    return rows[0] is not None and all(row == rows[0] for row in rows)


def _row(facts: Facts, place: Expression) -> tuple[int, frozenset[tuple[Variable, int]]] | None:
    """How long the row of a turn is, and where the first begins; None where a place may be in another row."""
    known = linear(place)
    if known is None:
        return None
    terms, within = known
    length = terms.pop(facts.index, 0)
    for variable in list(terms):
        if variable in facts.lengths:
            factor = terms.pop(variable)
            if factor < 0 or not facts.lengths[variable]:
                return None
            within += factor * (facts.lengths[variable] - 1)
        elif variable in facts.changed:
            return None
    if not 0 <= within < length:
        return None
    return length, frozenset(terms.items())


# ── expressions ──


def _variables(expression: Expression) -> Iterator[Variable]:
    return (part for part in parts_of(expression) if isinstance(part, Variable))


def _loads(expression: Expression) -> Iterator[Load]:
    return (part for part in parts_of(expression) if isinstance(part, Load))
