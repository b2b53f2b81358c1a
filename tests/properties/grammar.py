"""One grammar of random programs, for all tests that compare two ways of running them.

A program is ``def program(a, b, c)`` over ints, with helpers and objects around it, and numbers outside that
outlast a call. Every construct may stand in every other and after every other: `CONSTRUCTS` lists them, and a
program knows which pairs it has. Every program ends: loops are bounded, recursion is too, and numbers stay
below `LIMIT`, so that 64 bits hold them.

    program = Program.from_seed(7)
    live = program.live()
    live.function(*program.calls[0])
    live.outside()

What a graph is documented to do otherwise is left out (docs/beyond.md, docs/fidelity.md):

- Every `print` prints `mark`, too, which a tensor decides: without any tensor it prints when it is traced.
- There is no `with`, no class and no coroutine: these run when they are traced; see `python_programs.py`.
- No list is printed: one that grows in a graph prints as `<StagedList …>`, which is a defect.
- `items` stays one list: a loop that changes it and binds it anew is refused, as it does not settle.
- A place outside is given what a tensor decides, by `mark`: `outer.value += 1` happens in the first call
  alone, which is a defect.
- What lies outside holds numbers: a list outside that grows would leave a tensor there, with a warning.
"""

from __future__ import annotations

import linecache
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from types import FunctionType
from typing import Any

from tests.properties.choices import Choices

__all__ = ["CONSTRUCTS", "COVERED", "PAIRS", "Live", "Program", "count", "table"]

PARAMETERS = ("a", "b", "c")
LOCALS = ("x", "y", "z")
LIMIT = 1009
DEPTH = 3
STATEMENTS = 14
"""A program that has as many gets no more compound ones."""

RESULT = "x, y, z, items, found, box.value, table"


class Box:
    """An object with a number, which falls so many times and no more."""

    def __init__(self, value=0):
        self.value = value
        self.left = 20

    def bump(self, by):
        self.value = (self.value + by) % LIMIT

    def falls(self, by):
        self.value = self.value - 1 - abs(by) % 7
        self.left -= 1
        return min(self.value, self.left) > 0


def clipped(value, most):
    """A function that returns early."""
    if value > most:
        return most
    if value < -most:
        return -most
    return value


def halves(value):
    """A generator."""
    while value > 0:
        value = value // 2
        yield value


def descend(value, by):
    """A function that calls itself."""
    if value <= 0:
        return by
    return (descend(value - 1 - abs(by) % 3, by + 1) + value) % LIMIT


HELPERS = {"Box": Box, "clipped": clipped, "halves": halves, "descend": descend}
"""The globals of every program, beside what lies outside of it."""

SIMPLE = (
    *("assign", "augment", "swap", "list", "comprehension", "alias", "none", "object", "nonlocal", "outside"),
    *("late", "call", "lambda", "recursion", "chosen", "print"),
)
LOOPS = ("while", "range", "each", "generator", "falls")
COMPOUND = ("if", *LOOPS, "try", "finally", "match")
JUMPS = ("return", "break", "continue", "raise")
CONSTRUCTS = (*SIMPLE, *COMPOUND, *JUMPS)

Pair = tuple[str, str, str]
"""``("in", outer, inner)`` or ``("then", one, next)``."""

COVERED: Counter[Pair] = Counter()
"""How many of the programs that were compared had a pair."""

PAIRS: frozenset[Pair] = frozenset(
    [
        *(("in", outer, inner) for outer in COMPOUND for inner in CONSTRUCTS),
        *(("then", one, following) for one in (*SIMPLE, *COMPOUND) for following in CONSTRUCTS),
    ]
)
"""Every pair that there can be."""


