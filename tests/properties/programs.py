"""Random small programs over ints, for tests that compare two ways of running them.

Every program ends: loops are bounded, and numbers stay below `LIMIT`, so that 64 bits hold them.

    @given(programs())
    def test_…(program):
        function = program.function()
"""

from __future__ import annotations

import itertools
import linecache
import zlib
from dataclasses import dataclass
from types import FunctionType

from hypothesis import strategies as st

__all__ = ["PARAMETERS", "Program", "programs"]

PARAMETERS = ("a", "b", "c")
LOCALS = ("x", "y", "z")
LIMIT = 1009
DEPTH = 3


@dataclass(frozen=True)
class Program:
    """The text of ``def program(a, b, c)`` and what to call it with."""

    text: str
    arguments: tuple[int, int, int]

    def function(self, **namespace) -> FunctionType:
        """The program as a live function whose source can be found; `namespace` becomes its globals."""
        filename = f"<program {zlib.crc32(self.text.encode()):08x}>"  # again the same
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        scope = {"__name__": "program", **namespace}
        exec(compile(self.text, filename, "exec"), scope)
        return scope["program"]

    def __repr__(self) -> str:
        return f"{self.text}\nprogram{self.arguments}"


class _Writer:
    """Draws one program, a line at a time."""

    def __init__(self, draw, *, undefined: bool, effects: bool, jumps: bool, tuples: bool) -> None:
        self._draw = draw
        self._undefined = undefined
        self._effects = effects
        self._jumps = jumps
        self._tuples = tuples
        self._counters = itertools.count(1)
        self._loop_variables: list[str] = []
        self._lines: list[str] = []

    def program(self) -> str:
        self._line(0, f"def program({', '.join(PARAMETERS)}):")
        if not self._undefined:
            for index, name in enumerate(LOCALS):
                self._line(1, f"{name} = {index}")
        self._block(1, DEPTH, in_loop=False)
        if self._pick([True, True, False]) or not self._tuples:
            self._line(1, f"return {self._expression()}")
        else:
            self._line(1, "return (x, y, z)")
        return "\n".join(self._lines) + "\n"

    # ── statements ──

    def _block(self, indent: int, depth: int, *, in_loop: bool) -> None:
        for _ in range(self._draw(st.integers(1, 3))):
            self._statement(indent, depth, in_loop=in_loop)

    def _statement(self, indent: int, depth: int, *, in_loop: bool) -> None:
        kinds = ["assign", "assign", "augment"]
        if depth:
            kinds += ["if", "if", "while", "for"]
        if self._jumps and depth < DEPTH:
            kinds += ["return"] + ["break", "continue"] * in_loop
        if self._effects:
            kinds += ["note"]
        kind = self._pick(kinds)
        if kind == "assign":
            self._line(indent, f"{self._pick(LOCALS + PARAMETERS)} = ({self._expression()}) % {LIMIT}")
        elif kind == "augment":
            self._line(indent, f"{self._pick(LOCALS)} {self._pick(['+=', '-='])} {self._expression(1)} % 7")
        elif kind == "note":
            self._line(indent, f"note({self._expression()})")
        elif kind == "return":
            self._line(indent, f"return {self._expression()}")
        elif kind in {"break", "continue"}:
            self._line(indent, kind)
        elif kind == "if":
            self._if(indent, depth - 1, in_loop=in_loop)
        elif kind == "while":
            self._while(indent, depth - 1)
        else:
            self._for(indent, depth - 1)

    def _if(self, indent: int, depth: int, *, in_loop: bool) -> None:
        self._line(indent, f"if {self._test()}:")
        self._block(indent + 1, depth, in_loop=in_loop)
        if self._pick([True, False, False]):
            self._line(indent, f"elif {self._test()}:")
            self._block(indent + 1, depth, in_loop=in_loop)
        if self._pick([True, False]):
            self._line(indent, "else:")
            self._block(indent + 1, depth, in_loop=in_loop)

    def _while(self, indent: int, depth: int) -> None:
        counter = f"n{next(self._counters)}"
        self._line(indent, f"{counter} = {self._draw(st.integers(0, 4))}")
        self._line(indent, f"while {counter} > 0 and {self._test()}:")
        self._line(indent + 1, f"{counter} -= 1")
        self._block(indent + 1, depth, in_loop=True)
        self._else(indent, depth)

    def _for(self, indent: int, depth: int) -> None:
        variable = f"i{next(self._counters)}"
        self._line(indent, f"for {variable} in range({self._draw(st.integers(0, 4))}):")
        self._loop_variables.append(variable)
        self._block(indent + 1, depth, in_loop=True)
        self._loop_variables.pop()
        self._else(indent, depth)

    def _else(self, indent: int, depth: int) -> None:
        if self._jumps and self._pick([True, False, False]):
            self._line(indent, "else:")
            self._block(indent + 1, depth, in_loop=False)

    # ── expressions ──

    def _expression(self, depth: int = 2) -> str:
        kind = self._pick(["atom", "sum", "product", "quotient", "choice"] if depth else ["atom"])
        if kind == "atom":
            names = (*LOCALS, *PARAMETERS, *self._loop_variables)
            return self._pick([*names, str(self._draw(st.integers(-9, 9)))])
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        if kind == "sum":
            return f"({left} {self._pick(['+', '-'])} {right})"
        if kind == "product":
            return f"({left} * {right} % {LIMIT})"
        if kind == "quotient":
            return f"({left} {self._pick(['//', '%'])} {self._draw(st.integers(1, 9))})"
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

    def _pick(self, choices):
        return self._draw(st.sampled_from(choices))

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)


@st.composite
def programs(
    draw, *, undefined: bool = False, effects: bool = False, jumps: bool = True, tuples: bool = True
) -> Program:
    """A program and its arguments.

    Parameters
    ----------
    undefined : bool
        Locals may be read before they have a value.
    effects : bool
        The program calls a global function `note` with ints now and then.
    jumps : bool
        It has `break`, `continue`, `else` of loops, and `return` before its end.
    tuples : bool
        It may return a tuple at its end, where a `return` before gives a number.
    """
    text = _Writer(draw, undefined=undefined, effects=effects, jumps=jumps, tuples=tuples).program()
    number = st.integers(-9, 9)
    return Program(text, draw(st.tuples(number, number, number)))
