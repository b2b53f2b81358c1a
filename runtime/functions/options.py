"""What a function may be told of its graphs: how many there may be, and when effects happen."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from runtime.errors import InvalidValue

__all__ = ["EffectsWhen", "OnMaxTraces", "checked_limit", "effects_run"]

OnMaxTraces: TypeAlias = Literal["warn", "raise"]
EffectsWhen: TypeAlias = Literal["run", "trace"]


def checked_limit(max_traces: int | None, on_max_traces: OnMaxTraces) -> OnMaxTraces:
    """What a trace too many does, where both parameters make sense.

    Raises
    ------
    InvalidValue
        When one of them does not.
    """
    if on_max_traces not in get_args(OnMaxTraces):
        raise InvalidValue(
            f"on_max_traces is {on_max_traces!r}, which is neither 'warn' nor 'raise'",
            why="A trace beyond `max_traces` gives a warning, or is an error.",
            way_out="Give one of the two, or leave it out: there is a warning.",
        )
    if max_traces is not None and max_traces < 1:
        raise InvalidValue(
            f"max_traces is {max_traces}",
            why="A function needs one trace to run.",
            way_out="Give 1 or more, or leave it out.",
        )
    return on_max_traces


def effects_run(effects: EffectsWhen) -> bool:
    """Whether effects happen when the graph runs.

    Raises
    ------
    InvalidValue
        When that is not said.
    """
    if effects not in get_args(EffectsWhen):
        raise InvalidValue(
            f"effects is {effects!r}, which is neither 'run' nor 'trace'",
            why="Effects happen on each run of the graph, or once, while the function is traced.",
            way_out="Give one of the two, or leave it out: they happen on each run.",
        )
    return effects == "run"
