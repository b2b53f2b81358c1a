"""One grammar of random programs, for all tests that compare two ways of running them.

A program is the text of a module with ``def program(x, n, v)``, over an array, an int and a float, and what
it is called with, three times in the world that the calls before have left. It has a few ideas, which bring
variables of their own, and any statement may stand in and after every other: `CONSTRUCTS` lists them, and a
program knows which pairs it has. Every program ends: loops are bounded, and recursion is, too.

    program = Program.from_seed(7)
    live = program.live()
    live.function(*live.calls[0])

Most programs are `SMALL`, since what differs in a few lines is found faster; a few are `LARGE`.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from tests.properties.choices import Choices
from tests.properties.constructs import BLOCKS, CONSTRUCTS, CONTROL, IDEAS, IN_PYTHON, JUMPS, Construct

__all__ = ["CONSTRUCTS", "COVERED", "LARGE", "PAIRS", "SMALL", "Live", "Program", "Size", "count", "table"]

Pair = tuple[str, str, str]
"""``("in", outer, inner)`` or ``("then", one, next)``."""

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
    ]
)
"""Every pair that there can be."""

IMPORTS = """\
import bisect, copy, functools, heapq, itertools, math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace
import numpy as np
"""

EXPRESSIONS: Mapping[str, tuple[str, ...]] = {
    "F": ("v", "1.5", "s", "x[$J]", "0.5", "2.0", "-1.0", "x.sum()"),
    "I": ("n", "1", "k", "0", "2", "3"),
    "T": ("n > 1", "v > 1.0", "k == 2", "$F > $F", "n > $I", "k == $I", "$F <= $F", "n % 2 == 0"),
}
"""Of floats, ints and tests: what any program has. Those without others in them end what is nested."""

JOINED: Mapping[str, tuple[str, ...]] = {
    "F": ("($F + $F)", "$F * 0.5", "($F if $T else $F)", "abs($F)", "min($F, $F)"),
    "I": ("($I + $I) % 5", "($I if $T else $I)", "int($T)"),
    "T": ("($T and $T)", "($T or $T)", "not ($T)"),
}
"""Larger ones."""

ATOMS: Mapping[str, tuple[str, ...]] = {
    "J": ("0", "1", "2", "n % 3", "k % 3", "-1"),
    "B": ("0", "1", "n % 2", "k % 2"),
    "K": ("'a'", "'b'"),
    "Known": ("3", "1", "2"),
}

HOLE = re.compile(r"\$([A-Z][a-z]*\d?|[a-z]+)")

NESTED = {*EXPRESSIONS, *(kind for idea in IDEAS.values() for kind in idea.more)}
"""Kinds of expressions that may have others in them."""


@dataclass(frozen=True)
class Size:
    """How much of a program there is.

    Attributes
    ----------
    ideas : int
        How many it has at most.
    statements : int
        How many it has before it gets no more with others in them.
    depth : int
        How deep these stand in one another.
    block : int
        How many stand in one at most; twice as many in the function itself.
    weight : int
        How often a statement is about an idea: a statement of numbers is as often as one that weighs 1.
    expressions : int
        How deep these stand in one another.
    lines : int
        How many lines it has at least.
    """

    ideas: int = 2
    statements: int = 6
    depth: int = 2
    block: int = 2
    weight: int = 8
    expressions: int = 2
    lines: int = 0


SMALL = Size()
LARGE = Size(ideas=4, statements=14, depth=3, block=3)


@dataclass(frozen=True)
class Live:
    """A program that can be called, and what to call it with."""

    function: FunctionType
    calls: tuple[tuple[Any, ...], ...]
    module: ModuleType


@dataclass(frozen=True)
class Program:
    """The text of a module with ``def program(x, n, v)``, and what to call it with.

    Attributes
    ----------
    text : str
    calls : tuple of str
        The arguments of each call, as text.
    ideas : tuple of str
        What it is about.
    pairs : frozenset
        Which constructs stand in and after each other.
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
        return _Writer(choices, ideas, constructs, size, staged=staged).program()

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
        calls = tuple(eval(f"{call[len('program') :][:-1]},)", {"np": np}) for call in self.calls)
        return Live(vars(module)["program"], calls, module)

    def __str__(self) -> str:
        return "\n".join([self.text, *self.calls])


class _Place(NamedTuple):
    """Where a statement stands."""

    indent: int
    depth: int
    around: tuple[str, ...] = ()
    in_loop: bool = False
    in_function: bool = True
    yields: bool = False
    before: str | None = None


