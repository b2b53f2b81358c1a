"""One path of a staged statement: traced from the state before it, and the places that it has changed.

What a path changes outside of variables shows in a journal. The places of an object that the path itself
made are of no concern to the statement. Tracing twice tells which these are: an object that was there before
is the same in both traces.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays.arrays import ArrayContents
from autograph.backends.tensors.arrays.homes import may_be_made_in, was_made_before
from autograph.backends.tensors.containers import numbered_lists
from autograph.backends.tensors.containers.becoming import (
    STAND_INS,
    become_staged,
)
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.linked import note_links
from autograph.backends.tensors.containers.lists import COPIED, SINGLE, Staged, changes_in_place
from autograph.backends.tensors.containers.sharing import is_copy, require_known
from autograph.backends.tensors.statements.maybe import left_in
from autograph.backends.tensors.statements.memory import memory_here, outlived_by, remembering
from autograph.backends.tensors.statements.outgrown import model_of_moved
from autograph.backends.tensors.statements.raising import Signal
from autograph.backends.tensors.statements.retracing import GiveWay, Grows, Unsure
from autograph.staging import heap, meeting, notes, places
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.functions import closed_over
from autograph.staging.heap import as_moved, has_moved, moved_to
from autograph.staging.journal import Journal, recording
from autograph.staging.places import Attribute, Cell, Contents, Item, Moved, Place, Variable
from autograph.staging.state import State, Undefined
from runtime import ops
from runtime.core.instances import dict_of
from runtime.core.structure import flatten, level_of
from runtime.core.tensor import Array, set_shape
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.location import caller_location
from runtime.graph.op import Placeholder
from runtime.graph.refusals import of_arrays
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome

__all__ = [
    "Changes",
    "Watch",
    "following",
    "give",
    "is_in_contents",
    "left_alone",
    "restored_on_error",
    "seen_in",
]

Changes = dict[Hashable, tuple[Place, Any]]
"""Places that a path changed, and what it left there, by key."""


def left_alone(place: Place, builder: Builder | None = None) -> Any:
    """What a place holds where a path leaves it alone: the statement leaves that, if it takes this path.

    `builder` is that of the graph around the statement.
    """
    value = seen_in(place, as_moved(place.get()), builder)
    staging.kept.setdefault(place.key, (place, value))
    return value


def seen_in(place: Place, value: Any, builder: Builder | None = None) -> Any:
    """What a place holds, for the graph that is built.

    A variable that a function inside shares may have what a statement inside, or a former trace of the path,
    has left there: nobody reads it before it is bound again.
    """
    around = builder or current_builder()
    if type(place) is not Cell or type(value) in ATOMS or around is None:
        return value
    symbols = [leaf for leaf in flatten(value)[0] if isinstance(leaf, Symbol)]
    is_seen = all(around.sees(symbol.value.node.graph) for symbol in symbols)
    return value if is_seen else Undefined(place.name)


def following(state: State) -> State:
    """The variables of a statement, with what has taken the place of the objects in them."""

    def get() -> tuple[Any, ...]:
        values = state.get()
        return tuple(map(as_moved, values)) if has_moved() else values

    return State(get, state.set, state.names, state.nouts, state.roles)


def _require_no_buffers(owners: Iterable[Any]) -> None:
    """Sees to it that a path changes no bytes, and no array of Python's, that outlive it."""
    kind = next((type(owner).__name__ for owner in owners if isinstance(owner, places.BUFFERS)), None)
    if kind is not None:
        raise StateDisagrees(
            f"a {kind} is changed where a tensor decides whether that happens",
            where=caller_location(),
            why="It holds numbers of Python's, and those of the graph are known when it runs.",
            way_out="Use a list, or an array of NumPy's.",
        )


@contextmanager
def restored_on_error(state: State) -> Iterator[tuple[Any, ...]]:
    """The variables before the statement; they get their values back when tracing fails.

    So do those of who consumes the items of a generator in which the statement is.
    """
    before = state.get()
    around = [(each, each.get()) for each in staging.unannounced if isinstance(each, Variable)]
    try:
        yield before
    except BaseException:
        state.set(before)
        for variable, value in around:
            variable.set(value)
        raise


def give(changed: Sequence[Place], values: Sequence[Any]) -> None:
    """Sets places to what a statement leaves in them; the statement around hears of it.

    A place in what nobody may read any more is left as it is.
    """
    left = [pair for pair in zip(changed, values, strict=True) if id(pair[0].owner) not in staging.outdated]
    for place, value in left:  # all before any: a dict and its items change together
        _require_unnamed(place, value)
        notes.note(place)
    with notes.without_writing_back():
        for place, value in left:
            place.set(value)
    notes.note_written()
    heap.look_again()


