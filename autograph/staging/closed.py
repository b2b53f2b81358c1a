"""Calls that cannot meet a value of a backend: they run as the user wrote them, at their own speed.

A function is *closed* when nothing that it can reach leads out of plain Python: its code does not, nor do the
functions, classes and constants that it names, and theirs. What it is called with is looked at on every call:
plain numbers, text, Python's own containers of them, and instances of closed classes. Such a call can only
compute; so it gives what its converted form would give, which asks at each statement what is known already.

What such a call may change (containers and instances that it is given, or that it names) is announced to the
journal around it, as converted code does. Where a call raises, or gives something that runs later, such as a
generator, all of that is taken back, and the converted form has the last word.
"""

from __future__ import annotations

import abc
import bisect
import builtins
import collections
import dis
import enum
import functools
import heapq
import inspect
import operator
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter, is_
from re import Match, Pattern
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Generic, NamedTuple

from autograph.staging import heap, places
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.operators import holds_operators
from autograph.staging.stand_ins import as_written, defined
from autograph.staging.state import Undefined

__all__ = ["NOT_CLOSED", "closed_call"]

NOT_CLOSED = object()
"""What `closed_call` gives where the call is one for the converted form."""

_MODULES = frozenset(
    {
        *("bisect", "cmath", "collections", "collections.abc", "copy", "fractions", "heapq", "itertools"),
        *("math", "operator", "re", "string", "textwrap", "unicodedata"),
    }
)
"""Modules in which everything is plain: no state, no clock, no file, and nothing that calls us back."""

_TRUSTED = _MODULES | frozenset(
    ("abc", "builtins", "contextlib", "dataclasses", "enum", "functools", "numbers", "reprlib", "typing")
)
"""Modules whose classes and functions do no more than call what they were made from."""

_OPEN_BUILTINS = frozenset(
    {
        *("__import__", "breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals"),
        *("help", "input", "locals", "memoryview", "open", "print", "setattr", "vars"),
    }
)
"""Builtins that reach what they are not given."""

_OPEN_NAMES = frozenset(
    {
        *("__base__", "__bases__", "__builtins__", "__closure__", "__code__", "__dict__", "__func__"),
        *("__getattribute__", "__globals__", "__mro__", "__self__", "__setattr__", "__subclasses__"),
        *("__traceback__", "__wrapped__", "attrgetter", "cr_frame", "f_back", "f_builtins", "f_globals"),
        *("f_locals", "gi_frame", "gi_yieldfrom", "methodcaller", "mro", "tb_frame", "tb_next"),
    }
)
"""Attributes through which plain objects lead anywhere."""

_OPEN_CODE = frozenset(
    {
        *("DELETE_GLOBAL", "DELETE_NAME", "GET_AITER", "GET_ANEXT", "GET_AWAITABLE", "IMPORT_FROM"),
        *("IMPORT_NAME", "IMPORT_STAR", "LOAD_BUILD_CLASS", "LOAD_CLASSDEREF", "LOAD_NAME", "STORE_GLOBAL"),
        "STORE_NAME",
    }
)
"""Instructions that reach out of a function, or make what does."""

_SETS_ATTRIBUTE = frozenset({"DELETE_ATTR", "STORE_ATTR"})
_CHANGES = _SETS_ATTRIBUTE | {"DELETE_SUBSCR", "STORE_SLICE", "STORE_SUBSCR"}
_CHANGING = frozenset(
    {
        *("add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft"),
        *("insert", "intersection_update", "move_to_end", "pop", "popitem", "popleft", "remove", "reverse"),
        *("rotate", "setdefault", "sort", "subtract", "symmetric_difference_update", "update"),
        *(name for module in (bisect, heapq, operator) for name in vars(module)),
    }
)
"""Attributes that change an object in place; those of the data model (`list.__setitem__`) count, too."""
_CHANGE = frozenset({"_bisect", "_heapq", "_operator"})
"""Modules of C's with functions that change what they are given."""
_READS_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"})
_BINDS_CELL = frozenset({"DELETE_DEREF", "STORE_DEREF"})
_RUNS_LATER = (
    inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
)

