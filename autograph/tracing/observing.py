"""What a function reads and changes outside of itself: attributes, globals, items, elements."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar

from autograph.backends.tensors.raising import belongs_to_program
from autograph.backends.tensors.streams import recorded_streams
from autograph.staging import heap, places
from autograph.staging.context import staging
from autograph.staging.places import Contents, Moved, Place
from autograph.staging.state import Undefined
from autograph.tracing.guards import Reads
from autograph.tracing.snapshot import Snapshot
from runtime.core.structure import flatten, unflatten
from runtime.functions.effects import holds_symbol
from runtime.functions.external_state import NO_RESULT, Change, Seen
from runtime.functions.reads import functions_behind, names_of
from runtime.graph.build import current_builder
from runtime.ops.raising import record

__all__ = ["Outside"]

Result = TypeVar("Result")


class Outside:
    """Watches what a function does outside of itself."""

    def observe(
        self,
        run: Callable[[], Any],
        roots: Sequence[Any],
        reads: Reads | None,
        close: Callable[[Any, Seen], Result],
    ) -> Result:
        """Runs a function, and calls `close` with what it gives and changes, before that is undone."""
        builder = current_builder()
        are_stored = builder is not None and builder.effects_run
        is_outermost = not places.listening()
        if is_outermost:
            staging.left.clear()
        snapshot = Snapshot(roots)
        grown = [Contents(each) for each in reads.only_added_to()] if reads is not None else []
        former = [(place, place.get()) for place in grown]
        for place in grown:  # nobody sees what is in them: what they hold afterwards was added
            place.set([])
        staging.unmet.append(partial(_reached, roots))
        try:
            with places.recording() as journal, recorded_streams() if is_outermost else nullcontext():
                try:
                    result = run()
                except BaseException as error:
                    stops = is_outermost and are_stored and belongs_to_program(error)
                    if not stops or not _changes(snapshot, former):
                        _give_back(snapshot, former)
                        raise
                    record(error)  # once the graph has raised it, Python runs, and leaves what it leaves
                    result = NO_RESULT
                changes = _changes(snapshot, former)
                if not snapshot.is_whole:
                    changes += _announced(journal.before.values(), changes)
                if is_outermost and heap.has_moved():
                    leaves, structure = flatten(result)
                    result = unflatten(structure, leaves)  # in containers of its own
                closed = close(
                    result, Seen(changes, snapshot.existed, {place.key for place in grown}, are_stored)
                )
                if are_stored:
                    for change in changes:
                        change.place.set(change.before)
                    for place, before in former:
                        place.set(before)
                return closed
        finally:
            if is_outermost:
                places.forget()

    def reads(self, roots: Sequence[Any]) -> Reads:
        """What the function may read, as it is now."""
        return Reads(roots)


def _changes(snapshot: Snapshot, grown: Sequence[tuple[Place, Any]]) -> list[Change]:
    """What has changed; of lists that were empty for the time being, all that they hold."""
    keys = {place.key for place, _ in grown}
    changes = [each for each in snapshot.changes() if each.place.key not in keys]
    for place, before in grown:
        now = heap.moved_to(place.owner)
        if now is not place.owner or now:
            changes.append(Change(place, before, [*now] if now is place.owner else now))
    return changes


def _give_back(snapshot: Snapshot, former: Sequence[tuple[Place, Any]]) -> None:
    """Undoes what holds tensors of a graph that was given up; what holds none has happened."""
    keys = {place.key for place, _ in former}
    for change in snapshot.changes():
        if change.place.key not in keys and holds_symbol(change.now, snapshot.existed):
            change.place.set(change.before)
    for place, held in former:
        more = heap.moved_to(place.owner)
        is_plain = more is place.owner and not holds_symbol([*more], snapshot.existed)
        place.set([*held, *more] if is_plain else held)


def _reached(roots: Sequence[Any]) -> Iterator[Any]:
    """What a function starts from, and what it reads by name: all that is there before it runs."""
    for root in roots:
        yield root
        for name in itertools.chain.from_iterable(map(names_of, functions_behind(root))):
            yield from (name.home, name.value())


def _announced(noted: Collection[tuple[Place, Any]], known: Sequence[Change]) -> Iterator[Change]:
    """The changes that code has announced, of objects that nobody has looked at before."""
    keys = {change.place.key for change in known}
    for place, before in noted:
        if place.key not in keys and not isinstance(place, Moved):
            now = place.get()
            if not place.is_unchanged(before, now):
                yield Change(place, before, now, type(before) is Undefined)
