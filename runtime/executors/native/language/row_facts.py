"""Dataflow facts about rows: where each number is set and read, and which differ from row to row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, int64
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    If,
    Load,
    Rows,
    Set,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_by, numbers_in, times_read

__all__ = ["Kind", "Kinds", "Names", "applied_kind"]


class Names:
    """Where the numbers of rows are set and read.

    Attributes
    ----------
    variables : dict of str to Variable
        Those that rows set.
    """

    def __init__(self, body: Sequence[Statement], needed: Sequence[str]) -> None:
        self.variables: dict[str, Variable] = {}
        self._sets: Counter[str] = Counter()
        self._set_in: dict[str, tuple[int, ...]] = {}
        self._home: dict[str, tuple[int, ...]] = {}
        self._blocks = 0
        self._walk(body, ())
        for name in needed:
            self._meet(name, ())

    def is_set_once(self, name: str) -> bool:
        """Whether a number has one value, which is there wherever it is read."""
        return self._sets[name] == 1 and self._home[name] == self._set_in[name]

    def depth_of(self, name: str) -> int:
        """How deep the block is that holds all that is done with a number."""
        return len(self._home[name])

    def _walk(self, statements: Sequence[Statement], path: tuple[int, ...]) -> None:
        for each in statements:
            loop = self._deeper(path) if isinstance(each, While) else path
            for name in numbers_in(each):
                self._meet(name, loop)
            match each:
                case Set(variable, _):
                    self.variables[variable.name] = variable
                    self._sets[variable.name] += 1
                    self._set_in[variable.name] = path
                    self._meet(variable.name, path)
                case While(before, _, body):
                    self._walk(before, loop)
                    self._walk(body, self._deeper(loop))
                case If(_, then, orelse):
                    self._walk(then, self._deeper(path))
                    self._walk(orelse, self._deeper(path))

    def _deeper(self, path: tuple[int, ...]) -> tuple[int, ...]:
        self._blocks += 1
        return (*path, self._blocks)

    def _meet(self, name: str, path: tuple[int, ...]) -> None:
        home = self._home.setdefault(name, path)
        same = 0
        while same < min(len(home), len(path)) and home[same] == path[same]:
            same += 1
        self._home[name] = home[:same]


class Kind(IntEnum):
    """How a number differs from row to row, of those that are in a block."""

    SAME = 0
    NEXT = 1
    """By 1."""
    EACH = 2
    """Anyhow."""


class Kinds:
    """How the numbers of rows differ, and the loops that some rows leave early.

    Where rows leave a loop at different times, those that are still in it have the same numbers of turns: a
    number that counts turns from a number on differs among them as that number does.

    Parameters
    ----------
    rows : Rows
    names : Names
    needed : collection of str
        Numbers that are asked for when all rows are done.
    """

    reads = Kind.SAME
    """How the places differ of elements that rows read: those that differ most."""

    def __init__(self, rows: Rows, names: Names, needed: Collection[str]) -> None:
        self._names = names
        self._index = rows.index.name
        self._kinds: dict[str, Kind] = {self._index: Kind.NEXT}
        self._left_early: set[int] = set()
        self._counting = dict(_counting(rows.body, needed))
        self._loops: list[While] = []
        before = None
        while before != (before := (dict(self._kinds), len(self._left_early))):
            self._walk(rows.body, of_some=False)

    def of(self, name: str) -> Kind:
        """How a number differs, in the loops that are gone through now."""
        counts = self._counting.get(name)
        if counts is not None and counts.is_asked and not any(each is counts.loop for each in self._loops):
            return Kind.EACH
        return self._kinds.get(name, Kind.SAME)

    def counts(self, name: str) -> bool:
        """Whether a number counts the turns of a loop, where rows have them in common."""
        return name in self._counting and self._kinds.get(name, Kind.SAME) is not Kind.EACH

    def is_asked(self, name: str) -> bool:
        """Whether a number that counts turns is asked for elsewhere than in its loop."""
        return self._counting[name].is_asked

    @contextmanager
    def turn_of(self, loop: While) -> Iterator[None]:
        """Goes through a loop."""
        self._loops.append(loop)
        yield
        self._loops.pop()

    def is_left_early(self, loop: While) -> bool:
        """Whether some rows may leave a loop before others do."""
        return id(loop) in self._left_early

    def _walk(self, statements: Sequence[Statement], *, of_some: bool) -> None:
        """Statements that all rows do, or some alone."""
        for each in statements:
            match each:
                case Set(variable, value):
                    self._set(each, variable.name, self._kind(value), of_some=of_some)
                case If(test, then, orelse):
                    inner = of_some or self._kind(test) is not Kind.SAME
                    self._walk(then, of_some=inner)
                    self._walk(orelse, of_some=inner)
                case While(before, test, body):
                    with self.turn_of(each):
                        is_same = self._kind(test) is Kind.SAME
                    if of_some or not is_same:
                        self._left_early.add(id(each))
                    inner = self.is_left_early(each)
                    with self.turn_of(each):
                        self._walk(before, of_some=inner)
                        self._walk(body, of_some=inner)

    def _set(self, statement: Set, name: str, kind: Kind, *, of_some: bool) -> None:
        if name in self._counting:
            is_first = self._counting[name].first is statement
            kind = kind if is_first or kind is self._kinds.get(name, Kind.SAME) else Kind.EACH
        elif not self._names.is_set_once(name) and (of_some or kind is not Kind.SAME):
            kind = Kind.EACH
        if kind > self._kinds.get(name, Kind.SAME):
            self._kinds[name] = kind

    def _kind(self, expression: Expression) -> Kind:
        match expression:
            case Variable(name):
                return self.of(name)
            case Load(_, place):
                self.reads = max(self.reads, self._kind(place))
                return Kind.SAME if self._kind(place) is Kind.SAME else Kind.EACH
            case Cast(of, _):
                return Kind.SAME if self._kind(of) is Kind.SAME else Kind.EACH
            case Apply(function, arguments, dtype):
                return applied_kind(function, [self._kind(each) for each in arguments], dtype)
        return Kind.SAME


def applied_kind(function: str, kinds: Sequence[Kind], dtype: DType) -> Kind:
    """How what a function gives differs, given how its arguments do."""
    if all(kind is Kind.SAME for kind in kinds):
        return Kind.SAME
    adds = function == "add" and sorted(kinds) == [Kind.SAME, Kind.NEXT]
    subtracts = function == "subtract" and list(kinds) == [Kind.NEXT, Kind.SAME]
    return Kind.NEXT if dtype is int64 and (adds or subtracts) else Kind.EACH


@dataclass(frozen=True, slots=True)
class _Counts:
    """A number that is set before a loop and in it, in every turn.

    Attributes
    ----------
    first : Set
        What sets it before the loop.
    loop : While
    is_asked : bool
        Whether it is asked for elsewhere than in the loop.
    """

    first: Set
    loop: While
    is_asked: bool


def _counting(statements: Sequence[Statement], needed: Collection[str]) -> Iterator[tuple[str, _Counts]]:
    """The numbers that count the turns of a loop."""
    reads = times_read(statements) + Counter(needed)
    sets = Counter(changed_by(statements))
    for block in _blocks(statements):
        first: dict[str, Set] = {}
        for each in block:
            if isinstance(each, Set):
                first[each.variable.name] = each
            if not isinstance(each, While):
                continue
            own, inner = times_read([each]), [*each.before, *each.body]
            turns = Counter([one.variable.name for one in inner if isinstance(one, Set)])
            for name, statement in first.items():
                if turns[name] and sets[name] == turns[name] + 1:
                    yield name, _Counts(statement, each, reads[name] != own[name])


def _blocks(statements: Sequence[Statement]) -> Iterator[Sequence[Statement]]:
    yield statements
    for each in statements:
        match each:
            case While(one, _, other) | If(_, one, other):
                yield from _blocks(one)
                yield from _blocks(other)