_METACLASSES = (type, abc.ABCMeta, enum.EnumMeta)
_MAPPINGS = (dict, collections.defaultdict, collections.OrderedDict, collections.Counter)
_FROZEN = (tuple, frozenset)
_CONTAINERS = frozenset((list, set, collections.deque, *_FROZEN, *_MAPPINGS))
_PLAIN = ATOMS | {range, slice, Fraction, Match, Pattern, type(NotImplemented), type(...)}
"""Classes whose instances hold nothing but numbers and text."""
_SLOTS = (GetSetDescriptorType, MemberDescriptorType)
_OF_C = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, *_SLOTS)

_MOST_ITEMS = 20_000
"""Objects that are looked at in one call."""
_MOST_REACHED = 256
"""Functions and classes that are looked into for one function."""
_MOST_REMEMBERED = 4096
_MOST_LOOKS = 16
"""Times that a function is looked into: its surroundings change, and nothing is gained."""


class _LeadsOut(Exception):  # a signal within this file, never seen outside
    """Something that is not closed."""


@dataclass
class _Facts:
    """What a closed function or class reaches, and what that was: looked at again on every call.

    Attributes
    ----------
    globals : list of (dict, tuple of str, tuple)
        Per module: the names that are read, and what they meant.
    cells : list of (cell, object)
    forms : list of (function, tuple)
        Code and defaults of the functions.
    classes : list of (class, dict)
        What the user's classes held.
    roots : list of object
        Containers and instances that are reached by name.
    sets_attributes : bool
        Whether any code does: what is known of classes and functions is looked at afterwards, too.
    changes : bool
        Whether any code may change an object that was there before.
    """

    globals: list[tuple[dict[str, Any], tuple[str, ...], tuple[Any, ...]]] = field(default_factory=list)
    cells: list[tuple[CellType, Any]] = field(default_factory=list)
    forms: list[tuple[FunctionType, tuple[Any, ...]]] = field(default_factory=list)
    classes: list[tuple[type, dict[str, Any]]] = field(default_factory=list)
    roots: list[Any] = field(default_factory=list)
    sets_attributes: bool = False
    changes: bool = False

    def hold(self) -> bool:
        """Whether all of it is as it was."""
        for namespace, names, values in self.globals:
            if not all(map(is_, values, map(namespace.get, names))):
                return False
        for cell, value in self.cells:
            if _contents(cell) is not value:
                return False
        for function, form in self.forms:
            if not all(map(is_, form, _form(function))):
                return False
        return not self.classes or self._classes_hold()

    def _classes_hold(self) -> bool:
        for kind, held in self.classes:
            now = defined(kind)
            if len(held) != len(now) or not all(map(is_, held.values(), now.values())):
                return False
        return True

    def hold_afterwards(self) -> bool:
        """Whether a call has left functions and classes as they were."""
        return not self.sets_attributes or (
            self._classes_hold() and not any(map(_own_attributes, self._functions()))
        )

    def restore(self) -> None:
        """Gives functions and classes the attributes that they had."""
        for function in self._functions():
            for name in _own_attributes(function):
                delattr(function, name)
        for kind, held in self.classes:
            now = defined(kind)
            for name in [name for name in now if name not in held]:
                delattr(kind, name)
            for name, value in held.items():
                if now.get(name, self) is not value:
                    setattr(kind, name, value)

    def _functions(self) -> Iterator[FunctionType]:
        return (function for function, _ in self.forms)