def _require_unnamed(place: Place, value: Any) -> None:
    """Sees to it that no attribute comes and goes of an object whose dict has a name of its own.

    Who reads that dict does not ask the object.
    """
    is_missing = isinstance(value, Undefined) and type(value) is not Undefined
    if is_missing and isinstance(place, Attribute) and id(dict_of(place.owner)) in staging.named_dicts:
        raise StateDisagrees(
            f"only some paths give a {type(place.owner).__name__} an attribute {place.item!r}, and its"
            " `__dict__` is in a variable",
            where=caller_location(),
            why="A tensor decides between the paths, and that dict would have the key on all of them.",
            way_out=f"Ask the object (`hasattr`, `getattr`), not its dict, or set `{place.item}` before.",
        )


def is_of_start(place: Place) -> bool:
    """Whether a place is what an array holds that a graph starts with."""
    return isinstance(place, ArrayContents) and type(place.owner.node.op) is Placeholder


class Watch:
    """The places of one statement.

    Parameters
    ----------
    state : State
        Its variables: a place that is one of them is left out.
    paths : iterable of function
        What it runs: what these name was there before it.

    Attributes
    ----------
    memory : Memory
        What was learnt of it.
    ends : dict of int to container
        By their ids, copies of the containers that the last path changed, as it left them.
    begun : int
        When the statement was met.
    named : dict of str to object
        What the paths can reach by the name of a variable of functions around them.
    outdated : mapping of int to (object, Group)
        What the last path has outdated: nobody may read it after the path.
    elements : mapping of int to Copied
        What is an element of a list of the graph at the end of the last path.
    """

    def __init__(self, state: State, paths: Iterable[Callable[..., Any]] = ()) -> None:
        self.memory = memory_here()
        self.ends: dict[int, Any] = {}
        self._began: tuple[Any, ...] = ()
        self._builder = current_builder()
        meeting.meet()
        self._state = state
        self._lasting: dict[Hashable, Place] = {}  # keeps owners alive: no other object gets their id
        self._present: dict[int, Any] = {}
        self.outdated: Mapping[int, Any] = {}
        self.elements: Mapping[int, Any] = {}
        self._entered: set[int] = set()
        self._look_around()
        self.named: dict[str, Any] = {}
        self._read: list[Array] = []
        for label, value in _closed_over(paths):
            if isinstance(value, np.ndarray):
                self._read += [value] if value.size <= _MOST_COMPARED else []
                continue
            self.named.setdefault(label, value)
            if id(value) not in staging.met:  # else a former run may have left it in a variable of ours
                meeting.note_existing(value, label)
        self.begun = notes.now()
        self._is_second: set[int] = set()
        self._stage_lists(self.memory.lists())
        self._lasting |= {place.key: place for place in self.memory.lasting()}

    def has_run(self, number: int = 0) -> None:
        """Says that a path has run to its end: what the next run of it meets again was there before it."""
        self._is_second.add(number)

    def reconsider(self) -> None:
        """Says that the statement is traced from another start: a path may change places that it did not."""
        self._is_second.clear()

    def _look_around(self) -> None:
        """Remembers what is there before the statement."""
        seen: set[int] = set()
        for label, value in zip(self._state.labels, self._state.get(), strict=True):
            for container in _containers((value,), seen):
                seen.add(id(container))
                self._present[id(container)] = container
                meeting.note_existing(container, label)

    def tracing(self) -> AbstractContextManager[None]:
        """Statements inside know which places outlive this one."""
        return outlived_by(self._lasting)

    def made_of(self, values: Iterable[Any], kept: Iterable[Any]) -> set[int]:
        """The ids of the containers that were made of what a loop carries, for one turn, and not kept.

        What a kept one holds by now may be made for the turn: that is a value of its own.
        """
        found = _containers(values, {id(each) for each in kept})
        self._entered = {id(each) for each in found} - self._present.keys()
        return self._entered

    @staticmethod
    def contents(changed: Sequence[Place], *rows: Sequence[Any]) -> set[int]:
        """What rows have for the contents of containers, by id: these are copies, and no objects."""
        found: set[int] = set()
        for row in rows:
            values = row[len(row) - len(changed) :]
            found |= {id(v) for p, v in zip(changed, values, strict=True) if isinstance(p, Contents)}
        return found

    def run(self, path: Callable[[], Any], number: int = 0) -> tuple[Any, tuple[Any, ...], Changes]:
        """What a path returns, what it leaves in the variables, and which places it changed.

        The places have their former values again, also when the path raises. `number` tells the paths of the
        statement from each other.

        Raises
        ------
        Unsure
            When the statement has to be traced again, which the watch is prepared for then.
        """
        arrays = [(array, array.copy()) for array in _arrays((*self._state.get(), *self._read))]
        elements, staging.copies = staging.copies, dict(staging.copies)
        own, staging.own_on_paths = staging.own_on_paths, dict(staging.own_on_paths)
        try:
            return self._run(path, number, arrays, own)
        finally:
            self.elements, staging.copies = staging.copies, elements
            staging.own_on_paths = own  # what the path has made is gone, and all else holds what it held

    def _run(
        self,
        path: Callable[[], Any],
        number: int,
        arrays: list[tuple[Array, Array]],
        own: Mapping[Hashable, Any],
    ) -> tuple[Any, tuple[Any, ...], Changes]:
        self.ends = {}
        before, self._began = staging.outdated, self._state.get()
        with recording(self.begun, starts_anew=True) as journal:
            journal.home, journal.comes_again = current_builder(), number in self._is_second
            try:
                for container in _containers(self._state.get()):
                    if isinstance(container, (*places.CONTAINERS, Staged)):
                        place = Contents(container)
                        self._lasting[place.key] = place
                        journal.note(place)
                for unannounced in staging.unannounced:
                    self._lasting[unannounced.key] = unannounced
                    journal.note(unannounced)
                with remembering(self.memory, number):
                    result = path()
                _require_unchanged(arrays)
                self.number_lists()
                values = self._state.get()
                changes = self._lasting_changes(journal, number)
                _hold_what_paths_own(changes, own)
                note_links(journal.changed().values(), changes)
                require_known([*values[: self._state.nouts], *[left for _, left in changes.values()]])
                owners = [place.owner for place, _ in changes.values()]
                _require_no_buffers(owners)
                self.ends = {id(each): _copy(each) for each in owners if _has_copies(each)}
            except BaseException as error:
                builder = current_builder()
                signal: Signal | None = None
                if isinstance(error, NoOutcome) and builder is not None:
                    builder.context.changed_where_raised += self._raising_changes(journal, before)
                    signal = self._grown_for_handlers(journal, number) if staging.handlers else None
                journal.undo()
                if isinstance(signal, Unsure | Grows):
                    raise signal from None
                raise
        if changes:
            with notes.without_writing_back():
                for changed, _ in places.backwards(changes.values()):
                    changed.set(journal.before[changed.key][1])
            journal.forget_written()
            heap.look_again()  # what was noted before something gave way holds that
        self.outdated = staging.outdated
        heap.outdate(before)
        return result, values, changes

    def number_lists(self) -> None:
        """Numbers the lists that a path leaves where lists have numbers, before anybody reads these."""
        journal = staging.journal
        if staging.numbers_lists and journal is not None:
            numbered_lists.number_left(journal.changed().values(), lambda place: journal.before[place.key][1])
            self._state.set(numbered_lists.numbered_like(self._began, self._state.get()))

    def _grown_for_handlers(self, journal: Journal, number: int) -> Signal | None:
        """What the statement starts anew for: a path that raises has made lists longer that were there."""
        moved = [(place, now) for place, now in journal.changed().values() if isinstance(place, Moved)]
        existed = [journal.existed(place.owner) for place, _ in moved]
        if None in existed and number not in self._is_second:
            self._is_second.add(number)
            return Unsure()
        models = [
            (place.owner, model_of_moved(now))
            for (place, now), is_old in zip(moved, existed, strict=True)
            if is_old
        ]
        return Grows(models) if models else None

    def _raising_changes(self, journal: Journal, outdated: Container[int]) -> list[Place]:
        """What a path has changed that raises, of what was there before it.

        And of what a turn starts with: the loop says which arrays these are. And what may be one with what it
        has changed: nobody reads that any more, so nobody finds out whether it is. What was `outdated` before
        the path is none of its.
        """
        others = [value for key, (value, _) in staging.outdated.items() if key not in outdated]
        changed = [
            Contents(place.owner) if isinstance(place, Moved) else place
            for place, _ in journal.changed().values()  # what a list of the graph has taken the place of
        ]
        return [
            *[each for each in changed if journal.existed(each.owner) is not False or is_of_start(each)],
            *[Contents(each) for each in others if type(each) in places.CONTAINERS and journal.existed(each)],
            *journal.variables_changed_around(),
        ]

    def _lasting_changes(self, journal: Journal, number: int) -> Changes:
        changed = {
            key: change for key, change in journal.changed().items() if not self.is_variable(change[0])
        }
        if not changed:
            return changed
        known = {key for places_ in (self._lasting, *staging.lasting) for key in places_}
        self._require_places(changed, known)
        unsure = {key: change for key, change in changed.items() if key not in known}
        existed = {key: self._existed(place, journal) for key, (place, _) in unsure.items()}
        lasting = {key for key, answer in existed.items() if answer}
        self._lasting |= {key: unsure[key][0] for key in lasting}
        self.memory.learn_lasting([unsure[key][0] for key in lasting])
        if None in existed.values() and number not in self._is_second:
            self._is_second.add(number)  # where they are met again, they were there before
            raise Unsure
        self._require_places(changed, lasting)
        return {
            key: (place, seen_in(place, as_moved(left)))
            for key, (place, left) in changed.items()
            if key in known or key in lasting
        }

    def _existed(self, place: Place, journal: Journal) -> bool | None:
        """Whether what a place is in was there before the path; None where only another run can say."""
        builder = current_builder()
        if id(place.owner) in self._entered:
            return False
        if isinstance(place, ArrayContents) and builder is not None:
            graph = place.owner.node.graph
            if graph is not builder.graph or builder is not self._builder:
                is_around = graph is not builder.graph and builder.sees(graph)
                return None if is_around and may_be_made_in(journal, place.owner) else is_around
            if type(place.owner.node.op) is Placeholder or was_made_before(journal, place.owner):
                return True  # though it may have been met, or have given way, only since
        return journal.existed(place.owner)

    def _require_places(self, changed: Changes, lasting: Set[Hashable]) -> None:
        """Sees to it that no list that outlives the path was replaced within it."""
        moved = [
            (place.owner, now)
            for key, (place, now) in changed.items()
            if isinstance(place, Moved) and not lasting.isdisjoint({key, ("contents", id(place.owner))})
            if not self.is_of_turn(place.owner)
        ]
        if moved:
            models = [(owner, model_of_moved(now)) for owner, now in moved]
            raise Grows(models, keeps_lengths=all(now.keeps_length for _, now in moved))

    def has_met(self, owner: Any) -> bool:
        """Whether an object was met before the statement, or in a run of it that was given up."""
        _, met, is_made = staging.met.get(id(owner), (owner, self.begun, True))
        return met < self.begun or (met == self.begun and not is_made) or self.outlives(owner)

    def outlives(self, container: Any) -> bool:
        """Whether an object was there before the statement: a variable leads to it, or a path changed it."""
        return id(container) in self._present or any(
            place.owner is container for place in self._lasting.values()
        )

    def make_way(self, arrays: Iterable[Any]) -> None:
        """Puts arrays of the graph in the places of NumPy's that the statement is going to write into."""
        for array in arrays:
            ops.target(array)
        self._state.set(self._state.get())  # which is read with what is in their place

    def is_of_turn(self, container: Any) -> bool:
        """Whether an object is what a turn of the statement starts with, and there for that turn."""
        return id(container) in self._entered

    def is_new(self, value: Any) -> bool:
        """Whether a turn of the statement has made an object: the next turn makes another one."""
        is_made = meeting.is_made_since(value, self.begun)
        return is_made and not self.is_of_turn(value) and not is_copy(value)

    def become_staged(self, models: Iterable[tuple[Any, Elements]]) -> None:
        """Puts lists of the graph in the places of lists that the statement is going to change.

        Whoever reads one of them has the other one from then on.
        """
        models = list(models)
        self.memory.learn_lists(models)
        self._stage_lists(models)

    def _stage_lists(self, models: Iterable[tuple[Any, Elements]]) -> None:
        is_news = has_moved()
        for original, model in models:
            is_news = True
            staged = become_staged(original, model)
            order = staged.order if isinstance(staged, Staged) else None
            held = [Contents(each) for each in (staged, order) if each is not None]
            self._lasting |= {contents.key: contents for contents in held}
            self.memory.learn_places(held)
        if is_news:
            self._state.set(self._state.get())
            self._look_around()

    def is_variable(self, place: Place) -> bool:
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


