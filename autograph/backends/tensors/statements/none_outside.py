"""Places outside of a function that calls itself, which hold None until a call puts a number there.

    best = None
    def search(i, total):
        nonlocal best
        if i == n:
            if best is None or total > best:
                best = total

What lies outside comes into a graph function as an input, which has one form in all calls. So such a place
has the form of what may be None before the first call, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias

from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.containers.sharing import ids_within
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.staging import notes
from autograph.staging.places import Place
from runtime.core.structure import flatten, map_leaves
from runtime.core.tensor import Tensor
from runtime.functions.external_state import Change, can_come_in
from runtime.graph.build import as_tensor, is_weak

__all__ = ["PlacesOfNone", "give_forms", "places_of_none"]

PlacesOfNone: TypeAlias = dict[Hashable, tuple[Any, MaybeNone]]
"""By their keys, places that may hold None, with their form where they do."""


def places_of_none(changes: Iterable[Change]) -> PlacesOfNone:
    """The places that held None, or hold it now, and a number, a tuple or a list otherwise."""
    pairs = [
        (each.place, each.before, each.now) for each in changes if not isinstance(each.before, MaybeNone)
    ]
    ends = [(place, one, other) for place, one, other in pairs if one is None or _may_be_none(other)]
    forms = [(place, _none_like(other if one is None else one)) for place, one, other in ends]
    return {place.key: (place, form) for place, form in forms if form is not None}


def give_forms(known: PlacesOfNone) -> None:
    """Gives places the form that they have where the function is called, and where it is over."""
    for place, form in known.values():
        now = place.get()
        if now is None:
            _set(place, MaybeNone(False, _made_here(form.ag__value)))
        elif not isinstance(now, MaybeNone) and _none_like(now) is not None:
            _set(place, MaybeNone(True, now))


def _made_here(value: Any) -> Any:
    """What stands in the place of a value: an empty list of the graph that is built, or zeros."""
    return StagedList(value.contents.emptied()) if isinstance(value, StagedList) else value


def _set(place: Place, value: MaybeNone) -> None:
    notes.note(place)
    place.set(value)


def _none_like(value: Any) -> MaybeNone | None:
    """None in the form of a number, a tuple of numbers or a list; None for what has another one."""
    held = value.ag__value if isinstance(value, MaybeNone) else value
    if isinstance(held, StagedList):
        return MaybeNone(False, held)
    if ids_within((held,)) or not can_come_in(held):
        return None
    has_axes = any(as_tensor(leaf).static_shape != () for leaf in flatten(held)[0])
    return None if has_axes else MaybeNone(False, map_leaves(_zero_like, held))


def _may_be_none(value: Any) -> bool:
    return value is None or isinstance(value, MaybeNone)


def _zero_like(leaf: Any) -> Any:
    """Zero of a leaf's dtype; of a number of Python's, one of its class."""
    zero = as_tensor(leaf).dtype.numpy.type(0)
    return zero.item() if is_weak(leaf) else Tensor(zero)