def _contents(cell: CellType) -> Any:
    """What a variable of a function around holds; `_LeadsOut` where it has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return _LeadsOut


def _own_attributes(function: FunctionType) -> set[str]:
    """The attributes that a program has given a function."""
    return vars(function).keys() - {"__wrapped__"}


_form = attrgetter("__code__", "__defaults__", "__kwdefaults__")
"""What decides how a function runs, beside what it reaches."""


class _Search:
    """Looks into a function or class and all that it reaches, until something leads out."""

    def __init__(self, start: Any) -> None:
        self.facts = _Facts()
        self._pending: list[Any] = [start]
        self._seen: dict[int, Any] = {}

    def run(self) -> _Facts:
        """The facts.

        Raises
        ------
        _LeadsOut
        """
        while self._pending:
            found = self._pending.pop()
            if id(found) not in self._seen:
                self._seen[id(found)] = found
                if len(self._seen) > _MOST_REACHED:
                    raise _LeadsOut
                self._look_into(found)
        return self.facts

    def _look_into(self, found: Any) -> None:
        kind = type(found)
        if kind in _PLAIN:
            return
        if isinstance(found, _OF_C):
            _require_plain_builtin(found)
            self.facts.changes |= _may_change(found)
        elif kind is FunctionType:
            self._function(found)
        elif kind is GenericAlias:
            self._pending.append(found.__origin__)
        elif isinstance(found, type):
            self._class(found)
        elif kind is MethodType:
            self._pending += (found.__func__, found.__self__)
        elif kind is staticmethod or kind is classmethod:
            self._pending.append(found.__func__)
        elif kind is property:
            self._pending += (found.fget, found.fset, found.fdel)
        elif kind is functools.cached_property:
            self._pending.append(found.func)
        elif kind is functools.partial:
            self._pending += (found.func, *found.args, *found.keywords.values())
        elif kind is _CACHED:
            self._pending.append(found.__wrapped__)
        elif isinstance(found, ModuleType):
            if found.__name__ not in _MODULES:
                raise _LeadsOut
        elif kind in _CONTAINERS:
            self.facts.roots.append(found)
        elif kind.__module__ != "dataclasses":  # whose marks are plain
            self._pending.append(kind)
            self.facts.roots.append(found)

    def _function(self, function: FunctionType) -> None:
        home = str(function.__globals__.get("__name__"))
        is_ours = holds_operators(function) or home.startswith(places.OWN_PACKAGES)
        if is_ours or _own_attributes(function):
            raise _LeadsOut
        self._cells(function)
        if home in _TRUSTED:
            self.facts.changes = True
            return
        self.facts.forms.append((function, _form(function)))
        self._pending += (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        uses = _uses(function.__code__)
        if uses is None:
            raise _LeadsOut
        self.facts.sets_attributes |= uses.sets_attributes
        self.facts.changes |= uses.changes
        namespace = function.__globals__
        own = tuple([name for name in uses.names if name in namespace])
        values = tuple([namespace[name] for name in own])
        if own:
            self.facts.globals.append((namespace, own, values))
        for name in uses.names - {*own}:
            if not hasattr(builtins, name):
                raise _LeadsOut
            self._pending.append(getattr(builtins, name))
        for module in [value for value in values if isinstance(value, ModuleType)]:
            if any(isinstance(getattr(module, name, None), ModuleType) for name in uses.attributes):
                raise _LeadsOut
        self._pending += values

    def _cells(self, function: FunctionType) -> None:
        for cell in function.__closure__ or ():
            value = _contents(cell)
            if value is _LeadsOut:
                raise _LeadsOut
            self.facts.cells.append((cell, value))
            self._pending.append(value)

    def _class(self, kind: type) -> None:
        if kind.__module__ in _TRUSTED:
            _require_plain_builtin(kind)
            return
        for base in kind.__mro__:
            if base in _BASES or base.__module__ == "enum":
                continue
            is_users = "__module__" in vars(base) and not str(base.__module__).startswith(places.OWN_PACKAGES)
            if base.__module__ in _TRUSTED or type(base) not in _METACLASSES or not is_users:
                raise _LeadsOut
            own = dict(defined(base))
            self.facts.classes.append((base, own))
            self._pending += [value for name, value in own.items() if _is_read(name, value)]


_CACHED: Any = type(functools.lru_cache(print))
_BASES = {
    *(object, abc.ABC, Generic),
    *(each for each in vars(builtins).values() if isinstance(each, type) and issubclass(each, BaseException)),
}
"""Classes that the user's may derive from: what their instances hold is in their attributes."""
_METHODS = (FunctionType, staticmethod, classmethod, property)


def _is_read(name: str, value: Any) -> bool:
    """Whether code may read an attribute of a class: those of the data model are for Python itself."""
    is_of_python = name == "_abc_impl" or (name.startswith("__") and name.endswith("__"))
    return isinstance(value, _METHODS) or not is_of_python


