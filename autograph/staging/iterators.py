"""Iterators that Python makes while a program is traced: a backend hears when they are asked for items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.places import note_made

__all__ = ["advance", "note_iterator"]

OWN = frozenset({"autograph", "runtime"})
"""Packages whose iterators say themselves how far they are."""


def note_iterator(result: Any) -> None:
    """Remembers an iterator that a call has just made."""
    kind = type(result)
    is_pythons = hasattr(kind, "__next__") and str(kind.__module__).partition(".")[0] not in OWN
    if is_pythons and id(result) not in staging.iterators:
        staging.iterators[id(result)] = result, 0
        note_made(result)


def advance(backends: Backends, values: Iterable[Any]) -> None:
    """Says of those among some values that they are about to be asked for items."""
    for each in values:
        if id(each) in staging.iterators and not backends.owned[type(each)]:
            backends.staging_now().advance(each)
