"""A path that ends by an exception of the program: its graph raises it, and the path leaves nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import is_of_program, record

__all__ = ["belongs_to_program", "outcome_or_raise"]

Result = TypeVar("Result")

_OWN_PACKAGE = f"{__name__.partition('.')[0]}."
"""Where signals and complaints of our own are defined."""

_STATEMENTS = tuple([f"{Path(__file__).parents[2] / room}{os.sep}" for room in ("converters", "staging")])
"""What runs in the place of statements of the user's."""


def belongs_to_program(error: BaseException) -> bool:
    """Whether plain Python would raise `error`, and not only the tracing of the program does."""
    return not type(error).__module__.startswith(_OWN_PACKAGE) and is_of_program(error, _STATEMENTS)


def outcome_or_raise(run: Callable[[], Result]) -> Result:
    """What `run` returns.

    Parameters
    ----------
    run : callable
        A branch, or a turn of a loop, against the graph that is being built.

    Raises
    ------
    NoOutcome
        When the program raises an exception in it, which the graph now does instead.
    """
    try:
        return run()
    except BaseException as error:
        if not belongs_to_program(error):
            raise
        record(error)
        raise NoOutcome from None
