"""Refusals that code has caught which runs as it is: what it does then, it does not do in Python.

    try:
        size = float(x)        a tensor of a graph has no value yet, and says so
    except TypeError:
        size = 1.0             nobody would hear of it

Code that is converted hears of no refusal (`belongs_to_program`). Python runs the rest as it is: a generator
whose `yield` is in a `try`, the body of a class, what is marked `do_not_convert`. Libraries are left alone:
they try what a value can do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from runtime.core.tracing import tracing
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.location import is_users_file, location_of, runs_users_code

__all__ = [
    "forget_since",
    "heard",
    "is_of_arrays",
    "note_refusal",
    "of_arrays",
    "refusals",
    "require_heard",
    "was_asked_by_library",
]

Result = TypeVar("Result")


def note_refusal(error: NoConcreteValue) -> NoConcreteValue:
    """Remembers what a line of the user's is told that asks a tensor of a graph for its value."""
    asked: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to walk frames cheaply
    method = asked.f_code.co_filename if asked is not None else ""
    while asked is not None and asked.f_code.co_filename == method:
        asked = asked.f_back
    vars(error)[_ASKED] = True
    if tracing.builder is not None and asked is not None and is_users_file(asked.f_code.co_filename):
        tracing.refused.append(error)
    return error


_ASKED = "__asked__"
"""The attribute of what is said where a tensor of a graph is asked for its value."""


def of_arrays(error: StateDisagrees) -> StateDisagrees:
    """The same error, marked: a trace that knows more of which array is which may not refuse this."""
    vars(error)[_OF_ARRAYS] = True
    return error


def is_of_arrays(error: Exception) -> bool:
    """Whether an error says that a trace knows too little of which array is which."""
    return _OF_ARRAYS in vars(error)


_OF_ARRAYS = "__of_arrays__"
"""The attribute of what is said where a trace knows too little of which array is which."""


def was_asked_by_library(error: Exception) -> bool:
    """Whether an error says that a tensor has no value, and no line of the user's asked for one."""
    return _ASKED in vars(error) and not runs_users_code(error.__traceback__)


def refusals() -> int:
    """How many there were so far in what is traced."""
    return len(tracing.refused)


def forget_since(count: int) -> None:
    """Forgets those that there were since: they were heard of, or what met them is given up."""
    del tracing.refused[count:]


def swallowed_since(count: int) -> NoConcreteValue | None:
    """What is to be said of the first of those since then that nobody heard of; None where there is none."""
    found = next((each for each in tracing.refused[count:] if _is_swallowed(each)), None)
    if found is None:
        return None
    return NoConcreteValue(
        f"{found.happened}, and code that is not converted has handled the error",
        where=location_of(found.__traceback__) if runs_users_code(found.__traceback__) else found.where,
        origin=found.origin,
        why="In Python there is no error there: the code would go on in another line.",
        way_out=found.way_out,
    )


def require_heard(count: int) -> None:
    """Sees to it that all refusals since then were heard of.

    Raises
    ------
    NoConcreteValue
        Where code of the user's has caught one.
    """
    swallowed = swallowed_since(count)
    if swallowed is not None:
        raise swallowed


def heard(run: Callable[[], Result]) -> Callable[[], Result]:
    """A run of the user's code that is over only where all that was refused in it was heard of."""

    def ran() -> Result:
        since = refusals()
        result = run()
        require_heard(since)
        return result

    return ran


def _is_swallowed(error: NoConcreteValue) -> bool:
    """Whether code of the user's has caught an error, or code of C which that has called."""
    trace = error.__traceback__
    is_caught_there = trace is not None and is_users_file(trace.tb_frame.f_code.co_filename)
    return is_caught_there or not runs_users_code(trace)
