"""Reading a dim from the text that `str` gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from runtime.core.dims.functions import broadcast, maximum
from runtime.core.dims.sums import UNKNOWN, Dim, named

__all__ = ["parse"]

_WORDS = re.compile(r"\s*([A-Za-z_]\w*(?:\.\d+)?|\d+|//|[-+*(),?])")


def parse(text: str) -> Dim:
    """The dim that `str` printed.

    Raises
    ------
    ValueError
        When the text is no dim.
    """
    words = _WORDS.findall(text)
    if "".join(words) != re.sub(r"\s", "", text):
        raise ValueError(f"{text!r} is no dim")
    reader = _Reader(words)
    found = reader.sum()
    if reader.words:
        raise ValueError(f"{text!r} goes on after a dim, at {reader.words[0]!r}")
    return found


class _Reader:
    """Reads words from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def take(self, *wanted: str) -> str:
        """The next word, if it is one of these."""
        return self.words.pop(0) if self.words and (not wanted or self.words[0] in wanted) else ""

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise ValueError(f"a dim needs {wanted!r} before {''.join(self.words)!r}")

    def sum(self) -> Dim:
        sign = -1 if self.take("-") else 1
        total = self.product() * sign
        while mark := self.take("+", "-"):
            total = total + self.product() * (-1 if mark == "-" else 1)
        return total

    def product(self) -> Dim:
        total = self.factor()
        while mark := self.take("*", "//"):
            other = self.factor()
            if mark == "*":
                total = total * other
            elif isinstance(other, int) and other:
                total = total // other
            else:
                raise ValueError("a dim is divided by a number")
        return total

    def factor(self) -> Dim:
        word = self.take()
        if word == "?":
            return UNKNOWN
        if word == "(":
            found = self.sum()
            self.need(")")
            return found
        if word.isdigit():
            return int(word)
        function = _FUNCTIONS.get(word)
        if function is not None and self.take("("):
            operands = [self.sum()]
            while self.take(","):
                operands.append(self.sum())
            self.need(")")
            return function(operands)
        if not word or word in "+-*//),":
            raise ValueError(f"a dim has {word or 'its end'!r} where a length should stand")
        return named(word)


def _broadcast_of(dims: Sequence[Dim]) -> Dim:
    found = broadcast(*dims)
    if found is None:
        raise ValueError(f"the lengths {dims} do not broadcast together")
    return found


_FUNCTIONS: Mapping[str, Callable[[Sequence[Dim]], Dim]] = {
    "max": lambda dims: maximum(*dims),
    "broadcast": _broadcast_of,
}
