"""The lexer of the text of graphs: each line as tokens, read from left to right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from runtime.core.dims import SymbolicDim, parse
from runtime.errors import GraphError

__all__ = ["Line", "is_dim"]

_TOKEN = re.compile(
    r"""
    (?P<string> b?'(?:\\.|[^'\\])*' | b?"(?:\\.|[^"\\])*" )
  | (?P<resource> @[^\W\d]\w* )
  | (?P<number> -?\d+(?:\.\d*)?(?:e[+-]?\d+)? | -inf\b )
  | (?P<dim>    [^\W\d]\w*\.\d+ )
  | (?P<word>   [^\W\d]\w* )
  | (?P<mark>   \.\.\. | // | [-+*()\[\]=,:?] )
  | (?P<space>  \s+ | \#.* )
    """,
    re.VERBOSE,
)


class Line:
    """One line as tokens, read from left to right."""

    def __init__(self, number: int, raw: str) -> None:
        self.number = number
        self.raw = raw
        self.indent = len(raw) - len(raw.lstrip())
        self.tokens: list[tuple[str, str]] = []
        self.position = 0
        start = 0
        while start < len(raw):
            found = _TOKEN.match(raw, start)
            if found is None:
                self.refuse(f"has a character with no meaning here: {raw[start]!r}")
            if found.lastgroup != "space":
                assert found.lastgroup is not None, "every alternative has a name"
                self.tokens.append((found.lastgroup, found.group()))
            start = found.end()

    def refuse(self, why: str) -> NoReturn:
        """Raises the error that shows this line."""
        raise GraphError(
            f"line {self.number} of the graph's text {why}",
            details=[self.raw.strip()],
            why="The text of a graph has one node a line, as `graph.text()` writes it.",
            way_out="Correct the line.",
        )

    def peek(self, ahead: int = 0) -> str:
        """The text of a coming token, empty at the end."""
        index = self.position + ahead
        return self.tokens[index][1] if index < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        """The next token, which must be `wanted` where that is given."""
        found = self.peek()
        if not found or (wanted and found != wanted):
            self.refuse(f"needs {wanted or 'more'!r} where it has {found or 'its end'!r}")
        self.position += 1
        return found

    def several(self, one: Callable[[], Any], end: str) -> list[Any]:
        """Items between commas, up to `end`."""
        items = []
        while self.peek() != end:
            items.append(one())
            if self.peek() != end:
                self.take(",")
        self.take(end)
        return items

    def expression(self) -> str:
        """Takes what stands before the next comma or closing bracket."""
        words = ""
        depth = 0
        while self.peek() and (depth or self.peek() not in {",", ")", "]"}):
            depth += (self.peek() == "(") - (self.peek() == ")")
            words += self.take()
        return words

    def is_dim(self) -> bool:
        """Whether what comes next is a dim that is no number."""
        start = self.position
        words = self.expression()
        kinds = [kind for kind, _ in self.tokens[start : self.position]]
        self.position = start
        return words == "?" or ("dim" in kinds and is_dim(words))

    def finish(self) -> None:
        """Refuses what is left over."""
        if self.peek():
            self.refuse(f"goes on where it should end, at {self.peek()!r}")


def is_dim(words: str) -> bool:
    """Whether words are a dim that is no number."""
    try:
        return isinstance(parse(words), SymbolicDim)
    except (ValueError, TypeError):
        return False
