"""The graphs that a function keeps, by the arguments that they take, and which of them serve a call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.inside import GraphsInside
from runtime.functions.key import Key
from runtime.graph.build import current_builder

__all__ = ["MOST_GRAPHS", "KeptGraphs", "unknown_dims"]

MOST_GRAPHS = 512
"""Graphs that one function keeps; the oldest goes first."""


class KeptGraphs:
    """The graphs of one function, in the order of tracing."""

    def __init__(self) -> None:
        self._by_key: dict[Key, list[ConcreteFunction]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def all(self) -> list[ConcreteFunction]:
        """All of them."""
        return [concrete for concretes in self._by_key.values() for concrete in concretes]

    def store(self, key: Key, concrete: ConcreteFunction) -> None:
        """Keeps one more, and none whose arguments are gone."""
        for dead in [each for each in self._by_key if each.is_dead]:
            del self._by_key[dead]
        self._by_key.setdefault(key, []).append(concrete)
        if len(self) > MOST_GRAPHS:
            oldest = next(iter(self._by_key))
            del self._by_key[oldest][0]
            if not self._by_key[oldest]:
                del self._by_key[oldest]

    def serving(
        self, key: Key, inside: GraphsInside, containers: Sequence[Any] = (), *, may_pass: bool
    ) -> tuple[ConcreteFunction, Sequence[Tensor]] | None:
        """The graph for such arguments, of these or of those `inside` others, with its inputs from outside.

        None where there is none that was traced in a world like this one.

        Parameters
        ----------
        key : Key
        inside : GraphsInside
        containers : sequence, optional
            Those of any length among the arguments.
        may_pass : bool
            Whether it may take other numbers of Python's as well.
        """
        builder = current_builder()
        inner = [] if builder is None else [*inside.of(builder)]
        of_key = [concrete for known, concretes in inner if known == key for concrete in concretes]
        exact = inside.fitting(builder, [*of_key, *self._by_key.get(key, ())])
        accepting = [
            concrete
            for known, concretes in (*inner, *self._by_key.items())
            if not exact and known.accepts(key) and (may_pass or not known.passed())
            for concrete in concretes
        ]
        fitting = inside.fitting(builder, accepting)
        for concrete in [*reversed(exact), *sorted(fitting, key=unknown_dims)]:
            outside = concrete.loaded(containers) if concrete.looks_outside else ()
            if outside is not None:
                return concrete, outside
        return None

    def accepting(self, key: Key) -> list[ConcreteFunction]:
        """Those for such arguments, whatever they read outside."""
        return [each for known, graphs in self._by_key.items() if known.accepts(key) for each in graphs]

    def forget(self, kinds: Collection[type]) -> None:
        """Lets go of the graphs for single objects of some classes, which they may keep."""
        for key in [each for each in self._by_key if not each.kinds_of_objects.isdisjoint(kinds)]:
            del self._by_key[key]

    def relaxed(self, key: Key) -> Key:
        """A key, widened to the shapes seen before."""
        found = (other.relaxed(key) for other in reversed(self._by_key))
        return next((relaxed for relaxed in found if relaxed is not None), key)

    def on_executor(self, executor: str) -> KeptGraphs:
        """The same graphs on another executor."""
        twin = KeptGraphs()
        for key, graphs in self._by_key.items():
            twin._by_key[key] = [each.on_executor(executor) for each in graphs]
        return twin


def unknown_dims(concrete: ConcreteFunction) -> int:
    """How general a graph is: the most exact one serves a call."""
    shapes = [spec.shape for spec in concrete.graph.input_specs if isinstance(spec, ArraySpec)]
    return sum(100 if shape is None else sum(not isinstance(dim, int) for dim in shape) for shape in shapes)
