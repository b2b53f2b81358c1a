"""An undo log: the places that change while it is open, what they held, and which of their owners existed.

A backend that records a branch or a loop opens one around it. It learns which places are part of the state,
puts their values back, and records the next path from where the first one started.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.meeting import note_existing
from autograph.staging.notes import now, write_back
from autograph.staging.places import Cell, Contents, Item, Moved, Place, backwards

__all__ = ["Journal", "recording"]


class Journal:
    """The places that were announced while it was open, with the values that they had before.

    Attributes
    ----------
    around : Journal or None
        The one that was open before.
    before : dict of place to value
        In the order of the announcements, by key.
    starts_anew : bool
        Whether it is of a path of a statement that starts anew where a container has to give way before it.
    home : object
        Where the backend records the path.
    comes_again : bool
        Whether the path has run to its end before, and is run once more to see what it meets a second time.
    """

    def __init__(self, around: Journal | None, opened: int, begun: int, *, starts_anew: bool) -> None:
        self.around = around
        self.starts_anew = starts_anew
        self.home: Any = None
        self.comes_again = False
        self._opened = opened
        self._begun = begun
        self.before: dict[Hashable, tuple[Place, Any]] = {}
        self._outdated = staging.outdated
        self._written = [(each, each.written) for each in staging.unwritten.values()]

    def note(self, place: Place) -> None:
        """Remembers the value of a place before its first change, unless it is part of one that it knows."""
        if place.key not in self.before and not place.is_part_of(self.before):
            if isinstance(place, Contents):
                heap.look_into(place.owner)
            note_existing(place.owner)
            value = place.get()
            self.before[place.key] = (
                place,
                value if isinstance(place, Moved) else heap.as_moved_in(place.owner, value),
            )
            for other in place.beside():
                self.note(other)

    def is_all_that_hears_of(self, container: Any) -> bool:
        """Whether a container's contents were announced already, and nobody beside the journals asks."""
        return ("contents", id(container)) in self.before and not (
            staging.copies or staging.attempts or staging.outdated or staging.groups
        )

    def heard(self, place: Place, before: Any) -> None:
        """Remembers a place that has changed already, with what it held before."""
        if place.key not in self.before:
            note_existing(place.owner)
            self.before[place.key] = place, heap.as_moved_in(place.owner, before)

    def existed(self, owner: Any) -> bool | None:
        """Whether an object that is met in the path was there before it; None where only another run can say.

        It was, where it was met before the path was opened: at a time that this run did not see, or in a run
        that was given up, which made objects of its own. It was not, where it was made since. What is met for
        the first time may have been either.
        """
        _, met, is_made = staging.met.get(id(owner), (owner, self._opened, False))
        return True if met < self._opened else False if is_made else None

    @property
    def opened(self) -> int:
        """When it was."""
        return self._opened

    def has_seen(self, time: int) -> bool:
        """Whether something that happened at this time has happened in the path, and not before it."""
        return time >= self._opened

    def is_of_former_run(self, met: int) -> bool:
        """Whether something happened in a run of the path that was given up."""
        return self._begun <= met < self._opened

    @property
    def time_before(self) -> int:
        """A time before the first run of the path."""
        return self._begun - 1

    def changed(self) -> dict[Hashable, tuple[Place, Any]]:
        """The places whose value is another object now, and that value."""
        return {
            key: (place, now)
            for key, (place, before) in self.before.items()
            if not place.is_unchanged(before, now := place.get())
        }

    def variables_changed_around(self) -> Iterator[Place]:
        """The variables of the module, and of functions around, that are something else than at first.

        They are announced when a function begins to run that may bind them: to a journal around this one.
        """
        around = self.around
        while around is not None:
            for place, before in around.before.values():
                if self.is_variable(place) and not place.is_unchanged(before, place.get()):
                    yield place
            around = around.around

    @staticmethod
    def is_variable(place: Place) -> bool:
        """Whether a place is a variable of the module, or of a function around."""
        return isinstance(place, Cell) or (isinstance(place, Item) and place.is_variable)

    def pass_on(self) -> None:
        """Tells the journal around this one everything that was announced, and that it does not know."""
        around = self.around
        if around is not None:
            for key, held in self.before.items():  # behind what it knows: what is undone first changed last
                if key not in around.before and not held[0].is_part_of(around.before):
                    around.before[key] = held

    def undo(self) -> None:
        """Gives every place the value that it had before."""
        heap.outdate(self._outdated)
        staging.unwritten = {}
        for place, value in backwards(self.before.values()):
            place.put_back(value, existed=self.existed(place.owner))
        self.forget_written()
        heap.look_again()

    def forget_written(self) -> None:
        """Says that values of a backend hold what they held, as do the copies of their parts."""
        for each, written in self._written:
            each.written = written


@contextmanager
def recording(begun: int | None = None, *, starts_anew: bool = False) -> Iterator[Journal]:
    """Opens a journal. The one around it hears nothing meanwhile: the opener passes the changes on to it.

    `begun` is the time before the first run of what is recorded, where it has run before.
    """
    write_back()
    outer, opened = staging.journal, now()
    journal = Journal(outer, opened, opened if begun is None else begun, starts_anew=starts_anew)
    staging.journal = journal
    unwritten = staging.unwritten
    staging.unwritten = dict(unwritten)
    try:
        yield journal
        write_back()
    finally:
        staging.journal = outer
        staging.unwritten = unwritten
