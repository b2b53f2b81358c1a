"""Counts how busy vector lanes are: where few are, a loop goes on row by row."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.language.loops import Apply, Set, Statement, Variable, While
from runtime.executors.native.language.row_facts import Kind
from runtime.executors.native.language.walking import exposed_in, expressions_in, inside, parts_of
from runtime.executors.native.llvm.code import Code

__all__ = ["Usage", "waits"]

_LEAST = {Kind.SAME: 1, Kind.NEXT: 2, Kind.EACH: 3}
"""How many of five rows have to be busy, by how the places differ of the elements that they read: vectors of
elements take longer than numbers, and most where these do not lie next to one another."""
_OF = 5
_SKIPPED = 64
"""How often groups are not tried where fewer were."""


class Usage:
    """How many rows of groups have still something to do, of loops of whole numbers.

    Where these are few, row by row takes less: such loops are left to the one behind for a while.
    Those in which each turn of a row waits for a float of the one before are not asked.

    Parameters
    ----------
    code : Code
    width : int
        Rows of a group.
    left, turns, rows : str
        Places for how often groups are not tried, which is 0 at first, for the turns of a group, and for the
        rows that were busy in them.
    reads : Kind
        How the places differ of the elements that rows read.
    """

    def __init__(self, code: Code, width: int, left: str, turns: str, rows: str, reads: Kind) -> None:
        self._code = code
        self._width = width
        self._left = left
        self._turns, self._rows = turns, rows
        self._least = _LEAST[reads]

    def skip_if_wasteful(self, end: str) -> None:
        """Goes to where row by row is done, where it is better to."""
        code = self._code
        skip, start = code.label("skip"), code.label("try")
        left = code.value(f"load i64, ptr {self._left}")
        code.add(f"br i1 {code.value(f'icmp sgt i64 {left}, 0')}, label %{skip}, label %{start}")
        code.begin(skip)
        code.add(f"store i64 {code.value(f'sub i64 {left}, 1')}, ptr {self._left}")
        code.add(f"br label %{end}")
        code.begin(start)

    def begin(self) -> None:
        """Begins to count a group."""
        for place in (self._turns, self._rows):
            self._code.add(f"store i64 0, ptr {place}")

    def count(self, mask: str) -> None:
        """Counts a turn that some rows do."""
        code, width = self._code, self._width
        bits = code.value(f"bitcast <{width} x i1> {mask} to i{width}")
        busy = code.value(f"call i{width} @llvm.ctpop.i{width}(i{width} {bits})")
        wide = busy if width == 64 else code.value(f"zext i{width} {busy} to i64")
        for place, more in ((self._turns, "1"), (self._rows, wide)):
            before = code.value(f"load i64, ptr {place}")
            code.add(f"store i64 {code.value(f'add i64 {before}, {more}')}, ptr {place}")

    def look(self, head: str, end: str) -> None:
        """Goes on with the next group, or row by row from here on, where too few rows were busy."""
        code = self._code
        turns, busy = (code.value(f"load i64, ptr {place}") for place in (self._turns, self._rows))
        used = code.value(f"mul i64 {busy}, {_OF}")
        whole = code.value(f"mul i64 {turns}, {self._width * self._least}")
        leave = code.label("leave")
        code.add(f"br i1 {code.value(f'icmp ult i64 {used}, {whole}')}, label %{leave}, label %{head}")
        code.begin(leave)
        code.add(f"store i64 {_SKIPPED}, ptr {self._left}")
        code.add(f"br label %{end}")


def waits(statements: Sequence[Statement]) -> bool:
    """Whether turns of loops compute with floats of the turns before.

    To compare one with an element, and to take either, takes no longer than to read the element.
    """
    for each in inside(statements):
        if isinstance(each, While):
            turn = [*each.before, *each.body]
            sets = [one.variable for one in inside(turn) if isinstance(one, Set)]
            floats = {variable.name for variable in sets if variable.dtype.is_floating}
            kept = exposed_in(turn, set()) & floats
            if kept and _computes_with(kept, turn):
                return True
    return False


def _computes_with(kept: set[str], turn: Sequence[Statement]) -> bool:
    """Whether a turn computes another float of one of these, or of what it has set to one of these."""
    for each in inside(turn):
        if isinstance(each, Set) and isinstance(each.value, Variable) and each.value.name in kept:
            kept.add(each.variable.name)
    computed = [
        part
        for each in inside(turn)
        for value in expressions_in(each)
        for part in parts_of(value)
        if isinstance(part, Apply) and part.dtype.is_floating
    ]
    return any(
        isinstance(part, Variable) and part.name in kept for each in computed for part in parts_of(each)
    )
