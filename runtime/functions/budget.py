"""The limit on the number of graphs of a function: retraces beyond it are warned of, or refused."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

from runtime.errors import RetracingWarning, TooManyTraces
from runtime.functions.options import OnMaxTraces, checked_limit
from runtime.functions.retraces import Traced, TraceLog
from runtime.graph.location import Location

__all__ = ["Budget"]

_WARN_AFTER = 5
"""Calls in a row that each traced anew before we say so."""
_SETTLING = 3
"""Graphs for the same arguments up to which what a function leaves outside may have to settle."""


class Budget:
    """What a function may be traced.

    Parameters
    ----------
    name : str
        Of the function.
    max_traces : int or None
        How often it may be traced; by default as often as needed, with a warning where call after call is.
    on_max_traces : {"warn", "raise"}
        What a trace too many does.

    Attributes
    ----------
    missed_in_a_row : int
        The last calls that had to be traced, without one between them that had a graph.
    watched : int
        How many traces were watched.
    begins_again : bool
        Whether the next trace is one for the same call as the last one, which was given up.
    served : c_ssize_t
        Not 0 where machine code has served a call since the last trace, which says so here.
    """

    def __init__(self, name: str, max_traces: int | None, on_max_traces: OnMaxTraces) -> None:
        self.missed_in_a_row = 0
        self.watched = 0
        self.begins_again = False
        self.served = ctypes.c_ssize_t()
        self._name = name
        self._max_traces = max_traces
        self._on_max_traces = checked_limit(max_traces, on_max_traces)

    @property
    def is_set(self) -> bool:
        """Whether somebody has said how often."""
        return self._max_traces is not None

    def anew(self) -> Budget:
        """The same, of a function without any graph."""
        return Budget(self._name, self._max_traces, self._on_max_traces)

    def watch(self, traced: int, log: TraceLog, reason: Traced, where: Location, *, known: int) -> None:
        """Warns of a trace beyond the budget, or refuses it.

        Parameters
        ----------
        traced : int
            How often the function was.
        log : TraceLog
        reason : Traced
            Why it is traced anew.
        where : Location
            Who calls it.
        known : int
            The graphs for such arguments: what the function has left outside may have asked for another one.
        """
        self.watched += 1
        if self.begins_again:
            self.begins_again = False
            return
        if self.served.value:
            self.missed_in_a_row = self.served.value = 0
        settles = 0 < known < _SETTLING
        self.missed_in_a_row += not settles
        if self._max_traces is None:
            exceeded = self.missed_in_a_row == _WARN_AFTER and not settles
            happened = f"{self._name}() was traced anew in {_WARN_AFTER} calls in a row, which is slow"
        else:
            exceeded = traced == self._max_traces
            happened = f"{self._name}() needs a trace more than its `max_traces={self._max_traces}`"
        if not exceeded:
            return
        cause = "; ".join(map(str, reason.differences)) or "graphs like it are gone"
        ways = "; ".join(dict.fromkeys(each.way_out for each in reason.differences))
        one = f"To do without this one: {ways}. " if ways else ""
        parts: dict[str, Any] = {
            "retraces": log.explanation(reason),
            "way_out": f"{one}`{self._name}.explain_retraces()` lists all of them.",
        }
        if self._max_traces is not None and self._on_max_traces == "raise":
            raise TooManyTraces(f"{happened}: {cause}", **parts)
        notice = RetracingWarning(f"{happened}: {cause}", **parts)
        warnings.warn_explicit(notice, RetracingWarning, where.filename, where.line)