class _Writer:
    """Writes one program, a line at a time."""

    def __init__(
        self,
        choices: Choices,
        ideas: Sequence[str] | None,
        constructs: Sequence[str] | None,
        size: Size | None,
        *,
        staged: bool,
    ) -> None:
        self._choices = choices
        self._size = size or (LARGE if self._one_in(8) else SMALL)
        self._names = tuple(self._new_ideas(staged=staged) if ideas is None else ideas)
        self._ideas = {name: IDEAS[name] for name in self._names}
        in_python = bool(IN_PYTHON & self._ideas.keys())
        known = [name for name in CONTROL if in_python or name not in IN_PYTHON]
        self._control = [name for name in known if constructs is None or name in constructs]
        self._jumps = [name for name in JUMPS if constructs is None or name in constructs]
        self._kinds = {takes_more: self._known_kinds(takes_more) for takes_more in (False, True)}
        self._own: dict[str, list[str]] = {}
        self._lines: list[str] = []
        self._left = self._size.statements
        self._next = 1
        self._loops: list[str] = []
        self._used: set[str] = {*self._names}
        self._pairs: set[Pair] = set()

    def _new_ideas(self, *, staged: bool) -> list[str]:
        known = [name for name in IDEAS if name not in IN_PYTHON]
        if not staged:
            known = [*known, *[name for name in IDEAS if name in IN_PYTHON] * len(known)]
        drawn = [self._pick(known) for _ in range(self._size.ideas)]
        some = self._choices.below(self._size.ideas)
        return [*dict.fromkeys(drawn[: some + 1])]

    def _known_kinds(self, takes_more: bool) -> list[str]:
        """What a statement may be, as often as it is to be taken."""
        allowed = [name for name in self._control if takes_more or CONTROL[name].simple]
        return ["idea"] * self._size.weight * bool(self._ideas) + [
            name for name in allowed for _ in range(CONTROL[name].weight)
        ]

    def program(self) -> Program:
        ideas = self._ideas.values()
        arguments = {name: value for idea in ideas for name, value in idea.arguments.items()}
        if outside := [name for idea in ideas for name in idea.globals]:
            self._line(1, f"global {', '.join(outside)}")
        self._line(1, "s, k = 0.0, 0")
        for idea in ideas:
            for line in idea.setup:
                self._write(_Place(1, 2), line if isinstance(line, str) else self._pick(line))
        place = _Place(1, self._size.depth)
        self._block(place, 2 * self._size.block - 1)
        while len(self._lines) < self._size.lines:
            self._left = self._size.statements
            self._block(place, self._size.block)
        self._line(1, f"return {self._result()}")
        header = f"def program({', '.join(['x', 'n', 'v', *arguments])}):"
        around = dict.fromkeys(each.around for name, each in CONSTRUCTS.items() if name in self._used)
        text = "\n".join([IMPORTS, *filter(None, around), header, *self._lines, ""])
        more = "".join(f", {value}" for value in arguments.values())
        calls = tuple(f"program({self._call()}{more})" for _ in range(3))
        return Program(text, calls, self._names, frozenset(self._pairs))

    def _call(self) -> str:
        x = self._pick(["[1.0, 2.0, 3.0, 4.0]", "[0.0, -1.0, 2.5, 0.5]", "[3.0, 1.0, 2.0, 0.0]"])
        n, v = self._pick([3, 0, 1, 2, 4]), self._pick([2.0, 0.0, 1.5, -1.0])
        return f"np.array({x}), np.int64({n}), np.float64({v})"

    def _result(self) -> str:
        results = [each for idea in self._ideas.values() for each in idea.results]
        return "s" if self._one_in(5) else ", ".join([*results, "s", "k"])

    # ── statements ──

    def _block(self, place: _Place, most: int) -> None:
        for _ in range(1 + self._choices.below(most)):
            with self._choices.stretch("statement"):
                place = place._replace(before=self._statement(place))

    def _statement(self, place: _Place) -> str:
        self._left -= 1
        takes_more = place.depth > 0 and self._left > 0
        kinds = [*self._kinds[takes_more], *self._jumps_in(place)]
        kind = self._pick(kinds)
        name = self._pick(self._names) if kind == "idea" else kind
        forms = CONSTRUCTS[name].forms if takes_more else CONSTRUCTS[name].simple
        self._pairs.update(("in", outer, name) for outer in place.around)
        if place.before is not None:
            self._pairs.add(("then", place.before, name))
        self._used.add(name)
        self._write(place._replace(around=(*place.around, name), before=None), self._pick(forms))
        return name

    def _jumps_in(self, place: _Place) -> Iterator[str]:
        for name in self._jumps:
            if _may_stand(name, place):
                yield from [name] * JUMPS[name].weight

    def _write(self, place: _Place, form: str) -> None:
        """Writes what a form says, with its holes filled."""
        drawn: dict[str, str] = {}
        known = len(self._loops)
        for line in form.split("\n"):
            text = line.lstrip(" ")
            inside = place._replace(indent=place.indent + (len(line) - len(text)) // 4)
            if text in BLOCKS:
                self._inside(inside, text)
            elif text == "$shared":
                self._declare(inside.indent)
            else:
                self._line(inside.indent, self._filled(text, self._size.expressions, drawn))
        del self._loops[known:]

    def _inside(self, place: _Place, kind: str) -> None:
        """Writes the statements that a word stands for."""
        place = place._replace(depth=place.depth - 1)
        match kind:
            case "$loop":
                place = place._replace(in_loop=True)
            case "$body" | "$generator":
                place = place._replace(in_loop=False, in_function=True, yields=kind == "$generator")
            case "$class":
                depth = min(place.depth, 1)
                place = place._replace(in_loop=False, in_function=False, yields=False, depth=depth)
            case "$quiet":
                place = place._replace(in_loop=False, in_function=False, yields=False, depth=0)
        with self._fewer_loops(kind in {"$body", "$generator", "$class"}):
            self._block(place, 1 if kind == "$quiet" else self._size.block)

    @contextmanager
    def _fewer_loops(self, hidden: bool) -> Iterator[None]:
        """What the loops around count is not read in a function within, which may be called after them."""
        loops = self._loops
        self._loops = [] if hidden else loops
        try:
            yield
        finally:
            self._loops = loops

    def _declare(self, indent: int) -> None:
        """Declares the variables of the program in a function within."""
        results = [each for idea in self._ideas.values() for each in idea.results]
        names = dict.fromkeys(name for each in results for name in _variables(each))
        outside = [name for idea in self._ideas.values() for name in idea.globals]
        self._line(indent, f"nonlocal {', '.join(['s', 'k', *names])}")
        if outside:
            self._line(indent, f"global {', '.join(outside)}")

    # ── holes ──

    def _filled(self, template: str, depth: int, drawn: dict[str, str]) -> str:
        def fill(match: re.Match[str]) -> str:
            with self._choices.stretch(match[1]):
                return self._hole(match[1], depth, drawn)

        return HOLE.sub(fill, template)

    def _hole(self, kind: str, depth: int, drawn: dict[str, str]) -> str:
        if kind == "result":
            return self._result()
        if kind in drawn:
            return drawn[kind]
        if kind.islower():
            drawn[kind] = f"{kind}{self._next}"
            self._next += 1
            if kind == "i":
                self._loops.append(drawn[kind])
            return drawn[kind]
        plain = kind.rstrip("12")
        found = self._variable(plain) or self._expression(plain, depth)
        if plain != kind:
            drawn[kind] = found
        return found

    def _variable(self, kind: str) -> str | None:
        for idea in self._ideas.values():
            if kind in idea.names:
                return self._pick(idea.names[kind])  # type: ignore[no-any-return]  # a str
        return None

    def _expression(self, kind: str, depth: int) -> str:
        if kind in ATOMS:
            loops = self._loops if kind == "Known" else [f"{name} % 3" for name in self._loops if kind == "J"]
            return self._pick([*ATOMS[kind], *loops])  # type: ignore[no-any-return]  # a str
        if kind not in self._own:
            self._own[kind] = [form for idea in self._ideas.values() for form in _expressions(idea, kind)]
        own = self._own[kind]
        basic = [*EXPRESSIONS.get(kind, own), *(self._loops if kind == "I" else ())]
        if depth <= 0:
            return self._filled(self._pick([form for form in basic if _is_short(form)]), 0, {})
        choice = self._choices.below(10) if kind in JOINED else 0
        forms = basic if choice < 5 or not own else own if choice < 8 else JOINED[kind]
        return self._filled(self._pick(forms), depth - 1, {})

    # ── choosing: the first is the simplest ──

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[self._choices.below(len(choices))]

    def _one_in(self, count: int) -> bool:
        return self._choices.below(count) == count - 1

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)


