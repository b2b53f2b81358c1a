"""A path that ends by an exception of the program: its graph raises it, and the path leaves nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from autograph.backends.tensors.strings import Text
from autograph.frames import ROOMS
from runtime.core.text import marking
from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import is_of_program, is_stand_in, record

__all__ = ["belongs_to_program", "constructed", "outcome_or_raise"]

Result = TypeVar("Result")

_OWN_PACKAGE = f"{__name__.partition('.')[0]}."
"""Where signals and complaints of our own are defined."""

_STATEMENTS = tuple(
    [f"{ROOMS[0]}{room}{os.sep}" for room in ("converters", "staging")]
    + [
        f"{ROOMS[0]}backends{os.sep}tensors{os.sep}{each}.py"
        for each in ("choices", "iterating", "numbers", "once", "ordering", "sequences")
    ]
)
"""What runs in the place of statements of the user's."""


def belongs_to_program(error: BaseException) -> bool:
    """Whether plain Python would raise `error`, and not only the tracing of the program does."""
    if type(error).__module__.startswith(_OWN_PACKAGE) and not is_stand_in(error):
        return False
    return is_of_program(error, _STATEMENTS)


def constructed(kind: type[BaseException], args: Sequence[Any], kwargs: Mapping[str, Any]) -> BaseException:
    """`kind(*args, **kwargs)`, with texts of the graph where its constructor formats tensors."""
    with marking() as marks:
        error = kind(*args, **kwargs)

    def as_text(value: Any) -> Any:
        template, tensors = marks.read(value) if isinstance(value, str) else (value, ())
        return Text(template, tensors) if tensors else value

    error.args = tuple(map(as_text, error.args))
    vars(error).update({name: as_text(value) for name, value in vars(error).items()})
    return error


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
