"""`Code`: lines of LLVM's text in the making, and how numbers are written in it."""

from __future__ import annotations

import math
import struct
from enum import IntEnum
from typing import NamedTuple

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, complex128, float32, float64

__all__ = [
    "CONTEXT_WORDS",
    "ENDED",
    "ERROR",
    "LONG",
    "LOOKS",
    "MOST_SHOWN",
    "PATIENCE",
    "POOL_SYMBOL",
    "PRIVATE",
    "SHORT",
    "SHOWN",
    "SITE",
    "SLOT",
    "Code",
    "Lanes",
    "Operand",
    "Status",
    "Vectors",
    "in_memory",
    "in_register",
    "number_text",
    "part_of",
    "words_of",
]

LONG, SHORT = "for", "each"
"""How blocks of loops over arrays are called: of those that may have many turns, which become vectors or are
many times slower, and of those that have few."""

ERROR = 10
"""The word of a context in which an exception is, that Python has raised."""
SLOT = ".slot"
"""How places on the stack end that no pointer leads to but their name."""
SITE, SHOWN = 5, 6
"""The words of a context that say where a run has failed, or which flags were raised, and what it shows."""
LOOKS, PATIENCE = 13, 14
"""The words of a context that count looks at the clock, and say after how many of them a run is given up."""
ENDED = 15
"""The word of a context that says that a run has ended, to a thread that does a part of it."""
PRIVATE = 17
"""The word of a context with a bit for each array that the caller has lent, by its number: of one that nobody
else sees, which is not put back where a run fails."""
CONTEXT_WORDS = 19
"""Words of eight bytes in a context."""
MOST_SHOWN = 4
"""Numbers that a failure shows."""
POOL_SYMBOL = "ag_pool"
"""Where a program looks for the function that has threads."""


class Vectors(NamedTuple):
    """What a processor does with vectors.

    Attributes
    ----------
    fuse : bool
        Whether it multiplies and adds in one step: else a step of functions of our own is a call, and loops
        have none.
    gather : bool
        Whether a vector of elements from anywhere takes little longer than the elements one by one.
    long : bool
        Whether vectors of 64-bit integers have products and quotients, and become floats, in one step.
    divide: bool
        Whether a vector is divided in less time than some ten products take.
    foresee : bool
        Whether it foresees the branches of several copies of a turn as well as those of one.
    """

    fuse: bool = True
    gather: bool = True
    long: bool = True
    divide: bool = False
    foresee: bool = False


class Status(IntEnum):
    """How a run ended."""

    DONE = 0
    FAILED = 1
    RAISED = 2
    """With an exception of Python's, which is in the context."""
    NO_MEMORY = 3
    TOO_DEEP = 4
    GIVES_WAY = 5
    """Where NumPy would warn: there is no result."""
    RAISED_FLAGS = 6
    """At the end, with a result, and flags that say of what NumPy may warn."""
    LASTS = 7
    """After so many looks at the clock that better code is worth its time: there is no result."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A number as LLVM's text names it, and its value where that is known."""

    text: str
    dtype: DType
    known: bool | float | None = None


@dataclass(frozen=True, slots=True)
class Lanes:
    """A loop of which several turns may be done at a time.

    Attributes
    ----------
    far : str
        Where it notes that an argument was too large for a function; empty where functions take any.
    """

    far: str = ""


