"""Whether a function is closed: all that it reaches (names, callees, classes) is plain Python.

It is *closed* when nothing that it can reach leads out: its code does not, nor do the functions, classes and
constants that it names, and theirs. That is looked into once. Whether names, methods and closures still mean
what they meant is asked on every call, so the question is a handful of comparisons.
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
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import field
from fractions import Fraction
from operator import is_
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
from typing import Any, Generic

from autograph.staging import changes as changes_
from autograph.staging import points_to
from autograph.staging.dispatch import ATOMS
from autograph.staging.operators import holds_operators
from autograph.staging.stand_ins import defined
from autograph_base.dataclass import dataclass
from autograph_base.named_tuple import NamedTuple
from autograph_base.packages import is_ours

__all__ = [
    "CONTAINERS",
    "FROZEN",
    "MAPPINGS",
    "OF_C",
    "OPEN_NAMES",
    "PLAIN_KINDS",
    "RUNS_LATER",
    "TRUSTED",
    "WRAPPERS",
    "Facts",
    "LeadsOut",
    "Wrapper",
    "codes_within",
    "facts_of",
    "looked_into",
    "may_change",
    "require_plain_builtin",
]

_MODULES = frozenset(
    {
        *("bisect", "cmath", "collections", "collections.abc", "copy", "fractions", "heapq", "itertools"),
        *("math", "operator", "re", "string", "textwrap", "unicodedata"),
    }
)
"""Modules in which everything is plain: no state, no clock, no file, and nothing that calls us back."""

TRUSTED = _MODULES | frozenset(
    ("abc", "builtins", "contextlib", "dataclasses", "enum", "functools", "numbers", "reprlib", "typing")
)
"""Modules whose classes and functions do no more than call what they were made from."""

_MODULES_OF_PYTHON = TRUSTED - {"builtins"}

_OPEN_BUILTINS = frozenset(
    {
        *("__import__", "breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals"),
        *("help", "input", "locals", "memoryview", "open", "print", "setattr", "vars"),
    }
)
"""Builtins that reach what they are not given."""

OPEN_NAMES = frozenset(
    {
        *("__base__", "__bases__", "__builtins__", "__closure__", "__code__", "__dict__", "__func__"),
        *("__getattribute__", "__globals__", "__mro__", "__self__", "__setattr__", "__subclasses__"),
        *("__traceback__", "__wrapped__", "attrgetter", "cr_frame", "f_back", "f_builtins", "f_globals"),
        *("f_locals", "gi_frame", "gi_yieldfrom", "methodcaller", "mro", "tb_frame", "tb_next"),
    }
)
"""Attributes through which plain objects lead anywhere."""

_OPEN_CODE = frozenset({"GET_AITER", "GET_ANEXT", "GET_AWAITABLE", "LOAD_BUILD_CLASS"})
"""Instructions that make what reaches out of a function; those that do it name something."""

_SETS_ATTRIBUTE = frozenset({"DELETE_ATTR", "STORE_ATTR"})
_OF_OWN_VARIABLES = ("DELETE_DEREF", "DELETE_FAST", "STORE_DEREF", "STORE_FAST")
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
_OF_CELLS = frozenset({"LOAD_CLOSURE", "LOAD_DEREF", "MAKE_CELL"})
RUNS_LATER = (
    inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
)

_METACLASSES = (type, abc.ABCMeta, enum.EnumMeta)
MAPPINGS = (dict, collections.defaultdict, collections.OrderedDict, collections.Counter)
FROZEN = (tuple, frozenset)
CONTAINERS = frozenset((list, set, collections.deque, *FROZEN, *MAPPINGS))
PLAIN_KINDS = ATOMS | {range, slice, Fraction, Match, Pattern, type(NotImplemented), type(...)}
"""Classes whose instances hold nothing but numbers and text."""
_SLOTS = (GetSetDescriptorType, MemberDescriptorType)
OF_C = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, *_SLOTS)

_MOST_REACHED = 256
"""Functions and classes that are looked into for one function."""
_MOST_REMEMBERED = 4096
_CALLS_BEFORE_LOOK = 32
_MOST_LOOKS = 16
"""Times that a function is looked into: its surroundings change, and nothing is gained."""


class LeadsOut(Exception):  # a signal to `closed.py`, never seen outside
    """Something that is not closed."""


class Wrapper(NamedTuple):
    """How callables of a class stand for functions of the user's.

    Attributes
    ----------
    written : callable
        The function of such a callable; None where that does something else.
    runs_as_written : callable
        A context in which it runs as that function; None where it never does so at this place.
    """

    written: Callable[[Any], Any]
    runs_as_written: Callable[[], AbstractContextManager[None] | None]


WRAPPERS: dict[type, Wrapper] = {}
"""By class, what backends say of the callables that they make of functions."""


@dataclass(slots=True)
class Facts:
    """What a closed function or class reaches, and what that was: looked at again on every call.

    Attributes
    ----------
    globals : list of (dict, str, object)
        The variables of modules that are read, and what they meant.
    cells : list of (cell, object)
    forms : list of (function, code, tuple, dict)
        Code and defaults of the functions.
    classes : list of (class, dict)
        What the user's classes held.
    roots : list of object
        Containers and instances that are reached by name.
    sets_attributes : bool
        Whether any code does: what is known of classes and functions is looked at afterwards, too.
    changes : bool
        Whether any code may change an object that was there before.
    keeps_results : bool
        Whether what a call gives may have been there before it, in a cache.
    is_alone : bool
        Whether no class of the user's is among them, and no attribute is set.
    """

    globals: list[tuple[dict[str, Any], str, Any]] = field(default_factory=list)
    cells: list[tuple[CellType, Any]] = field(default_factory=list)
    forms: list[tuple[FunctionType, CodeType, Any, Any]] = field(default_factory=list)
    classes: list[tuple[type, dict[str, Any]]] = field(default_factory=list)
    roots: list[Any] = field(default_factory=list)
    sets_attributes: bool = False
    changes: bool = False
    keeps_results: bool = False
    is_alone: bool = False
    wrappers: list[tuple[Any, int]] = field(default_factory=list)
    """Callables that stand for a function of the user's, and how many attributes each has."""
    effects: changes_.Changes | None = None
    """What a call may change, once that was asked for: see `effects_known`."""
    _calls_with_copies: int = 0
    _seen_in: dict[type, dict[str, Any]] = field(default_factory=dict)
    """What classes really hold, which is compared first: stand-ins, while a trace runs."""
    _slots: dict[type, list[str]] = field(default_factory=dict)

    def hold(self) -> bool:
        """Whether all of it is as it was."""
        absent = points_to.ABSENT
        for namespace, name, value in self.globals:  # a loop is quicker than `all` for so few
            if namespace.get(name, absent) is not value:
                return False
        for cell, value in self.cells:
            if _contents(cell) is not value:
                return False
        for function, code, defaults, keywords in self.forms:
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not keywords
            ):
                return False
        for wrapper, count in self.wrappers:
            if len(wrapper.__dict__) != count:
                return False
        return not self.classes or self._classes_hold()

    def effects_known(self) -> changes_.Changes | None:
        """What a call of the function may change; None where that is not known.

        To find out takes a millisecond or two, and each call saves some microseconds: so it is found out for
        a function that is called often.
        """
        if self._calls_with_copies < _CALLS_BEFORE_LOOK:
            self._calls_with_copies += 1
            if self._calls_with_copies == _CALLS_BEFORE_LOOK and self.forms:  # none for one of Python's own
                self.effects = changes_.changes_of([form[0] for form in self.forms], self.globals, self.cells)
        return self.effects

    def _classes_hold(self) -> bool:
        for kind, held in self.classes:
            own = vars(kind)
            seen = self._seen_in.get(kind)
            if seen is not None and len(seen) == len(own) and all(map(is_, seen.values(), own.values())):
                continue
            now = defined(kind)
            if len(held) != len(now) or not all(map(is_, held.values(), now.values())):
                return False
            self._seen_in[kind] = dict(own)
        return True

    def slots_of(self, kind: type) -> list[str]:
        """The slots of a class that is among those that are known to be as they were."""
        slots = self._slots.get(kind)
        if slots is None:
            slots = self._slots[kind] = [
                name
                for base in kind.__mro__
                for name, slot in vars(base).items()
                if isinstance(slot, MemberDescriptorType)
            ]
        return slots

    def hold_afterwards(self) -> bool:
        """Whether a call has left functions and classes as they were."""
        return not self.sets_attributes or (
            self._classes_hold()
            and not any(each.__dict__ and _own_attributes(each) for each in self._functions())
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
        return (function for function, *_ in self.forms)


def _contents(cell: CellType) -> Any:
    """What a variable of a function around holds; `LeadsOut` where it has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return LeadsOut


def _own_attributes(function: FunctionType) -> set[str]:
    """The attributes that a program has given a function."""
    return vars(function).keys() - {"__wrapped__"}


class _Search:
    """Looks into a function or class and all that it reaches, until something leads out."""

    def __init__(self, start: Any) -> None:
        self.facts = Facts()
        self._pending: list[Any] = [start]
        self._seen: dict[int, Any] = {}
        self._attributes: set[str] = set()

    def run(self) -> Facts:
        """The facts.

        Raises
        ------
        LeadsOut
        """
        while self._pending:
            found = self._pending.pop()
            if id(found) not in self._seen:
                self._seen[id(found)] = found
                if len(self._seen) > _MOST_REACHED:
                    raise LeadsOut
                self._look_into(found)
        facts = self.facts
        facts.is_alone = not (facts.classes or facts.sets_attributes)
        if facts.wrappers and self._may_ask_wrappers():
            raise LeadsOut
        return facts

    def _may_ask_wrappers(self) -> bool:
        """Whether code may do anything to a callable that stands for a function but call it."""
        found = [each for each, _ in self.facts.wrappers]
        return self.facts.sets_attributes or any(
            not self._attributes.isdisjoint((*vars(each), *dir(type(each)))) for each in found
        )

    def _look_into(self, found: Any) -> None:
        kind = type(found)
        if kind in PLAIN_KINDS:
            return
        if isinstance(found, OF_C):
            require_plain_builtin(found)
            self.facts.changes |= may_change(found)
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
            self.facts.keeps_results = True
            self._pending.append(found.__wrapped__)
        elif isinstance(found, ModuleType):
            if found.__name__ not in _MODULES:
                raise LeadsOut
        elif kind in CONTAINERS:
            self.facts.roots.append(found)
        elif kind in WRAPPERS:
            self._pending.append(_behind(found))
            self.facts.wrappers.append((found, len(found.__dict__)))
        elif kind.__module__ != "dataclasses":  # whose marks are plain
            self._pending.append(kind)
            self.facts.roots.append(found)

    def _function(self, function: FunctionType) -> None:
        home = str(function.__globals__.get("__name__"))
        if holds_operators(function) or is_ours(home) or _own_attributes(function):
            raise LeadsOut
        self._cells(function)
        if home in TRUSTED:
            self.facts.changes = True
            return
        defaults, keywords = function.__defaults__, function.__kwdefaults__
        self.facts.forms.append((function, function.__code__, defaults, keywords))
        self._pending += (*(defaults or ()), *(keywords or {}).values())
        uses = _uses(function.__code__)
        if uses is None:
            raise LeadsOut
        self.facts.sets_attributes |= uses.sets_attributes
        self.facts.changes |= uses.changes
        self._attributes |= uses.attributes
        namespace = function.__globals__
        own = [name for name in uses.names if name in namespace]
        values = [namespace[name] for name in own]
        self.facts.globals += [(namespace, name, namespace[name]) for name in own]
        known = points_to.builtins_of(function)
        for name in uses.names - {*own}:
            if name not in known:
                raise LeadsOut
            self.facts.globals += [(namespace, name, points_to.ABSENT), (known, name, known[name])]
            self._pending.append(known[name])
        for module in [value for value in values if isinstance(value, ModuleType)]:
            self._attributes_of(module, uses.attributes)
        self._pending += values

    def _attributes_of(self, module: ModuleType, names: frozenset[str]) -> None:
        """What code may read of a module: what stands in the place of the module's own is looked into."""
        held = vars(module)
        for name in names & held.keys():
            value = held[name]
            if isinstance(value, ModuleType):
                raise LeadsOut
            self.facts.globals.append((held, name, value))
            maker = value if isinstance(value, _MADE_BY_MODULES) else type(value)
            if str(maker.__module__) not in _MODULES_OF_PYTHON:
                self._pending.append(value)

    def _cells(self, function: FunctionType) -> None:
        for cell in function.__closure__ or ():
            value = _contents(cell)
            if value is LeadsOut:
                raise LeadsOut
            self.facts.cells.append((cell, value))
            self._pending.append(value)

    def _class(self, kind: type) -> None:
        if kind.__module__ in TRUSTED:
            require_plain_builtin(kind)
            return
        for base in kind.__mro__:
            if base in _BASES or base.__module__ == "enum":
                continue
            is_users = "__module__" in vars(base) and not is_ours(base.__module__)
            if base.__module__ in TRUSTED or type(base) not in _METACLASSES or not is_users:
                raise LeadsOut
            own = dict(defined(base))
            self.facts.classes.append((base, own))
            self._pending += [value for name, value in own.items() if _is_read(name, value)]


def _behind(wrapper: Any) -> FunctionType:
    """The function that a callable stands for."""
    written = WRAPPERS[type(wrapper)].written(wrapper)
    if type(written) is not FunctionType:
        raise LeadsOut
    return written


_MADE_BY_MODULES = (type, FunctionType, BuiltinFunctionType)
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


def require_plain_builtin(found: Any) -> None:
    """Sees to it that what is written in C is of those that only compute."""
    if isinstance(found, BuiltinFunctionType) and not isinstance(found.__self__, (ModuleType, type(None))):
        if not isinstance(found.__self__, type):  # a method of some object
            raise LeadsOut
        found = found.__self__
    if isinstance(found, (type, BuiltinFunctionType)):
        home = str(found.__module__ or "builtins").removeprefix("_")
        if home not in TRUSTED or (home == "builtins" and found.__name__ in _OPEN_BUILTINS):
            raise LeadsOut


def may_change(found: Any) -> bool:
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
    for part in codes_within(code):
        if part.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            return None
        for instruction in dis.get_instructions(part):
            name, argument = instruction.opname, instruction.argval
            if name in _OPEN_CODE or _reaches_out(instruction, code):
                return None
            if name == "LOAD_GLOBAL":
                names.add(argument)
            elif name in _READS_ATTRIBUTE:
                attributes.add(argument)
            sets_attributes |= name in _SETS_ATTRIBUTE
            changes |= name.startswith(("DELETE_", "STORE_")) and not name.startswith(_OF_OWN_VARIABLES)
            changes |= name == "BINARY_OP" and instruction.argrepr.endswith("=")
    if attributes & OPEN_NAMES:
        return None
    changes |= any(name in _CHANGING or name.startswith("__") for name in attributes)
    return _Uses(frozenset(names), frozenset(attributes), sets_attributes, changes)


def _reaches_out(instruction: dis.Instruction, code: CodeType) -> bool:
    """Whether an instruction names what lies outside, and is none of those known to read it.

    One that a later Python has leads out until it is known.
    """
    name = instruction.opname
    if instruction.opcode in dis.hasname:
        return not (name == "LOAD_GLOBAL" or name in _READS_ATTRIBUTE or name in _SETS_ATTRIBUTE)
    is_of_cell = instruction.opcode in dis.hasfree and name not in _OF_CELLS
    return is_of_cell and instruction.argval in code.co_freevars


def codes_within(code: CodeType) -> Iterator[CodeType]:
    """Code, and the code of functions, comprehensions and lambdas in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_within(constant)


@dataclass(slots=True)
class _Known:
    """A function or class that was looked into, and how often."""

    thing: weakref.ref[Any]
    facts: Facts | None = None
    looks: int = 0


_known: dict[int, _Known] = {}
looked_into: dict[int, Facts] = {}
"""What is known of closed functions, by id, as long as they live; whether it holds is still to be asked."""


def facts_of(thing: Any) -> Facts | None:
    """What is known of a function or class; None where it is not closed, or changes again and again.

    Parameters
    ----------
    thing : function or class
    """
    key = id(thing)
    known = _known.get(key)
    if known is None or known.thing() is not thing:
        if len(_known) >= _MOST_REMEMBERED:
            _known.clear()
            looked_into.clear()
        known = _known[key] = _Known(weakref.ref(thing, functools.partial(_forget, key)))
    facts = known.facts
    if facts is None:
        return None if known.looks else _looked_into(known, thing)
    return facts if facts.hold() else _looked_into(known, thing)


def _forget(
    key: int, _: object, known: dict[int, _Known] = _known, looked: dict[int, Facts] = looked_into
) -> None:
    """Forgets an object that is no more, before another one has its id; at the end of Python, too."""
    known.pop(key, None)
    looked.pop(key, None)


def _looked_into(known: _Known, thing: Any) -> Facts | None:
    """What is found out of a function or class anew."""
    known.looks += 1
    known.facts = None
    looked_into.pop(id(thing), None)
    if known.looks <= _MOST_LOOKS:
        with suppress(LeadsOut):
            known.facts = _Search(thing).run()
    if known.facts is not None and type(thing) is FunctionType and not thing.__code__.co_flags & RUNS_LATER:
        looked_into[id(thing)] = known.facts
    return known.facts
