"""Containers of Python's that a path makes longer or shorter: those of the graph take their place."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from autograph.backends.tensors.containers.becoming import (
    NUMBERED,
    STAND_INS,
    refuse_own_class,
    replaces_methods,
)
from autograph.backends.tensors.containers.catalogues import can_be_held, hold_by_number
from autograph.backends.tensors.containers.elements import Elements, models
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.statements.retracing import Grows
from autograph.staging import notes
from autograph.staging.places import Contents, Item, Place
from autograph.staging.state import Undefined
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location

__all__ = [
    "contents_like",
    "is_other_length",
    "may_be_staged",
    "may_hold",
    "model_of",
    "model_of_moved",
    "require_lengths",
]


def require_lengths(changes: Mapping[Hashable, tuple[Place, Any]], ends: Mapping[int, Any]) -> None:
    """Sees to it that a path leaves every container of Python's as long as it was.

    Raises
    ------
    Grows
        With the lists that it does not.
    """
    models = [
        (place.owner, model_of(place.owner, now))
        for place, now in changes.values()
        if isinstance(place, Contents) and is_other_length(place.owner, now)
    ]
    models += [
        (place.owner, model_of(place.owner, ends.get(id(place.owner), place.owner)))
        for place, now in changes.values()
        if isinstance(place, Item) and isinstance(place.get(), Undefined) and may_be_staged(place)
    ]
    if models:
        raise Grows(models)


def is_other_length(owner: Any, now: Any) -> bool:
    """Whether a container of Python's that may give way to one of the graph has got longer or shorter.

    Of a set, whether other elements are in it; of a dict, whether it has other keys, or in another order.
    """
    if type(owner) not in STAND_INS:
        _require_no_more_than_a_list(owner, now)
        return False
    return _is_other(owner, now) and may_hold(owner, now)


def _is_other(owner: Any, now: Any) -> bool:
    if isinstance(owner, set):
        return {*now} != {*set.__iter__(owner)}
    if isinstance(owner, dict):
        return [*now] != [*dict.__iter__(owner)]
    return len(now) != len(owner)


def _require_no_more_than_a_list(owner: Any, now: Any) -> None:
    """Sees to it that no container of a class of the program's gets longer or shorter, but for lists.

    What takes the place of one has the methods of Python's class, which may not be those of the program's.
    And a list of the graph that takes its place in a statement inside of another one is nothing that the
    outer one knows of.
    """
    is_own = isinstance(owner, list | dict | set | deque) and not isinstance(owner, Staged)
    if not is_own or not _is_other(owner, now):
        return
    if not isinstance(owner, list) or replaces_methods(type(owner)):
        refuse_own_class(type(owner))
    around = notes.listener()
    if around is not None and around.starts_anew and around.existed(owner) is not False:
        kind = type(owner).__name__
        raise StateDisagrees(
            f"a {kind} gets longer or shorter in a statement inside of another one, where a tensor decides",
            where=caller_location(),
            why=f"It would be a list of the graph from there on, and a {kind} is more than a list.",
            way_out="Keep a list in an attribute of your class, instead of deriving the class from `list`.",
        )


def model_of_moved(now: Any) -> Elements:
    """What says of a list that has given way what it has become."""
    contents: Elements = NUMBERED if now.is_numbered else now.contents
    return contents


def model_of(owner: Any, now: Any) -> Any:
    """What the contents of the container would be that is to take the place of one of Python's."""
    with models():
        return contents_like(owner, now)


def contents_like(owner: Any, now: Any) -> Any:
    """The contents of a container of the graph in the place of one of Python's, which holds this now."""
    kind = type(owner)
    return STAND_INS[kind](now if isinstance(now, kind) else _like(owner, now), None).contents


def _like(owner: Any, now: Any) -> Any:
    """A container like another one, which holds what is in a copy of its contents."""
    held = owner.copy()
    Contents(held).set(now)
    return held


def may_be_staged(place: Item) -> bool:
    """Whether keys of a dict of Python's may be keys of the graph: not those of a module's variables."""
    return not place.is_variable and may_hold(place.owner, [place.item])


def may_hold(owner: Any, more: Iterable[Any]) -> bool:
    """Whether a container of the graph may take the place of one, and hold more.

    A graph has to be able to hold its keys, and so what is in a deque.
    """
    if type(owner) not in STAND_INS:
        return False
    keys = [*owner, *more] if isinstance(owner, dict | set | deque) else ()
    if not isinstance(owner, deque):
        hold_by_number(keys)
    return all(key is not None and can_be_held(key) for key in keys)