def _require_plain_builtin(found: Any) -> None:
    """Sees to it that what is written in C is of those that only compute."""
    if isinstance(found, BuiltinFunctionType) and not isinstance(found.__self__, (ModuleType, type(None))):
        if not isinstance(found.__self__, type):  # a method of some object
            raise _LeadsOut
        found = found.__self__
    if isinstance(found, (type, BuiltinFunctionType)):
        home = str(found.__module__ or "builtins").removeprefix("_")
        if home not in _TRUSTED or (home == "builtins" and found.__name__ in _OPEN_BUILTINS):
            raise _LeadsOut


def _may_change(found: Any) -> bool:
    """Whether a function of C's may change what it is given."""
    return not isinstance(found, BuiltinFunctionType) or found is next or found.__module__ in _CHANGE


class _Uses(NamedTuple):
    """What code says of the world around it."""

    names: frozenset[str]
    attributes: frozenset[str]
    sets_attributes: bool
    changes: bool


@functools.lru_cache(maxsize=_MOST_REMEMBERED)
def _uses(code: CodeType) -> _Uses | None:
    """What code uses, the code inside of it included; None where that leads out."""
    names: set[str] = set()
    attributes: set[str] = set()
    sets_attributes = changes = False
    for part in _parts(code):
        if part.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            return None
        for instruction in dis.get_instructions(part):
            name, argument = instruction.opname, instruction.argval
            if name in _OPEN_CODE or (name in _BINDS_CELL and argument in code.co_freevars):
                return None
            if name == "LOAD_GLOBAL":
                names.add(argument)
            elif name in _READS_ATTRIBUTE:
                attributes.add(argument)
            sets_attributes |= name in _SETS_ATTRIBUTE
            changes |= name in _CHANGES or (name == "BINARY_OP" and instruction.argrepr.endswith("="))
    if attributes & _OPEN_NAMES:
        return None
    changes |= any(name in _CHANGING or name.startswith("__") for name in attributes)
    return _Uses(frozenset(names), frozenset(attributes), sets_attributes, changes)


