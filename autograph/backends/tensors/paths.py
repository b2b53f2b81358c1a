"""One path of a staged statement: run from the state before it, and looked at afterwards.

What a path changes outside of variables shows in a journal. The places of an object that the path itself
made are of no concern to the statement. Tracing twice tells which these are: an object that was there before
is the same in both traces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Set
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.backends.tensors.elements import Elements
from autograph.backends.tensors.joins import changes_in_place
from autograph.backends.tensors.lists import StagedList, contents_of
from autograph.staging import places
from autograph.staging.context import staging
from autograph.staging.heap import current
from autograph.staging.places import Cell, Contents, Item, Journal, Moved, Place, Variable
from autograph.staging.state import State
from runtime.core.structure import flatten, level_of
from runtime.core.tensor import Array
from runtime.errors import StateDisagrees

__all__ = ["Changes", "Grows", "Unsure", "Watch", "following", "outlived_by", "require_lengths"]

Changes = dict[Hashable, tuple[Place, Any]]
"""Places that a path changed, and what it left there, by key."""


class Unsure(Exception):  # a signal between a path and its statement, never seen outside
    """A path changed places of which only another trace can say whether they outlive it."""


class Grows(Exception):  # a signal between a path and its statement, never seen outside
    """A path makes lists longer or shorter that were there before: they have to become lists of the graph.

    Parameters
    ----------
    models : list of (list, Elements)
        The lists, and what is in them after the path.
    """

    def __init__(self, models: list[tuple[Any, Elements]]) -> None:
        super().__init__()
        self.models = models


@contextmanager
def outlived_by(lasting: dict[Hashable, Place]) -> Iterator[None]:
    """Statements inside need no second trace to know that these places outlive them."""
    staging.lasting.append(lasting)
    try:
        yield
    finally:
        staging.lasting.pop()


def following(state: State) -> State:
    """The variables of a statement, with what has taken the place of the objects in them."""
    return State(lambda: tuple(map(current, state.get())), state.set, state.names, state.nouts, state.roles)


class Watch:
    """The places of one statement.

    Parameters
    ----------
    state : State
        Its variables: a place that is one of them is left out.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._lasting: dict[Hashable, Place] = {}  # keeps owners alive: no other object gets their id
        self._present: dict[int, Any] = {}
        self._look_around()
        self._suspects: dict[int, Changes] = {}  # by path; holding the places keeps their owners' ids
        self._is_second: set[int] = set()

    def reconsider(self) -> None:
        """Says that the statement is traced from another start: a path may change places that it did not."""
        self._is_second.clear()

    def _look_around(self) -> None:
        """Remembers what is there before the statement."""
        for container in _containers(self._state.get()):
            self._present[id(container)] = container

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Statements inside know which places outlive this one."""
        with outlived_by(self._lasting):
            yield

    def run(self, path: Callable[[], Any], number: int = 0) -> tuple[Any, tuple[Any, ...], Changes]:
        """What a path returns, what it leaves in the variables, and which places it changed.

        The places have their former values again, also when the path raises. `number` tells the paths of the
        statement from each other.

        Raises
        ------
        Unsure
            When the statement has to be traced again, which the watch is prepared for then.
        """
        arrays = [(array, array.copy()) for array in _arrays(self._state.get())]
        with places.recording() as journal:
            try:
                for container in _containers(self._state.get()):
                    if isinstance(container, (*places.CONTAINERS, StagedList)):
                        place = Contents(container)
                        self._lasting[place.key] = place
                        journal.note(place)
                result = path()
                _require_unchanged(arrays)
                values = self._state.get()
                changes = self._lasting_changes(journal, number)
            except BaseException:
                journal.undo()
                raise
        for changed, _ in reversed(changes.values()):  # what was announced first holds what was there first
            changed.set(journal.before[changed.key][1])
        return result, values, changes

    def _lasting_changes(self, journal: Journal, number: int) -> Changes:
        known = {key for places_ in (self._lasting, *staging.lasting) for key in places_}
        changed = {
            key: change for key, change in journal.changed().items() if not self._is_variable(change[0])
        }
        self._require_places(changed, known)
        unsure = {key: change for key, change in changed.items() if key not in known}
        seen = self._suspects.setdefault(number, {})
        lasting = unsure.keys() & seen.keys()
        self._lasting |= {key: unsure[key][0] for key in lasting}
        if unsure.keys() - seen.keys() and number not in self._is_second:
            self._is_second.add(number)
            seen |= unsure
            raise Unsure
        self._require_places(changed, lasting)
        return {key: change for key, change in changed.items() if key in known or key in lasting}

    def _require_places(self, changed: Changes, lasting: Set[Hashable]) -> None:
        """Sees to it that no list that outlives the path was replaced within it."""
        moved = [
            (place.owner, now.contents)
            for key, (place, now) in changed.items()
            if isinstance(place, Moved) and not lasting.isdisjoint({key, ("contents", id(place.owner))})
        ]
        if moved:
            raise Grows(moved)

    def outlives(self, container: Any) -> bool:
        """Whether a variable of the statement leads to an object before it."""
        return id(container) in self._present

    def become_staged(self, models: Iterable[tuple[Any, Elements]]) -> None:
        """Puts lists of the graph in the places of lists that the statement is going to change.

        Whoever reads one of them has the other one from then on.
        """
        for original, model in models:
            staged = StagedList(Elements.of(original, model))
            contents = Contents(staged)
            self._lasting[contents.key] = contents
            moved = Moved(original)
            places.note(moved)
            moved.set(staged)
        self._state.set(self._state.get())
        self._look_around()

    def _is_variable(self, place: Place) -> bool:
        """Whether a place is one of the variables of the statement."""
        if not isinstance(place, Cell | Item | Variable):
            return False
        values = self._state.get()
        marks = tuple([object() for _ in values])
        self._state.set(marks)
        try:
            return any(place.get() is mark for mark in marks)
        finally:
            self._state.set(values)


def _containers(values: Iterable[Any]) -> Iterator[Any]:
    """The objects that the values of variables lead to, and that change in place, each once."""
    pending, seen = list(values), set()
    while pending:
        value = pending.pop()
        level = level_of(value)
        if id(value) in seen or (level is None and not changes_in_place(value)):
            continue
        seen.add(id(value))
        if changes_in_place(value):
            yield value
        pending.extend(level[1] if level else ())


def _arrays(values: tuple[Any, ...]) -> list[Array]:
    """The arrays of NumPy's that the values of variables lead to."""
    return [leaf for leaf in flatten(values)[0] if isinstance(leaf, np.ndarray)]


def _require_unchanged(arrays: list[tuple[Array, Array]]) -> None:
    """Sees to it that a path changes no array of NumPy's: it has happened, whatever a tensor decides."""
    for array, before in arrays:
        if not np.array_equal(array, before, equal_nan=array.dtype.kind in "fc"):
            array[...] = before
            raise StateDisagrees(
                "an array of NumPy is changed in place where a tensor decides whether that happens",
                why="NumPy changes it while the function is traced, once, whatever the tensor says.",
                way_out="Make it a tensor with `rt.asarray(array)`, and bind the result of each operation.",
            )


def require_lengths(changes: Changes) -> None:
    """Sees to it that a path leaves every list of Python's as long as it was.

    Raises
    ------
    Grows
        With the lists that it does not.
    """
    models = [
        (place.owner, contents_of(now))
        for place, now in changes.values()
        if isinstance(place, Contents) and isinstance(place.owner, list) and len(now) != len(place.owner)
    ]
    if models:
        raise Grows(models)
