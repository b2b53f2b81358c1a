"""Objects that the body of a `try` makes and changes: whoever catches sees them as they were when it raised.

    try:
        found = []
        found.append(first(x))     may raise: `found` is empty then
        found.append(second(x))    may raise: there is one in it then
    except ValueError:
        print(found)

Objects that were there before are places of the statement. One that the body makes is another one each time
it is traced, so it is met where it is: wherever something may be raised, all that the variables lead to is
looked at. What has no form of a graph, as two lists of other lengths, may not be read where it was caught:
who does so has the trace start anew, and such a container is one of the graph from where it is met first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from autograph.backends.tensors.containers.becoming import STAND_INS, become_staged
from autograph.backends.tensors.containers.lists import SINGLE, Staged, changes_in_place
from autograph.backends.tensors.containers.other_names import Copy, Spot, other_names
from autograph.backends.tensors.statements.maybe import MaybeUndefined
from autograph.staging.functions import closed_over
from autograph.staging.heap import NO_HOLDERS, moved_to
from autograph.staging.journal import Journal
from autograph.staging.places import CONTAINERS, Attribute, Contents, Place
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass
from runtime.core.instances import attributes_of
from runtime.core.structure import Level, level_of
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.location import Location, caller_location

__all__ = ["NOT_YET", "Column", "LeftOpen", "MadeInside", "Unreadable", "is_unreadable", "leads_to"]

NOT_YET: Any = object()
"""What an object holds that is not there yet."""


@dataclass(frozen=True)
class Column:
    """A place in an object that the body has made.

    Attributes
    ----------
    place : Place
    values : sequence
        What it held wherever something may be raised, and at the end; `NOT_YET` where the object was not
        there.
    """

    place: Place
    values: Sequence[Any]

    is_open: bool
    """Whether a graph cannot choose between the values: nobody knows what the object holds at a handler."""

    where: Copy
    """Where its object was met first."""


def _has_form(values: Sequence[Any], *, are_contents: bool) -> bool:
    """Whether a graph may choose between values: containers are of one kind, with the same keys."""
    present = [value for value in values if value is not NOT_YET]
    levels = [None if isinstance(each, set) else level_of(each) for each in present]
    return _are_alike(levels) or (not are_contents and all(level is None for level in levels))


def _are_alike(levels: Sequence[tuple[Level, Sequence[Any]] | None]) -> bool:
    """Whether containers are of one kind, with the same keys."""
    first, *others = levels
    return first is not None and all(each is not None and each[0] == first[0] for each in others)


class LeftOpen:
    """Says of an object that nobody knows what it holds: only the run knows what was raised where."""

    def refuse(self) -> NoReturn:
        """Says that it is read; the trace starts anew, where another one may know."""
        other_names().know_open()
        raise StateDisagrees(
            "an object is read where an exception was caught, or later, and a `try` has made and changed it",
            where=caller_location(),
            why="Only the run knows which line raises. What the object holds is something else at each of "
            "them, in another form, and a graph cannot choose between those.",
            way_out="Make the object in front of the `try`.",
        )


class Unreadable(Undefined):
    """A variable that leads to such an object, where a path goes on from a handler."""

    __slots__ = ()

    def read(self) -> NoReturn:
        """Says that it is read."""
        LeftOpen().refuse()

    read_from_inner_function = read


def is_unreadable(value: Any) -> bool:
    """Whether a variable leads to such an object on some paths."""
    is_missing = isinstance(value, MaybeUndefined) and value.ag__missing.kind is StateDisagrees
    return is_missing or isinstance(value, Unreadable)


class MadeInside:
    """The objects that were met while a body was traced, in the order in which they were.

    Parameters
    ----------
    journal : Journal or None
        Of the body: knows which objects were there before it.
    where : Location
        The statement.
    """

    def __init__(self, journal: Journal | None, where: Location) -> None:
        self._journal, self._where = journal, where
        self._objects: list[Any] = []
        self._met: dict[int, Copy] = {}
        self._waiting: list[tuple[Any, Copy]] = []
        self._replaced: dict[int, tuple[Any, Any]] = {}
        self._is_staging = False

    def look(
        self, values: Iterable[tuple[str, Any]], changed: Iterable[tuple[Place, Any]], builder: Builder
    ) -> list[Any]:
        """What each of them holds now, `NOT_YET` for those that nothing leads to, with those met first now.

        These values, by name, and places lead to them. What a container holds is in a copy, which is no
        object of the program's. What nothing leads to any more may be of a path that was given up since.
        Those that `become_of_graph`, in the graph of this builder, wait for that.
        """
        pending = deque([(value, name, ()) for name, value in values])
        for place, held in changed:
            root = held, place.name, ()
            pending.extend(_below(*root) if isinstance(place, Contents) else (root,))
        may_become = not self._is_staging and current_builder() is builder
        seen: set[int] = set()
        while pending:
            value, name, spot = pending.popleft()
            value = self.now(value)  # what no variable leads to any more holds it as it was
            if type(value) in SINGLE or id(value) in seen:
                continue
            seen.add(id(value))
            if _is_object(value):
                if self._was_there(value):
                    continue
                if id(value) not in self._met:
                    where = Copy(self._where, name, spot)
                    if may_become and type(value) in STAND_INS and other_names().is_open(where):
                        self._waiting.append((value, where))
                        continue
                    self._met[id(value)] = where
                    self._objects.append(value)
            pending.extend(_below(value, name, spot))
        return [_held(each) if id(each) in seen else NOT_YET for each in self._objects]

    def now(self, value: Any) -> Any:
        """A value, or the container of the graph that is in its place from where it was met first."""
        return moved_to(value) if id(value) in self._replaced else value

    def held_in(self, place: Place) -> Any:
        """What a place holds, with the containers of the graph that are in the places of such in it."""
        held = self.now(place.get())
        level = level_of(held) if self._replaced and isinstance(place, Contents) else None
        if level is None or not any(id(each) in self._replaced for each in level[1]):
            return held
        return level[0].build([*map(self.now, level[1])])

    def replaced(self, value: Any) -> Any:
        """As `now`, when the path is over in which that was so."""
        return self._replaced.get(id(value), (value, value))[1]

    def become_of_graph(self) -> bool:
        """Puts containers of the graph in the places of those that wait for it; whether there are any."""
        waiting, self._waiting = self._waiting, []
        self._is_staging = True  # what the graph needs for it is looked at itself
        try:
            for each, where in waiting:
                staged = moved_to(each) if moved_to(each) is not each else become_staged(each)
                self._replaced[id(each)] = each, staged
                if id(staged) not in self._met:
                    self._met[id(staged)] = where
                    self._objects.append(staged)
        finally:
            self._is_staging = False
        return bool(waiting)

    def _was_there(self, value: Any) -> bool:
        return self._journal is not None and self._journal.existed(value) is True

    def columns(
        self, rows: Sequence[Sequence[Any]], changed: Iterable[Place], stays: Callable[[Any], bool]
    ) -> Iterator[Column]:
        """The places that were not the same throughout, or hold what means nothing behind the statement.

        Parameters
        ----------
        rows : sequence
            What `look` gave, earlier ones first.
        changed : iterable of Place
            What is known to have changed of what was there before.
        stays : callable
            Whether what a place held means the same behind the statement.
        """
        known = {id(place.owner) for place in changed}
        stand_ins = {id(moved_to(each)) for each in self._objects if moved_to(each) is not each}
        for index, each in enumerate(self._objects):
            held = [row[index] if index < len(row) else NOT_YET for row in rows]
            now, where = _held(each), self._met[id(each)]
            gave_way = moved_to(each) is not each or id(each) in stand_ins
            if id(each) in known or self._was_there(each) or all(one is NOT_YET for one in held):
                continue
            if isinstance(each, (*CONTAINERS, Staged)):
                contents = Contents(each)
                is_taken_apart = level_of(each) is not None
                if gave_way or not _is_steady(contents, [*held, now]) or not (is_taken_apart or stays(held)):
                    is_known = other_names().is_open(where) and isinstance(each, Staged)
                    has_form = is_known or (is_taken_apart and _has_form(held, are_contents=True))
                    is_open = gave_way or not has_form
                    yield Column(contents, held, is_open, where)
                continue
            found = {}
            for name in dict.fromkeys([name for one in held if one is not NOT_YET for name in one]):
                place = Attribute(each, name)
                values = [
                    one if one is NOT_YET else one.get(name, Undefined(place.name)) for one in (*held, now)
                ]
                found[place] = values[:-1], _is_steady(place, values)
            if level_of(each) is not None and all(is_steady for _, is_steady in found.values()):
                continue  # it moves with the variables that lead to it
            for place, (values, is_steady) in found.items():
                if not is_steady or not stays(values):
                    yield Column(place, values, not _has_form(values, are_contents=False), where)


def _below(value: Any, name: str, spot: Spot) -> Iterator[tuple[Any, str, Spot]]:
    """What a value leads to, each with where that is."""
    for index, child in enumerate(_children(value)):
        if type(child) not in SINGLE:
            yield child, name, (*spot, index)


def leads_to(value: Any, objects: Container[int]) -> bool:
    """Whether a value is one of some objects, by id, or leads to one."""
    pending, seen = [value], set[int]()
    while pending:
        each = pending.pop()
        if id(each) in objects:
            return True
        if id(each) not in seen:
            seen.add(id(each))
            pending.extend(_children(each))
    return False


def _is_object(value: Any) -> bool:
    """Whether a value changes in place."""
    return isinstance(value, (*CONTAINERS, Staged)) or changes_in_place(value) or _is_instance(value)


def _is_instance(value: Any) -> bool:
    """Whether a value is an object of a class of the program's, which keeps attributes."""
    kind = type(value)
    if issubclass(kind, type | ModuleType | FunctionType | MethodType | BaseException):
        return False
    home = str(kind.__module__).partition(".")[0]
    return home not in NO_HOLDERS | {"builtins"} and (kind.__dictoffset__ != 0 or "__slots__" in vars(kind))


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, set, deque)):
        return list(value)
    if isinstance(value, MethodType):
        return (value.__self__,)
    if isinstance(value, partial):
        return (value.func, *value.args, *value.keywords.values())
    if isinstance(value, FunctionType):
        return closed_over(value).values()
    level = level_of(value)
    if level is not None:
        return level[1]
    return attributes_of(value).values() if _is_instance(value) else ()


def _held(value: Any) -> Any:
    """What an object holds now: a copy."""
    return Contents(value).get() if isinstance(value, (*CONTAINERS, Staged)) else attributes_of(value)


def _is_steady(place: Place, values: Sequence[Any]) -> bool:
    """Whether a place holds the same objects, wherever it is there."""
    present = [value for value in values if value is not NOT_YET]
    return all(place.is_unchanged(present[0], each) for each in present[1:])