def _hold_what_paths_own(changes: Changes, before: Mapping[Hashable, Any]) -> None:
    """Gives what a path has made the attributes that only some paths in it have bound, as far as they are.

    Who takes it apart sees what it holds; of what was there before it is a place of its own, also where the
    path has only given it again what it had.
    """
    for key, (attribute, is_own) in [*staging.own_on_paths.items()]:
        _, was_own = before.get(key, (attribute, False))
        if was_own is not is_own and ("own", key) not in changes:
            attribute.hold(left_in(attribute, is_own, attribute.shown))


def _closed_over(paths: Iterable[Callable[..., Any]]) -> Iterator[tuple[str, Any]]:
    """The containers, instances and arrays in variables of functions around paths, with their names."""
    pending, seen = list(paths), set[int]()
    while pending:
        path = pending.pop()
        path = path.func if isinstance(path, partial) else path
        if not isinstance(path, FunctionType) or id(path) in seen:
            continue
        seen.add(id(path))
        for name, value in closed_over(path).items():
            if type(value) in SINGLE:  # as most are
                continue
            if isinstance(value, (FunctionType, partial)):
                pending.append(value)
            elif isinstance(value, np.ndarray) or id(value) in staging.met or _leads_on(value):
                yield name, value


def _leads_on(value: Any) -> bool:
    return level_of(value) is not None or changes_in_place(value)


