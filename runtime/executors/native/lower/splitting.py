"""Loops are split where functions are applied to numbers that no turn has of another: these are rows.

::

                                        for group in range((n + 63) // 64):
                                            first, some = group * 64, min(64, n - group * 64)
                                            for k in range(some):
    for i in range(n):                          given[k] = x[first + k] - top
        e = exp(x[i] - top)     ⇒           for k in range(some):
        y[i] = e                                found[k] = exp(given[k])
        s = s + e                           for k in range(some):
                                                i = first + k
                                                e = found[k]
                                                y[i] = e
                                                s = s + e

The loop in the middle is one of our functions, in vectors, or one call of NumPy's own loop. Nothing else
changes its place: what a turn needs for the function is computed once more, and before the turns around it.
So it reads nothing that other turns write, and no element behind what may end the run: that may be what says
that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Call,
    Expression,
    Fail,
    Fold,
    For,
    Function,
    Host,
    If,
    Load,
    Number,
    Set,
    Share,
    Statement,
    Store,
    Try,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.language.walking import (
    changed_in,
    changes_of,
    having,
    inside,
    kinds_in,
    parts_of,
    with_blocks,
    with_parts,
)
from runtime.executors.native.llvm.lanes import has_lanes
from runtime.executors.native.mathematics import FUNCTIONS
from runtime.executors.native.numpys_own import PREFIX, has_rows, row_of

__all__ = ["split"]

_GROUP = 64
"""Turns that are split at a time: what they need lies in the nearest memory."""
_FEW = 4
"""Turns of a loop that are too few to be split."""
_MOST = 8
"""Functions that are taken out of a loop."""
_TURN: frozenset[type] = frozenset({Set, Store, Fold, Alias, If, Fail})
"""Statements that a turn may have: each is done to its end, or ends the run."""
_FROM_ELSEWHERE: frozenset[type] = frozenset({Call, Host, Share, Try})
"""Statements of functions that are left as they are: an array of theirs may lie anywhere."""


@having(For)
def split(function: Function) -> Function:
    """The entry of a program, whose loops are split where that is of use."""
    if not _FROM_ELSEWHERE.isdisjoint(kinds_in(function.body)):
        return function
    splitting = _Splitting(function)
    body = splitting.block(function.body)
    own = [Allocate(array, Number(_GROUP, int64)) for array in splitting.made]
    if not own:
        return function
    return function.with_body([*own, *body])


@dataclass(frozen=True)
class _Part:
    """A function that is taken out of a loop.

    Attributes
    ----------
    at : int
        The statement of the turn that applies it.
    call : Apply
    before : list of Statement
        What its operand needs.
    given, found : Array
        The operands of a group of turns, and what the function gives of them.
    """

    at: int
    call: Apply
    before: list[Statement]
    given: Array
    found: Array


class _Splitting:
    """A function in the making.

    Attributes
    ----------
    made : list of Array
        The memory that its loops need.
    """

    def __init__(self, function: Function) -> None:
        self.made: list[Array] = []
        self._memory = _memory_of(function)

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """A block with its loops split."""
        found: list[Statement] = []
        for each in statements:
            inner = with_blocks(each, self.block)
            found += self._loop(inner) if isinstance(inner, For) else [inner]
        return found

    def _loop(self, loop: For) -> list[Statement]:
        if not kinds_in(loop.body) <= _TURN or row_of(loop) is not None:
            return [loop]
        if isinstance(loop.count, Number) and loop.count.value < _FEW:
            return [loop]
        if loop.index.name in changed_in(loop.body):
            return [loop]
        read_once = For(loop.index, loop.count, list(self._without_loads(loop)))
        parts = list(self._parts(read_once))
        return self._in_groups(read_once, parts) if parts else [loop]

    def _without_loads(self, loop: For) -> Iterator[Statement]:
        """A turn that knows what it has written, and does not read it."""
        known: dict[tuple[str, Expression], Variable] = {}

        def read(expression: Expression) -> Expression:
            if isinstance(expression, Load) and (
                found := known.get((expression.array.name, expression.place))
            ):
                return found
            return with_parts(expression, read)

        for at, each in enumerate(loop.body):
            match each:
                case Set(variable, value):
                    yield Set(variable, read(value))
                    gone = {key for key, found in known.items() if variable in (found, *parts_of(key[1]))}
                    known = {key: found for key, found in known.items() if key not in gone}
                case Store(array, place, value) if array.dtype.is_floating:
                    kept = Variable(f"{loop.index.name}.kept{at}", array.dtype)
                    yield Set(kept, read(value))
                    yield Store(array, read(place), kept)
                    memory = self._memory(array.name)
                    known = {key: found for key, found in known.items() if self._memory(key[0]) != memory}
                    known[array.name, place] = kept
                case Fold(variable, function, value):
                    yield Fold(variable, function, read(value))
                case _:
                    yield each
                    known = {}

    def _parts(self, loop: For) -> Iterator[_Part]:
        """The functions that can be taken out of a loop."""
        count, of_vectors = 0, has_lanes(loop)
        for at, statement in enumerate(loop.body):
            if not isinstance(statement, Set | Store):
                continue
            for call in dict.fromkeys(reversed(list(parts_of(statement.value)))):  # operands first
                if not isinstance(call, Apply) or not _is_worth_it(call, of_vectors=of_vectors):
                    continue
                before = self._needed(loop, at, call.arguments[0])
                if before is None or count == _MOST:
                    continue
                count += 1
                yield _Part(at, call, before, *self._row(call))

    def _row(self, call: Apply) -> tuple[Array, Array]:
        """Memory for the operands and the results of a function."""
        number = len(self.made) // 2
        row = Array(f"given{number}", call.dtype), Array(f"found{number}", call.dtype)
        self.made += row
        return row

    def _needed(self, loop: For, at: int, operand: Expression) -> list[Statement] | None:
        """What an operand needs of the turn before it; None where that is what other turns leave."""
        needed, wanted = list[Statement](), _names_in(operand)
        read = [(at, operand)]
        sure = _done_in_each(loop.body)
        for place, statement in reversed([*enumerate(loop.body[:at])]):
            if wanted.isdisjoint(changes_of(statement)):
                continue
            if not isinstance(statement, Set):
                return None
            if place >= sure and _has_loads(statement.value):
                return None  # what may end the run may be what says that there is such an element
            wanted = (wanted - {statement.variable.name}) | _names_in(statement.value)
            needed.append(statement)
            read.append((place, statement.value))
        if at >= sure and _has_loads(operand):
            return None
        changed = changed_in(loop.body)
        if any(self._is_written_before(loop, place, each) for place, each in read):
            return None
        loads = [part for _, each in read for part in parts_of(each) if isinstance(part, Load)]
        moved = _moved(loop.body)
        if wanted & changed or any(load.array.name in moved for load in loads):
            return None
        written = _Places(loop, self._memory)
        if not all(written.are_of_own_turns(load, needed[::-1]) for load in loads):
            return None
        return needed[::-1]

    def _is_written_before(self, loop: For, place: int, expression: Expression) -> bool:
        """Whether an expression reads what statements of its own turn may have written before it."""
        memories = {self._memory(part.array.name) for part in parts_of(expression) if isinstance(part, Load)}
        before = (each for each in inside(loop.body[:place]) if isinstance(each, Store))
        return any(self._memory(each.array.name) in memories for each in before)

    def _in_groups(self, loop: For, parts: Sequence[_Part]) -> list[Statement]:
        index = loop.index.name
        group, first, some, turn = (
            Variable(f"{index}.{what}", int64) for what in ("group", "first", "some", "each")
        )
        left = Apply("subtract", (loop.count, first), int64)
        is_less = Apply("less", (left, Number(_GROUP, int64)), bool_)
        inner: list[Statement] = [
            Set(first, multiply(group, _GROUP)),
            Set(some, Apply("select", (is_less, left, Number(_GROUP, int64)), int64)),
        ]
        now = Set(loop.index, add(first, turn))
        body = list(_with_found(loop.body, parts, turn))
        anew = {id(before): after for before, after in zip(loop.body, body, strict=True)}
        for number, part in enumerate(parts):
            there = {one.call: Load(one.found, turn) for one in parts[:number] if one.at == part.at}
            operand = _replaced(part.call.arguments[0], there)
            before = [anew[id(each)] for each in part.before]
            inner.append(For(turn, some, [now, *before, Store(part.given, turn, operand)]))
            result = Apply(part.call.function, (Load(part.given, turn),), part.call.dtype)
            inner.append(For(turn, some, [Store(part.found, turn, result)]))
        inner.append(For(turn, some, [now, *body]))
        if isinstance(loop.count, Number):
            groups: Expression = Number(-(-int(loop.count.value) // _GROUP), int64)
        else:
            more = Apply("add", (loop.count, Number(_GROUP - 1, int64)), int64)
            groups = Apply("right_shift", (more, Number(_GROUP.bit_length() - 1, int64)), int64)
        is_some = Apply("less", (Number(0, int64), loop.count), bool_)
        end = Set(loop.index, Apply("select", (is_some, loop.count, Number(0, int64)), int64))
        return [For(group, groups, inner), end]


def _done_in_each(body: Sequence[Statement]) -> int:
    """How many statements of a turn are done wherever it begins: those before one that may end the run."""
    return next((place for place, each in enumerate(body) if Fail in kinds_in([each])), len(body))


def _has_loads(expression: Expression) -> bool:
    return any(isinstance(part, Load) for part in parts_of(expression))


def _moved(body: Sequence[Statement]) -> set[str]:
    """The arrays that are not all the time what they are when a turn begins."""
    found, now = set[str](), dict[str, str]()
    for each in body:
        if isinstance(each, Alias):
            now[each.array.name] = now.get(each.of.name, each.of.name)
            if now[each.array.name] != each.array.name:
                found.add(each.array.name)
        elif not isinstance(each, Set):
            found |= changes_of(each)
    return found


class _Places:
    """The places that a loop writes to.

    Each is said by the index of the turn, and by what no turn changes; those that are said by anything else
    are None.
    """

    def __init__(self, loop: For, memory: Callable[[str], str]) -> None:
        self._index, self._memory = loop.index, memory
        self._changed = {*changed_in(loop.body)} - {loop.index.name}
        self._written: dict[str, set[Expression | None]] = {}
        self._walk(loop.body, {})

    def are_of_own_turns(self, load: Load, needed: Sequence[Statement]) -> bool:
        """Whether what is written where an element lies is written there by its own turn alone."""
        written = self._written.get(self._memory(load.array.name))
        if written is None:
            return True
        known: dict[str, Expression | None] = {}
        for each in needed:
            assert isinstance(each, Set), "nothing else is needed"
            known[each.variable.name] = self._said(each.value, known)
        place = self._said(load.place, known)
        return place is not None and written == {place} and bool(self._step(place))

    def _walk(self, statements: Sequence[Statement], known: dict[str, Expression | None]) -> None:
        for each in statements:
            match each:
                case Set(variable, value):
                    known[variable.name] = self._said(value, known)
                case Store(array, place, _):
                    places = self._written.setdefault(self._memory(array.name), set())
                    places.add(self._said(place, known))
                case If(_, then, orelse):
                    self._walk(then, dict(known))
                    self._walk(orelse, dict(known))
                    known.update(dict.fromkeys(changes_of(each)))
                case _:
                    known.update(dict.fromkeys(changes_of(each)))

    def _said(self, expression: Expression, known: dict[str, Expression | None]) -> Expression | None:
        match expression:
            case Number():
                return expression
            case Variable(name):
                return known.get(name) if name in self._changed else expression
            case Apply(function, arguments, dtype):
                said = [self._said(each, known) for each in arguments]
                there = tuple([each for each in said if each is not None])
                return Apply(function, there, dtype) if len(there) == len(said) else None
        return None

    def _step(self, place: Expression) -> int | None:
        """How far a place is from that of the turn before; None where that is not known."""
        match place:
            case Number():
                return 0
            case Variable():
                return int(place == self._index)
            case Apply("add" | "subtract" as function, (one, other)):
                steps = self._step(one), self._step(other)
                if steps[0] is None or steps[1] is None:
                    return None
                return steps[0] + steps[1] if function == "add" else steps[0] - steps[1]
            case Apply("multiply", (one, Number(times))):
                step = self._step(one)
                return None if step is None else step * int(times)
        return None


def _with_found(body: Sequence[Statement], parts: Sequence[_Part], turn: Variable) -> Iterator[Statement]:
    """A turn that takes what functions give from where that is."""
    for at, statement in enumerate(body):
        known = {part.call: Load(part.found, turn) for part in parts if part.at == at}
        match statement:
            case Set(variable, value) if known:
                yield Set(variable, _replaced(value, known))
            case Store(array, place, value) if known:
                yield Store(array, place, _replaced(value, known))
            case _:
                yield statement


def _replaced(expression: Expression, known: dict[Apply, Load]) -> Expression:
    if isinstance(expression, Apply) and expression in known:
        return known[expression]
    return with_parts(expression, lambda part: _replaced(part, known))


def _is_worth_it(call: Apply, *, of_vectors: bool) -> bool:
    """Whether many of a function take less time at once; not ours in a loop that is one `of_vectors`."""
    if len(call.arguments) != 1 or call.arguments[0].dtype is not call.dtype or not call.dtype.is_floating:
        return False
    if call.function.startswith(PREFIX):
        return has_rows(call.function.removeprefix(PREFIX), call.dtype)
    return call.function in FUNCTIONS and not of_vectors


def _names_in(expression: Expression) -> set[str]:
    return {part.name for part in parts_of(expression) if isinstance(part, Variable)}


def _memory_of(function: Function) -> Callable[[str], str]:
    """What tells the memory of arrays apart: names that may stand for one have the same."""
    memory: dict[str, str] = {}

    def found(name: str) -> str:
        while name in memory:
            name = memory[name]
        return name

    for each in inside(function.body):
        if isinstance(each, Alias):
            one, other = found(each.array.name), found(each.of.name)
            if one != other:
                memory[one] = other
    return found
