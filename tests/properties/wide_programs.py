"""Random programs that use all that may happen in a graph: lists, None, effects, exceptions, patterns.

@given(wide_programs())
def test_…(program):
    function = program.function(**NAMES)
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.properties.grammar import Box, clipped, halves
from tests.properties.programs import DEPTH, LIMIT, LOCALS, PARAMETERS, Program, _Writer

__all__ = ["NAMES", "wide_programs"]


NAMES = {"Box": Box, "clipped": clipped, "halves": halves}
"""The globals of a program."""


class _WideWriter(_Writer):
    """Draws one program."""

    def program(self, least: int = 0) -> str:
        self._line(0, f"def program({', '.join(PARAMETERS)}):")
        for index, name in enumerate(LOCALS):
            self._line(1, f"{name} = {index}")
        for text in ("items = [1]", "found = None", "box = Box()", 'table = {"a": 0, "b": 1}'):
            self._line(1, text)
        self._line(1, "def add(by):")
        self._line(2, "nonlocal x")
        self._line(2, f"x = (x + by) % {LIMIT}")
        self._block(1, DEPTH, in_loop=False)
        while len(self._lines) < least:
            self._block(1, DEPTH, in_loop=False)
        self._line(1, "return x, y, z, items, found, box.value, table")
        return "\n".join(self._lines) + "\n"

    def _statement(self, indent: int, depth: int, *, in_loop: bool) -> None:
        kind = self._pick(["plain", "plain", "list", "none", "effect", "deep", "unset", "call"])
        value = self._expression(1)
        if kind == "list":
            self._list(indent, value)
        elif kind == "none":
            self._none(indent, value)
        elif kind == "effect":
            self._line(
                indent,
                self._pick(
                    [
                        f"box.value = ({value}) % {LIMIT}",
                        f"box.bump({value})",
                        f'table["{self._pick("ab")}"] = ({value}) % {LIMIT}',
                        f"add({value})",
                    ]
                ),
            )
        elif kind == "call":
            self._line(indent, f"y = clipped({value}, {self._draw(st.integers(1, 50))}) + sum(items) % 11")
        elif kind == "unset":
            self._line(indent, f"if {self._test(1)}:")
            self._line(indent + 1, f"late = {value}")
            self._line(indent, f"if {self._test(1)}:")
            self._line(indent + 1, "z = late % 13")
        elif kind == "deep" and depth:
            self._deep(indent, depth - 1, in_loop=in_loop)
        else:
            super()._statement(indent, depth, in_loop=in_loop)

    def _list(self, indent: int, value: str) -> None:
        kind = self._pick(["append", "append", "pop", "read", "set", "over"])
        if kind == "append":
            self._line(indent, f"items.append(({value}) % {LIMIT})")
        elif kind == "pop":
            self._line(indent, "if len(items) > 1:")
            self._line(indent + 1, "y = items.pop()")
        elif kind == "read":
            self._line(indent, f"z = items[-1] + len(items) + max(items) % ({value} % 5 + 6)")
        elif kind == "set":
            self._line(indent, f"items[0] = ({value}) % {LIMIT}")
        else:
            self._line(indent, "for item in items:")
            self._line(indent + 1, f"x = (x + item) % {LIMIT}")

    def _none(self, indent: int, value: str) -> None:
        kind = self._pick(["set", "take", "test"])
        if kind == "test":
            self._line(indent, f"if found is None or found > {value}:")
            self._line(indent + 1, f"found = ({value}) % {LIMIT}")
        else:
            self._line(indent, "found = None" if kind == "take" else f"found = ({value}) % {LIMIT}")

    def _deep(self, indent: int, depth: int, *, in_loop: bool) -> None:
        kind = self._pick(["try", "match", "range", "generator", "falls"])
        value = self._expression(1)
        if kind == "try":
            self._line(indent, "try:")
            self._block(indent + 1, depth, in_loop=in_loop)
            self._line(indent + 1, f"if {self._test(1)}:")
            self._line(indent + 2, "raise ValueError('stop')")
            self._line(indent, "except ValueError:")
            self._line(indent + 1, f"x = ({value}) % {LIMIT}")
        elif kind == "match":
            self._line(indent, f"match ({value}) % 3:")
            self._line(indent + 1, "case 0:")
            self._block(indent + 2, depth, in_loop=in_loop)
            self._line(indent + 1, f"case n if n > {self._draw(st.integers(-1, 2))}:")
            self._line(indent + 2, "y = n")
            self._line(indent + 1, "case _:")
            self._line(indent + 2, "pass")
        elif kind == "falls":
            self._line(indent, f"box.value = ({value}) % 23")
            self._line(indent, f"while box.falls({self._expression(1)}):")
            self._line(indent + 1, f"z = (z + box.value) % {LIMIT}")
            self._line(indent + 1, f"if {self._test(1)}:")
            self._line(indent + 2, f"add({value})")
        else:
            source = f"range(({value}) % 4)" if kind == "range" else f"halves(({value}) % 9)"
            variable = f"i{next(self._counters)}"
            self._line(indent, f"for {variable} in {source}:")
            self._loop_variables.append(variable)
            self._block(indent + 1, depth, in_loop=True)
            self._loop_variables.pop()


@st.composite
def wide_programs(draw, least: int = 0) -> Program:
    """A program of at least so many lines, and its arguments; call it with `NAMES` as its globals."""
    text = _WideWriter(draw, undefined=False, effects=False, jumps=False, tuples=True).program(least)
    number = st.integers(-9, 9)
    return Program(text, draw(st.tuples(number, number, number)))