@dataclass(frozen=True)
class Live:
    """A program that can be called, and a view on the numbers that it keeps outside."""

    function: FunctionType
    outside: Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Program:
    """The text of ``def program(a, b, c)`` in its surroundings, and what to call it with.

    Attributes
    ----------
    text : str
    calls : tuple of tuples of int
        The arguments of each call.
    staged : tuple of bool
        Which of the parameters are tensors, where it becomes a graph.
    pairs : frozenset
        Which constructs stand in and after each other.
    """

    text: str
    calls: tuple[tuple[int, ...], ...]
    staged: tuple[bool, ...]
    pairs: frozenset[Pair] = field(default=frozenset(), repr=False)

    @classmethod
    def from_choices(
        cls, choices: Choices, *, constructs: Sequence[str] = CONSTRUCTS, lines: int = 0
    ) -> Program:
        """The program that numbers lead to: any numbers.

        Parameters
        ----------
        choices : Choices
        constructs : sequence of str
            Those that it may have. Where these are not all, it takes three tensors and returns three.
        lines : int
            How many it has at least.
        """
        return _Writer(choices, constructs).program(lines)

    @classmethod
    def from_seed(cls, seed: int, *, constructs: Sequence[str] = CONSTRUCTS, lines: int = 0) -> Program:
        """A random program, as in `from_choices`."""
        return cls.from_choices(Choices(Random(seed).randrange), constructs=constructs, lines=lines)

    def live(self) -> Live:
        """The program, compiled anew, with new objects outside; its source can be found."""
        filename = f"<program {zlib.crc32(self.text.encode()):08x}>"  # again the same
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        scope = {"__name__": "program", **HELPERS, "total": 0, "outer": Box(5), "memo": {"a": 0, "b": 1}}
        exec(compile(self.text, filename, "exec"), scope)
        function, seen = scope["make"]()

        def outside() -> dict[str, Any]:
            outer, memo = scope["outer"], scope["memo"]
            return {"total": scope["total"], "outer": outer.value, "memo": dict(memo), "seen": seen()}

        return Live(function, outside)

    def __str__(self) -> str:
        numbers = [name for name, staged in zip(PARAMETERS, self.staged, strict=True) if not staged]
        where = f"  # in a graph, {', '.join(numbers)} stays a number of Python" if numbers else ""
        return "\n".join([self.text, *(f"program{call}{where}" for call in self.calls)])


