"""Counts how often Python's iterators were advanced during a trace, so that a backend can tell."""

from __future__ import annotations

import contextlib
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from types import GeneratorType
from typing import Any

from autograph.staging.backend import Backend
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.heap import current
from autograph.staging.meeting import note_made
from autograph.staging.notes import listening
from autograph_base.dataclass import dataclass
from autograph_base.packages import is_ours

__all__ = [
    "Growing",
    "advance",
    "growing_under",
    "leave",
    "may_ask",
    "note_iterator",
    "times_asked",
    "until_moved",
]

WRITING = frozenset({"close", "flush", "getvalue", "write", "writelines"})
"""Methods of streams that do not read."""

WRITERS = (print, contextlib.redirect_stdout, contextlib.redirect_stderr)
"""What takes streams to write to them."""

LOOKING = (ascii, bool, callable, format, getattr, hasattr, hash, id, isinstance, repr, str, type)
"""What takes no item of a generator that it is given."""


def note_iterator(result: Any) -> None:
    """Remembers an iterator that a call has just made."""
    kind = type(result)
    is_pythons = hasattr(kind, "__next__") and not is_ours(kind.__module__)  # ours say how far they are
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
    """Those among the values of a call that it may take items from; a stream that is written to is none."""
    writes = any(callee is each for each in WRITERS) or getattr(callee, "__name__", "") in WRITING
    asks_none = (
        (io.IOBase,) if writes else (GeneratorType,) if any(callee is each for each in LOOKING) else ()
    )
    return [each for each in values if not isinstance(each, asks_none)]


class Growing(ABC):
    """What a loop runs over, where its turns may change a list, and Python's iterator would see that.

    Attributes
    ----------
    is_strict : bool
        Whether Python raises something where a list comes to its end before another.
    """

    is_strict = False

    @property
    @abstractmethod
    def has_moved(self) -> bool:
        """Whether a list of a backend has taken the place of the one that Python's iterator goes over."""

    @property
    @abstractmethod
    def has_shifted(self) -> bool:
        """Whether such a list has other items in the places of those that Python's iterator still gives."""

    @abstractmethod
    def behind(self, backend: Backend, count: int) -> Any:
        """What is still to come after so many items."""


@dataclass(frozen=True)
class _Source(Growing):
    """A list, a tuple, a range or a text, from a position on."""

    items: Any
    position: int = 0

    @property
    def has_moved(self) -> bool:
        return _has_moved(self.items)

    @property
    def has_shifted(self) -> bool:
        return _has_moved(self.items) and not getattr(current(self.items), "keeps_objects", True)

    def behind(self, backend: Backend, count: int) -> Any:
        first = self.position + count
        return backend.behind(current(self.items), first) if self.has_moved else self.items[first:]


def _has_moved(items: Any) -> bool:
    return type(items) is list and current(items) is not items


@dataclass(frozen=True)
class _Backwards(_Source):
    """A list from the end, from a position on: what is put behind that it does not see."""

    @property
    def has_moved(self) -> bool:
        return self.has_shifted

    def behind(self, backend: Backend, count: int) -> Any:
        last = self.position - count
        return () if last < 0 else backend.before(current(self.items), last)


@dataclass(frozen=True)
class _Numbered(Growing):
    """An `enumerate`, and the number of its next item."""

    numbered: Growing
    number: int

    @property
    def is_strict(self) -> bool:  # type: ignore[override]  # said by what it numbers
        return self.numbered.is_strict

    @property
    def has_moved(self) -> bool:
        return self.numbered.has_moved

    @property
    def has_shifted(self) -> bool:
        return self.numbered.has_shifted

    def behind(self, backend: Backend, count: int) -> Any:
        return backend.enumerate_(self.numbered.behind(backend, count), self.number + count)


@dataclass(frozen=True)
class _Zipped(Growing):
    """A `zip`."""

    parts: Sequence[Growing]
    is_strict: bool

    @property
    def has_moved(self) -> bool:
        return any(part.has_moved for part in self.parts)

    @property
    def has_shifted(self) -> bool:
        return any(part.has_shifted for part in self.parts)

    def behind(self, backend: Backend, count: int) -> Any:
        return backend.zip_(*[part.behind(backend, count) for part in self.parts], strict=self.is_strict)


def growing_under(items: Any) -> Growing | None:
    """What a loop over these items runs over; None of what never becomes longer, or says so itself."""
    found = _under(items)
    return None if isinstance(found, _Source) and type(found.items) is not list else found


def _under(items: Any) -> Growing | None:
    kind = type(items)
    if kind is list:
        return _Source(items)
    if kind is enumerate:
        _, (inner, number) = items.__reduce__()  # as they are pickled
        numbered = _under(inner)
        return None if numbered is None else _Numbered(numbered, number)
    if kind is zip:
        _, zipped, *strict = items.__reduce__()
        parts = [_under(each) for each in zipped]
        return _Zipped([part for part in parts if part], any(strict)) if parts and all(parts) else None
    if kind is _REVERSED:
        _, (source, *_), *position = items.__reduce__()
        return _Backwards(source, position[0]) if type(source) is list and position else None
    if kind in _ITERATORS:
        _, (source, *_), *position = items.__reduce__()
        return _Source(source, position[0] or 0 if position else 0)
    return None


def until_moved(iterator: Iterator[Any], growing: Growing | None) -> Iterator[Any]:
    """The items of an iterator that does not know of a list which has taken another's place."""
    may_move = growing is not None and (growing.is_strict or staging.journal is not None)
    return _unless_moved(iterator, growing) if growing is not None and may_move else iterator


def _unless_moved(iterator: Iterator[Any], growing: Growing) -> Iterator[Any]:
    try:
        for item in iterator:
            yield item
            if growing.has_shifted:
                return
    except ValueError:  # of a strict `zip`, in which no code of the user's runs
        if not growing.has_moved:
            raise


_SOURCES: tuple[Iterable[Any], ...] = [], (), range(0), "", "é"
_REVERSED: type = type(reversed(list[Any]()))
_ITERATORS = frozenset([type(iter(source)) for source in _SOURCES])


def advance(backends: Backends, values: Iterable[Any]) -> None:
    """Says of those among some values that they are about to be asked for items."""
    for each in values if staging.iterators else ():
        if id(each) in staging.iterators and not backends.owned[type(each)]:
            backends.staging_now().advance(each)
