"""The checks that guards are made of: a place outside of a function, and what it held before a trace."""

from __future__ import annotations

import abc
import enum
import weakref
from collections.abc import Callable, Collection, Hashable, Iterator
from contextvars import ContextVar
from operator import is_
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.staging.places import Cell, Contents, Item, Place
from autograph.staging.state import Undefined
from autograph.tracing import any_length
from autograph.tracing.snapshot import Own
from runtime.core.instances import dict_of
from runtime.executors.program import Held, Holder
from runtime.functions.external_state import Change
from runtime.functions.reachable import is_closed

__all__ = [
    "ATOMS",
    "METHODS",
    "ArrayEntry",
    "Aspect",
    "ClassEntry",
    "Contextual",
    "Entry",
    "NamesEntry",
    "Referent",
    "Registrations",
    "container_entries",
    "content_of",
]

ATOMS = (bool, int, float, complex, str, bytes, type(None))
METHODS = (FunctionType, staticmethod, classmethod, property)
"""What a class holds under the names that Python itself asks for."""


class _Looked(Place):
    """A place that is only looked at: no graph gives it another value."""

    __slots__ = ()

    def set(self, value: Any) -> None:
        raise NotImplementedError


class Aspect(_Looked):
    """What Python itself keeps about an object: the defaults of a function, the bases of a class, a class.

    An instance is not kept alive.
    """

    __slots__ = ("_reference", "item")

    def __init__(self, owner: Any, item: str) -> None:
        self.item = item
        self.key = "aspect", id(owner), item
        self._reference: Callable[[], Any] = lambda: owner
        if item in _OF_INSTANCES:
            self.name = f"the {_OF_INSTANCES[item]} of a {type(owner).__name__}"
            if type(owner).__weakrefoffset__:
                self._reference = weakref.ref(owner)
        else:
            self.name = f"{owner.__name__}.{item}"

    @property
    def owner(self) -> Any:
        """The object; None once it is gone."""
        return self._reference()

    def get(self) -> Any:
        owner = self.owner
        if self.item == "__dict__":
            return dict_of(owner)
        return type(owner) if self.item == "__class__" else getattr(owner, self.item)

    def at(self, owner: Any) -> Place:
        return Aspect(owner, self.item)

    def term(self, names: dict[str, Any], number: str) -> str:
        """What it is now as an expression, over `names`, which get what it needs."""
        if self.item == "__class__":
            names[f"o{number}"], names["_type"] = self._reference, type
            return f"_type(o{number}())"
        if self.item == "__dict__":
            names[f"o{number}"], names["_dict_of"] = self._reference, dict_of
            return f"_dict_of(o{number}())"
        names[f"o{number}"] = self.owner
        return f"o{number}.{self.item}"


_OF_INSTANCES = {"__class__": "class", "__dict__": "attributes"}


class Referent(_Looked):
    """What a weak reference refers to, as long as that lives."""

    __slots__ = ()

    def __init__(self, owner: weakref.ref[Any]) -> None:
        self.key = "referent", id(owner)
        self.name = "what a weak reference refers to"
        self.owner = owner

    def get(self) -> Any:
        return self.owner()

    def at(self, owner: Any) -> Place:
        return Referent(owner)


class Contextual(_Looked):
    """The value of a context variable."""

    __slots__ = ()

    def __init__(self, owner: ContextVar[Any]) -> None:
        self.key = "contextual", id(owner)
        self.name = owner.name
        self.owner = owner

    def get(self) -> Any:
        return self.owner.get(Undefined(self.name))

    def at(self, owner: Any) -> Place:
        return Contextual(owner)


class Registrations(_Looked):
    """Which classes are registered as subclasses of abstract ones, all told: `isinstance` looks at that."""

    __slots__ = ()

    def __init__(self) -> None:
        self.key = "registrations"
        self.name = "the classes that are registered with abstract ones"
        self.owner = abc

    def get(self) -> Any:
        return abc.get_cache_token()

    def at(self, owner: Any) -> Place:  # noqa: ARG002  # there is one
        return self


