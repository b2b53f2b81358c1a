"""Failed guards: what a graph has read outside of its function, and is different now."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.errors import GraphError
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.external_state import Change, Place, can_come_in
from runtime.functions.retraces import Difference

__all__ = ["Varying", "loaded"]

_BRIEF = 40
"""Characters of a value that a message shows."""


_CHANGES_UNTIL_INPUT = 2
"""Changes of a number outside from which on one graph serves all its values."""


class Varying:
    """What a function reads outside of itself and has changed, from one trace to the next."""

    def __init__(self) -> None:
        self._times: dict[Hashable, int] = {}
        self._asked: dict[Hashable, Place] = {}

    def asked(self) -> Iterable[Place]:
        """What comes into graphs from now on."""
        return self._asked.values()

    def since(self, known: Sequence[ConcreteFunction]) -> tuple[Difference, ...]:
        """What has changed since the last of the graphs for some arguments was traced.

        A number that changes for the second time comes in from now on; so does an array, and a container of
        numbers that becomes longer or shorter.
        """
        found = _changes_of(known[-1]) if known else []
        for change in found:
            wanted = change.place if _may_vary(change) else change.of_any_length
            if wanted is not None:
                times = self._times[wanted.key] = self._times.get(wanted.key, 0) + 1
                if times >= _CHANGES_UNTIL_INPUT:
                    self._asked[wanted.key] = wanted
        return tuple([_difference(change) for change in found])


def loaded(
    concrete: ConcreteFunction, containers: Sequence[Any] = ()
) -> tuple[ConcreteFunction, Sequence[Tensor]]:
    """A graph that was just traced, with its inputs: from outside, and of containers among the arguments.

    Raises
    ------
    GraphError
        When what it reads there is not as it was.
    """
    outside = concrete.loaded(containers)
    if outside is None:
        raise GraphError(
            f"what {concrete.name}() reads outside of itself changes while it is traced",
            details=[_change_text(change) for change in _changes_of(concrete)],
            why="Its graph would be about values that are no longer there.",
            way_out="Read it once, before the call, and pass it as an argument.",
        )
    return concrete, outside


def _changes_of(concrete: ConcreteFunction) -> list[Change]:
    """What a graph has read outside and is not as it was."""
    return [*concrete.guards.changes()] if concrete.guards is not None else []


def _may_vary(change: Change) -> bool:
    """Whether a place holds another number, or another tensor, than before: one graph may serve both."""
    before, now = change.before, change.now
    if type(now) in {int, float}:
        return type(before) is type(now)
    return not isinstance(now, list) and can_come_in(now) and type(now) not in {bool, complex}


def _difference(change: Change) -> Difference:
    """A change as a reason for another trace."""
    is_same = type(change.before) is type(change.now)
    return Difference(
        change.place.name, "outside" if is_same else "type outside", _brief(change.before), _brief(change.now)
    )


def _change_text(change: Change) -> str:
    """A change as a line of a message."""
    return f"{change.place.name}: {_brief(change.before)}, then {_brief(change.now)}"


def _brief(value: Any) -> str:
    """A value in a line; an array by its kind, an object by its class."""
    if isinstance(value, (Tensor, np.ndarray)):
        return f"an array of shape {value.shape}"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None), list, tuple)):
        text = repr(value)
        return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}…"
    return f"a {type(value).__name__}" if type(value).__name__ != "Undefined" else "nothing"
