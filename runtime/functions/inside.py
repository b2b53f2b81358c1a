"""The graphs of a function that serve inside of other graphs: those that capture values, and where they fit.

A function that stands for one of the program's in a single trace is called while the program changes what it
reads. A graph of it serves where all of that is as it was, and then also in other graphs than the one that it
was traced in, if they have what it captures.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from weakref import WeakKeyDictionary

from runtime.functions.concrete import ConcreteFunction
from runtime.functions.signature import Key
from runtime.graph.builder import Builder

__all__ = ["GraphsInside"]


class GraphsInside:
    """The graphs of a function that capture values of the graphs around them.

    Parameters
    ----------
    are_told_apart : bool
        Whether the function is there for one trace only, so that what it reads is looked at before each call.
    """

    def __init__(self, are_told_apart: bool) -> None:
        self._are_told_apart = are_told_apart
        self._by_builder: WeakKeyDictionary[Builder, dict[Key, list[ConcreteFunction]]] = WeakKeyDictionary()
        self._by_owner: WeakKeyDictionary[Builder, dict[Key, list[ConcreteFunction]]] = WeakKeyDictionary()

    def of(self, builder: Builder, key: Key) -> Iterable[ConcreteFunction]:
        """Those for just these arguments in the graph that is built."""
        found = self._by_builder.get(builder, {}).get(key, ())
        if not self._by_owner:
            return found
        around = [self._by_owner.get(each, {}).get(key, ()) for each in (builder, *builder.ancestors())]
        return [*chain(*around), *found]

    def fitting(self, builder: Builder | None, known: Iterable[ConcreteFunction]) -> list[ConcreteFunction]:
        """Those of some graphs of the function that may serve in the graph that is built."""
        if builder is None or not self._are_told_apart:
            return [*known]
        return [each for each in known if each.fits_in(builder)]

    def keep(self, builder: Builder, key: Key, concrete: ConcreteFunction) -> None:
        """Keeps one for the graph in which it was traced, and for where else it may serve."""
        self._by_builder.setdefault(builder, {}).setdefault(key, []).append(concrete)
        owner, around = builder.owner_of(concrete.trace.captures), concrete.trace.surroundings
        if self._are_told_apart and owner is not None and around is not None and not around.writes_arrays:
            self._by_owner.setdefault(owner, {}).setdefault(key, []).append(concrete)