class Entry:
    """A place, and the value that it had.

    Attributes
    ----------
    place : Place
    """

    def __init__(self, place: Place, before: Any) -> None:
        self.place = place
        self._is_weak = _is_held_weakly(before)
        self._before = weakref.ref(before) if self._is_weak else before
        self._names: dict[str, Any] = {}
        self._name = ""

    @property
    def before(self) -> Any:
        """The value that it had; None where it was an object that is gone."""
        return self._before() if self._is_weak else self._before

    def now(self) -> Any:
        """The value that it has."""
        return self.place.get()

    def holds(self) -> bool:
        """Whether it has that value, or an equal one, which is the value from now on."""
        try:
            now = self.now()
        except Exception:  # noqa: BLE001  # the owner is gone
            return False
        before = self.before
        if now is before:
            return not self._is_weak or now is not None
        if self._is_weak or not _same(before, now):
            return False
        self._before = self._names[self._name] = now
        return True

    def change(self) -> Change:
        """What it has instead."""
        before, now = self.before, self.now()
        return Change(
            self.place, before, now, of_any_length=any_length.of_any_length(self.place, before, now)
        )

    def identity(self) -> Held | None:
        """The object that has to be there, where nothing but that is looked at, and it lives as long."""
        place, before = self.place, self._before
        if type(self) is not Entry or self._is_weak or type(before) is Undefined:
            return None
        if isinstance(place, Aspect):
            holder = _OF_FUNCTIONS.get(place.item)
            is_function = type(place.owner) is FunctionType
            return Held(holder, place.owner, None, before) if holder is not None and is_function else None
        if isinstance(place, Cell):
            return Held(Holder.CELL, place.owner, None, before)
        if not isinstance(place, Item | Own) or type(place.item) is not str:
            return None
        own = place.owner if isinstance(place, Item) else dict_of(place.owner)
        return Held(Holder.DICT, own, place.item, before) if type(own) is dict else None

    def term(self, names: dict[str, Any], number: str) -> str:
        """The check as an expression, over `names`, which get what it needs."""
        self._names, self._name = names, f"v{number}"
        names[self._name] = self._before
        is_missing = type(self._before) is Undefined
        value = f"v{number}() is not None" if self._is_weak else f"v{number}"  # what is gone is no None
        place = self.place
        own = place.owner if isinstance(place, Item) else dict_of(place.owner)
        if isinstance(place, Aspect):
            return f"{place.term(names, number)} is {value}"
        if isinstance(place, Cell) and not is_missing:
            names[f"c{number}"] = place.owner
            return f"c{number}.cell_contents is {value}"
        if isinstance(place, Item | Own) and own is not None and (is_missing or place.item in own):
            names[f"d{number}"], names[f"k{number}"] = own, place.item
            key = repr(place.item) if type(place.item) is str else f"k{number}"
            return f"{key} not in d{number}" if is_missing else f"d{number}[{key}] is {value}"
        names[f"e{number}"] = self.holds
        return f"e{number}()"


_OF_FUNCTIONS = {"__code__": Holder.CODE, "__defaults__": Holder.DEFAULTS}


def _is_held_weakly(value: Any) -> bool:
    kind = type(value)
    if isinstance(value, np.ndarray):
        return True
    return not is_closed(kind) and kind.__weakrefoffset__ != 0 and not isinstance(value, enum.Enum | type)


def _same(before: Any, now: Any) -> bool:
    """Whether two values that are not one object are one to a program: numbers, texts and tuples of them."""
    if type(before) is not type(now):
        return False
    if isinstance(before, Undefined):
        return True
    if isinstance(before, float | complex):
        return np.complex128(before).tobytes() == np.complex128(now).tobytes()
    if isinstance(before, tuple):
        return len(before) == len(now) and all(
            one is two or _same(one, two) for one, two in zip(before, now, strict=True)
        )
    if isinstance(before, MethodType):
        return before.__func__ is now.__func__ and before.__self__ is now.__self__
    return isinstance(before, ATOMS) and bool(before == now)


