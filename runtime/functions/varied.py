"""Which places among the arguments of a function have varied so often that one graph serves all values."""

from __future__ import annotations

from collections.abc import Collection, Hashable

__all__ = ["VariedPlaces"]

_UNTIL_INPUT = 2
"""Values of a place, each with a graph of its own, from which on it is an input of one graph."""
_UNTIL_INPUT_OF_OBJECTS = 1
"""Such values of an attribute of objects that are others in each call: it is what these are made with."""


class VariedPlaces:
    """Places of arguments by name, with what they have held in the calls that no graph has served.

    Attributes
    ----------
    inputs : set of str
        Those that are inputs from now on.
    constants : set of str
        Those that cannot be, as the function could not be traced so.
    """

    def __init__(self) -> None:
        self.inputs: set[str] = set()
        self.constants: set[str] = set()
        self._known: dict[str, set[Hashable]] = {}

    def meet(self, place: str, held: Hashable, *, is_of_object: bool = False) -> None:
        """Takes in what a place holds in a call that no graph serves; it may be an attribute of an object."""
        if place in self.inputs or place in self.constants:
            return
        known = self._known.setdefault(place, set())
        if len(known - {held}) >= (_UNTIL_INPUT_OF_OBJECTS if is_of_object else _UNTIL_INPUT):
            self.inputs.add(place)
            del self._known[place]
        else:
            known.add(held)

    def fail(self, places: Collection[str]) -> None:
        """Takes in that the function was traced with these as they are, and could not be with inputs."""
        self.inputs.difference_update(places)
        self.constants.update(places)
