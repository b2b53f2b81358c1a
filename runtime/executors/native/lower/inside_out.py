"""Loop interchange: an element-wise inner loop becomes the outer one.

::

    while k < n:                            i = 0
        for i in range(600):                while i < 600:
            y[i] = x[i] * x[i] + c[i]           x.e, k.e = x[i], k
        x = y                         ⇒         while k.e < n:
        k = k + 1                                   x.e, k.e = x.e * x.e + c[i], k.e + 1
                                                y[i] = x.e
                                                i = i + 1

An element stays in a register for as long as the loop lasts, where an array goes through memory in every
turn. It gains where several elements go at a time (`rows.py`), and is not done elsewhere.

Where turns check numbers, as those of Python's own that go with small integers, all turns are checked before
the first element is computed: a failure leaves nothing of the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    ROWS,
    Alias,
    Allocate,
    Apply,
    Array,
    Expression,
    Fail,
    For,
    If,
    Lap,
    Load,
    Number,
    Release,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    arrays_read,
    changed_in,
    changes_of,
    exposed_in,
    expressions_in,
    inside,
    numbers_in,
    parts_of,
    with_parts,
)
from runtime.executors.native.lower.masked import masked

__all__ = ["inside_out"]


def inside_out(loop: While, asked: frozenset[str], *, by_masks: bool) -> list[Statement] | None:
    """A loop element by element; None where that is something else.

    Parameters
    ----------
    loop : While
    asked : frozenset of str
        The names that are asked for outside of it.
    by_masks : bool
        Whether what is computed of elements that want no more may be left out.
    """
    found = _Elements(loop)
    if found.are_alone():
        return found.statements(asked)
    own = masked(loop, asked) if by_masks else None
    if own is None:
        return None
    found = _Elements(own)
    return found.until_all_are_done(asked) if found.are_alone() else None


class _Elements:
    """The elements of the arrays of a loop."""

    def __init__(self, loop: While) -> None:
        self._loop = loop
        self._changed = changes_of(loop)
        self._nests = [each for each in loop.body if isinstance(each, For)]
        self._arrays: dict[str, Array] = {}
        """Those that the loop makes, or gives to another name."""
        self._made: set[str] = set()
        """Those that hold what this turn has made, at the end of it."""

    def are_alone(self) -> bool:
        """Whether each element of each array needs no other."""
        if not self._nests or not all(map(self._is_fine, [*self._loop.before, *self._loop.body])):
            return False
        if any(map(_fails, self._loop.before)):
            return False
        count = self._nests[0].count
        if not (isinstance(count, Number) and count.value >= ROWS):
            return False
        nests = [each for each in [*inside(self._loop.before), *self._nests] if isinstance(each, For)]
        if any(each.count != count for each in nests):
            return False
        for each in self._loop.body:
            if isinstance(each, Allocate):
                if each.count != count:
                    return False
                self._arrays[each.array.name] = each.array
                self._made.add(each.array.name)
            elif isinstance(each, Alias):
                assert isinstance(each.array, Array), "it was asked"
                self._arrays[each.array.name] = each.array
                if each.of.name not in self._made:
                    return False
                self._made.add(each.array.name)
        return not any(isinstance(each, Alias | Allocate) for each in self._loop.before)

    def _is_fine(self, statement: Statement) -> bool:
        match statement:
            case Set(_, value):
                return not any(isinstance(part, Load) for part in parts_of(value))
            case If(test, [Fail(int(), shown)], []):
                return not any(isinstance(part, Load) for each in (test, *shown) for part in parts_of(each))
            case For(index, _, body):
                return all(self._is_of_one(each, index) for each in body)
            case If(_, then, orelse):
                return all(isinstance(each, Set | For) and self._is_fine(each) for each in [*then, *orelse])
            case Alias(Array(), _) | Allocate() | Release() | Lap():
                return True
        return False

    def _is_of_one(self, statement: Statement, index: Variable) -> bool:
        """Whether a statement of a turn is about the element of that turn."""
        if not isinstance(statement, Set | Store) or (
            isinstance(statement, Store) and statement.place != index
        ):
            return False
        loads = [
            part for each in expressions_in(statement) for part in parts_of(each) if isinstance(part, Load)
        ]
        return all(load.place == index for load in loads)

    def statements(self, asked: frozenset[str]) -> list[Statement]:
        """What becomes of a loop that all elements leave in the same turn."""
        loop = self._loop
        numbers: list[Statement] = [each for each in loop.body if isinstance(each, Set)]
        rows, names = self._rows(asked, [], [])
        return [*self._checked(), *rows, While(loop.before, loop.test, numbers), *names]

    def _checked(self) -> list[Statement]:
        """The numbers of all turns, with the checks of these, under names of their own."""
        loop = self._loop
        if not any(map(_fails, loop.body)):
            return []
        sets = [each for each in inside([*loop.before, *loop.body]) if isinstance(each, Set)]
        own = {each.variable.name: Variable(f"{each.variable.name}.c", each.variable.dtype) for each in sets}

        def read(part: Expression) -> Expression:
            return own.get(part.name, part) if isinstance(part, Variable) else with_parts(part, read)

        def written(statement: Statement) -> list[Statement]:
            match statement:
                case Set(variable, value):
                    return [Set(own[variable.name], read(value))]
                case If(test, [Fail(site, shown)], []):
                    return [If(read(test), [Fail(site, tuple(map(read, shown)))], [])]
                case If(test, then, orelse):
                    blocks = [[new for each in block for new in written(each)] for block in (then, orelse)]
                    return [If(read(test), *blocks)]
            return []

        before, body = ([new for each in some for new in written(each)] for some in (loop.before, loop.body))
        carried = exposed_in([loop], set())
        begun = [Set(now, Variable(name, now.dtype)) for name, now in own.items() if name in carried]
        return [*begun, While(before, read(loop.test), body)]

    def until_all_are_done(self, asked: frozenset[str]) -> list[Statement] | None:
        """What becomes of a loop that elements leave by themselves; None where that cannot be."""
        loop = self._loop
        numbers = [each for each in loop.body if isinstance(each, Set)]
        seen = changed_in(loop.before) | {
            name for each in loop.body if isinstance(each, For) for name in changed_in(each.body)
        }
        if any(map(_fails, loop.body)):
            return None
        if seen & asked or any(seen & set(numbers_in(each)) for each in numbers):
            return None
        if not {each.variable.name for each in numbers} & asked:
            rows, names = self._rows(asked, [], [])
            return [*rows, *names]
        # numbers are what they are after as many turns as the last element takes
        stem = self._nests[0].index.name
        turns, most, turn = (Variable(f"{stem}.{each}", int64) for each in ("turns", "most", "turn"))
        on, one = Variable(f"{stem}.on", bool_), Number(1, int64)
        rows, names = self._rows(
            asked,
            [Set(turns, Number(0, int64))],
            [Set(turns, Apply("add", (turns, one), int64))],
            [Set(most, Apply("maximum", (most, turns), int64))],
        )
        again = While(
            [Set(on, Apply("less", (turn, most), bool_))],
            on,
            [*numbers, Set(turn, Apply("add", (turn, one), int64))],
        )
        return [Set(most, Number(0, int64)), *rows, Set(turn, Number(0, int64)), again, *names]

    def _rows(
        self,
        asked: frozenset[str],
        first: list[Statement],
        more: list[Statement],
        last: Sequence[Statement] = (),
    ) -> tuple[list[Statement], list[Statement]]:
        """A loop over the elements, and the names of what it makes.

        Parameters
        ----------
        asked : frozenset of str
            The names that are asked for outside.
        first, more, last : sequence of Statement
            What else is done for each element: at first, in each turn, and at last.
        """
        loop, count = self._loop, self._nests[0].count
        row = Variable(f"{self._nests[0].index.name}.row", int64)
        test, step = Variable(f"{row.name}.test", bool_), Variable(f"{row.name}.step", int64)
        wanted = [array for name, array in self._arrays.items() if name in asked]
        results = {array: Array(f"{array.name}.new", array.dtype) for array in wanted}
        carried = exposed_in([loop], set())
        numbers = [each.variable for each in inside([loop]) if isinstance(each, Set)]
        turn = [*first, *[Set(_own(each), each) for each in dict.fromkeys(numbers) if each.name in carried]]
        begun = [array for name, array in self._arrays.items() if name in asked or name in self._carried()]
        turn += [Set(_element(array), Load(array, row)) for array in begun]
        turn.append(
            While(
                self._inner(loop.before, row),
                self._read(loop.test, row),
                [*self._inner(loop.body, row), *more],
            )
        )
        turn += last
        turn += [Store(result, row, _element(array)) for array, result in results.items()]
        turn += [Set(step, Apply("add", (row, Number(1, int64)), int64)), Set(row, step)]
        rows: list[Statement] = [
            *[Allocate(result, count) for result in results.values()],
            Set(row, Number(0, int64)),
            While([Set(test, Apply("less", (row, count), bool_))], test, turn),
        ]
        return rows, [Alias(array, result) for array, result in results.items()]

    def _carried(self) -> set[str]:
        """The arrays of which a turn reads what the turn before has made."""
        found: set[str] = set()
        known: set[str] = set()
        for each in inside(self._loop.body):
            if isinstance(each, Alias | Allocate):
                known.add(each.array.name)
            else:
                found |= set(arrays_read(each)) - known
        return found

    def _inner(self, statements: Sequence[Statement], row: Variable) -> list[Statement]:
        found: list[Statement] = []
        for each in statements:
            match each:
                case Set(variable, value):
                    found.append(Set(_own(variable), self._read(value, row)))
                case Store(array, _, value):
                    found.append(Set(_element(array), self._read(value, row)))
                case For(index, _, body):
                    found += [Set(_own(index), row), *self._inner(body, row)]
                case If(_, [Fail()], []):
                    pass  # it was checked before
                case If(test, then, orelse):
                    blocks = self._inner(then, row), self._inner(orelse, row)
                    found.append(If(self._read(test, row), *blocks))
                case Alias(Array() as array, Array() as of):
                    found.append(Set(_element(array), _element(of)))
                case Lap():
                    found.append(each)
        return found

    def _read(self, expression: Expression, row: Variable) -> Expression:
        match expression:
            case Variable(name):
                return _own(expression) if name in self._changed else expression
            case Load(array):
                return _element(array) if array.name in self._arrays else Load(array, row)
        return with_parts(expression, lambda part: self._read(part, row))


def _fails(statement: Statement) -> list[Fail]:
    """What a statement of a turn may end the run with."""
    return [each for each in inside([statement]) if isinstance(each, Fail)]


def _own(variable: Variable) -> Variable:
    """A number of the loop in the loop of one element."""
    return Variable(f"{variable.name}.e", variable.dtype)


def _element(array: Array) -> Variable:
    """The element of an array."""
    return Variable(f"{array.name}.e", array.dtype)