def container_entries(container: Any, before: Any, inputs: Collection[Hashable]) -> Iterator[Entry]:
    """The checks of what a container holds, but for the places that are inputs."""
    if not isinstance(container, dict):
        yield ContentsEntry(Contents(container), before)
        return
    yield KeysEntry(Contents(container), [*before])
    for key, value in before.items():
        place = Item.of(container, key)
        if place.key not in inputs:
            yield Entry(place, value)


class ContentsEntry(Entry):
    """What a list, a deque or a set holds."""

    def holds(self) -> bool:
        now = self.now()
        before = self.before
        if isinstance(now, set):
            return bool(now == before)
        if len(now) != len(before) or not all(
            one is two or _same(one, two) for one, two in zip(before, now, strict=True)
        ):
            return False
        before[:] = now
        return True

    def term(self, names: dict[str, Any], number: str) -> str:
        container = self.place.owner
        if isinstance(container, set):
            names[f"e{number}"] = self.holds
            return f"e{number}()"
        names[f"l{number}"], names[f"v{number}"] = container, self.before
        names["_is"], names["_all"], names["_map"], names["_len"] = is_, all, map, len
        return f"_len(l{number}) == {len(self.before)} and _all(_map(_is, l{number}, v{number}))"


class KeysEntry(Entry):
    """Which keys a dict has, in which order."""

    def now(self) -> Any:
        return [*self.place.owner]

    def holds(self) -> bool:
        return bool(self.now() == self.before)

    def term(self, names: dict[str, Any], number: str) -> str:
        names[f"d{number}"], names[f"v{number}"] = self.place.owner, self.before
        return f"[*d{number}] == v{number}"


class NamesEntry(KeysEntry):
    """Which attributes an object keeps, in whatever order."""

    def holds(self) -> bool:
        return bool(self.place.owner.keys() == self.before)

    def term(self, names: dict[str, Any], number: str) -> str:
        names[f"d{number}"], names[f"v{number}"] = self.place.owner, self.before
        return f"d{number}.keys() == v{number}"


class ClassEntry(NamesEntry):
    """Which attributes a class keeps: how many, in front of every run, and which ones where that has changed.

    Python's own are left out, as `__annotations__`, which it makes when they are asked for; methods that it
    calls are not.
    """

    def holds(self) -> bool:
        own = self.place.owner
        now = own.keys()
        if not all(name.startswith("__") for name in now ^ self.before):
            return False
        if any(isinstance(own[name], METHODS) for name in now - self.before):
            return False
        self._names[self._name] = len(now)
        return True

    def term(self, names: dict[str, Any], number: str) -> str:
        self._names, self._name = names, f"n{number}"
        names[f"d{number}"], names[self._name], names["_len"] = self.place.owner, len(self.before), len
        return f"_len(d{number}) == n{number}"


class ArrayEntry(Entry):
    """What an array of NumPy's holds."""

    def __init__(self, place: Place, array: Any, content: tuple[Any, ...]) -> None:
        super().__init__(place, array)
        self._content = content

    def holds(self) -> bool:
        array = self.before
        return array is not None and content_of(array) == self._content

    def now(self) -> Any:
        return self.before

    def term(self, names: dict[str, Any], number: str) -> str:
        names[f"e{number}"] = self.holds
        return f"e{number}()"


def content_of(array: Any) -> Any:
    """What an array or a buffer holds, as something to compare."""
    if not isinstance(array, np.ndarray):
        return bytes(array)
    numbers = np.asarray(array)  # of a masked array, `tobytes` would fill in
    content = numbers.tolist() if numbers.dtype.hasobject else numbers.tobytes()
    mask = array.mask.tobytes() if isinstance(array, np.ma.MaskedArray) else None
    return array.shape, array.dtype, content, mask