class _Writer:
    """Writes one program, a line at a time."""

    def __init__(self, choices: Choices, constructs: Sequence[str]) -> None:
        self._choices = choices
        self._constructs = constructs
        self._next_number = 1
        self._loop_variables: list[str] = []
        self._around: list[str] = []
        self._left = STATEMENTS
        self._lines: list[str] = []
        self._used: set[str] = set()
        self._results = ["x, y, z"]
        self._pairs: set[Pair] = set()

    def program(self, lines: int) -> Program:
        unset, staged = None, (True,) * len(PARAMETERS)
        if self._constructs == CONSTRUCTS:
            self._results = self._rarely([[RESULT], ["x, y, z"], ["x"], ["x", RESULT]])
            unset = self._rarely([None, None, None, None, "y", "z"])
            staged = self._rarely([staged, (True, False, True), (False, True, True)])
        self._block(2, DEPTH, most=5)
        while len(self._lines) < lines:
            self._left = STATEMENTS
            self._block(2, DEPTH)
        self._line(2, f"return {self._pick(self._results)}")
        body = self._lines
        self._lines = []
        self._line(0, "def make():")
        self._line(1, "seen = 0")
        self._line(1, f"def program({', '.join(PARAMETERS)}):")
        for kind, name in (("nonlocal", "seen"), ("global", "total")):
            if name in self._used:
                self._line(2, f"{kind} {name}")
        self._line(2, f"mark = {PARAMETERS[staged.index(True)]} * 0")
        for index, name in enumerate(LOCALS):
            self._line(2, f"{name} = {index}")
            if name == unset:
                self._line(2, f"del {name}")
        for text in ("items = [1]", "found = None", "box = Box()", "other = Box(3)"):
            self._line(2, text)
        self._line(2, 'table = {"a": 0, "b": 1}')
        self._line(2, "def add(by):")
        self._line(3, "nonlocal x")
        self._line(3, f"x = (x + by) % {LIMIT}")
        self._lines += body
        self._line(1, "return program, lambda: seen")
        calls = tuple(tuple(self._number(-9, 9) for _ in PARAMETERS) for _ in range(3))
        return Program("\n".join(self._lines) + "\n", calls, staged, frozenset(self._pairs))

    # ── statements ──

    def _block(self, indent: int, depth: int, *, most: int = 3) -> None:
        before = None
        for index in range(most):
            with self._choices.stretch("statement"):
                if index and self._choices.below(most) == 0:
                    break
                before = self._statement(indent, depth, before)
            if before in JUMPS:
                break

    def _statement(self, indent: int, depth: int, before: str | None) -> str:
        in_loop = next((each for each in reversed(self._around) if each in {*LOOPS, "loop else"}), None)
        kinds = [*SIMPLE]
        if depth and self._left > 0:
            kinds += [*COMPOUND, *COMPOUND]
        if self._around:
            kinds += ["return", "raise"] + ["break", "continue"] * (in_loop in LOOPS)
        kind = self._pick([each for each in kinds if each in self._constructs])
        self._left -= 1
        self._pairs |= self._new_pairs(kind, before)
        getattr(self, f"_{kind}")(indent, depth - 1)
        return kind

    def _new_pairs(self, kind: str, before: str | None) -> set[Pair]:
        pairs = {("in", outer, kind) for outer in self._around if outer in CONSTRUCTS}
        return pairs | {("then", before, kind)} if before else pairs

    def _inside(self, kind: str, indent: int, depth: int) -> None:
        self._around.append(kind)
        self._block(indent, depth)
        self._around.pop()

    def _assign(self, indent: int, _: int) -> None:
        self._line(indent, f"{self._pick(LOCALS + PARAMETERS)} = ({self._expression()}) % {LIMIT}")

    def _augment(self, indent: int, _: int) -> None:
        self._line(indent, f"{self._pick(LOCALS)} {self._pick(['+=', '-='])} {self._expression(1)} % 7")

    def _list(self, indent: int, _: int) -> None:
        value = self._expression(1)
        kind = self._pick(["append", "append", "pop", "read", "set", "index", "over"])
        if kind == "append":
            self._line(indent, f"items.append(({value}) % {LIMIT})")
        elif kind == "pop":
            self._line(indent, "if len(items) > 1:")
            self._line(indent + 1, "y = items.pop()")
        elif kind == "read":
            self._line(indent, f"z = items[-1] + len(items) + max(items) % ({value} % 5 + 6)")
        elif kind == "over":
            name = self._new_name("i")
            self._line(indent, f"for {name} in items:")
            self._line(indent + 1, f"x = (x + {name} * {value}) % {LIMIT}")
        elif kind == "index":
            self._line(indent, f"y = items[({value}) % 3]")
        else:
            self._line(indent, f"items[0] = ({value}) % {LIMIT}")

    def _none(self, indent: int, _: int) -> None:
        value = self._expression(1)
        kind = self._pick(["set", "take", "test"])
        if kind == "test":
            self._line(indent, f"if found is None or found > {value}:")
            self._line(indent + 1, f"found = ({value}) % {LIMIT}")
        else:
            self._line(indent, "found = None" if kind == "take" else f"found = ({value}) % {LIMIT}")

    def _object(self, indent: int, _: int) -> None:
        value = self._expression(1)
        table = f'table["{self._pick("ab")}"] = ({value}) % {LIMIT}'
        self._line(indent, self._pick([f"box.value = ({value}) % {LIMIT}", f"box.bump({value})", table]))

    def _swap(self, indent: int, _: int) -> None:
        forms = [
            "x, y = y, x",
            f"y, *_ = {self._expression(1)}, x",
            f"(x, y), z = (z, {self._expression(1)}), y",
        ]
        self._line(indent, self._pick(forms))

    def _comprehension(self, indent: int, _: int) -> None:
        value = self._expression(1)
        forms = [
            f"y = sum([i % 7 for i in items if i > {value}])",
            f"y = [(i + {value}) % {LIMIT} for i in items[:4]][0]",
            f"z = max((i - x for i in items), default={value})",
            f"y = 1 if any(i > {value} for i in items) else 0",
            "z = sorted(items[:3], reverse=True)[0]",
            f"z = sum(i * j % 5 for i, j in zip(items, range(({value}) % 4)))",
        ]
        self._line(indent, self._pick(forms))

    def _alias(self, indent: int, _: int) -> None:
        name, value = self._new_name("o"), self._expression(1)
        forms = [
            f"{name} = items; {name}.append(({value}) % {LIMIT})",
            f"{name} = box; {name}.value = ({value}) % {LIMIT}",
            f"{name} = table; {name}['a'] = ({value}) % {LIMIT}",
            f"{name} = [items, [0]]; {name}[0].append(({value}) % {LIMIT})",
        ]
        self._line(indent, self._pick(forms))

    def _outside(self, indent: int, _: int) -> None:
        value = self._expression(1)
        kind = self._pick(["outer", "memo", "total", "seen"])
        self._used.add(kind)
        place = {"outer": "outer.value", "memo": f'memo["{self._pick("ab")}"]'}.get(kind, kind)
        forms = [
            f"{place} = ({value} + mark) % {LIMIT}",
            f"{place} = ({place} + {value} + mark) % {LIMIT}",
            f"x = ({place} - {value}) % {LIMIT}",
        ]
        self._line(indent, self._pick(forms))

    def _nonlocal(self, indent: int, _: int) -> None:
        self._line(indent, f"add({self._expression(1)})")

    def _late(self, indent: int, _: int) -> None:
        self._line(indent, f"if {self._test(1)}:")
        self._line(indent + 1, f"late = {self._expression(1)}")
        self._line(indent, f"if {self._test(1)}:")
        self._line(indent + 1, "z = late % 13")

    def _call(self, indent: int, _: int) -> None:
        self._line(indent, f"y = clipped({self._expression(1)}, {self._number(1, 50)}) + sum(items) % 11")

    def _lambda(self, indent: int, _: int) -> None:
        value = self._expression(1)
        forms = [
            f"z = (lambda p, q=y: (p - q) % {LIMIT})({value})",
            f"y = (lambda *p, k=1: (p[0] + x * k) % {LIMIT})({value}, k={self._number(0, 3)})",
            f"z = sum(map(lambda p: (p + {value}) % 13, items[:3]))",
        ]
        self._line(indent, self._pick(forms))

    def _recursion(self, indent: int, _: int) -> None:
        self._line(indent, f"z = descend(({self._expression(1)}) % 5, {self._expression(1)})")

    def _chosen(self, indent: int, _: int) -> None:
        name = self._new_name("o")
        self._line(indent, f"{name} = box if {self._test(1)} else other")
        self._line(indent, self._pick([f"{name}.bump({self._expression(1)})", f"x = {name}.value"]))

    def _print(self, indent: int, _: int) -> None:
        self._line(
            indent,
            self._pick(
                [
                    "print(x, mark)",
                    f"print('y', {self._expression(1)}, mark)",
                    "print(items[-1], mark)",
                    "print(f'{x} {found} {mark}')",
                ]
            ),
        )

    def _return(self, indent: int, _: int) -> None:
        self._line(indent, f"return {self._pick(self._results)}")

    def _break(self, indent: int, _: int) -> None:
        self._line(indent, "break")

    def _continue(self, indent: int, _: int) -> None:
        self._line(indent, "continue")

    def _raise(self, indent: int, _: int) -> None:
        self._line(indent, f"raise {self._pick(['ValueError', 'KeyError'])}({self._expression(1)})")

    def _if(self, indent: int, depth: int) -> None:
        walrus = self._one_in(6)
        self._line(indent, f"if (y := {self._expression(1)}) > x:" if walrus else f"if {self._test()}:")
        self._inside("if", indent + 1, depth)
        if self._one_in(3):
            self._line(indent, f"elif {self._test()}:")
            self._inside("if", indent + 1, depth)
        if self._one_in(2):
            self._line(indent, "else:")
            self._inside("if", indent + 1, depth)

    def _while(self, indent: int, depth: int) -> None:
        counter = self._new_name("n")
        self._line(indent, f"{counter} = ({self._expression(1)}) % 4")
        self._line(indent, f"while {counter} > 0 and {self._test()}:")
        self._line(indent + 1, f"{counter} -= 1")
        self._body("while", indent, depth)

    def _range(self, indent: int, depth: int) -> None:
        self._for("range", f"range(({self._expression(1)}) % 4)", indent, depth)

    def _each(self, indent: int, depth: int) -> None:
        self._for("each", "items[:3]", indent, depth)

    def _generator(self, indent: int, depth: int) -> None:
        self._for("generator", f"halves(({self._expression(1)}) % 9)", indent, depth)

    def _for(self, kind: str, source: str, indent: int, depth: int) -> None:
        variable = self._new_name("i")
        self._line(indent, f"for {variable} in {source}:")
        self._loop_variables.append(variable)
        self._body(kind, indent, depth)

    def _falls(self, indent: int, depth: int) -> None:
        self._line(indent, f"box.value = ({self._expression(1)}) % 23")
        self._line(indent, f"while box.falls({self._expression(1)}):")
        self._body("falls", indent, depth)

    def _body(self, kind: str, indent: int, depth: int) -> None:
        known = len(self._loop_variables)
        self._inside(kind, indent + 1, depth)
        del self._loop_variables[known - (kind in {"range", "each", "generator"}) :]
        if self._one_in(4):
            self._line(indent, "else:")
            self._inside("loop else", indent + 1, depth)

    def _try(self, indent: int, depth: int) -> None:
        self._line(indent, "try:")
        self._inside("try", indent + 1, depth)
        handled = ["ValueError", "KeyError", "ZeroDivisionError, ValueError", "(ValueError, LookupError)"]
        kinds = self._pick(handled)
        for kind in [kinds] if kinds.startswith("(") else kinds.split(", "):
            self._line(indent, f"except {kind}:")
            self._inside("try", indent + 1, depth)
        if self._one_in(3):
            self._line(indent, "else:")
            self._inside("try", indent + 1, depth)

    def _finally(self, indent: int, depth: int) -> None:
        self._line(indent, "try:")
        self._inside("finally", indent + 1, depth)
        self._line(indent, "finally:")
        self._around.append("finally")
        self._line(indent + 1, f"y = (y + {self._expression(1)}) % {LIMIT}")
        self._around.pop()

    def _match(self, indent: int, depth: int) -> None:
        self._line(indent, f"match ({self._expression(1)}) % 3:")
        self._line(indent + 1, "case 0:")
        self._inside("match", indent + 2, depth)
        self._line(indent + 1, f"case n if n > {self._number(-1, 2)}:")
        self._line(indent + 2, "y = n")
        self._line(indent + 1, "case _:")
        self._inside("match", indent + 2, depth)

    # ── expressions ──

    def _expression(self, depth: int = 2) -> str:
        with self._choices.stretch("expression"):
            return self._new_expression(depth)

    def _new_expression(self, depth: int) -> str:
        kinds = ["atom", "atom", "sum", "product", "quotient", "choice", "divide"]
        kind = self._pick(kinds if depth else ["atom"])
        if kind == "atom":
            names = (*LOCALS, *PARAMETERS, *self._loop_variables)
            return self._pick([*names, str(self._number(-9, 9))])
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        if kind == "sum":
            return f"({left} {self._pick(['+', '-'])} {right})"
        if kind == "product":
            return f"({left} * {right} % {LIMIT})"
        if kind == "quotient":
            return f"({left} {self._pick(['//', '%'])} {self._number(1, 9)})"
        if kind == "divide":
            sign = self._pick(["//", "%"]) if "try" in self._around else "-"
            return f"({left} {sign} ({right}))"
        return f"({left} if {self._test(depth - 1)} else {right})"

    def _test(self, depth: int = 2) -> str:
        with self._choices.stretch("test"):
            return self._new_test(depth)

    def _new_test(self, depth: int) -> str:
        kind = self._pick(["compare", "compare", "chain", "and", "or", "not"] if depth else ["compare"])
        signs = ["<", "<=", ">", ">=", "==", "!="]
        left, right = self._expression(1), self._expression(1)
        if kind == "compare":
            return f"{left} {self._pick(signs)} {right}"
        if kind == "chain":
            return f"{left} {self._pick(signs)} {right} {self._pick(signs)} {self._expression(1)}"
        if kind == "not":
            return f"not {self._test(depth - 1)}"
        return f"({self._test(depth - 1)} {kind} {self._test(depth - 1)})"

    # ── choosing: the first is the simplest ──

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[self._choices.below(len(choices))]

    def _rarely(self, choices: Sequence[Any]) -> Any:
        """The first, mostly."""
        return self._pick([choices[0]] * 3 * len(choices) + [*choices[1:]])

    def _number(self, least: int, most: int) -> int:
        return self._pick(sorted(range(least, most + 1), key=lambda number: (abs(number), number < 0)))

    def _one_in(self, count: int) -> bool:
        return self._choices.below(count) == count - 1

    def _new_name(self, letter: str) -> str:
        name = f"{letter}{self._next_number}"
        self._next_number += 1
        return name

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)


def count(program: Program) -> None:
    """Counts the pairs of a program that was compared."""
    COVERED.update(program.pairs)


def table() -> str:
    """Which pairs the run covered: for every construct, how often it stood in and after each other."""
    lines = []
    for relation, outer in (("in", [*COMPOUND]), ("then", [*SIMPLE, *COMPOUND])):
        lines.append(f"{relation:>13}  " + " ".join(f"{name[:6]:>6}" for name in outer))
        for inner in CONSTRUCTS:
            counts = [COVERED[relation, name, inner] for name in outer]
            lines.append(f"{inner:>13}  " + " ".join(f"{count or '.':>6}" for count in counts))
    covered = len(PAIRS & COVERED.keys())
    return "\n".join([*lines, f"{covered} of {len(PAIRS)} pairs"])