class Code:
    """The lines of a function.

    Parameters
    ----------
    gives_way : bool
        Whether a run ends where NumPy would warn, so that NumPy can.
    """

    def __init__(self, *, gives_way: bool = False) -> None:
        self.lines: list[str] = []
        self.gives_way = gives_way
        self.landings: list[tuple[str, str]] = []
        """Where the run goes on when it ends early, innermost last: a block, and a place for the status."""
        self.beside: str | None = None
        """The type of what the function gives in a register, beside its status."""
        self.lanes: Lanes | None = None
        """Of the loop that is being written, where LLVM may do several turns at a time."""
        self.width = 0
        """Of how many rows numbers are computed at a time, in vectors; 0 where it is one number."""
        self._count = 0
        self._known: dict[str, str] = {}
        """The names of values of the block that is being written, by what they are."""
        self._loaded: dict[str, dict[str, str]] = {}
        """The names of what lies in memory, by the pointer and by the line that loads it."""

    def wide(self, kind: str) -> str:
        """The type of a number, or of those of all rows."""
        return f"<{self.width} x {kind}>" if self.width else kind

    def constant(self, text: str, kind: str) -> str:
        """A number that is known, or as many of it as there are rows."""
        return f"splat ({kind} {text})" if self.width else text

    def suffix(self, kind: str) -> str:
        """What LLVM's own functions of a type have behind their names."""
        of = {"double": "f64", "float": "f32"}.get(kind, kind)
        return f"v{self.width}{of}" if self.width else of

    def add(self, line: str) -> None:
        """A line that gives nothing."""
        self.lines.append(f"  {line}")
        self._forget(line)

    def add_text(self, text: str) -> None:
        """Lines that are written elsewhere, and may write to any memory."""
        self.lines.append(text)
        self._loaded.clear()

    def value(self, line: str) -> str:
        """A line that gives a value; the name of that, which it may have had before in the same block."""
        operation, _, rest = line.partition(" ")
        if operation == "load":
            known = self._loaded.setdefault(_pointer(rest), {})
        elif operation == "call":
            if "@llvm." not in line and " asm " not in line:
                self._loaded.clear()
            return self._named(line)
        else:
            known = self._known
        name = known.get(line)
        if name is None:
            name = known[line] = self._named(line)
        return name

    def _named(self, line: str) -> str:
        self._count += 1
        name = f"%_{self._count}"
        self.lines.append(f"  {name} = {line}")
        return name

    def _forget(self, line: str) -> None:
        """Of what was loaded, what a line may have changed: a place on the stack is one of a name alone."""
        operation, _, rest = line.partition(" ")
        if operation == "store":
            pointer = _pointer(rest)
            if not pointer.endswith(SLOT):
                for other in [each for each in self._loaded if not each.endswith(SLOT)]:
                    del self._loaded[other]
            kind_and_value = rest.rpartition(", ptr ")[0]
            kind, _, value = kind_and_value.rpartition(" ")
            self._loaded[pointer] = {f"load {kind}, ptr {pointer}": value} if pointer.endswith(SLOT) else {}
        elif operation == "call":
            self._loaded.clear()

    def label(self, stem: str) -> str:
        """A name for a block."""
        self._count += 1
        return f"{stem}.{self._count}"

    def begin(self, label: str) -> None:
        """Begins a block, to which a run may come from anywhere."""
        self.lines.append(f"{label}:")
        self._known.clear()
        self._loaded.clear()

    def leave_if(self, holds: str, status: str) -> None:
        """Ends the run with a status where something holds, which is rare."""
        leave, go_on = self.label("leave"), self.label("on")
        self.add(f"br i1 {holds}, label %{leave}, label %{go_on}, !prof !0")
        known, loaded = dict(self._known), dict(self._loaded)
        self.begin(leave)
        self.leave(status)
        self.begin(go_on)
        self._known, self._loaded = known, loaded  # nothing else comes here

    def leave(self, status: str) -> None:
        """Ends the run with a status, or goes to where that is caught."""
        if not self.landings:
            self.give(status)
            return
        block, place = self.landings[-1]
        self.add(f"store i32 {status}, ptr {place}")
        self.add(f"br label %{block}")

    def give(self, status: str, result: str = "poison") -> None:
        """Ends the function with a status, and with what else it gives in a register."""
        if self.beside is None:
            self.add(f"ret i32 {status}")
            return
        pair = f"{{i32, {self.beside}}}"
        own = self.value(f"insertvalue {pair} poison, {self.beside} {result}, 1")
        found = self.value(f"insertvalue {pair} {own}, i32 {status}, 0")
        self.add(f"ret {pair} {found}")

    def give_way_if(self, holds: str) -> None:
        """Ends the run where NumPy would warn: no handler is asked."""
        around, self.landings = self.landings, []
        self.leave_if(holds, str(int(Status.GIVES_WAY)))
        self.landings = around


def _pointer(line: str) -> str:
    """What a load or a store goes to."""
    return line.rpartition(", ptr ")[2].partition(",")[0]


def part_of(dtype: DType) -> DType:
    """The dtype of the parts of a complex number."""
    return float64 if dtype is complex128 else float32


def words_of(dtype: DType) -> int:
    """Words of eight bytes in which a number is passed."""
    return max(1, dtype.itemsize // 8)


def in_register(dtype: DType) -> str:
    """The type of a number."""
    return "i1" if dtype is bool_ else in_memory(dtype)


def in_memory(dtype: DType) -> str:
    """The type of an element of an array; a complex number is a pair."""
    if dtype.is_complex:
        part = in_memory(part_of(dtype))
        return f"{{{part},{part}}}"
    if dtype.is_floating:
        return "double" if dtype.itemsize == 8 else "float"
    return f"i{8 * dtype.itemsize}"


def number_text(value: bool | float, dtype: DType) -> str:
    """A number as LLVM writes it."""
    if dtype.is_complex:
        part = part_of(dtype)
        parts = [f"{in_memory(part)} {number_text(each, part)}" for each in (value.real, value.imag)]
        return f"{{{', '.join(parts)}}}"
    if dtype is bool_:
        return "true" if value else "false"
    if dtype.is_floating:
        number = float(value)
        if dtype is float32 and math.isfinite(number):
            (number,) = struct.unpack("<f", struct.pack("<f", number))
        return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
    return str(int(value))
