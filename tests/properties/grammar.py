"""One grammar of random programs, for all tests that compare two ways of running them.

A program is ``def program(a, b, c)`` over ints, with helpers and objects around it (`NAMES`). Every construct
may stand in every other and after every other: `CONSTRUCTS` lists them, and a program knows which pairs it
has. Every program ends: loops are bounded, recursion is too, and numbers stay below `LIMIT`, so that 64 bits
hold them.

    @given(programs())
    def test_…(program):
        function = program.function()
"""

from __future__ import annotations

import io
import itertools
import linecache
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from hypothesis import strategies as st

__all__ = ["CONSTRUCTS", "COVERED", "Observed", "Program", "count", "observe", "programs", "table"]

PARAMETERS = ("a", "b", "c")
LOCALS = ("x", "y", "z")
LIMIT = 1009
DEPTH = 3
STATEMENTS = 14
"""A program that has as many gets no more compound ones."""

RESULT = "x, y, z, items, found, box.value, table"


class Box:
    """An object with a number."""

    def __init__(self, value=0):
        self.value = value

    def bump(self, by):
        self.value = (self.value + by) % LIMIT

    def falls(self, by):
        self.value = self.value - 1 - abs(by) % 7
        return self.value > 0


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


NAMES = {"Box": Box, "clipped": clipped, "halves": halves, "descend": descend}
"""The globals of a program."""

SIMPLE = (
    *("assign", "augment", "list", "none", "object", "nonlocal"),
    *("late", "call", "recursion", "chosen", "print"),
)
LOOPS = ("while", "range", "each", "generator", "falls")
COMPOUND = ("if", *LOOPS, "try", "finally", "match")
JUMPS = ("return", "break", "continue", "raise")
CONSTRUCTS = (*SIMPLE, *COMPOUND, *JUMPS)

COVERED: Counter[tuple[str, str, str]] = Counter()
"""How many of the programs that were compared had ``("in", outer, inner)`` or ``("then", one, next)``."""


@dataclass(frozen=True)
class Observed:
    """What can be seen of a run."""

    result: Any
    error: type[BaseException] | None
    printed: str


@dataclass(frozen=True)
class Program:
    """The text of ``def program(a, b, c)`` and what to call it with."""

    text: str
    arguments: tuple[int, int, int]
    pairs: frozenset[tuple[str, str, str]] = field(default=frozenset(), repr=False)

    def function(self, **namespace: Any) -> FunctionType:
        """The program as a live function whose source can be found; `namespace` adds to its globals."""
        filename = f"<program {zlib.crc32(self.text.encode()):08x}>"  # again the same
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        scope = {"__name__": "program", **NAMES, **namespace}
        exec(compile(self.text, filename, "exec"), scope)
        return scope["program"]

    def __repr__(self) -> str:
        return f"{self.text}\nprogram{self.arguments}"


def observe(
    function: Callable[..., Any], arguments: Any, plain: Callable[[Any], Any] = lambda result: result
) -> Observed:
    """Runs a program; `plain` makes of its result what can be compared."""
    with redirect_stdout(io.StringIO()) as printed:
        try:
            result, error = plain(function(*arguments)), None
        except EXPECTED as raised:
            result, error = None, type(raised)
    return Observed(result, error, printed.getvalue())


EXPECTED = (UnboundLocalError, ValueError, IndexError, ZeroDivisionError, KeyError)
"""What a program may raise."""


