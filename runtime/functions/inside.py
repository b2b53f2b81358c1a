"""The graphs of a function that serve inside of other graphs: those that capture values, and where they fit.

A function that stands for one of the program's in a single trace is called while the program changes what it
reads. A graph of it serves where all of that is as it was, and then also in other graphs than the one that it
was traced in, if they have what it captures.

One that calls functions which are still being traced around it is right for the rounds that these are in:
what they give may be another thing in the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from weakref import WeakKeyDictionary

from runtime.functions.concrete import ConcreteFunction
from runtime.functions.key import Key
from runtime.functions.recursion import Learnt, OpenTrace, Rounds, are_under_way
from runtime.functions.trace import Trace
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
        self._provisional: list[tuple[Key, ConcreteFunction, Rounds]] = []
        self._learnt: dict[Key, Learnt] = {}

    def of(self, builder: Builder) -> Iterable[tuple[Key, list[ConcreteFunction]]]:
        """Those that may serve in the graph that is built, by their arguments."""
        around = (builder, *builder.ancestors()) if self._by_owner else ()
        known = (*[self._by_owner.get(each, {}) for each in around], self._by_builder.get(builder, {}))
        self._provisional = [each for each in self._provisional if are_under_way(each[2])]
        provisional = [(key, [concrete]) for key, concrete, _ in self._provisional]
        return chain(*map(dict.items, known), provisional)

    def fitting(self, builder: Builder | None, known: Iterable[ConcreteFunction]) -> list[ConcreteFunction]:
        """Those of some graphs of the function that may serve in the graph that is built."""
        if builder is None or not self._are_told_apart:
            return [*known]
        return [each for each in known if each.fits_in(builder)]

    def keep(self, builder: Builder, key: Key, concrete: ConcreteFunction) -> None:
        """Keeps one for the graph in which it was traced, and for where else it may serve."""
        self._by_builder.setdefault(builder, {}).setdefault(key, []).append(concrete)
        owner = builder.owner_of(concrete.trace.captures)
        if self._are_told_apart and owner is not None and concrete.trace.surroundings is not None:
            self._by_owner.setdefault(owner, {}).setdefault(key, []).append(concrete)

    def keep_provisional(self, key: Key, concrete: ConcreteFunction, rounds: Rounds) -> None:
        """Keeps one that calls functions around it, for as long as these are in these rounds."""
        if self._are_told_apart:
            self._provisional.append((key, concrete, rounds))

    def call(self, concrete: ConcreteFunction) -> None:
        """Says that a graph is called: one that calls functions around it makes all inside them call them."""
        for _, each, rounds in self._provisional:
            if each is concrete:
                for opened in rounds:
                    opened.note_call()

    def learnt(self, key: Key) -> Learnt | None:
        """What a trace for such arguments has found by now: the next one, elsewhere, begins there."""
        return self._learnt.get(key)

    def learn(self, trace: Trace, opened: OpenTrace) -> None:
        """Keeps what a trace has found for the next one for such arguments."""
        if self._are_told_apart and trace.returns:
            self._learnt[trace.key] = Learnt.of(trace, opened)