def _has_copies(owner: Any) -> bool:
    return type(owner) in STAND_INS or changes_in_place(owner)


def _copy(container: Any) -> Any:
    """A container with the same things in it."""
    if type(container) in COPIED | STAND_INS.keys() and not isinstance(container, Staged):
        return container.copy()
    level = level_of(container)
    assert level is not None, "containers of the graph, and instances that change in place, are taken apart"
    return level[0].build(level[1])


def _containers(values: Iterable[Any], without: Iterable[int] = ()) -> Iterator[Any]:
    """The objects that the values of variables lead to, and that change in place, each once.

    `without` has the ids of those that are not looked at.
    """
    pending, seen = [value for value in values if type(value) not in SINGLE], set(without)
    while pending:
        value = pending.pop()
        level, changes = level_of(value), changes_in_place(value)
        if (level is None and not changes) or id(value) in seen:
            continue
        seen.add(id(value))
        if changes:
            yield value
        pending.extend([each for each in level[1] if type(each) not in SINGLE] if level else ())


def _arrays(values: tuple[Any, ...]) -> list[Array]:
    """The arrays of NumPy's that the values of variables lead to, and those that were made before."""
    held = [value for value in values if type(value) not in SINGLE]
    found = [leaf for leaf in flatten(held)[0] if isinstance(leaf, np.ndarray)] if held else []
    made = [array for array in (reference() for reference in staging.arrays_made) if array is not None]
    return [*found, *[array for array in made if array.size <= _MOST_COMPARED]]


