"""Caches what tracing a statement has found out, for when an enclosing statement is traced anew."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field
from typing import Any

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.links import Links
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.containers.other_names import Spot
from autograph.staging import meeting
from autograph.staging.context import staging
from autograph.staging.heap import moved_to, original_of
from autograph.staging.places import Contents, Place
from autograph_base.dataclass import dataclass
from autograph_base.named_tuple import NamedTuple
from runtime.core.spec import Spec
from runtime.core.stack import room_ahead
from runtime.core.structure import Structure, flatten
from runtime.graph.build import current_builder
from runtime.graph.location import Location, caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import Settled

__all__ = ["Memory", "going_on_from", "key_of", "memory_here", "outlived_by", "remembering"]


@contextmanager
def outlived_by(lasting: dict[Hashable, Place]) -> Iterator[None]:
    """Statements inside need no second trace to know that these places outlive them."""
    staging.lasting.append(lasting)
    try:
        yield
    finally:
        staging.lasting.pop()


def key_of(place: Place) -> Hashable:
    """What a place is called in every trace that meets what it is in."""
    name = staging.names.get(id(place.owner))
    return place.key if name is None else _InNamed(name, place.key[0], place.key[2:])  # type: ignore[index]


class _InNamed(NamedTuple):
    """A place in an object that each trace makes for itself.

    Attributes
    ----------
    name : hashable
        Of the object.
    kind : str
        Of the place.
    within : tuple
        Where it is in that.
    """

    name: Hashable
    kind: str
    within: tuple[Hashable, ...]


class Memory:
    """What was learnt of a statement, for when one around it starts anew, and it is traced again.

    A loop around finds what it carries by tracing its body, several times perhaps. If the statements inside
    learnt everything each time, the time would multiply with every level.

    A trace that starts anew makes its objects anew. They are found by their names: the path in which they
    were made or met, where, and how many there were before.

    Parameters
    ----------
    where : Location, optional
        The statement.

    Attributes
    ----------
    forms : dict
        The forms of what a loop carries, by variable or `key_of` a place: a structure, and the spec of each
        leaf, with whether it is a number of Python's.
    settled : Settled
        The specs of what a loop carries.
    fixed : set of hashable
        The variables and places of a loop that are the same array in every turn.
    links : Links
        Which containers that a turn starts with may be one object.
    outdates : set of (hashable, Spot)
        Of a loop: which containers that it starts with its turns outdate.
    array_links : set of pair of (hashable, int)
        Which arrays that a turn starts with may be one, by variable or place and which leaf of it that is.
    test_has_effects : bool
        Of a `while`: whether its test changes something, so that the body computes it.
    changes_places : bool
        Of a `try`: whether its body changes more than variables, and the graph has to catch what it raises.
    raises_behind : bool
        Of a `try` with a `finally`: whether what stands between them may raise when the graph runs.
    """

    def __init__(self, where: Location | None = None) -> None:
        self.where = where
        self._growing: dict[Hashable, tuple[Any, Elements]] = {}
        self._places: dict[Hashable, Place] = {}
        self.forms: dict[Hashable, tuple[Structure, Sequence[tuple[Spec, bool]]]] = {}
        self.settled = Settled()
        self.fixed: set[Hashable] = set()
        self.test_has_effects = False
        self.changes_places = False
        self.raises_behind = False
        self.links = Links()
        self.outdates: set[tuple[Hashable, Spot]] = set()
        self.array_links: set[tuple[Any, Any]] = set()
        self._lists: dict[Hashable, Any] = {}
        self._lasting: dict[Hashable, Place] = {}
        self._inside: dict[Hashable, Memory] = {}

    def of(self, number: int, where: Location, count: int) -> Memory:
        """That of a statement inside of this one: in which path, where, and how many were there before."""
        statement = number, where, count
        found = self._inside.get(statement)
        if found is None:
            found = self._inside[statement] = Memory(where)
        return found

    def forget_copies(self) -> None:
        """Lets go of what follows from which containers are copied: another trace copies others."""
        self.forms.clear()
        self.settled = Settled()
        self.fixed.clear()
        self.array_links.clear()
        self.outdates.clear()
        self.links = Links()
        for inside in self._inside.values():
            inside.forget_copies()

    def forget_objects(self) -> None:
        """Lets go of what is known of objects that nothing here keeps: another trace makes its own."""
        self.forms = {
            key: form for key, form in self.forms.items() if type(key) is int or key in self._places
        }
        self.fixed = {key for key in self.fixed if type(key) is int or key in self._places}
        for inside in self._inside.values():
            inside.forget_objects()

    def learn_lists(self, models: Iterable[tuple[Any, Elements]]) -> None:
        """Keeps the lists that have to become lists of the graph, and what is in them then."""
        for original, model in models:
            self._growing.setdefault(_named(original), (original, model))

    def lists(self) -> list[tuple[Any, Elements]]:
        """The lists that had to become lists of the graph, and have not yet, with what is in them then."""
        growing = [(_now(key, original), model) for key, (original, model) in self._growing.items()]
        growing = [pair for pair in growing if meeting.is_there(pair[0])]
        return [pair for pair in growing if moved_to(pair[0]) is pair[0]]

    def learn_places(self, found: Iterable[Place]) -> None:
        """Keeps what a loop carries, or a `try` restores."""
        for place in found:
            original = original_of(place.owner) if isinstance(place.owner, Staged) else None
            if original is not None:
                self._lists[_named(original)] = original
            else:
                self._places[key_of(place)] = place

    def learn_lasting(self, found: Iterable[Place]) -> None:
        """Keeps places that paths change, and that another run of one has shown to outlive it."""
        self._lasting.update({key_of(place): place for place in found})

    def lasting(self) -> list[Place]:
        """The places that outlive the paths: their owners were there before the statement, and are now."""
        known = [_place_now(key, place) for key, place in self._lasting.items()]
        return [place for place in known if meeting.is_there(place.owner)]

    def places(self) -> list[Place]:
        """What the statement carried, or restored, when it was traced before."""
        known = [_place_now(key, place) for key, place in self._places.items()]
        known = [place for place in known if meeting.is_there(place.owner)]
        own = [place for place in known if moved_to(place.owner) is place.owner]
        originals = [_now(key, each) for key, each in self._lists.items()]
        originals += [place.owner for place in known if isinstance(place, Contents)]
        lists = {id(each): moved_to(each) for each in originals if meeting.is_there(each)}
        found = [*own, *[Contents(each) for each in lists.values() if isinstance(each, Staged)]]
        return [*{place.key: place for place in found if _is_in_sight(place)}.values()]


def _named(owner: Any) -> Hashable:
    """The name of an object; its id, where it has none."""
    return staging.names.get(id(owner), id(owner))


def _now(name: Hashable, owner: Any) -> Any:
    """What has the name of an object in this trace; itself, where nothing has, or it has none."""
    found = staging.named.get(name, owner)
    return found if type(found) is type(owner) else owner


def _place_now(key: Hashable, place: Place) -> Place:
    """A place in what has the name of its owner in this trace."""
    owner = _now(key.name, place.owner) if isinstance(key, _InNamed) else place.owner
    return place if owner is place.owner else place.at(owner)


def _is_in_sight(place: Place) -> bool:
    """Whether the graph that is built can see what a place holds.

    What is in the name of an object in this trace may be another one, of a statement that is over.
    """
    builder = current_builder()
    leaves = flatten(place.get())[0]
    return builder is None or all(
        builder.sees(leaf.value.node.graph) for leaf in leaves if isinstance(leaf, Symbol)
    )


@dataclass
class _Path:
    """A path that is traced now.

    Attributes
    ----------
    memory : Memory
        Of the statement that it is one of.
    number : int
        Which of its paths it is.
    met : dict of Location to int
        How many statements it has come to, by their place.
    made : dict of hashable to int
        How many objects it has named, by their labels.
    around : set of Location
        The statements that it is inside of, for which there is room on the stack: one inside of itself is a
        recursion, which may have no end.
    """

    memory: Memory
    number: int
    around: set[Location | None] = field(default_factory=set)
    met: dict[Location, int] = field(default_factory=dict)
    made: dict[Hashable, int] = field(default_factory=dict)

    def name_of(self, label: Hashable) -> Hashable:
        """The name of one more object of this label."""
        count = self.made[label] = self.made.get(label, 0) + 1
        return self.memory, self.number, label, count


@contextmanager
def going_on_from(memory: Memory) -> Iterator[None]:
    """Statements inside are those of a function, which goes on from what an earlier trace of it learnt."""
    if staging.path is not None:  # it is called in a path, and what is learnt is that path's
        yield
        return
    memory.forget_objects()
    staging.path = _Path(memory, 0)
    try:
        yield
    finally:
        staging.path = None


def memory_here() -> Memory:
    """What was learnt of the statement that is about to be traced: the same place, reached the same way."""
    path: _Path | None = staging.path
    if path is None:
        return Memory()
    where = caller_location()
    count = path.met[where] = path.met.get(where, 0) + 1
    return path.memory.of(path.number, where, count)


@contextmanager
def remembering(memory: Memory, number: int = 0) -> Iterator[None]:
    """Statements inside are those of a path of the statement whose memory this is."""
    before: _Path | None = staging.path
    around = set() if before is None else before.around
    is_first = memory.where not in around
    around.add(memory.where)
    staging.path = _Path(memory, number, around)
    try:
        with room_ahead(len(around)) if is_first else nullcontext():
            yield
    finally:
        staging.path = before
        if is_first:
            around.discard(memory.where)
