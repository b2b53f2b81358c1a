"""Snapshots of all objects that a function reaches, before and after its trace: what has changed.

A program changes the world in many ways, and not all of them can be announced: a property, `__len__`, a
constructor, a library that is handed an object. So nobody is asked: what the function and its arguments lead
to, by name, attribute and item, is looked at before and after.
"""

from __future__ import annotations

import array
import copy
import decimal
import itertools
import sys
import warnings
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import is_
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays.boxes import OutsideArray, changed_arrays
from autograph.backends.tensors.containers.dicts import StagedDict
from autograph.backends.tensors.containers.lists import Staged, changes_in_place
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined, left_in
from autograph.staging import heap, places
from autograph.staging.iterators import times_asked
from autograph.staging.places import CONTAINERS, Attribute, Cell, Contents, Item, Place
from autograph.staging.stand_ins import defined
from autograph.staging.state import Undefined
from autograph.tracing.decimals import DecimalContext, computes_with_decimals
from runtime.core.instances import dict_of
from runtime.core.tensor import EAGER, Array, Tensor, owner_of
from runtime.errors import GraphError, StateDisagrees
from runtime.functions.external_state import Change
from runtime.functions.reachable import finds_members, inside, is_closed, keeps_attributes, set_by_program
from runtime.functions.reads import names_in, names_of, texts_in
from runtime.graph.build import current_builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location, is_users_file
from runtime.graph.symbol import Symbol

__all__ = ["Own", "Snapshot", "position", "require_seen"]

_MOST = 20_000
"""Objects that are looked into; what lies beyond is known only as far as it is announced."""
_SEQUENCES: tuple[Any, ...] = (list, deque, set)
_LEAVES = (int, float, complex, str, bytes, type(None), np.generic, Tensor)
BUFFERS = (np.ndarray, bytearray, array.array)
"""Classes of numbers in memory, which change in place."""
_MOST_KEPT = 1 << 17
"""Numbers of an array that is copied."""


class Own(Attribute):
    """An attribute that an object keeps itself: what its class says is another place.

    The object is not kept alive.
    """

    __slots__ = ("_reference",)

    @property
    def owner(self) -> Any:
        """The object; None once it is gone."""
        return self._reference()

    @owner.setter
    def owner(self, owner: Any) -> None:
        try:
            self._reference: Callable[[], Any] = weakref.ref(owner)
        except TypeError:
            self._reference = lambda: owner

    @property
    def item(self) -> str:
        """The name of the attribute."""
        return self._attribute

    def get(self) -> Any:
        owner = self.owner
        own = defined(owner) if isinstance(owner, type) else dict_of(owner, {})
        if self._attribute in own:
            return own[self._attribute]
        slot = self._slot()
        if slot is not None:
            try:
                return slot.__get__(self.owner)
            except AttributeError:
                return Undefined(self.name)
        return Undefined(self.name)

    def left(self) -> Any:
        """What a call leaves there: no value where the object keeps none itself."""
        return left_in(self, self.is_own())

    def set(self, value: Any) -> None:
        if isinstance(value, MaybeUndefined) and type(inherited := self._inherited()) is not Undefined:
            valid = value.ag__valid  # as a function inside has left it
            self.set(choose(valid, lambda: value.ag__value, lambda: inherited))
            self.become_own(valid)
            return
        gone = type(value) is Undefined
        own = dict_of(self.owner)
        slot = self._slot()
        if slot is not None:
            if not gone:
                slot.__set__(self.owner, value)
            elif type(self.get()) is not Undefined:
                slot.__delete__(self.owner)
        elif isinstance(own, dict):
            if gone:
                own.pop(self._attribute, None)
            else:
                own[self._attribute] = value
        elif not gone:
            type.__setattr__(self.owner, self._attribute, value)  # a class: its dict is read-only
        elif own is not None and self._attribute in own:
            type.__delattr__(self.owner, self._attribute)


