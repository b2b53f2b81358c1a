"""What a function changes outside of itself while it is traced: attributes, globals, items.

Converted code announces it; a journal around the whole trace hears it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from autograph.backends.tensors.streams import recorded_streams
from autograph.staging import heap, places
from autograph.staging.context import staging
from autograph.staging.places import Moved, Place
from autograph.staging.state import Undefined
from runtime.core.structure import flatten, unflatten
from runtime.functions.external_state import Change
from runtime.functions.reads import functions_behind, names_of
from runtime.graph.symbol import Symbol

__all__ = ["observe"]


class _Announced:
    """A place that a function around, which is traced too, hears of."""

    def __init__(self, place: Place) -> None:
        self.key = place.key
        self.name = place.name
        self.owner = place.owner
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


def observe(run: Callable[[], Any], roots: Sequence[Any]) -> tuple[Any, Sequence[Change]]:
    """What a function gives, and the places outside of it that it announced.

    Parameters
    ----------
    run : callable
        Runs the converted function against the graph that is being built.
    roots : sequence of object
        The function that the user wrote, and its arguments.
    """
    is_outermost = not places.listening()
    staging.unmet.append(partial(_reached, roots))
    try:
        with places.recording() as journal, recorded_streams() if is_outermost else nullcontext():
            try:
                result = run()
            except BaseException:
                for place, before in reversed(journal.before.values()):
                    if _has_symbol(place.get()):
                        place.set(before)
                raise
            changes = [
                _change(place, before)
                for place, before in journal.before.values()
                if not isinstance(place, Moved)
            ]
        if is_outermost and heap.has_moved():
            leaves, structure = flatten(result)
            result = unflatten(structure, leaves)  # in containers of its own: others get back what has moved
            _write_back()
        return result, changes
    finally:
        if is_outermost:
            places.forget()


def _reached(roots: Sequence[Any]) -> Iterator[Any]:
    """What a function starts from, and what it reads by name: all that is there before it runs."""
    for root in roots:
        yield root
        for name in itertools.chain.from_iterable(map(names_of, functions_behind(root))):
            yield from (name.home, name.value())


def _write_back() -> None:
    """Leaves the values of the graph in the lists that became lists of the graph, whoever holds them."""
    for original, staged in heap.originals():
        original[:] = flatten(staged)[0]


def _change(place: Place, before: Any) -> Change:
    return Change(_Announced(place), before, place.get(), isinstance(before, Undefined))


def _has_symbol(value: Any) -> bool:
    return any(isinstance(leaf, Symbol) for leaf in flatten(value)[0])
