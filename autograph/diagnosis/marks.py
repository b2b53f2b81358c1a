"""The data model of an explanation: a `Section` per function, a `Mark` per statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Carried", "How", "Kind", "Mark", "Section"]

How: TypeAlias = Literal["staged", "python", "rolled", "unrolled", "not converted", "not reached"]
Kind: TypeAlias = Literal["statement", "expression", "call"]


@dataclass(frozen=True)
class Carried:
    """A variable that a staged statement takes in and gives back.

    Attributes
    ----------
    name : str
        As the user spells it.
    before, after : str
        What it was before the statement and what it is after it: ``f64[2]``, ``a Python int: 0``.
    paths : tuple of (str, str)
        What each branch of an `if` left in it: ``("if true", "f64[]"), ("if false", "i64[]")``.
    """

    name: str
    before: str
    after: str
    paths: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Mark:
    """What became of one statement, call or expression.

    Attributes
    ----------
    kind : {"statement", "expression", "call"}
    how : {"staged", "python", "rolled", "unrolled", "not converted", "not reached"}
        Staged: it is in the graph. Python: it ran once while the function was traced, and left nothing
        behind. Unrolled: a loop of Python whose turns were traced one after the other. Rolled: one that is a
        loop of the graph, but for its first turns.
    line, column, end_line, end_column : int
        Where it stands; lines count from 1, columns from 0.
    text : str
        Its source; of a statement with a body, the header.
    nodes : tuple of str
        What it became in the graph.
    reason : str
        What decided: ``"`x > 0` is bool[] of the graph"``. Empty where there was nothing to decide.
    times : int
        How often it ran while the function was traced.
    turns : int
        Of a loop: how many turns ran in Python.
    state : tuple of Carried
        The variables that go through a staged statement.
    """

    kind: Kind
    how: How
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    nodes: tuple[str, ...] = ()
    reason: str = ""
    times: int = 0
    turns: int = 0
    state: tuple[Carried, ...] = ()

    @property
    def summary(self) -> str:
        """The mark in one line."""
        reason = f": {self.reason}" if self.reason else ""
        if self.how == "unrolled":
            then = f", then staged as {', '.join(self.nodes)}" if self.state else ""
            return f"unrolled {count(self.turns)}{then}{reason}"
        if self.how == "rolled":
            turns = "1 turn" if self.turns == 1 else f"{self.turns} turns"
            after = f" after {turns}" if self.turns else ""
            return f"rolled into {', '.join(self.nodes)}{after}{reason}"
        if self.how == "staged":
            was_decided = self.state or self.reason or self.kind != "statement"
            nodes = f"{' as' if was_decided else ''} {', '.join(self.nodes)}" if self.nodes else ""
            return f"staged{nodes}{reason}"
        return f"{'Python' if self.how == 'python' else self.how}{reason}"


@dataclass(frozen=True)
class Section:
    """One function: its source, and what became of each part of it.

    Attributes
    ----------
    name : str
        The qualified name.
    filename : str
    line : int
        The first line of `source`.
    source : tuple of str
        The lines; empty where they cannot be had.
    converted : bool
    reason : str
        Why it is not converted; empty where it is.
    marks : tuple of Mark
        In the order of the source.
    """

    name: str
    filename: str
    line: int
    source: tuple[str, ...]
    converted: bool
    reason: str
    marks: tuple[Mark, ...]

    def at(self, line: int) -> tuple[Mark, ...]:
        """The marks of what starts on a line of the file."""
        return tuple([mark for mark in self.marks if mark.line == line])


def count(number: int) -> str:
    """``"once"``, ``"twice"``, ``"3 times"``."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
