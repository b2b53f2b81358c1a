"""Who hears of changes, and how a place says that it is about to change."""

from __future__ import annotations

from collections import deque
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from autograph.staging import heap
from autograph.staging.context import staging

if TYPE_CHECKING:
    from autograph.staging.journal import Journal
    from autograph.staging.places import Place

__all__ = [
    "listener",
    "listening",
    "note",
    "note_possible",
    "note_read",
    "note_written",
    "now",
    "without_writing_back",
    "write_back",
]


def listening() -> bool:
    """Whether a journal is open: only then does a place have to be made and announced."""
    return staging.journal is not None


def listener() -> Journal | None:
    """The journal that hears of changes now."""
    return staging.journal


def now() -> int:
    """A time that is later than all that was met."""
    staging.clock += 1
    return staging.clock


def without_writing_back() -> AbstractContextManager[None]:
    """While places get their former values, no other value gets any of these."""
    return staging.having(writes_back=True)


def write_back() -> None:
    """Gives values of a backend what copies of their parts hold by now: those inside of others come first."""
    if staging.unwritten and not staging.writes_back:
        with without_writing_back():
            for each in reversed([*staging.unwritten.values()]):
                each.write()


def note_written() -> None:
    """Says that values of a backend hold what copies of their parts do: a statement gave them both."""
    with without_writing_back():
        for each in staging.unwritten.values():
            each.note_written()


def note(place: Place, *, reshapes: bool = False) -> None:
    """Announces that a place is about to change; and of a container whether items come, go or move."""
    if staging.journal is not None:
        if staging.copies and id(place.owner) in staging.copies:
            staging.copies[id(place.owner)].change()
        elif staging.taken and id(place.owner) in staging.taken:
            staging.taken[id(place.owner)].change()
        if staging.attempts:
            staging.attempts[-1].read(place.get())
        _note_of_group(place.owner)
        staging.journal.note(place)
        if staging.own_on_paths:
            staging.own_on_paths.pop(place.key, None)  # what is bound now is
            place.ask_again(staging.journal)
        if staging.watches and reshapes and isinstance(place.owner, deque):
            for watch in staging.watches:
                watch.hear(place.owner)


def note_read(owner: Any) -> None:
    """Says that a container is asked, by what changes nothing in it."""
    if staging.journal is not None and staging.outdated:
        heap.require_not_outdated(owner)


def note_possible(place: Place) -> None:
    """Announces that a place may be about to change."""
    if staging.journal is not None:
        _note_of_group(place.owner)
        staging.journal.note(place)


def _note_of_group(owner: Any) -> None:
    """Says that one of some containers that may be one object is about to change."""
    if staging.outdated:
        heap.require_not_outdated(owner)
    group = staging.groups.get(id(owner)) if staging.groups else None
    if group is not None:
        group.changed(owner)