class Snapshot:
    """Some objects with all that they lead to, as it was.

    Parameters
    ----------
    roots : iterable of object
        Functions, and the arguments that they are called with.

    Attributes
    ----------
    is_whole : bool
        Whether everything was looked at.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self._found: dict[int, Any] = {}
        self._globals: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        self._held: list[tuple[Any, Any, Callable[[Any, Any], Iterator[tuple[Place, Any]]]]] = []
        self._names: dict[int, str] = {}
        self._in_code: set[str] = set()
        self._iterators: list[tuple[Any, Any]] = []
        self._arrays: dict[int, Any] = {}
        self._contents: dict[int, Any] = {}
        self._numbers: dict[int, Any] = {}
        self._noted: Mapping[Hashable, tuple[Place, Any]] = {}
        pending = deque(roots)
        while pending and len(self._found) < _MOST:
            value = pending.popleft()
            if isinstance(value, np.ndarray):
                owner = owner_of(value)
                self._arrays[id(owner)] = owner
            is_leaf = isinstance(value, _LEAVES) and is_closed(type(value))
            if not is_leaf and id(value) not in self._found:
                self._found[id(value)] = value
                self._keep(value)
                pending += inside(value)
                if isinstance(value, StagedDict):  # what it asks for values that are missing
                    pending.append(value.default_factory)
        self.is_whole = not pending
        self.staged = {
            id(original): (staged, staged.contents)
            for original, staged in heap.originals()
            if id(original) in self._found and isinstance(original, places.CONTAINERS)
        }
        """What lists of a function around have become, and what was in it."""

    def found(self) -> Iterable[Any]:
        """All that was looked at."""
        return self._found.values()

    def existed(self, value: Any) -> bool:
        """Whether an object was there before."""
        return self.has(id(value))

    def has(self, key: int) -> bool:
        """Whether an object with such an id was there before."""
        return key in self._found

    def iterators(self) -> Sequence[tuple[Any, Any]]:
        """The iterators of Python's own, each with how far it was."""
        return self._iterators

    def arrays(self) -> Iterable[Any]:
        """The arrays of NumPy's that own their memory."""
        return self._arrays.values()

    def arrays_of_graph(self) -> dict[Value, Array]:
        """The arrays of NumPy's that have given way, by the values in their places."""
        given = [(array, heap.moved_to(array)) for array in self._arrays.values()]
        return {now.value: array for array, now in given if isinstance(now, Symbol)}

    def had(self, place: Place) -> bool:
        """Whether a place was there before: what it is in, or what stands for that by now."""
        owner = place.owner
        if self.existed(owner) or id(owner) in self._globals or not self.is_whole:
            return True
        return isinstance(place, OutsideArray) or (isinstance(owner, Staged) and id(owner) in self.moved())

    def moved(self) -> dict[int, Any]:
        """The containers that were there before, by their ids and by those of what has taken their places."""
        there = {key: value for key, value in self._found.items() if _is_container(value)}
        given = {id(now): one for one, now in heap.originals() if self.existed(one) and _is_container(one)}
        return {**there, **given}

    def times_held(self, tensor: Tensor) -> int:
        """In how many places a tensor was before, in themselves or in a tuple."""
        return sum(
            each is tensor or (type(each) is tuple and any(part is tensor for part in each))
            for each in self._all_held()
        )

    def _all_held(self) -> Iterator[Any]:
        """What all objects and variables held."""
        for _, held, _ in self._held:
            if isinstance(held, dict):
                yield from held.values()
            elif isinstance(held, list):
                yield from held
            else:
                yield held
        for _, values in self._globals.values():
            yield from values.values()

    def has_array(self, array: Any) -> bool:
        """Whether an array that owns its memory was there before."""
        return id(array) in self._arrays

    def changes(self) -> list[Change]:
        """What is another object now than it was before."""
        if any(_is_written(original) for original, _ in heap.originals()):
            for value in self._found.values():  # whoever has the tensor gets another one
                heap.look_into(value)
        return [*{change.place.key: change for change in self._changed()}.values()]

    def require_positions(self) -> None:
        """Sees to it that no iterator from outside was advanced: that has happened, and happens no more.

        Raises
        ------
        GraphError
        """
        for iterator, before in self._iterators:
            if position(iterator) != before:
                raise GraphError(
                    f"a {type(iterator).__name__} from outside of the function is advanced in it",
                    where=caller_location(),
                    why="Python takes its next item while the function is traced, not when the graph runs.",
                    way_out="Keep the next number in its place, and add to it: `self.count += 1`."
                    if isinstance(iterator, itertools.count)
                    else "Take the item before the call, and pass it as an argument; or use a list.",
                )

    def require_arrays(self) -> None:
        """Sees to it that nobody else has written to what the graph writes to, which knows nothing of that.

        Raises
        ------
        GraphError
        """
        for owner in self.arrays_of_graph().values():
            before = self._numbers.get(id(owner))
            if before is not None and any(_numbers(owner, before)):
                raise GraphError(
                    "an array from outside of the function is written to by code that is not converted,"
                    " and in the graph",
                    details=[f"an array of shape {owner.shape}"],
                    where=caller_location(),
                    why="That code runs while the function is traced; the graph begins with what was there.",
                    way_out="Let it say what to write, or call it when the graph runs (`ag.host_call`).",
                )

    def hear_of(self, noted: Mapping[Hashable, tuple[Place, Any]]) -> None:
        """Takes into account what code is going to announce, of what nobody looks at.

        Parameters
        ----------
        noted : dict of hashable to tuple of Place and object
            By key: each place, and what it held.
        """
        self._noted = noted

    def _is_of_library(self, place: Place) -> bool:
        """Whether a place is an attribute of an object of Python's own, which has many of its library's."""
        if not isinstance(place, Attribute) or isinstance(place.owner, type | ModuleType | FunctionType):
            return False
        return is_closed(type(place.owner)) and self.existed(place.owner)

    def _is_of_module(self, place: Place) -> bool:
        """Whether a place is a variable of a module: Python drops assignments that nothing reaches."""
        return isinstance(place, Item) and id(place.owner) in self._globals

    def take_back(self) -> None:
        """Puts objects back that have given way to others, where the program itself has bound these."""
        for place, former in self._rebound():
            _take_back(place, former)

    def _rebound(self) -> Iterator[tuple[Place, Any]]:
        """The places that may hold another object than before, with what they held.

        Asked again and again while a function calls itself: no place is made of what is as it was.
        """
        for place, former in [*self._noted.values()]:
            if self._is_of_library(place) or self._is_of_module(place):
                yield place, former
        for owner, before, compare in self._held:
            yield from compare(owner, before)
        for namespace, values in self._globals.values():
            for name, former in values.items():
                now = namespace.get(name, Undefined)
                if now is not (Undefined if type(former) is Undefined else former) or _is_written(former):
                    yield Item(namespace, name, name, NameError), former

    def _changed(self) -> Iterator[Change]:
        for place, former in self._rebound():
            yield from _changed(place, former)
        for place, former, now in changed_arrays(self._arrays.values()):
            yield Change(place, self._numbers.get(id(place.owner), former), now)
        for original, staged in heap.originals():
            if id(original) in self._found and isinstance(original, places.CONTAINERS):
                heap.look_into(staged)
                former, contents = self.staged.get(id(original), (None, None))
                if former is not staged:
                    place = Contents(original)
                    yield Change(place, self._contents[id(original)], staged)
                elif staged.contents is not contents:
                    yield Change(Contents(staged), contents, staged.contents)

    def _keep(self, value: Any) -> None:
        """Notes what an object holds."""
        kind = type(value)
        if computes_with_decimals(value):
            self._note(decimal, DecimalContext().get(), _context)
        if issubclass(kind, dict) and not finds_members(value):
            held = self._contents[id(value)] = _in_order(value)
            self._note(value, held, _items)
        for sequence in _SEQUENCES:
            if issubclass(kind, sequence):
                items = [*sequence.__iter__(value)]
                self._contents[id(value)] = set(items) if sequence is set else items
                self._note(value, items, _contents)
        if issubclass(kind, Staged):
            self._note(value, value.contents, _staged)
        if kind in BUFFERS:
            if np.size(value) <= _MOST_KEPT:
                self._numbers[id(value)] = copy.copy(value)
                self._note(value, self._numbers[id(value)], _numbers)
        elif isinstance(value, Iterator) and is_closed(kind):
            self._iterators.append((value, position(value)))
        elif kind is FunctionType:
            self._function(value)
        elif kind is CellType:
            self._note(value, Cell(value, "").get(), partial(_cell, self._names))
        elif issubclass(kind, type):
            if not is_closed(value):
                self._note(value, dict(defined(value)), _attributes)
        elif issubclass(kind, ModuleType):
            if not is_users_file(getattr(value, "__file__", None) or "<frozen"):  # whose dict is looked at
                self._note(value, dict(vars(value)), partial(_of_module, self._in_code))
        elif keeps_attributes(kind):
            self._note(value, set_by_program(value), _attributes)

    def _note(
        self, owner: Any, held: Any, compare: Callable[[Any, Any], Iterator[tuple[Place, Any]]]
    ) -> None:
        self._held.append((owner, held, compare))

    def _function(self, function: FunctionType) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._names[id(cell)] = name
        if not is_users_file(function.__code__.co_filename):
            return
        self._note(function, dict(vars(function)), _attributes)
        self._in_code |= names_in(function.__code__) | texts_in(function.__code__)
        _, values = self._globals.setdefault(id(function.__globals__), (function.__globals__, {}))
        for read in names_of(function):
            if isinstance(read.home, dict):
                values[read.name] = read.home.get(read.name, Undefined(read.name))
        for missing in function.__code__.co_names:  # which it may bind
            if missing not in function.__globals__:
                values.setdefault(missing, Undefined(missing))


