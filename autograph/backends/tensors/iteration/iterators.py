"""Python's own iterators in a trace: they cannot be rewound, so how far they are is part of the state.

    it = iter(items)
    if x > 0:               traced whatever `x` is: the second path finds `it` further than it is
        first = next(it)

So how often an iterator was asked is a place. A statement that puts its places back, since a tensor decides
whether, or how often, they change, finds out that this one cannot be.

A generator whose frame has to wait runs as the user wrote it, and does not say what it changes. So all that
it leads to is remembered before it goes on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from autograph.backends.tensors.containers.lists import Staged, changes_in_place
from autograph.backends.tensors.iteration.progress import refuse_to_go_on
from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.notes import note
from autograph.staging.places import CONTAINERS, Attribute, Cell, Contents, Item, Place
from runtime.core.instances import attributes_of
from runtime.errors import GraphError
from runtime.graph.location import Location, caller_location

__all__ = ["advance", "require_own_objects", "waiting"]


class Position(Place):
    """How often an iterator was asked for items.

    Parameters
    ----------
    iterator : iterator
    where : Location
        The line that asks.
    """

    __slots__ = ("_where",)

    def __init__(self, iterator: Any, where: Location) -> None:
        self.key = "position", id(iterator)
        self.name = getattr(iterator, "label", f"an iterator of class {type(iterator).__name__}")
        self.owner = iterator
        self._where = where

    def at(self, owner: Any) -> Place:
        return Position(owner, self._where)

    def get(self) -> int | None:
        return staging.iterators.get(id(self.owner), (self.owner, 0))[1]

    def is_unchanged(self, before: Any, now: Any) -> bool:
        return bool(before == now)

    def put_back(self, value: Any, *, existed: bool | None) -> None:
        """Nothing, for an iterator of the run that is given up, or that another run has yet to meet again."""
        if existed:
            self.set(value)

    def set(self, value: Any) -> None:
        """Nothing, where it is there already.

        Raises
        ------
        GraphError
        """
        if type(value) is not int or value != self.get():
            raise GraphError(
                f"{self.name} is asked for items where a tensor decides whether that happens",
                where=self._where,
                why="Python takes them while the function is traced, on every path, and gives none back.",
                way_out="Take the items before the statement, or keep them in a list, and count in an index.",
            )


def advance(iterator: Any) -> None:
    """Says that an iterator is about to be asked for items.

    Raises
    ------
    GraphError
        For one that a loop of the graph may have left early.
    """
    if staging.journal is not None:
        _, count = staging.iterators.get(id(iterator), (iterator, 0))
        if count is None:
            refuse_to_go_on(f"a {type(iterator).__name__}")
        note(Position(iterator, caller_location()))
        staging.iterators[id(iterator)] = iterator, count + 1
        for place in _may_change(iterator):
            if id(place.owner) in staging.copies:
                note(place)
            else:  # it may well stay as it is
                staging.journal.note(place)


_functions: WeakKeyDictionary[Any, FunctionType] = WeakKeyDictionary()
"""The functions of generators whose frames have to wait."""


def waiting(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The generator that a function makes whose frame has to wait."""
    made = function(*args, **kwargs)
    _functions[made] = function
    return made


def _may_change(iterator: Any) -> Iterator[Place]:
    """The places that a generator whose frame has to wait leads to: it changes them without a word."""
    function = _functions.get(iterator) if isinstance(iterator, Generator) else None
    frame = getattr(iterator, "gi_frame", None)
    if function is None or frame is None:
        return
    pending, seen = [function, *frame.f_locals.values()], set[int]()
    while pending:
        value = pending.pop()
        if id(value) in seen or isinstance(value, type | ModuleType):
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            variables = list(_variables_of(value))
            yield from variables
            pending += [place.get() for place in variables]
        elif isinstance(value, CONTAINERS):
            yield Contents(value)
            pending += value.values() if isinstance(value, dict) else value
        elif changes_in_place(value):
            if isinstance(value, Staged):
                yield Contents(value)
            attributes = attributes_of(value)
            yield from [Attribute(value, name) for name in attributes]
            pending += attributes.values()
        elif isinstance(value, tuple):
            pending += value


def _variables_of(function: FunctionType) -> Iterator[Place]:
    """The variables around a function that its code names, and those of its module."""
    code, namespace = function.__code__, function.__globals__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield Cell(cell, name)
    for name in code.co_names:
        if name in namespace and not isinstance(namespace[name], type | ModuleType | FunctionType):
            yield Item(namespace, name, name, NameError)


def require_own_objects(generator: Generator[Any, Any, Any]) -> None:
    """Sees to it that what a generator of Python's holds in its variables is still what everybody reads.

    Raises
    ------
    GraphError
    """
    frame = getattr(generator, "gi_frame", None)
    if frame is None or not heap.has_moved():
        return
    for name, value in frame.f_locals.items():
        if heap.current(value) is not value:
            raise GraphError(
                f"a generator goes on, whose `{name}` only the graph knows by now",
                where=caller_location(),
                why="Python has begun to run it, and its variables hold what they held then.",
                way_out="Loop over the generator instead of calling `next`, or keep it in an attribute.",
            )
