"""The turns of a loop that is rolled, and the signal that they cannot be traced as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

if TYPE_CHECKING:
    from autograph.backends.tensors.statements.turn_numbers import Guess, TurnNumber

__all__ = ["DIFFERS", "Change", "GiveUp", "Turns"]

DIFFERS = "a number of Python's decides otherwise in some turns"
"""Why a loop is unrolled where nobody can choose between what turns do."""


class GiveUp(BaseException):  # a signal of the loop that is rolled: no handler of the user's is to catch it
    """The turns of a loop cannot be traced as one, or nobody knows whether they can.

    Parameters
    ----------
    reason : str
        Why, as an explanation shows it.
    change : (Turns, int), optional
        The loop of which some turns decide otherwise than the first, and how many come before these.
    period : int, optional
        How many turns it takes until lists that a turn exchanges are where they were.
    """

    def __init__(self, reason: str, change: Change | None = None, period: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.change = change
        self.period = period


class Turns:
    """The turns of one loop that is being rolled.

    Attributes
    ----------
    items : range
        What the loop counts.
    counter : Symbol or None
        The number that a turn has, in the graph of the body that is being traced.
    shown : dict of Value to TurnNumber
        What the numbers have become in graphs.
    asked : int
        How often a guess has said whether it is true.
    decided : list of (Guess, bool)
        What guesses have said so since the turn began that is being traced.
    changes : set of int
        How many there are before the first for which a number chooses another branch, of each that does.
    alike : int or None
        How many there are before one for which a number decides what nobody can choose.
    expects_writes : bool
        Whether arrays give way into which turns write, as their text says.
    step : int
        From what one turn of the program counts to the next one: those of one period are one turn here.
    period : int
        How many turns of the program are one, or had better be.
    """

    def __init__(self, items: range, period: int = 1) -> None:
        self.items = items[: len(items) // period * period : period]
        self.step = items.step
        self.period = period
        self.counter: Symbol | None = None
        self.shown: dict[Value, TurnNumber] = {}
        self.asked = 0
        self.decided: list[tuple[Guess, bool]] = []
        self.changes: set[int] = set()
        self.alike: int | None = None
        self.expects_writes = True

    @property
    def first_change(self) -> tuple[Turns, int] | None:
        """How many turns there are before a number of this loop has decided otherwise than in these."""
        return (self, min(self.changes)) if self.changes else None


Change: TypeAlias = tuple[Turns, int]
"""A loop, and how many of its turns there are before the first that decides otherwise than these."""
