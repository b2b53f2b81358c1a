"""Counts how often Python's iterators were advanced during a trace, so that a backend can tell."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from types import GeneratorType
from typing import Any

from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.meeting import note_made
from autograph.staging.places import listening

__all__ = ["advance", "leave", "may_ask", "note_iterator", "times_asked"]

WRITING = frozenset({"close", "flush", "getvalue", "write", "writelines"})
"""Methods of streams that do not read."""

WRITERS = (print, contextlib.redirect_stdout, contextlib.redirect_stderr)
"""What takes streams to write to them."""

LOOKING = (ascii, bool, callable, format, getattr, hasattr, hash, id, isinstance, repr, str, type)
"""What takes no item of a generator that it is given."""

OWN = frozenset({"autograph", "runtime"})
"""Packages whose iterators say themselves how far they are."""


def note_iterator(result: Any) -> None:
    """Remembers an iterator that a call has just made."""
    kind = type(result)
    is_pythons = hasattr(kind, "__next__") and str(kind.__module__).partition(".")[0] not in OWN
    if is_pythons and id(result) not in staging.iterators:
        staging.iterators[id(result)] = result, 0
        note_made(result)


def times_asked(iterator: Any) -> int | None:
    """How often an iterator was asked for items since this was asked first: from then on it is counted."""
    return staging.iterators.setdefault(id(iterator), (iterator, 0))[1]


def leave(iterator: Any) -> None:
    """Remembers that a staged loop may leave an iterator early, so that nobody knows how far it is."""
    if listening():
        staging.iterators[id(iterator)] = iterator, None


def may_ask(callee: Any, values: Iterable[Any]) -> list[Any]:
    """Those among the values of a call that it may ask for items: who writes to a stream asks for none."""
    writes = any(callee is each for each in WRITERS) or getattr(callee, "__name__", "") in WRITING
    asks_none = (
        (io.IOBase,) if writes else (GeneratorType,) if any(callee is each for each in LOOKING) else ()
    )
    return [each for each in values if not isinstance(each, asks_none)]


def advance(backends: Backends, values: Iterable[Any]) -> None:
    """Says of those among some values that they are about to be asked for items."""
    for each in values if staging.iterators else ():
        if id(each) in staging.iterators and not backends.owned[type(each)]:
            backends.staging_now().advance(each)