def _may_stand(name: str, place: _Place) -> bool:
    """Whether Python lets a jump stand in a place; one that ends the function stands in another statement."""
    if name in {"break", "continue"}:
        return place.in_loop
    if name == "yield":
        return place.yields
    if name == "return" and (place.yields or not place.in_function):
        return False
    return place.indent > 1


def _expressions(idea: Construct, kind: str) -> Sequence[str]:
    return {"F": idea.floats, "I": idea.ints, "T": idea.tests}.get(kind) or idea.more.get(kind, ())


def _variables(result: str) -> list[str]:
    """The variables in what a program returns."""
    names = [node.id for node in ast.walk(ast.parse(result)) if isinstance(node, ast.Name)]
    return [name for name in names if not hasattr(builtins, name)]


def _is_short(form: str) -> bool:
    """Whether there are no other expressions in one."""
    return NESTED.isdisjoint(HOLE.findall(form))


def count(program: Program) -> None:
    """Counts the pairs of a program that was compared."""
    COVERED.update(program.pairs)


def covered() -> str:
    """How many of the pairs the run covered."""
    return f"{len(PAIRS & COVERED.keys())} of {len(PAIRS)} pairs of constructs"


def table() -> str:
    """Which pairs the run covered: for every construct, how often it stood in and after each other."""
    lines = []
    for relation in ("in", "then"):
        outer = [name for name, each in CONSTRUCTS.items() if relation == "then" or each.is_compound]
        lines.append(f"{relation:>16}  " + " ".join(f"{name[:8]:>8}" for name in outer))
        for inner in CONSTRUCTS:
            counts = [COVERED[relation, name, inner] for name in outer]
            lines.append(f"{inner:>16}  " + " ".join(f"{count or '.':>8}" for count in counts))
    return "\n".join([*lines, covered()])