class _Writer:
    """Draws one program, a line at a time."""

    def __init__(self, draw: Any, without: frozenset[str], refused: frozenset[tuple[str, str, str]]) -> None:
        self._draw = draw
        self._without = without
        self._refused = refused
        self._numbers = itertools.count(1)
        self._loop_variables: list[str] = []
        self._around: list[str] = []
        self._left = STATEMENTS
        self._lines: list[str] = []
        self.pairs: set[tuple[str, str, str]] = set()

    def program(self) -> str:
        self._line(0, f"def program({', '.join(PARAMETERS)}):")
        for index, name in enumerate(LOCALS):
            self._line(1, f"{name} = {index}")
        for text in ("items = [1]", "found = None", "box = Box()", "other = Box(3)"):
            self._line(1, text)
        self._line(1, 'table = {"a": 0, "b": 1}')
        self._line(1, "def add(by):")
        self._line(2, "nonlocal x")
        self._line(2, f"x = (x + by) % {LIMIT}")
        self._block(1, DEPTH, least=2)
        self._line(1, f"return {RESULT}")
        return "\n".join(self._lines) + "\n"

    # ── statements ──

    def _block(self, indent: int, depth: int, *, least: int = 1) -> None:
        before = None
        for _ in range(self._number(least, 3)):
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
        kinds = [each for each in kinds if each not in self._without]
        kind = self._pick([each for each in kinds if not self._new_pairs(each, before) & self._refused])
        self._left -= 1
        self.pairs |= self._new_pairs(kind, before)
        getattr(self, f"_{kind}")(indent, depth - 1)
        return kind

    def _new_pairs(self, kind: str, before: str | None) -> set[tuple[str, str, str]]:
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
        kind = self._pick(["append", "append", "pop", "read", "set", "index"])
        if kind == "append":
            self._line(indent, f"items.append(({value}) % {LIMIT})")
        elif kind == "pop":
            self._line(indent, "if len(items) > 1:")
            self._line(indent + 1, "y = items.pop()")
        elif kind == "read":
            self._line(indent, f"z = items[-1] + len(items) + max(items) % ({value} % 5 + 6)")
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

    def _nonlocal(self, indent: int, _: int) -> None:
        self._line(indent, f"add({self._expression(1)})")

    def _late(self, indent: int, _: int) -> None:
        self._line(indent, f"if {self._test(1)}:")
        self._line(indent + 1, f"late = {self._expression(1)}")
        self._line(indent, f"if {self._test(1)}:")
        self._line(indent + 1, "z = late % 13")

    def _call(self, indent: int, _: int) -> None:
        self._line(indent, f"y = clipped({self._expression(1)}, {self._number(1, 50)}) + sum(items) % 11")

    def _recursion(self, indent: int, _: int) -> None:
        self._line(indent, f"z = descend(({self._expression(1)}) % 5, {self._expression(1)})")

    def _chosen(self, indent: int, _: int) -> None:
        name = f"o{next(self._numbers)}"
        self._line(indent, f"{name} = box if {self._test(1)} else other")
        self._line(indent, self._pick([f"{name}.bump({self._expression(1)})", f"x = {name}.value"]))

    def _print(self, indent: int, _: int) -> None:
        self._line(indent, self._pick(["print(x)", f"print('y', {self._expression(1)})", "print(items)"]))

    def _return(self, indent: int, _: int) -> None:
        self._line(indent, f"return {RESULT}")

    def _break(self, indent: int, _: int) -> None:
        self._line(indent, "break")

    def _continue(self, indent: int, _: int) -> None:
        self._line(indent, "continue")

    def _raise(self, indent: int, _: int) -> None:
        self._line(indent, f"raise {self._pick(['ValueError', 'KeyError'])}({self._expression(1)})")

    def _if(self, indent: int, depth: int) -> None:
        self._line(indent, f"if {self._test()}:")
        self._inside("if", indent + 1, depth)
        if self._one_in(3):
            self._line(indent, f"elif {self._test()}:")
            self._inside("if", indent + 1, depth)
        if self._one_in(2):
            self._line(indent, "else:")
            self._inside("if", indent + 1, depth)

    def _while(self, indent: int, depth: int) -> None:
        counter = f"n{next(self._numbers)}"
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
        variable = f"i{next(self._numbers)}"
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

    # ── drawing ──

    def _pick(self, choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def _number(self, least: int, most: int) -> int:
        return self._draw(st.integers(least, most))

    def _one_in(self, count: int) -> bool:
        return self._number(1, count) == count

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)


@st.composite
def programs(draw: Any, *, without: Any = (), refused: Any = ()) -> Program:
    """A program and its arguments.

    Parameters
    ----------
    without : iterable of str
        Constructs that it does not have.
    refused : iterable of (str, str, str)
        Pairs that it does not have, as in `COVERED`.
    """
    writer = _Writer(draw, frozenset(without), frozenset(refused))
    text = writer.program()
    number = st.integers(-9, 9)
    return Program(text, draw(st.tuples(number, number, number)), frozenset(writer.pairs))


def count(program: Program) -> None:
    """Counts the pairs of a program that was compared."""
    COVERED.update(program.pairs)


def table() -> str:
    """Which pairs the run covered: for every construct, how often it stood in and after each other."""
    lines = []
    for relation, outer in (("in", [*COMPOUND]), ("then", [*SIMPLE, *COMPOUND])):
        lines.append(f"{relation:>10}  " + " ".join(f"{name[:6]:>6}" for name in outer))
        for inner in CONSTRUCTS:
            counts = [COVERED[relation, name, inner] for name in outer]
            lines.append(f"{inner:>10}  " + " ".join(f"{count or '.':>6}" for count in counts))
    return "\n".join(lines)
