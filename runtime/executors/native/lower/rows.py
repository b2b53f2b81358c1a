"""Finds independent turns of outer loops to run several at a time in vector lanes.

::

    while i < n:                            rows i below n:
        low, high = 0.0, 2.0                    low, high = 0.0, 2.0
        while high - low > 1e-9:                while high - low > 1e-9:
            ...                         ⇒           ...
        total = total + low                 then:
        i = i + 1                               total = total + low
                                                i = i + 1
                                            while i < n:
                                                ...

What a turn computes from its number, up to and with the last loop inside, is done for all rows of a group at
a time, and must change nothing; what follows is done row by row. Where a row fails, the loop behind does it
and those that are left, in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from runtime.core.dtypes import int64
from runtime.executors.native.intrinsics import has_vector, has_vector_cast
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Cast,
    Expression,
    Fail,
    For,
    Function,
    If,
    Lap,
    Load,
    Mark,
    Number,
    Rows,
    Set,
    Statement,
    Try,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    arrays_read,
    arrays_written,
    as_before,
    changed_by,
    changed_in,
    changes_of,
    exposed_in,
    expressions_in,
    inside,
    kinds_in,
    kinds_of,
    numbers_in,
    parts_of,
    size_of,
    step_of,
    times_read,
    with_blocks,
    with_parts,
)
from runtime.executors.native.lower import inside_out as inside_out_
from runtime.executors.native.lower.memories import Memories

__all__ = ["in_rows"]

_MOST = 150
"""Statements of a loop that is not written twice."""
_LARGEST = 1 << 62
"""A number of rows beyond which nobody counts."""


def in_rows(function: Function, *, by_masks: bool) -> Function:
    """A function in which loops over independent rows do several of them at a time.

    Parameters
    ----------
    function : Function
    by_masks : bool
        As of `inside_out`.
    """
    facts = _Facts(function, by_masks=by_masks)
    return function.with_body(_block(function.body, facts))


def _block(statements: Sequence[Statement], facts: _Facts) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        elements = _by_elements(statement, facts) if isinstance(statement, While) else None
        if elements is not None:
            found += elements
            continue
        inner = _within(statement, facts)
        if isinstance(inner, While) and Rows not in kinds_in(inner.body):
            rows = _rows(inner, facts)
            found += [rows] if rows is not None else []
        found.append(inner)
    return found


def _by_elements(loop: While, facts: _Facts) -> list[Statement] | None:
    """A loop over arrays with elements as rows; None where they are none."""
    if not any(isinstance(each, For) for each in (*loop.before, *loop.body)):
        return None  # no elements
    own = Counter([name for each in inside([loop]) for name in arrays_read(each)])
    within = times_read([loop])
    both = changes_of(loop)
    asked = {name for name in both if facts.arrays[name] > own[name] or facts.reads[name] > within[name]}
    statements = inside_out_.inside_out(loop, frozenset(asked), by_masks=facts.by_masks)
    if statements is None:
        return None
    names = [each for each in statements if isinstance(each, Alias)]
    rest = Function("", [], [each for each in statements if each not in names], [])
    found = in_rows(rest, by_masks=facts.by_masks).body
    return [*found, *names] if any(isinstance(each, Rows) for each in found) else None


def _within(statement: Statement, facts: _Facts) -> Statement:
    match statement:
        case While(before, test, body, most):
            turn = as_before(_block(body, facts), body)
            return statement if turn is body else While(before, test, turn, most)
        case If() | Try():
            return with_blocks(statement, lambda block: _block(block, facts))
    return statement


class _Facts:
    """What is known of a function as a whole, found out where it is asked for."""

    def __init__(self, function: Function, *, by_masks: bool) -> None:
        self.by_masks = by_masks
        self._function = function

    @cached_property
    def reads(self) -> Counter[str]:
        """How often each number is read."""
        found = times_read(self._function.body)
        found.update(each.name for each in self._function.results if isinstance(each, Variable))
        return found

    @cached_property
    def arrays(self) -> Counter[str]:
        """How often each array is read."""
        found = Counter([name for each in inside(self._function.body) for name in arrays_read(each)])
        found.update(each.name for each in self._function.results)
        return found

    @cached_property
    def memories(self) -> Memories:
        """Which arrays may lie in the memory of one."""
        return Memories(self._function)


def _rows(loop: While, facts: _Facts) -> Rows | None:
    """The rows of a loop; None where turns may need each other, or where nothing is gained."""
    match loop:
        case While([Set(test, Apply("less", (Variable() as index, count)))], tested, body) if tested == test:
            pass
        case While([Set(test, Apply("less_equal", (Variable() as index, Number(most))))], tested, body) if (
            tested == test and most < _LARGEST
        ):
            count = Number(most + 1, int64)
        case _:
            return None
    last = max((place for place, each in enumerate(body) if _has_loop(each)), default=None)
    if last is None or size_of(body) > _MOST or index.dtype is not int64:
        return None
    before, after = body[: last + 1], body[last + 1 :]
    in_all = changed_in(loop.body)
    own = changed_in(before)
    is_known = isinstance(count, Number) or (isinstance(count, Variable) and count.name not in in_all)
    if not is_known or index.name in own or step_of(index, body) != 1:
        return None
    if not all(_is_pure(each) for each in inside(before)) or not kinds_in(after).isdisjoint({Mark, Try}):
        return None
    if exposed_in(before, set()) & (in_all - {index.name}) or exposed_in(body, set()) & own:
        return None  # a turn needs what the one before it has found
    within = times_read([loop])
    if any(facts.reads[name] != within[name] for name in own):
        return None  # it is asked for when the loop is over
    if not _reads_what_stays(before, after, in_all, facts) or any(map(_looks_up_places, inside(before))):
        return None
    if _are_written_out(before, after):
        return None
    once = {name for name, times in Counter(changed_by(before)).items() if times == 1}
    return Rows(index, count, _moved([_simpler(each, index) for each in before], once), after)


def _looks_up_places(statement: Statement) -> bool:
    """Whether a turn of a loop reads where an element is that it reads next, as of a sparse matrix.

    Lanes would wait for one row of elements and then for another; one turn after the other, a processor has
    many of them on their way at once.
    """
    if not isinstance(statement, While):
        return False
    read = set[str]()
    for each in (*statement.before, *statement.body):
        if not isinstance(each, Set):
            continue
        parts = list(parts_of(each.value))
        loads = [part for part in parts if isinstance(part, Load)]
        if any(
            isinstance(part, Variable) and part.name in read
            for load in loads
            for part in parts_of(load.place)
        ):
            return True
        if loads or any(isinstance(part, Variable) and part.name in read for part in parts):
            read.add(each.variable.name)
        else:
            read.discard(each.variable.name)
    return False


def _are_written_out(before: Sequence[Statement], after: Sequence[Statement]) -> bool:
    """Whether LLVM writes all turns of inner loops one after the other, and makes vectors of what is left.

    So it does with whole numbers in few turns, in whose order it may add them up; and it knows some by their
    form, as bits that are turned round.
    """
    known: dict[str, int] = {}
    for each in before:
        match each:
            case Set(variable, value) if _is_whole(each):
                known.pop(variable.name, None)
                if isinstance(value, Number):
                    known[variable.name] = int(value.value)
            case While(
                [Set(test, Apply("less" | "less_equal" as compares, (Variable() as index, Number(most))))],
                going,
            ) if going == test and index.name in known and step_of(index, each.body) == 1:
                turns = int(most) - known[index.name] + (compares == "less_equal")
                if not all(map(_is_whole, each.body)) or turns * _steps(each.body) > _WRITTEN_OUT:
                    return False
                known.clear()
            case _:
                return False
    return all(map(_is_whole, after))


def _is_whole(statement: Statement) -> bool:
    """Whether a statement only computes whole numbers."""
    if not isinstance(statement, Set):
        return False
    return not any(part.dtype.is_floating or part.dtype.is_complex for part in parts_of(statement.value))


def _steps(statements: Sequence[Statement]) -> int:
    """How many statements do more than to name something."""
    return sum(isinstance(each, Set) and not isinstance(each.value, Variable) for each in statements)


_WRITTEN_OUT = 120
"""Steps of all turns of a loop that LLVM writes one after the other."""


def _has_loop(statement: Statement) -> bool:
    return While in kinds_of(statement)


def _is_pure(statement: Statement) -> bool:
    """Whether a statement changes numbers alone, in ways that vectors have."""
    if not isinstance(statement, Set | If | While | Fail | Lap):
        return False
    parts = [part for each in expressions_in(statement) for part in parts_of(each)]
    return all(_has_vector(part) for part in parts) or isinstance(statement, Fail)


def _has_vector(part: Expression) -> bool:
    match part:
        case Apply(function, arguments, _):
            known = arguments[-1].value if isinstance(arguments[-1], Number) else None
            return has_vector(function, arguments[-1].dtype, known)
        case Cast(of, dtype):
            return has_vector_cast(of.dtype, dtype)
    return not part.dtype.is_complex


def _reads_what_stays(
    before: Sequence[Statement], after: Sequence[Statement], changed: AbstractSet[str], facts: _Facts
) -> bool:
    """Whether what is read for several rows at a time is nothing that a row writes."""
    read = {
        part.array.name
        for each in inside(before)
        for expression in expressions_in(each)
        for part in parts_of(expression)
        if isinstance(part, Load)
    }
    written = {facts.memories.of(name) for each in inside(after) for name in arrays_written(each)}
    return not read & changed and not {facts.memories.of(name) for name in read} & written


# ── what every turn of an inner loop would find anew ──


def _moved(statements: Sequence[Statement], once: set[str]) -> list[Statement]:
    """Statements of inner loops in front of them, where each turn would find the same.

    They may then be done where no turn is. They change nothing, and what fails in vain costs time alone.
    """
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case While(before, test, body):
                asked, turn = _moved(before, once), _moved(body, once)
                names = set(changed_in([*asked, *turn]))
                front, kept, is_safe = _split(asked, names, once, is_safe=True)
                more, rest, _ = _split(turn, names, once, is_safe=is_safe)
                found += [*front, *more, While(kept, test, rest)]
            case If(test, then, orelse):
                found.append(If(test, _moved(then, once), _moved(orelse, once)))
            case _:
                found.append(statement)
    return found


def _split(
    statements: Sequence[Statement], changed: set[str], once: set[str], *, is_safe: bool
) -> tuple[list[Statement], list[Statement], bool]:
    """The statements that may go in front of a loop that changes some numbers, and those that stay.

    An element is read in front of the loop only where all that might fail before it is there as well
    (`is_safe`): it may be what says that there is such an element.
    """
    front: list[Statement] = []
    kept: list[Statement] = []
    for each in statements:
        moves = False
        match each:
            case Set(variable, value) if variable.name in once:
                loads = any(isinstance(part, Load) for part in parts_of(value))
                moves = is_safe or not loads
            case If(_, [Fail() as fail], []):
                moves = is_safe and not set(numbers_in(fail)) & changed
                is_safe = moves and not set(numbers_in(each)) & changed
        if moves and not set(numbers_in(each)) & changed:
            front.append(each)
            changed.difference_update(changed_in([each]))
        else:
            kept.append(each)
    return front, kept, is_safe


def _simpler(statement: Statement, index: Variable) -> Statement:
    """A statement of a row, whose number is not negative."""

    def read(expression: Expression) -> Expression:
        match expression:
            case Apply("select", (Apply("less", (Variable() as x, Number(0))), _, other)) if x == index:
                return read(other)
        return with_parts(expression, read)

    def block(statements: Sequence[Statement]) -> list[Statement]:
        return [_simpler(each, index) for each in statements]

    match statement:
        case Set(variable, value):
            return Set(variable, read(value))
        case If(test, then, orelse):
            return If(read(test), block(then), block(orelse))
        case While(before, test, body):
            return While(block(before), read(test), block(body))
    return statement