_MOST_COMPARED = 1 << 17
"""Elements of an array up to which it is looked at though no variable of a statement leads to it."""


def _require_unchanged(arrays: list[tuple[Array, Array]]) -> None:
    """Sees to it that a path changes no array of NumPy's: it has happened, whatever a tensor decides.

    Raises
    ------
    GiveWay
        With those that a path has changed; they are as they were.
    """
    changed = []
    for array, before in arrays:
        if (array.shape, array.dtype) != (before.shape, before.dtype):
            form = f"{array.shape} and {array.dtype} in place of {before.shape} and {before.dtype}"
            setattr(array, "dtype", before.dtype)  # noqa: B010  # which type checkers do not know of
            set_shape(array, before.shape)
            raise StateDisagrees(
                "an array of NumPy gets another shape or dtype where a tensor decides whether it does",
                details=[form],
                where=caller_location(),
                why="A graph has one form of each array, whatever the tensor says.",
                way_out="Bind another name to it in that form: `y = x.reshape(shape)`, `y = x.view(dtype)`.",
            )
        if not np.array_equal(array, before, equal_nan=array.dtype.kind in "fc"):
            array[...] = before
            changed.append(array)
    if changed and (not ops.can_write() or any(moved_to(array) is not array for array in changed)):
        raise of_arrays(
            StateDisagrees(
                "an array of NumPy is changed in place where a tensor decides whether that happens",
                why="NumPy changes it while the function is traced, once, whatever the tensor says.",
                way_out="Make it a tensor with `rt.asarray(array)`, and bind the result of each operation.",
            )
        )
    if changed:
        raise GiveWay(changed)


def is_in_contents(place: Place, changes: Changes) -> bool:
    """Whether a place is an item, there before and after, of a dict of which all that it holds is a place."""
    if not place.is_part_of(changes):
        return False
    return all(type(each) is not Undefined for each in (place.get(), changes[place.key][1]))
