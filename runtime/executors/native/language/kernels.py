"""Report of the loops over arrays that machine code has: their lines, what they read and write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from autograph_base.dataclass import dataclass
from runtime.core.spec import ArraySpec
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    Cast,
    Expression,
    Fold,
    For,
    If,
    Lap,
    Load,
    Number,
    Program,
    Rows,
    Set,
    Statement,
    Store,
    Try,
    Variable,
    While,
    expression_text,
)
from runtime.executors.native.language.walking import inside
from runtime.graph.graph import Graph
from runtime.graph.location import UNKNOWN, Location

__all__ = ["Kernel", "kernels_of"]


@dataclass(frozen=True)
class Kernel:
    """A loop over arrays.

    Attributes
    ----------
    location : Location
        The user's line that asks for it.
    turns : tuple of int or str
        Its length, and those of the loops inside of it: numbers, or lengths that only a run knows.
    reads, writes : int
        Bytes of arrays in an innermost turn.
    is_repeated : bool
        Whether it stands in a loop of the program, or in a function that is called by name.
    """

    location: Location
    turns: tuple[int | str, ...]
    reads: int
    writes: int
    is_repeated: bool

    def __str__(self) -> str:
        place = self.location
        where = "" if place is UNKNOWN else f"{PurePath(place.filename).name}:{place.line}"
        turns = " × ".join(map(str, self.turns))
        moved = f"{self.reads} bytes read, {self.writes} written a turn"
        return f"{where:<20} {turns:<20} {moved}{', again and again' if self.is_repeated else ''}"


def kernels_of(program: Program, graph: Graph) -> tuple[Kernel, ...]:
    """The kernels of a program with clocks, whose last function computes a graph."""
    assert program.lines is not None, "its lines are known"
    found: list[Kernel] = []
    for function in program.functions:
        is_entry = function is program.functions[-1]
        names = _lengths(graph, function.parameters) if is_entry else {}
        found += _Walk(program.lines.places, names).inside(function.body, is_repeated=not is_entry)
    return tuple(found)


def _lengths(graph: Graph, parameters: Sequence[object]) -> dict[str, str]:
    """The names of lengths in a graph, by those of the parameters that stand for them."""
    left = iter(parameters)
    names: dict[str, str] = {}
    for spec in graph.input_specs:
        next(left)
        for dim in (spec.shape or ()) if isinstance(spec, ArraySpec) else ():
            if not isinstance(dim, int):
                parameter = next(left)
                assert isinstance(parameter, Variable), "a length is a number"
                names[parameter.name] = str(dim)
    return names


class _Walk:
    """Goes through statements, and knows which line they are of."""

    def __init__(self, places: Sequence[Location], names: Mapping[str, str]) -> None:
        self._places = places
        self._names = dict(names)
        self._line = 0

    def inside(self, statements: Sequence[Statement], *, is_repeated: bool) -> Iterator[Kernel]:
        behind_rows = False
        for statement in statements:
            is_rest, behind_rows = behind_rows, isinstance(statement, Rows)
            match statement:
                case Lap(line):
                    self._line = line
                case Rows(_, count, body, after):
                    yield self._of_rows(count, [*body, *after], is_repeated=is_repeated)
                case While() if is_rest:  # the rows that are left over
                    pass
                case Set(Variable(name), value) if name.startswith("n"):  # a length
                    self._names[name] = str(self._turns(value))
                case For():
                    turns, reads, writes = self._nest(statement)
                    yield Kernel(self._places[self._line], turns, reads, writes, is_repeated)
                case While(before, _, body):
                    yield from self.inside([*before, *body], is_repeated=True)
                case If(_, then, orelse):
                    yield from self.inside([*then, *orelse], is_repeated=is_repeated)
                case Try(body, _, handler):
                    yield from self.inside([*body, *handler], is_repeated=is_repeated)

    def _of_rows(self, count: Expression, statements: Sequence[Statement], *, is_repeated: bool) -> Kernel:
        """The kernel that rows are: a turn of it is a row, with all that its own loops do."""
        lines = [each.line for each in inside(statements) if isinstance(each, Lap)]
        reads, writes = _moved([each for each in inside(statements) if isinstance(each, Set | Store)])
        place = self._places[lines[0] if lines else self._line]
        return Kernel(place, (self._turns(count),), reads, writes, is_repeated)

    def _nest(self, loop: For) -> tuple[tuple[int | str, ...], int, int]:
        """The lengths of a loop and of those in it, and the bytes that its innermost turn moves."""
        turns = (self._turns(loop.count),)
        inner = [each for each in loop.body if isinstance(each, For)]
        if inner:
            rest, reads, writes = self._nest(inner[-1])
            return turns + rest, reads, writes
        return turns, *_moved(loop.body)

    def _turns(self, count: Expression) -> int | str:
        if isinstance(count, Number):
            return int(count.value)
        text = expression_text(count)
        return re.sub(r"\w+", lambda match: self._names.get(match[0], match[0]), text)


def _moved(statements: Sequence[Statement]) -> tuple[int, int]:
    """The bytes of arrays that statements read and write; where one branches, those of both sides."""
    reads = writes = 0
    for statement in statements:
        match statement:
            case Store(array, place, value):
                writes += array.dtype.itemsize
                reads += _read(place) + _read(value)
            case Set(_, value) | Fold(_, _, value):
                reads += _read(value)
            case If(test, then, orelse):
                inner = _moved([*then, *orelse])
                reads, writes = reads + _read(test) + inner[0], writes + inner[1]
    return reads, writes


def _read(expression: Expression) -> int:
    match expression:
        case Load(Array(_, dtype), place):
            return dtype.itemsize + _read(place)
        case Apply(_, arguments):
            return sum(map(_read, arguments))
        case Cast(of):
            return _read(of)
    return 0
