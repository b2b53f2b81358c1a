"""The numbers that lead to a random program, and fewer and smaller ones that lead to one that fails as well.

A writer asks for numbers and says which of them belong together: those of a statement, of an expression. Any
numbers are a program, and smaller ones are a simpler program; so what fails can be made small without
knowing the language, and stays within the grammar.

    choices = Choices(Random(7).randrange)
    write(choices)
    numbers = shrunk(choices, lambda choices: write(choices) fails)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Choices", "shrunk"]

ZEROS = -1
"""Where numbers are played again: the stretch that begins here has zeros only."""


@dataclass(frozen=True)
class Stretch:
    """Numbers that belong together."""

    label: str
    start: int
    end: int


class Choices:
    """Gives a writer numbers, and remembers them.

    Parameters
    ----------
    source : callable
        ``source(count)`` is a number from 0 to `count` - 1.
    """

    def __init__(self, source: Callable[[int], int]) -> None:
        self._source = source
        self._again: Sequence[int] = ()
        self._at = 0
        self._zeros = 0
        self.made: list[int] = []
        self.stretches: list[Stretch] = []

    @classmethod
    def again(cls, numbers: Sequence[int]) -> Choices:
        """Gives these numbers, as far as they are among those asked for, and zeros after them."""
        choices = cls(lambda count: min(choices._taken(), count - 1))
        choices._again = numbers
        return choices

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        number = 0 if self._zeros else self._source(count)
        self.made.append(number)
        return number

    @contextmanager
    def stretch(self, label: str) -> Iterator[None]:
        """The numbers that are asked for within belong together."""
        start = len(self.made)
        zeros = self._zeros or (self._at < len(self._again) and self._again[self._at] == ZEROS)
        if zeros and not self._zeros:
            self._at += 1
        self._zeros += zeros
        try:
            yield
        finally:
            self._zeros -= zeros
            self.stretches.append(Stretch(label, start, len(self.made)))

    def _taken(self) -> int:
        number = self._again[self._at] if self._at < len(self._again) else 0
        self._at += 1
        return max(number, 0)


def shrunk(choices: Choices, fails: Callable[[Choices], bool]) -> Choices:
    """The fewest and smallest numbers found that fail as well.

    Parameters
    ----------
    choices : Choices
        What a writer was given.
    fails : callable
        Whether what is written from other choices fails in the same way; it may be asked many times.
    """
    best, is_smaller = choices, True
    tried: set[tuple[int, ...]] = {tuple(choices.made)}
    while is_smaller:
        is_smaller = False
        for candidates in (_without_stretches, _with_inner_stretches, _with_zeros, _with_smaller_numbers):
            at = 0
            while (numbers := candidates(best, at)) is not None:
                for each in numbers:
                    candidate = Choices.again(each)
                    if tuple(each) in tried:
                        continue
                    tried.add(tuple(each))
                    failed = fails(candidate)
                    made = candidate.made
                    if failed and (len(made), made) < (len(best.made), best.made):
                        best, is_smaller = candidate, True
                        break
                else:
                    at += 1
    return best


def _outermost_first(choices: Choices) -> list[Stretch]:
    return sorted(choices.stretches, key=lambda each: (each.start, -each.end))


def _replaced(choices: Choices, stretch: Stretch, numbers: Sequence[int]) -> list[int]:
    return [*choices.made[: stretch.start], *numbers, *choices.made[stretch.end :]]


def _without_stretches(choices: Choices, at: int) -> list[list[int]] | None:
    """The last stretches go first: nothing later rests on them."""
    stretches = [each for each in _outermost_first(choices) if each.label == "statement"][::-1]
    return [_replaced(choices, stretches[at], ())] if at < len(stretches) else None


def _with_inner_stretches(choices: Choices, at: int) -> list[list[int]] | None:
    """A stretch becomes one of its kind that is within it."""
    stretches = _outermost_first(choices)
    if at >= len(stretches):
        return None
    outer = stretches[at]
    return [
        _replaced(choices, outer, choices.made[each.start : each.end])
        for each in stretches[at + 1 :]
        if each.end <= outer.end and each.label == outer.label and each != outer
    ]


def _with_zeros(choices: Choices, at: int) -> list[list[int]] | None:
    stretches = _outermost_first(choices)
    return [_replaced(choices, stretches[at], (ZEROS,))] if at < len(stretches) else None


def _with_smaller_numbers(choices: Choices, at: int) -> list[list[int]] | None:
    made = choices.made
    if at >= len(made):
        return None
    smaller = sorted({0, made[at] // 2, made[at] - 1} - {made[at], -1})
    return [[*made[:at], number, *made[at + 1 :]] for number in smaller]
