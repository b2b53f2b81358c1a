"""Converted code says what it is about to change: items, attributes, all that an object keeps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from types import FunctionType, MethodType
from typing import Any

from autograph.staging import heap
from autograph.staging.attributes import dict_of, slots_in
from autograph.staging.context import staging
from autograph.staging.notes import note, note_possible
from autograph.staging.places import BUFFERS, CONTAINERS, Attribute, Contents, Item
from autograph_base.packages import is_ours

__all__ = [
    "has_items",
    "note_attributes",
    "note_deleted",
    "note_dict_of",
    "note_inside",
    "note_item",
    "note_missing",
    "owner_of_attributes",
]


def note_inside(owner: Any) -> None:
    """Announces all that an object of the user's keeps: code that is not converted may change any of it."""
    if staging.journal is None or is_ours(type(owner).__module__):  # ours remember what they did
        return
    if isinstance(owner, MethodType):
        note_inside(owner.__self__)
        return
    names = (*dict_of(owner, ()), *[name for name, _ in slots_in(type(owner))])
    if isinstance(owner, type):  # Python keeps the rest, and does not let go of all of it
        names = tuple([name for name in names if not (name.startswith("__") and name.endswith("__"))])
    for name in names:
        place = Attribute(owner, name)
        note_possible(place)
        held = place.get()
        if isinstance(held, CONTAINERS):
            note_possible(Contents(held))


def note_item(target: Any, index: Any) -> None:
    """Announces that an item of a container is about to be set."""
    journal = staging.journal
    if journal is not None:
        if type(target) is list and journal.is_all_that_hears_of(target):
            return
        owner = owner_of_attributes(target)
        if owner is not None and type(index) is str:
            note(Attribute(owner, index))
        elif isinstance(target, dict) and not _has_stand_in(index) and _has_hash(index):
            note(Item.of(target, index))
        elif isinstance(target, (*CONTAINERS, *BUFFERS)):
            note(Contents(target))
        elif isinstance(target, memoryview) and isinstance(target.obj, BUFFERS):
            note(Contents(target.obj))
        if isinstance(getattr(type(target), "__setitem__", None), FunctionType):
            note_inside(target)


def note_dict_of(owner: Any) -> None:
    """Takes note of an object whose dict is given away: setting an item of the dict sets an attribute."""
    own = dict_of(owner)
    if type(own) is dict:
        staging.dicts_of_owners[id(own)] = owner


def owner_of_attributes(target: Any) -> Any:
    """The object whose attributes a dict has; None, as far as is known, for every other dict."""
    owner = staging.dicts_of_owners.get(id(target)) if type(target) is dict else None
    return owner if owner is not None and dict_of(owner) is target else None


def note_attributes(target: Any, keys: Iterable[Any]) -> bool:
    """Announces that a method of a dict may change its items, and these; whether it is one of attributes."""
    owner = owner_of_attributes(target)
    if owner is None:
        return False
    for name in dict.fromkeys([*target, *[key for key in keys if type(key) is str]]):
        note(Attribute(owner, name))
    return True


def note_missing(target: Any, index: Any) -> None:
    """Announces that a read is about to make an item, as one of a `defaultdict` does that has none."""
    if staging.journal is None or not hasattr(type(target), "__missing__"):
        return
    if isinstance(target, dict) and (not _has_hash(index) or index not in target):
        note_item(target, index)


def note_deleted(target: Any, index: Any) -> None:
    """Announces that an item of a container is about to be deleted, which changes the order of a dict."""
    owner = owner_of_attributes(target)
    if owner is not None and type(index) is str:
        note(Attribute(owner, index))
    elif isinstance(target, dict | deque):
        note(Contents(target), reshapes=True)
    else:
        note_item(target, index)


def has_items(value: Any) -> bool:
    """Whether there surely is something in a container of Python's."""
    return isinstance(value, (*CONTAINERS, tuple, str)) and bool(len(value))


def _has_stand_in(index: Any) -> bool:
    return any(map(_has_stand_in, index)) if type(index) is tuple else heap.is_stand_in(index)


def _has_hash(index: Any) -> bool:
    """Whether a dict of Python's can be asked for a key: not for one of which only a run knows the value."""
    try:
        hash(index)
    except TypeError:
        return False
    return True
