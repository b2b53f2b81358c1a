"""Dataflow facts about rows: where each number is set and read, and which differ from row to row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from runtime.executors.native.language.loops import (
    Expression,
    If,
    Load,
    Rows,
    Set,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import numbers_in, parts_of

__all__ = ["Names", "differing"]


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


def differing(rows: Rows) -> frozenset[str | int]:
    """The names of numbers that differ from row to row, and the `id` of loops that some rows leave early."""
    found: set[str | int] = {rows.index.name}
    size = 0

    def differs(expression: Expression, *, in_some: bool) -> bool:
        return any(
            (isinstance(part, Variable) and part.name in found) or (isinstance(part, Load) and in_some)
            for part in parts_of(expression)
        )

    def walk(statements: Sequence[Statement], *, in_some: bool) -> None:
        for each in statements:
            match each:
                case Set(variable, value):
                    if in_some or differs(value, in_some=in_some):
                        found.add(variable.name)
                case If(test, then, orelse):
                    inner = in_some or differs(test, in_some=in_some)
                    walk(then, in_some=inner)
                    walk(orelse, in_some=inner)
                case While(before, test, body):
                    inner = in_some or differs(test, in_some=in_some)
                    if inner:
                        found.add(id(each))
                    walk(before, in_some=inner)
                    walk(body, in_some=inner)

    while len(found) != size:
        size = len(found)
        walk(rows.body, in_some=False)
    return frozenset(found)
