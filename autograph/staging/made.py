"""Announces what a call has returned: new objects and copies, iterators, and arrays that NumPy has made."""

from __future__ import annotations

import copy
from collections import OrderedDict, deque
from collections.abc import Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

from autograph.staging import heap
from autograph.staging.attributes import held_by
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, PLAIN, Backends
from autograph.staging.iterators import note_iterator
from autograph.staging.meeting import note_made
from autograph.staging.notes import listening
from autograph.staging.stand_ins import meet

__all__ = ["makes_objects", "note_new", "note_result"]

MAKERS = frozenset(
    {
        object.__new__,
        dict.__new__,
        list.__new__,
        set.__new__,
        deque.__new__,
        OrderedDict.__new__,
        partial.__new__,
        SimpleNamespace.__new__,
    }
)
"""The `__new__` of classes whose calls give objects that nobody has seen before."""


def makes_objects(kind: type) -> bool:
    """Whether what is called is a class, and its own class leaves to it what that does."""
    return kind is type or (issubclass(kind, type) and kind.__call__ is type.__call__)


def note_result(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> Any:
    """What a call has given, after all listeners have heard of it."""
    is_new = type(result) is callee and callee.__new__ in MAKERS and makes_objects(type(callee))
    if is_new or _is_for_new(callee, result):
        backends.staging_now().made(result)
    if listening():
        _announce(backends, callee, args, kwargs, result)
    return backends.staging_now().finished(result) if is_new and type(result) is not partial else result


def _is_for_new(callee: Any, result: Any) -> bool:
    """Whether a `__new__` of the program's has been given its new object: others ask for one as they like."""
    return callee is object.__new__ and type(result).__new__ is not object.__new__


def note_new(backends: Backends, instances: Iterable[Any]) -> None:
    """Says of objects that code of the user's has made, which ran as it is, that they were made."""
    for each in instances:
        if type(each).__new__ in MAKERS:
            backends.staging_now().made(each)
            if listening():
                note_made(each)
            backends.staging_now().finished(each)


def _announce(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> None:
    """Remembers what nobody has seen before."""
    if (type(result) is callee and callee.__new__ in MAKERS) or _is_for_new(callee, result):
        note_made(result)
    if type(result) not in ATOMS:
        note_iterator(result)
    if isinstance(result, set | frozenset | dict):
        heap.tell_apart(result)
    heap.remember(result, _made_of(callee, args, kwargs))
    meet((result,))
    if staging.attempts:
        staging.attempts[-1].made(result)
    if callee is copy.copy or callee is copy.deepcopy:
        _note_copy(backends, result)


def _note_copy(backends: Backends, result: Any) -> None:
    """Says of a copy of an object, and of what is in it, that it was made."""
    pending, seen = [result], set[int]()
    while pending:
        each = pending.pop()
        if id(each) not in seen and type(each) not in PLAIN and not backends.owned[type(each)]:
            seen.add(id(each))
            backends.staging_now().made(each)
            pending.extend(held_by(each))


def _made_of(callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any] | None:
    """What NumPy makes an array of; None where something else is called, which may have had the array."""
    owner = getattr(callee, "__self__", None)
    home = str(getattr(callee, "__module__", None) or type(owner).__module__)
    if home.partition(".")[0] != "numpy":
        return None
    out = kwargs.get("out")
    return [owner, *args, *kwargs.values(), *(out if type(out) is tuple else ())]
