"""What a trace has changed outside of its function, and how that is taken back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from autograph.backends.tensors.arrays.arrays import ArrayContents
from autograph.backends.tensors.iteration.progress import Progress
from autograph.staging import heap
from autograph.staging.journal import Journal
from autograph.staging.places import Contents, Moved, Place
from autograph.staging.state import Undefined
from autograph.tracing.snapshot import Snapshot
from runtime.functions.effects import holds_symbol
from runtime.functions.external_state import Change
from runtime.graph.builder import Builder

__all__ = ["all_changes", "changes_seen", "give_back", "undo"]


def all_changes(
    snapshot: Snapshot, former: Sequence[tuple[Place, Any]], journal: Journal, builder: Builder | None
) -> list[Change]:
    """What has changed, also of objects that nobody has looked at before; `builder` is the function's own."""
    noted = journal.before.values()
    changes = [*changes_seen(snapshot, former), *_of_arrays_around(noted, builder)]
    announced = list(_announced(noted, changes))
    if snapshot.is_whole:
        announced = [each for each in announced if _is_of_caller(each.place.owner, journal)]
    else:  # what the trace has made itself is nobody's outside
        announced = [each for each in announced if journal.existed(each.place.owner) is not False]
    return [*changes, *announced]


def changes_seen(snapshot: Snapshot, grown: Sequence[tuple[Place, Any]]) -> list[Change]:
    """What has changed; of lists that were empty for the time being, all that they hold."""
    keys = {place.key for place, _ in grown}
    changes = [each for each in snapshot.changes() if each.place.key not in keys]
    for place, before in grown:
        now = heap.moved_to(place.owner)
        is_list = isinstance(now, list)
        if not is_list or now:
            changes.append(Change(place, before, [*now] if is_list else now.copy()))
    return changes


def undo(changes: Sequence[Change], grown: Sequence[tuple[Place, Any]]) -> None:
    """Gives all places what they held before."""
    for place, before in (*[(change.place, change.before) for change in changes], *grown):
        if isinstance(place, Contents) and heap.moved_to(place.owner) is not place.owner:
            Moved(place.owner).set(place.owner)
        place.set(before)


def give_back(snapshot: Snapshot, former: Sequence[tuple[Place, Any]]) -> None:
    """Undoes what holds tensors of a graph that was given up; what holds none has happened."""
    keys = {place.key for place, _ in former}
    for change in snapshot.changes():
        if change.place.key not in keys and holds_symbol(change.now, snapshot.existed):
            change.place.set(change.before)
    for place, held in former:
        more = heap.moved_to(place.owner)
        is_plain = more is place.owner and not holds_symbol([*more], snapshot.existed)
        place.set([*held, *more] if is_plain else held)


def _is_of_caller(owner: Any, journal: Journal) -> bool:
    """Whether an object is an iterator of a function around: nobody looks into these."""
    return isinstance(owner, Progress) and journal.existed(owner) is True


def _of_arrays_around(noted: Collection[tuple[Place, Any]], builder: Builder | None) -> Iterator[Change]:
    """What has changed of the arrays of the graphs around the one that it builds."""
    for place, before in noted:
        if isinstance(place, ArrayContents) and builder is not None and builder.is_around(place.owner):
            now = place.get()
            if now is not before:
                yield Change(place, before, now)


def _announced(noted: Collection[tuple[Place, Any]], known: Sequence[Change]) -> Iterator[Change]:
    """The changes that code has announced, of objects that nobody has looked at before."""
    keys = {change.place.key for change in known}
    for place, before in noted:
        if place.key not in keys and not isinstance(place, Moved | ArrayContents):
            now = place.get()
            if not place.is_unchanged(before, now):
                yield Change(place, before, now, type(before) is Undefined)