def _is_container(value: Any) -> bool:
    """Whether an object is a container that changes in place, one of a class below Python's own included."""
    return isinstance(value, CONTAINERS) or changes_in_place(value)


_LOADED = (BuiltinFunctionType, FunctionType, ModuleType, type)
"""What modules of libraries keep of what they load when somebody asks for it."""


def _of_module(in_code: set[str], owner: ModuleType, before: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """What a module of a library's holds under the names that code has: it sets others itself."""
    own = vars(owner)
    if not _is_same(own, before):
        for name in in_code & {*before, *own}:
            now = own.get(name, owner)
            is_import = now is sys.modules.get(f"{owner.__name__}.{name}")
            is_loaded = "__getattr__" in before and name not in before and isinstance(now, _LOADED)
            place = Own(owner, name, f"{owner.__name__}.{name}")
            if not (is_import or is_loaded):
                yield place, before.get(name, Undefined(place.name))


def _cell(names: Mapping[int, str], cell: CellType, before: Any) -> Iterator[tuple[Place, Any]]:
    place = Cell(cell, names.get(id(cell), "a variable"))
    if place.get() is not before:
        yield place, before


def _take_back(place: Place, before: Any) -> None:
    now = place.get()
    if isinstance(place, Contents):
        if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
            own = [one if _has_moved(one, other) else other for one, other in zip(before, now, strict=True)]
            if any(one is not other for one, other in zip(own, now, strict=True)):
                place.set(own)
    elif _has_moved(before, now):
        place.set(before)


def _has_moved(before: Any, now: Any) -> bool:
    return before is not now and heap.moved_to(before) is now


def _changed(place: Place, before: Any) -> Iterator[Change]:
    now = place.get()
    is_unchanged = place.is_unchanged(before, now) or _is_one_value(before, now)
    if not is_unchanged or _is_written(before):
        left = heap.as_moved(place.left() if isinstance(place, Own) else now)
        yield Change(place, before, left, type(before) is Undefined)


def _is_one_value(before: Any, now: Any) -> bool:
    """Whether what may be None is what it was: statements make another object of it."""
    are_maybe = isinstance(before, MaybeNone) and isinstance(now, MaybeNone)
    return are_maybe and before.ag__valid is now.ag__valid and before.ag__value is now.ag__value


def _is_written(value: Any, around: frozenset[int] = frozenset()) -> bool:
    """Whether a place holds a tensor that the function has written into, or a container that does.

    A tensor never changes: the place is to hold another one.
    """
    if isinstance(value, list | tuple | dict):
        inside, within = value.values() if isinstance(value, dict) else value, around | {id(value)}
        return id(value) not in around and any(_is_written(each, within) for each in inside)
    if type(value) not in EAGER:
        return False
    builder, staged = current_builder(), heap.moved_to(value)
    if builder is None or not isinstance(staged, Symbol) or builder.is_around(staged.value):
        return False
    return staged.value in builder.arrays.contents


def _attributes(owner: Any, before: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """The attributes that an object keeps itself, now or before."""
    is_class = isinstance(owner, type)
    own = defined(owner) if is_class else set_by_program(owner)
    if _is_same(own, before):
        return
    label = owner.__name__ if isinstance(owner, type | ModuleType | FunctionType) else type(owner).__name__
    for name in {**before, **own}:
        if name not in _OF_CLASSES:
            place = Own(owner, name, f"{label}.{name}")
            yield place, before.get(name, Undefined(place.name))


_OF_CLASSES = frozenset(
    {"__dict__", "__weakref__", "__doc__", "__wrapped__", "__abstractmethods__", "_abc_impl"}
)


def _context(_: Any, before: Any) -> Iterator[tuple[Place, Any]]:
    """How decimals are computed."""
    context = DecimalContext()
    if context.get() != before:
        yield context, before


def _numbers(owner: Any, before: Any) -> Iterator[tuple[Place, Any]]:
    """The numbers in an array."""
    if np.shape(owner) != np.shape(before) or _bytes(owner) != _bytes(before):
        yield Contents(owner), before


def _bytes(value: Any) -> bytes:
    return value.tobytes() if isinstance(value, np.ndarray) else bytes(value)


_OF_CALLABLES = type(iter(int, 1))
"""The class of `iter(function, sentinel)`, which says what it calls, and not how often it has."""


def position(iterator: Any) -> Any:
    """How far an iterator of Python's own has come; of one that does not say, how often it was asked.

    A generator only says at which `yield` it stands, and in a loop that is the same one again.
    """
    frame = getattr(iterator, "gi_frame", None)
    if hasattr(iterator, "gi_frame"):
        return None if frame is None else (frame.f_lasti, times_asked(iterator))
    kind: Any = type(iterator)
    try:
        _, *parts = _reduced(iterator) if kind.__module__ == "itertools" else iterator.__reduce__()
    except TypeError:
        parts = []
    if not parts or issubclass(kind, _OF_CALLABLES) or kind.__reduce__ is object.__reduce__:
        return times_asked(iterator)
    behind = parts[0] if isinstance(parts[0], tuple) else ()
    inner = [position(each) for each in behind if hasattr(type(each), "__next__")]
    return repr(parts), inner


def _reduced(iterator: Any) -> Any:
    """What an iterator of itertools says of itself: from 3.14 on they do not, and 3.12 warns of that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return iterator.__reduce__()


def _items(owner: dict[Any, Any], before: dict[Any, Any]) -> Iterator[tuple[Place, Any]]:
    """The items of a dict; all of it, where keys are gone or stand in another order."""
    held = _in_order(owner)
    if _is_same(held, before):
        return
    now = [*held]
    if now[: len(before)] != [*before]:
        yield Contents(owner), before
        return
    for key in now:
        place = Item.of(owner, key)
        yield place, before.get(key, Undefined(place.name))


def _in_order(owner: dict[Any, Any]) -> dict[Any, Any]:
    """The items of a dict in their order: one of `OrderedDict`'s is no order of `dict`'s."""
    return dict((OrderedDict if isinstance(owner, OrderedDict) else dict).items(owner))


def _is_same(now: Mapping[Any, Any], before: Mapping[Any, Any]) -> bool:
    """Whether a mapping has the same keys in the same order, and the same objects for them."""
    return (
        len(now) == len(before)
        and all(map(is_, now.values(), before.values()))
        and all(map(is_, now, before))
    )


def _staged(owner: Staged, before: Any) -> Iterator[tuple[Place, Any]]:
    yield Contents(owner), before


def _contents(owner: Any, before: list[Any]) -> Iterator[tuple[Place, Any]]:
    is_same = type(owner) in _SEQUENCES and len(owner) == len(before) and all(map(is_, owner, before))
    if not is_same and heap.moved_to(owner) is owner:
        yield Contents(owner), set(before) if isinstance(owner, set) else before


def require_seen() -> None:
    """Sees to it that nobody has changed a container in whose place a value of the graph is.

    Raises
    ------
    StateDisagrees
    """
    for container in heap.changed_unseen():
        raise StateDisagrees(
            f"a {type(container).__name__} is changed by code that is not converted",
            where=caller_location(),
            why="A tensor decides what is in it, so a value of the graph is in its place. That code, such as "
            "a generator that Python runs, does not know it.",
            way_out="Change it in the function itself, or in what that calls.",
        )
