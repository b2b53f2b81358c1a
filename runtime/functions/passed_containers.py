"""Which containers of numbers among the arguments of a function come in as containers of its graphs.

::

    f([1, 2]), f([1, 2, 3])    ⇒   a graph for two numbers, and one for three
    f([1, 2, 3, 4])            ⇒   a graph for every list of ints

So it is with other numbers in a long list.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import chain
from typing import Any

from runtime.functions.external_state import Place
from runtime.functions.varied import VariedPlaces

__all__ = ["PassedContainers"]

_KINDS = frozenset({list, dict, deque})


class PassedContainers:
    """What a function has found of the lists, dicts and deques that it is passed, by their parameters.

    A list or a dict has a graph for each length until a third one comes, a long list one for what it holds,
    and a deque for each object; then it is an input, if it holds numbers of one kind, or lists of such. One
    with which the function cannot be traced so has a graph for each as before.

    Parameters
    ----------
    of_any_length : callable
        What a container of a name holds, as an input; None where it can be none.
    """

    def __init__(self, of_any_length: Callable[[Any, str], Place | None]) -> None:
        self._of_any_length = of_any_length
        self._places = VariedPlaces()

    @property
    def are_there(self) -> bool:
        """Whether there are any that come in."""
        return bool(self._places.inputs)

    def places(self, names: Sequence[str], values: Sequence[Any]) -> Mapping[int, Place]:
        """Those among arguments of these names that come in: by id, what each holds."""
        found: dict[int, Place] = {}
        times = Counter(map(id, values))
        for name, value in zip(names, values, strict=True):
            if name in self._places.inputs and type(value) in _KINDS and times[id(value)] == 1:
                place = self._of_any_length(value, name)
                if place is not None:
                    found[id(value)] = place
        return found

    def meet(self, names: Sequence[str], values: Sequence[Any]) -> bool:
        """Takes in that no graph serves such arguments; whether more of them come in from now on."""
        before = len(self._places.inputs)
        for name, value in zip(names, values, strict=True):
            if type(value) in _KINDS:
                self._places.meet(name, _told(value))
        return len(self._places.inputs) > before

    def fail(self, names: Collection[str]) -> None:
        """Takes in that the function was traced with these as they are, and could not be with others."""
        self._places.fail(names)


_MANY = 16
"""Numbers in a list from which on they come in together: an input for each of them takes longer."""


def _told(container: Any) -> Hashable:
    """What has a graph of its own: a length, all lengths of lists in a list, or a deque; or many numbers."""
    if type(container) is deque:
        return id(container)
    if type(container) is not list or not container:
        return len(container)
    kinds = {*map(type, container)}
    are_nested = kinds in ({list}, {tuple})
    numbers = [*chain.from_iterable(container)] if are_nested else container
    lengths = tuple(map(len, container)) if are_nested else (len(container),)
    are_many = len(numbers) >= _MANY and {*map(type, numbers)} <= _NUMBERS
    return (lengths, tuple(numbers)) if are_many else lengths


_NUMBERS = frozenset({int, float})
