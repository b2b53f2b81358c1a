"""The homes of NumPy's arrays: in which graph each of them is there, and since when.

    for i in range(n):
        row = table @ table      NumPy makes it, and nobody hears of it
        row[0] = i               here it is met, and becomes an array of the graph: of the turn, or of all?

What a call makes is announced. What operators and indices make, and code of C, is met when it gives way to an
array of the graph. It may have been there before the branch, the turn, or the body of a `try` that is traced
then. So the path is traced again: what was there before has given way by then, and is not met a second time;
what is met is another array, which the path has made.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

from autograph.staging import notes
from autograph.staging.context import staging
from autograph.staging.journal import Journal
from autograph_base.named_tuple import NamedTuple
from runtime.core.tensor import EAGER, Array, owner_of
from runtime.functions.recursion import innermost
from runtime.graph.arrays import Arrays
from runtime.graph.build import builder_in_use, current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Value

__all__ = [
    "Home",
    "home_of",
    "is_made_here",
    "may_be_made_in",
    "note_made",
    "note_met",
    "time_of_making",
    "was_made_before",
    "was_made_inside",
]


class Home(NamedTuple):
    """Where an array is there."""

    builder: Builder
    """Of the graph."""
    since: int | None = None
    """When it was made, or a time before; None where it may have been there from the start."""


class _Made(NamedTuple):
    array: weakref.ref[Array]
    builders: tuple[weakref.ref[Builder], ...]
    """Of the graph in which it was made, and of those around it."""
    time: int
    is_told: bool
    """Whether that was announced, and not found out from where it was met."""

    def is_in(self, builder: Builder) -> bool:
        """Whether it was made in a graph, or in a branch or a turn of it."""
        return any(each() is builder for each in self.builders)


_made: WeakKeyDictionary[Arrays, dict[int, _Made]] = WeakKeyDictionary()
"""Arrays of NumPy's by id: the graph that was built when the program has made them, and the time of that."""

_Met: TypeAlias = dict[int, tuple[weakref.ref[Array], int]]
_met: WeakKeyDictionary[Arrays, _Met] = WeakKeyDictionary()
"""Arrays of NumPy's by id of which nobody has said when they were made: the time when they were met first."""

_started: WeakKeyDictionary[Arrays, dict[Value, int]] = WeakKeyDictionary()
"""The arrays of the graph that have taken their places, and when they have."""

_made_at: WeakKeyDictionary[Arrays, dict[Value, int]] = WeakKeyDictionary()
"""And when those were made, of those of which that is known."""


def note_made(array: Array, made_of: Sequence[object]) -> None:
    """Remembers in which graph the program has made an array, whose memory nobody else has."""
    builder, owner = current_builder(), owner_of(array)
    if builder is not None and owner.base is None and all(owner_of(each) is not owner for each in made_of):
        _note(builder, owner, staging.clock, is_told=True)


def _note(builder: Builder, owner: Array, time: int, *, is_told: bool) -> None:
    made = _Made(weakref.ref(owner), tuple(map(weakref.ref, (builder, *builder.ancestors()))), time, is_told)
    _made.setdefault(builder.arrays, {})[id(owner)] = made


def note_met(owner: Array, start: Value) -> None:
    """Says that an array of the graph has taken the place of one of NumPy's."""
    builder = builder_in_use()
    made = _known(builder, owner)
    if made is not None and made.is_told:
        _made_at.setdefault(builder.arrays, {})[start] = made.time
    if id(owner) in _met.get(builder.arrays, {}):
        _started.setdefault(builder.arrays, {})[start] = staging.clock


def was_made_before(journal: Journal, start: Value) -> bool:
    """Whether an array of the graph has taken the place of one that was made before a path was begun."""
    time = _made_at.get(builder_in_use().arrays, {}).get(start)
    return time is not None and not journal.has_seen(time)


def may_be_made_in(journal: Journal, start: Value) -> bool:
    """Whether an array of the graph has taken the place of one that was met in a path, and may be its own."""
    time = _started.get(builder_in_use().arrays, {}).get(start)
    return time is not None and journal.has_seen(time)


def home_of(owner: Array) -> Home:
    """Where an array is there: in the turn or the branch that has made it, or in all of them.

    What a path comes to meet that is traced again is its own. What a branch has made that is closed is there
    wherever the statement runs.
    """
    builder = builder_in_use()
    made = _known(builder, owner)
    if made is not None:
        found = next((each for each in (builder, *builder.ancestors()) if made.is_in(each)), None)
        return Home(_of_function()) if found is None else Home(found, made.time)
    if type(owner) in EAGER or any(has(owner) for has in staging.arrays_outside):
        return Home(_of_function())
    path = _path_of(owner)
    if path is None:
        return Home(_of_function())
    home = Home(path.home, _begun(path))
    _note(home.builder, owner, _begun(path), is_told=False)
    return home


def is_made_here(owner: Array) -> bool:
    """Whether an array is there only where the branch or the turn runs that is traced now."""
    builder = builder_in_use()
    made = _known(builder, owner)
    is_here = made is not None and made.is_in(builder)
    return is_here and builder.watcher is None  # what a `try` may take back is for the graph to know


def was_made_inside(owner: Array) -> bool:
    """Whether an array was made in a path of the graph that is built, which is over by now."""
    builder = builder_in_use()
    made = _known(builder, owner)
    return made is not None and made.builders[0]() not in (builder, *builder.ancestors())


def time_of_making(array: Array) -> int | None:
    """When the program has made the memory that an array shows, as `staging.clock` counts; None if before."""
    made = _known(builder_in_use(), owner_of(array))
    return None if made is None else made.time


def _known(builder: Builder, owner: Array) -> _Made | None:
    made = _made.get(builder.arrays, {}).get(id(owner))
    return made if made is not None and made.array() is owner else None


def _path_of(owner: Array) -> Journal | None:
    """The innermost path that comes to meet an array and is traced again; None where there is none."""
    time, path = _time_of_meeting(owner), notes.listener()
    while path is not None and not (path.comes_again and path.has_seen(time)):
        path = path.around
    return path


def _time_of_meeting(owner: Array) -> int:
    known = _met.setdefault(builder_in_use().arrays, {})
    array, time = known.get(id(owner), (None, 0))
    if array is None or array() is not owner:
        time = staging.clock
        known[id(owner)] = weakref.ref(owner), time
    return time


def _begun(path: Journal) -> int:
    """When the graph of a path was begun, or the body of its `try`."""
    time, watcher = path.opened, path.home.watcher
    while watcher is not None and watcher.builder is path.home and watcher.began > path.opened:
        time, watcher = watcher.began, watcher.around
    return time


def _of_function() -> Builder:
    """That of the function which is traced: what it makes is there in all branches and loops."""
    opened, builder = innermost(), builder_in_use()
    if opened is not None and opened.builder is not None:
        return opened.builder
    while builder.parent is not None:
        builder = builder.parent
    return builder
