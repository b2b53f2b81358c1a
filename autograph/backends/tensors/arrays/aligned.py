"""The leaves of a nest in the places that they have in another form of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.core.structure import Structure, flatten, level_of
from runtime.ops.control_flow import ABSENT

__all__ = ["Aligned", "place_in", "with_leaves"]


class Aligned:
    """What a loop leaves in a variable, with its leaves in the places that they have in turns.

    An object that was there before the loop holds, before it is told otherwise, what it held then: where that
    has another form, its leaves are places of their own, and nothing is in the places of the variable.

    Parameters
    ----------
    form : Structure
        Of the variable in a turn.
    nest : nest
        What the loop leaves.
    """

    def __init__(self, form: Structure, nest: Any) -> None:
        self._nest = nest
        self._all, structure = flatten(nest)
        self._places = dict(_places_in(form, structure))
        self.leaves: list[Any] = [ABSENT] * form.leaf_count
        for place, there in self._places.items():
            self.leaves[place] = self._all[there]

    def nest(self) -> Any:
        """What the loop leaves, with the leaves as they are by now."""
        for place, there in self._places.items():
            self._all[there] = self.leaves[place]
        return with_leaves(self._nest, iter(self._all))


def place_in(form: Structure, other: Structure, place: int) -> int | None:
    """The place in a form of the leaf with a place in another one; None where that is not alike."""
    if form == other:
        return place
    return next((at for at, there in _places_in(form, other) if there == place), None)


def _places_in(form: Structure, other: Structure, at: int = 0, there: int = 0) -> Iterator[tuple[int, int]]:
    """The places of leaves in a form, and in another one where that is alike."""
    if form == other:
        yield from zip(range(at, at + form.leaf_count), range(there, there + other.leaf_count), strict=True)
    elif (form.kind, form.keys, form.extra) == (other.kind, other.keys, other.extra):
        for one, another in zip(form.children, other.children, strict=True):
            yield from _places_in(one, another, at, there)
            at, there = at + one.leaf_count, there + another.leaf_count


def with_leaves(nest: Any, leaves: Iterator[Any]) -> Any:
    """A nest with other leaves; a container that holds the same ones stays the container that it is."""
    level = level_of(nest)
    if level is None:
        return next(leaves)
    children = [with_leaves(child, leaves) for child in level[1]]
    is_same = all(one is other for one, other in zip(children, level[1], strict=True))
    return nest if is_same else level[0].build(children)
