"""What a function changes outside of itself while it is traced: attributes, globals, items.

Converted code announces it; a journal around the whole trace hears it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging import places
from autograph.staging.places import Moved, Place
from autograph.staging.state import Undefined
from runtime.core.structure import flatten
from runtime.functions.kept import Change
from runtime.graph.graph import Symbol

__all__ = ["observe"]

OWN_REFERENCES = 3
"""References to the owner of a place that are our own, where nobody else has one any more."""


class _Announced:
    """A place that a function around, which is traced too, hears of."""

    def __init__(self, place: Place) -> None:
        self.key = place.key
        self.name = place.name
        self._place = place

    def get(self) -> Any:
        """The value now."""
        return self._place.get()

    def set(self, value: Any) -> None:
        """Gives it another value."""
        self._place.set(value)

    def announce(self) -> None:
        """Says that the place is about to change."""
        places.note(self._place)


def observe(run: Callable[[], Any]) -> tuple[Any, Sequence[Change]]:
    """What a function gives, and the places outside of it that it announced.

    Parameters
    ----------
    run : callable
        Runs the converted function against the graph that is being built.
    """
    is_outermost = not places.listening()
    try:
        with places.recording() as journal:
            try:
                result = run()
            except BaseException:
                for place, before in reversed(journal.before.values()):
                    if _has_symbol(place.get()):
                        place.set(before)
                raise
        return result, [
            _change(place, before)
            for place, before in journal.before.values()
            if not isinstance(place, Moved) and _is_held(place)
        ]
    finally:
        if is_outermost:
            places.forget_moved()


def _change(place: Place, before: Any) -> Change:
    return Change(_Announced(place), before, place.get(), isinstance(before, Undefined))


def _has_symbol(value: Any) -> bool:
    return any(isinstance(leaf, Symbol) for leaf in flatten(value)[0])


def _is_held(place: Place) -> bool:
    """Whether anybody but the journal holds what the place is in, and not only the function did."""
    owner = place.owner
    return sys.getrefcount(owner) > OWN_REFERENCES