def _parts(code: CodeType) -> Iterator[CodeType]:
    """Code, and the code of functions, comprehensions and lambdas in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


@dataclass
class _Known:
    """A function or class that was looked into, and how often."""

    thing: weakref.ref[Any]
    facts: _Facts | None = None
    looks: int = 0


_known: dict[int, _Known] = {}


def _facts_of(thing: Any) -> _Facts | None:
    """What is known of a function or class; None where it is not closed, or changes again and again."""
    known = _known.get(id(thing))
    if known is None or known.thing() is not thing:
        if len(_known) >= _MOST_REMEMBERED:
            _known.clear()
        known = _known[id(thing)] = _Known(weakref.ref(thing))
    if known.looks and (known.facts is None or known.facts.hold()):
        return known.facts
    known.looks += 1
    known.facts = None
    if known.looks <= _MOST_LOOKS:
        with suppress(_LeadsOut):
            known.facts = _Search(thing).run()
    return known.facts


class _Look:
    """What values of a call hold, all the way down.

    Attributes
    ----------
    containers : list
        Those that change in place.
    instances : list
        Objects of the user's classes.
    facts : list of _Facts
        Of their classes, and of the functions among the values.
    changes : bool
        Whether any of them may change an object.
    """

    def __init__(self, backends: Backends) -> None:
        self.containers: list[Any] = []
        self.instances: list[Any] = []
        self.facts: list[_Facts] = []
        self.changes = False
        self._owned = backends.owned
        self._seen: dict[int, Any] = {}
        self._left = _MOST_ITEMS

    def into(self, values: Iterable[Any]) -> None:
        """Looks at some values.

        Raises
        ------
        _LeadsOut
            When one of them may lead out of plain Python, or they are too many to look at.
        """
        pending = list(values)
        while pending:
            value = pending.pop()
            kind = type(value)
            if kind in _PLAIN or id(value) in self._seen:
                continue
            self._seen[id(value)] = value
            if kind in _CONTAINERS:
                pending += self._items(value, kind)
            elif self._owned[kind]:
                raise _LeadsOut
            elif kind is GenericAlias:
                pending.append(value.__origin__)
            elif kind is FunctionType or kind is MethodType or isinstance(value, (type, *_OF_C)):
                self._require_closed(value.__func__ if kind is MethodType else value)
                pending += (value.__self__,) if kind is MethodType else ()
            else:
                pending += self._attributes(value, kind)

    def _items(self, container: Any, kind: type) -> list[Any]:
        self._left -= len(container)
        if self._left < 0 or heap.current(container) is not container:
            raise _LeadsOut
        if kind not in _FROZEN:
            self.containers.append(container)
        items = [*container, *container.values()] if kind in _MAPPINGS else container
        found = [] if {*map(type, items)} <= _PLAIN else list(items)
        return [*found, container.default_factory] if kind is collections.defaultdict else found

    def _attributes(self, value: Any, kind: type) -> list[Any]:
        if kind.__module__ in _TRUSTED and kind.__module__ not in {"enum", "dataclasses"}:
            raise _LeadsOut
        self._require_closed(kind)
        self.instances.append(value)
        own = [*vars(value).values()] if hasattr(value, "__dict__") else []
        slots = [getattr(value, name, None) for name in _slots(kind)]
        return own + slots + list(value.args if isinstance(value, BaseException) else ())

    def _require_closed(self, thing: Any) -> None:
        if isinstance(thing, _OF_C):
            _require_plain_builtin(thing)
            self.changes |= _may_change(thing)
            return
        facts = _facts_of(thing)
        if facts is None:
            raise _LeadsOut
        self.facts.append(facts)
        self.changes |= facts.changes
        self.into(facts.roots)


def _slots(kind: type) -> list[str]:
    return [
        name
        for base in kind.__mro__
        for name, slot in vars(base).items()
        if isinstance(slot, MemberDescriptorType)
    ]


def closed_call(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Any:
    """`callee(*args, **kwargs)` as the user wrote it, where that cannot meet a value of a backend.

    Parameters
    ----------
    backends : Backends
    callee : function or method
        Not converted.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    object
        `NOT_CLOSED` where the call is one for the converted form; nothing has happened then.
    """
    given = (*args, *kwargs.values()) if kwargs else args
    function = callee
    if type(callee) is MethodType:
        given = (callee.__self__, *given)
        function = callee.__func__
    kinds = {*map(type, given)}
    is_flat = kinds <= _PLAIN
    if not is_flat and any(map(backends.owned.__getitem__, kinds)):
        return NOT_CLOSED
    if type(function) is not FunctionType or function.__code__.co_flags & _RUNS_LATER:
        return NOT_CLOSED
    facts = _facts_of(function)
    if facts is None:
        return NOT_CLOSED
    try:
        if facts.roots or not is_flat:
            look = _Look(backends)
            look.into((*given, *facts.roots))
            if facts.changes or look.changes:
                return _recorded(backends, callee, args, kwargs, look, [facts, *look.facts])
        elif facts.sets_attributes:
            return _recorded(backends, callee, args, kwargs, _Look(backends), [facts])
        with as_written():
            result = callee(*args, **kwargs) if kwargs else callee(*args)
        if type(result) not in _PLAIN:
            _Look(backends).into([result])
    except Exception:  # noqa: BLE001  # the converted form raises it again, if it is the program's
        return NOT_CLOSED
    return result


def _recorded(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    look: _Look,
    facts: list[_Facts],
) -> Any:
    """As `closed_call`, for a call that may change what it reaches."""
    with places.recording() as journal:
        for container in look.containers:
            journal.note(places.Contents(container))
        for instance in look.instances:
            for name in _attributes_of(instance):
                journal.note(places.Attribute(instance, name))
        try:
            with as_written():
                result = callee(*args, **(kwargs or {}))
            _Look(backends).into([result])
            is_kept = all(each.hold_afterwards() for each in facts)
        except Exception:  # noqa: BLE001  # as above
            is_kept = False
        finally:
            for instance in look.instances:
                for name in _attributes_of(instance):
                    place = places.Attribute(instance, name)
                    journal.before.setdefault(place.key, (place, Undefined(place.name)))
        if not is_kept:
            journal.undo()
            for each in facts:
                each.restore()
            return NOT_CLOSED
    journal.pass_on()
    return result


def _attributes_of(instance: Any) -> list[str]:
    """The attributes that an instance keeps itself."""
    return [*getattr(instance, "__dict__", ()), *_slots(type(instance))]
