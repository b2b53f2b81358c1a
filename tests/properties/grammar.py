"""One grammar of random programs, for all tests that compare two ways of running them.

A program is the text of a module with ``def program(x, n, v)``, over an array, an int and a float, and what
it is called with, three times in the world that the calls before have left. It has a few ideas, which bring
variables of their own, and any statement may stand in and after every other: `CONSTRUCTS` lists them, and a
program knows which pairs it has. `WAYS` are ideas of where the variables of the others may be, too: in
attributes, items and globals, chosen, given by the caller, handed to functions of the module. Every program
ends: loops are bounded, and recursion is, too.

    program = Program.from_seed(7)
    live = program.live()
    live.function(*live.calls[0])

Most programs are `SMALL`, since what differs in a few lines is found faster; a few are `LARGE`.
"""

from __future__ import annotations

import linecache
import re
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import FunctionType, ModuleType
from typing import Any

from tests.properties.choices import Choices
from tests.properties.constructs import CONSTRUCTS, IN_PYTHON, WAYS
from tests.properties.writer import LARGE, SMALL, Pair, Size, Writer

__all__ = [
    "CONSTRUCTS",
    "COVERED",
    "LARGE",
    "PAIRS",
    "SMALL",
    "Live",
    "Pair",
    "Program",
    "Size",
    "count",
    "covered",
    "table",
]

COVERED: Counter[Pair] = Counter()
"""How many of the programs that were compared had a pair."""

PAIRS: frozenset[Pair] = frozenset(
    [
        *(
            ("in", outer, inner)
            for outer, held in CONSTRUCTS.items()
            if held.is_compound
            for inner in CONSTRUCTS
        ),
        *(("then", one, following) for one in CONSTRUCTS for following in CONSTRUCTS),
        *(
            ("with", way, one)
            for way, elsewhere in WAYS.items()
            if elsewhere.places
            for one, each in CONSTRUCTS.items()
            if each.has_variables and one not in IN_PYTHON
        ),
    ]
)
"""Every pair that there can be."""

Step = tuple[Any, ...] | Callable[[], Any]
"""What a program is called with, or what happens between two calls."""


@dataclass(frozen=True)
class Live:
    """A program that can be called, and what to call it with.

    The first call is a call; after it, the caller may do something else between two.
    """

    function: FunctionType
    calls: tuple[Step, ...]
    module: ModuleType


@dataclass(frozen=True)
class Program:
    """The text of a module with ``def program(x, n, v)``, and what to call it with.

    Attributes
    ----------
    text : str
    calls : tuple of str
        Each call, and what happens between two, as text.
    ideas : tuple of str
        What it is about.
    pairs : frozenset
        Which constructs stand in and after each other, and which have variables in which places.
    """

    text: str
    calls: tuple[str, ...]
    ideas: tuple[str, ...]
    pairs: frozenset[Pair] = field(default=frozenset(), repr=False)

    @classmethod
    def from_choices(
        cls,
        choices: Choices,
        *,
        ideas: Sequence[str] | None = None,
        constructs: Sequence[str] | None = None,
        size: Size | None = None,
        staged: bool = True,
    ) -> Program:
        """The program that numbers lead to: any numbers.

        Parameters
        ----------
        choices : Choices
        ideas : sequence of str, optional
            What it is about; the numbers say it where this does not.
        constructs : sequence of str, optional
            Those beside its ideas that it may have.
        size : Size, optional
            `SMALL`, as a rule.
        staged : bool
            Whether it may become a graph; else it may have all that Python has.
        """
        return cls(*Writer(choices, ideas, constructs, size, staged=staged).program())

    @classmethod
    def from_seed(cls, seed: int, **options: Any) -> Program:
        """A random program, as in `from_choices`."""
        return cls.from_choices(Choices(Random(seed).randrange), **options)

    def live(self) -> Live:
        """The program, compiled anew; its source can be found.

        Raises
        ------
        SyntaxError
            A few combinations are no Python.
        """
        filename = f"<program {zlib.crc32(self.text.encode()):08x}>"  # again the same
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        module = sys.modules["program"] = ModuleType("program")  # where dataclasses look for theirs
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # `1 is None` is written for the sake of the test
            exec(compile(self.text, filename, "exec"), vars(module))
        space = dict(vars(module))  # what a call names is there for the next
        calls = tuple(_step(call, space) for call in self.calls)
        return Live(vars(module)["program"], calls, module)

    def with_numbers_of_python(self) -> Program:
        """The same, called with Python's own numbers, and twice more in front: they have changed by then."""
        calls = [(self.calls[0], 1), (self.calls[0], 2), *[(call, 0) for call in self.calls]]
        return replace(self, calls=tuple([_of_python(call, more) for call, more in calls]))

    def __str__(self) -> str:
        return "\n".join([self.text, *self.calls])


def _of_python(call: str, more: int) -> str:
    """The text of a call with Python's own numbers, each larger by so much, or by parts of that."""
    whole = re.sub(r"np\.int64\((-?\d+)\)", lambda found: str(int(found[1]) + more), call)
    return re.sub(r"np\.float64\((-?[\d.]+)\)", lambda found: str(float(found[1]) + more / 4), whole)


def _step(call: str, space: dict[str, Any]) -> Step:
    """The arguments of a call, or the function that is called between two."""
    name, _, arguments = call.partition("(")
    step: Step = eval(f"({arguments[:-1]},)", space) if name == "program" else space[name]
    return step


def count(program: Program) -> None:
    """Counts the pairs of a program that was compared."""
    COVERED.update(program.pairs)


def covered() -> str:
    """How many of the pairs the run covered."""
    return f"{len(PAIRS & COVERED.keys())} of {len(PAIRS)} pairs of constructs"


def table() -> str:
    """Which pairs the run covered: for every construct, how often it stood in and after each other."""
    lines = []
    for relation in ("in", "then", "with"):
        outer = [*dict.fromkeys(one for one in CONSTRUCTS for each in PAIRS if each[:2] == (relation, one))]
        lines.append(f"{relation:>16}  " + " ".join(f"{name[:8]:>8}" for name in outer))
        for inner in CONSTRUCTS:
            counts = [COVERED[relation, name, inner] for name in outer]
            lines.append(f"{inner:>16}  " + " ".join(f"{count or '.':>8}" for count in counts))
    return "\n".join([*lines, covered()])
