"""Guards: checks in front of every run that what the trace has read outside of the function is unchanged.

What it may read is found by following its code: the names of the module and of functions around, the
attributes that its code names, the items of containers, and the same of all functions and methods that it
reaches so. The check is one generated function of identity tests. Where one fails, values are compared: an
equal number is no change.
"""

from __future__ import annotations

import builtins
import enum
import sys
import weakref
from abc import ABCMeta
from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterator, Sequence
from contextvars import ContextVar
from functools import cache, partial
from operator import attrgetter, methodcaller
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ref

import numpy as np

from autograph.backends.tensors.containers.catalogues import Catalogue
from autograph.backends.tensors.containers.linked import Kinds
from autograph.backends.tensors.containers.other_names import OtherNames
from autograph.backends.tensors.statements.memory import Memory
from autograph.staging.attributes import slots_in
from autograph.staging.places import CONTAINERS, Cell, Contents, Item, Place
from autograph.staging.stand_ins import defined
from autograph.staging.state import Undefined
from autograph.tracing.decimals import DecimalContext, computes_with_decimals
from autograph.tracing.entries import (
    ATOMS,
    METHODS,
    ArrayEntry,
    Aspect,
    ClassEntry,
    ContentsEntry,
    Contextual,
    Entry,
    NamesEntry,
    Referent,
    Registrations,
    container_entries,
    content_of,
)
from autograph.tracing.rebound import rebound
from autograph.tracing.snapshot import BUFFERS, Own
from autograph.tracing.uses import uses as uses_of
from autograph_base.packages import OURS
from runtime.core.instances import dict_of, slots_of
from runtime.core.structure import level_of
from runtime.core.tensor import EAGER, owner_of
from runtime.core.written import as_written
from runtime.executors.program import Held
from runtime.functions.decorated import Decorated
from runtime.functions.external_state import Change, ExternalInput
from runtime.functions.passed_instances import is_taken_apart
from runtime.functions.reachable import (
    calls_unseen,
    carries_functions,
    cells_of,
    inside,
    is_closed,
    is_view,
    keeps_attributes,
    reads_itself,
    set_by_program,
    shown_by,
)
from runtime.functions.reads import names_of
from runtime.functions.stand_ins import is_generator
from runtime.graph.location import is_users_file

__all__ = ["OutsideGuards", "Reads"]

_MOST = 20_000
"""Objects that are looked into."""
_TELLING = frozenset(map(id, (id, hash, weakref, *[getattr(weakref, name) for name in weakref.__all__])))
"""By id: what gives the number of an object, and what makes references that do not keep one."""
_IDENTIFYING = frozenset({"id", "hash", "__hash__"})
"""Names of what gives the number of an object."""


class _Search:
    """Follows code to all that it may read.

    Attributes
    ----------
    found : dict
        By key: a place, its value, and the name by which the program reads it.
    only_added_to : list
        The lists outside that no code looks into, found once it has run.
    calls_unseen : bool
        Whether some object calls a function that nobody can look at.
    """

    def __init__(self, roots: Sequence[Any]) -> None:
        self.found: dict[Hashable, tuple[Place, Any, str]] = {}
        self.containers: dict[int, tuple[Any, Any, set[str]]] = {}
        self.arrays: dict[int, tuple[Any, Any, list[Hashable]]] = {}
        self.keys: list[tuple[Any, set[str]]] = []
        self.classes: list[tuple[type, set[str]]] = []
        self._read: set[str] = set()
        self._escaping: set[str] = set()
        self.calls_unseen = False
        self.tells_objects = False
        self._is_open = False
        self._takes_by_position = False
        self.only_added_to: list[list[Any]] = []
        self._names: dict[int, set[str]] = {}
        self._holders: dict[int, list[Any]] = {}
        self._attributes: set[str] = set()
        self._begun: set[str] = set()
        self._done: set[str] = set()
        self._begins_anew = False
        self._may_read_any = False
        self._taken: set[tuple[str, str]] = set()
        self._owners: list[tuple[Any, set[str]]] = []
        self._seen: dict[int, Any] = {}
        self._pending: deque[tuple[Any, str]] = deque((root, "") for root in roots)
        self._first = getattr(roots[0], "__func__", roots[0]) if roots else None

    def run(self) -> None:
        """Until nothing new is found."""
        self._follow()
        self.only_added_to = [*self._lists_only_added_to()]

    def has(self, value: Any) -> bool:
        """Whether an object was found."""
        return id(value) in self._seen

    def names(self, attributes: Collection[str]) -> bool:
        """Whether code names one of these attributes, or any that it likes."""
        return self._is_open or not self._attributes.isdisjoint({*attributes, "*"})

    def attributes(self) -> frozenset[str] | None:
        """The attributes that code names of objects that are there; None where it may read any.

        What an `__init__` alone does to the object that is made is left out, unless it is called by its name.
        """
        if self.names(_OF_ANY_NAME) or self._may_read_any:
            return None
        made_alone = set() if self._begins_anew else self._begun - self._done
        return frozenset(self._attributes - made_alone)

    def shared(self) -> frozenset[int]:
        """The ids of what was found that may be lent to it, too: containers, dataclasses, generators."""
        return frozenset([key for key, each in self._seen.items() if _may_be_lent(each)])

    def instances(self) -> frozenset[int]:
        """The ids of the instances of the program's classes that were found."""
        return frozenset([key for key, each in self._seen.items() if is_taken_apart(type(each))])

    def _follow(self) -> None:
        known = -1
        while self._pending or known != len(self._attributes):
            known = len(self._attributes)
            while self._pending and len(self._seen) < _MOST:
                self._look_into(*self._pending.popleft())
            if self._takes_by_position:
                kinds = [owner for owner, _ in self._owners if isinstance(owner, type)]
                matched = {name for kind in kinds for name in getattr(kind, "__match_args__", ())}
                self._attributes |= matched
                self._done |= matched
            for owner, done in self._owners:
                self._attributes_of(owner, done)
            if len(self._seen) >= _MOST:
                self._is_open = True
                return

    def _meet(self, place: Place, value: Any, name: str) -> None:
        if place.key not in self.found:
            self.found[place.key] = place, value, name
            if isinstance(value, BUFFERS):
                self._array(value).append(place.key)
            self._pending.append((value, name))

    def _array(self, array: Any) -> list[Hashable]:
        """The keys of the places that hold an array."""
        if id(array) not in self.arrays:
            self.arrays[id(array)] = array, content_of(array), []
        return self.arrays[id(array)][2]

    def _lists_only_added_to(self) -> Iterator[list[Any]]:
        """The lists that no code looks into: it only adds to them, and gives nobody else what holds them."""
        if self._is_open:
            return
        for container, _, names in self.containers.values():
            is_read = not names.isdisjoint(self._read | {"", "[]"})
            holders = self._holders.get(id(container), ())
            if type(container) is list and not is_read and all(map(self._stays, holders)):
                yield container

    def _stays(self, holder: Any) -> bool:
        """Whether code only takes attributes of an object, under all of its names."""
        if isinstance(holder, type):
            return False  # any of its instances leads there
        names = self._names.get(id(holder), set())
        if "" in names:  # as `self`, which each method may call as it likes
            names = (names - {""}) | _names_of_self(type(holder))
        return bool(names) and names.isdisjoint(self._escaping | {"[]"})

    def _look_into(self, value: Any, name: str) -> None:
        while issubclass(type(value), Decorated):
            self._seen[id(value)] = value
            value = value.python_function
        kind = type(value)
        self._names.setdefault(id(value), set()).add(name)
        if issubclass(kind, CONTAINERS):
            if id(value) not in self.containers:
                self.containers[id(value)] = value, Contents(value).get(), set()
            self.containers[id(value)][2].add(name)
        is_atom = issubclass(kind, ATOMS) and is_closed(kind)
        if is_atom or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        self.calls_unseen |= calls_unseen(value)
        self.tells_objects |= id(value) in _TELLING
        self._may_read_any |= _may_read_objects(value) or id(value) in _TAKING_TEXTS
        if computes_with_decimals(value):
            self._keep(DecimalContext())
        if _has_own_attributes(value):
            self._owners.append((value, set()))
        if isinstance(value, BUFFERS):
            self._array(value)
        if kind is FunctionType:
            self._function(value)
        elif kind is MethodType:
            self._pending += [(value.__self__, name), (value.__func__, name)]
        elif kind is partial:
            self._pending += [(each, name) for each in (value.func, *value.args)]
            self._pending.append((value.keywords, "[]"))
        elif is_view(kind):
            self._view(value)
        elif carries_functions(kind):
            self._pending += [(each, name) for each in inside(value)]
        elif kind in {attrgetter, methodcaller}:
            self._attributes |= _names_asked_by(value)
            self._done |= _names_asked_by(value)
        elif issubclass(kind, ModuleType):
            self._owners.append((value, set()))
            self._pending += [(kind, "")] if kind is not ModuleType else []
        elif issubclass(kind, type):
            self._class(value)
        else:
            self._object(value, kind)

    def _view(self, view: Any) -> None:
        """What shows another object, and whether that is still there."""
        if issubclass(type(view), ref):
            self._meet(Referent(view), view(), "")
        self._pending.append((shown_by(view), "[]"))

    def _object(self, value: Any, kind: type) -> None:
        if kind is ContextVar:
            place = Contextual(value)
            self._meet(place, place.get(), place.name)
        if issubclass(kind, dict):
            self._pending += [(item, "[]") for item in dict.values(value)]
            self._pending += [(key, "[]") for key in dict.keys(value) if type(key) not in ATOMS]
            if issubclass(kind, defaultdict):
                self._pending.append((value.default_factory, ""))
        for sequence in (list, tuple, deque, set, frozenset):
            if issubclass(kind, sequence):
                self._pending += [(item, "[]") for item in sequence.__iter__(value)]
        if not is_closed(kind) and not issubclass(kind, enum.Enum):
            self._owners.append((value, set()))
            self._pending.append((kind, ""))

    def _function(self, function: FunctionType) -> None:
        if not is_users_file(function.__code__.co_filename):
            for _, cell in cells_of(function):  # a decorator of a library's
                self._pending.append((Cell(cell, "").get(), ""))
            return
        uses = uses_of(function)
        self._attributes |= uses.attributes
        self._begun |= uses.begun
        self._done |= uses.attributes - uses.begun
        if function.__code__.co_name != "__init__":
            self._begins_anew |= "__init__" in uses.attributes
        self._taken |= uses.taken
        self._takes_by_position |= uses.by_position
        self._read |= uses.read
        self._escaping |= uses.escaping
        self.tells_objects |= not _IDENTIFYING.isdisjoint(uses.globals | uses.attributes)
        self._is_open |= uses.is_open
        for name in names_of(function):
            place = (
                Item(name.home, name.name, name.name, NameError)
                if isinstance(name.home, dict)
                else Cell(name.home, name.name)
            )
            self._meet(place, place.get(), name.name)
        for word in uses.words & function.__globals__.keys():
            place = Item(function.__globals__, word, word, NameError)
            self._meet(place, place.get(), word)
        for missing in uses.globals - function.__globals__.keys() - vars(builtins).keys():
            place = Item(function.__globals__, missing, missing, NameError)
            self._meet(place, place.get(), missing)
        self._code_of(function)
        self._owners.append((function, set()))
        self._pending += [(each, "") for key, each in vars(function).items() if key == "__wrapped__"]

    def _code_of(self, function: FunctionType) -> None:
        """What Python keeps about a function; what it keeps about the first one went into its signature."""
        code = function.__code__
        kept = {"__code__": True, "__defaults__": code.co_argcount, "__kwdefaults__": code.co_kwonlyargcount}
        if function is self._first:
            self._pending += [(getattr(function, name), "[]") for name in kept]
            return
        for name in [name for name, matters in kept.items() if matters]:
            aspect = Aspect(function, name)
            self._meet(aspect, aspect.get(), aspect.name)

    def _class(self, kind: type) -> None:
        if issubclass(kind, enum.Enum):
            self._pending += [(member, name) for name, member in kind.__members__.items()]
        if is_closed(kind):
            return
        self._pending += [(base, "") for base in kind.__mro__[1:]]
        self._pending.append((type(kind), ""))  # whose methods Python calls where an instance is made
        if isinstance(kind, ABCMeta):
            self._keep(Registrations())
        self._owners.append((kind, set()))
        self._keep(Aspect(kind, "__mro__"))
        for name, value in defined(kind).items():
            if name.startswith("__") and isinstance(value, METHODS):
                self._meet(Own(kind, name, _label(kind, name)), value, name)

    def _keep(self, place: Place) -> None:
        """Takes a place in that leads nowhere else."""
        self.found.setdefault(place.key, (place, place.get(), place.name))

    def _attributes_of(self, owner: Any, done: set[str]) -> None:
        """The attributes that an object keeps itself, of those that code names; and which ones it keeps."""
        own = defined(owner) if isinstance(owner, type) else dict_of(owner, {})
        is_pythons = _has_own_attributes(owner)
        is_instance = not (isinstance(owner, _NAMED) or is_pythons)
        held = {**own, **_slots_of(owner)} if is_instance else own
        keeps = isinstance(own, dict) and dict_of(owner) is own and not isinstance(owner, ModuleType)
        if is_instance and "" not in done:
            self._keep(Aspect(owner, "__class__"))
            if keeps:
                self._keep(Aspect(owner, "__dict__"))  # of a `threading.local`, each thread has another one
        if keeps and not is_pythons and "" not in done and (is_instance or own or "*" in self._attributes):
            self.keys.append((own, {*own}))
        is_of_library = is_instance and reads_itself(type(owner))  # type: ignore[arg-type]  # a class is hashable
        is_whole = is_of_library or "*" in self._attributes
        every = set_by_program(owner) if is_pythons else held
        if issubclass(type(owner), enum.Enum | enum.EnumMeta):  # which keep their members in dicts that grow
            every = {name: each for name, each in every.items() if name[0] != "_"}
        wanted = self._attributes & held.keys() | (every.keys() if is_whole else set())
        if isinstance(owner, type):  # what it inherits may be given to it, and what it lacks
            wanted |= {name for name in self._attributes if any(name in vars(base) for base in owner.__mro__)}
            if "" not in done:
                self.classes.append((owner, {*own}))
        elif not is_instance:  # whose names are not compared: what is asked for may be missing
            known = self._names[id(owner)] | {"*"}
            taken = {name for asked, name in self._taken if asked in known}
            if isinstance(owner, ModuleType) and not _is_users(owner):
                self._may_read_any |= any(_may_read_objects(own.get(name)) for name in taken)
                loads = "__getattr__" in own  # what is asked for and is not there yet
                wanted = {
                    name
                    for name in taken
                    if (_is_data(own[name], owner.__name__) if name in own else not loads)
                }
            else:
                wanted |= {name for name in taken if name not in own}
        for name in wanted - done:
            if not name.startswith("__"):
                place = Own(owner, name, _label(owner, name))
                value = held.get(name, Undefined(place.name))
                self._holders.setdefault(id(value), []).append(owner)
                self._meet(place, value, name)
                if is_of_library:  # whoever reads it there, and does what with it
                    self._pending.append((value, "[]"))
        done |= wanted | {""}


def _names_asked_by(getter: Any) -> set[str]:
    """The attributes that an `attrgetter` or a `methodcaller` names."""
    make, said = getter.__reduce__()
    if type(getter) is methodcaller:
        return {make.args[0] if type(make) is partial else said[0]}
    return {name for names in said for name in names.split(".")}


def _slots_of(owner: Any) -> dict[str, Any]:
    """The slots of an object, those without a value included: they may get one."""
    return {name: Undefined(name) for name, _ in slots_in(type(owner))} | slots_of(owner)


_NAMED = (type, ModuleType, FunctionType)
"""Classes of what has a name of its own, and is not told by its class."""


def _has_own_attributes(value: Any) -> bool:
    """Whether an object of Python's own may have attributes of the program's: a logger, a partial."""
    kind = type(value)
    is_pythons = is_closed(kind) and keeps_attributes(kind) and not isinstance(value, _NAMED)
    return is_pythons or issubclass(kind, enum.Enum)


def _may_be_lent(value: Any) -> bool:
    return level_of(value) is not None or type(value) in {deque, set} or is_generator(value)


_OF_ANY_NAME = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "format", "format_map"})
"""Names of what takes the names of attributes as texts."""
_TAKING_TEXTS = frozenset(
    map(id, (getattr, hasattr, setattr, delattr, vars, dir, eval, exec, attrgetter, methodcaller))
)
"""By id, under whatever name code has it: what reads attributes whose names are texts."""
_READING = frozenset(
    {
        *("_pickle", "concurrent", "copy", "copyreg", "dataclasses", "inspect"),
        *("multiprocessing", "pickle", "shelve"),
    }
)
"""Packages of Python's own that look into objects of a program's classes."""


def _may_read_objects(value: Any) -> bool:
    """Whether a function, a class or an object is of a library that may look into a program's objects."""
    kind = type(value)
    if issubclass(kind, ModuleType):
        home = value.__name__
    else:
        home = (value if isinstance(value, type | FunctionType | BuiltinFunctionType) else kind).__module__
    return _reads_objects(str(home))


@cache
def _reads_objects(home: str) -> bool:
    """Whether what is of a module may look into a program's objects: it is a library's, or one of a few."""
    package = home.partition(".")[0]
    if package in _WITH_CONSTANTS | {"builtins"}:
        return package in _READING
    return home in sys.modules and not _is_users(sys.modules[home])


def _is_users(module: ModuleType) -> bool:
    """Whether a module is one of the program's own."""
    return is_users_file(getattr(module, "__file__", None) or "<frozen")


def _is_data(value: Any, module: str) -> bool:
    """Whether what a library keeps in a module may change: no function, no class, no constant."""
    kind = type(value)
    if issubclass(kind, CONTAINERS):
        return True
    if module.partition(".")[0] in _WITH_CONSTANTS and issubclass(kind, ATOMS):
        return False
    return (not issubclass(kind, (ModuleType, type)) and not is_closed(kind)) or issubclass(kind, ATOMS)


_WITH_CONSTANTS = sys.stdlib_module_names | OURS | {"numpy"}
"""Packages whose numbers and texts stay as they are: `math.pi`, `os.sep`."""


def _names_of_self(kind: type) -> set[str]:
    """What the methods of a class call the instance."""
    held = [value for base in kind.__mro__ for value in defined(base).values()]
    methods = [getattr(each, "python_function", each) for each in held]
    return {
        name
        for each in methods
        if isinstance(each, FunctionType)
        for name in each.__code__.co_varnames[: min(1, each.__code__.co_argcount)]
    }


def _label(owner: Any, name: str) -> str:
    has_name = isinstance(owner, _NAMED)  # others may have a `__getattr__`
    return f"{owner.__name__ if has_name else type(owner).__name__}.{name}"


class Reads:
    """What a function may read outside of itself, as it was before it was traced.

    Parameters
    ----------
    roots : sequence of object
        The function, and its arguments.
    """

    def __init__(self, roots: Sequence[Any]) -> None:
        self._search = _Search(roots)
        self._search.run()
        self._first = roots
        self._roots: Sequence[Any] = ()
        self.entered: Sequence[ExternalInput] = ()
        """The places that give the inputs of the graph in this trace."""
        self.forget()

    def forget(self) -> None:
        """Lets go of what was learnt in a trace that does not count."""
        self.unannounced: list[Place] = []
        """Places that code changes which is not converted: each path of a statement looks at them."""
        self.learnt = Memory()
        """What was learnt of the statements, for when the function has to be traced again."""
        self.other_names = OtherNames()
        """What has shown to have other names, likewise."""
        self.catalogues: dict[type, Catalogue] = {}
        """What containers of the graph hold by number, likewise."""
        self.linked = Kinds()
        """The classes whose objects are held by number, likewise."""
        self.kept: list[tuple[Any, Any]] = []
        """Places that the function leaves as they were where a tensor decides so, and what they hold."""

    def unannounced_in(self, roots: Sequence[Any]) -> Sequence[Place]:
        """These places in the containers that the next trace is given, which are made for it."""
        now = {id(former): root for former, root in zip(self._roots, roots, strict=bool(self._roots))}
        self.unannounced = [
            place.at(now[id(place.owner)]) if id(place.owner) in now else place for place in self.unannounced
        ]
        self._roots = roots
        return self.unannounced

    def large(self) -> Iterator[Place]:
        """The places of arrays that are too large to be compared in front of every run."""
        for array, _, holders in self._search.arrays.values():
            if isinstance(array, np.ndarray) and array.nbytes > _LARGE:
                yield from (self._search.found[key][0] for key in holders[:1])

    def rebound(self) -> Iterator[Place]:
        """The places that the function's own code gives numbers."""
        function, *arguments = self._first
        if isinstance(function, MethodType):
            arguments = [function.__self__, *arguments]
            function = function.__func__
        return rebound(function, arguments) if isinstance(function, FunctionType) else iter(())

    def only_added_to(self) -> list[list[Any]]:
        """The lists that the function only adds to."""
        return self._search.only_added_to

    def reaches(self, value: Any) -> bool:
        """Whether an object is one of those that were found."""
        return self._search.has(value)

    @property
    def attributes(self) -> frozenset[str] | None:
        """The attributes that code names which was found; None where it may read any."""
        return self._search.attributes()

    @property
    def tells_objects(self) -> bool:
        """Whether code asks for the number of an object, or makes weak references."""
        return self._search.tells_objects

    def names(self, attributes: Collection[str]) -> bool:
        """Whether code that was found names one of these attributes, or any that it likes."""
        return self._search.names(attributes)

    def guards(self, inputs: Collection[Hashable]) -> OutsideGuards | None:
        """The check that all of it is as it was; None where there is nothing.

        Parameters
        ----------
        inputs : collection of hashable
            Keys of places that come in as inputs of the graph, whatever they hold.
        """
        entries, search = [*self._entries(inputs)], self._search
        unseen = search.calls_unseen
        if not (entries or unseen):
            return None
        return OutsideGuards(entries, search.shared(), search.instances(), serves_once=unseen)

    def _entries(self, inputs: Collection[Hashable]) -> Iterator[Entry]:
        search = self._search
        for key, (place, value, _) in search.found.items():
            if key not in inputs:
                yield Entry(place, value)
        for place, value in self.kept:
            if place.key not in inputs and place.key not in search.found:
                yield Entry(place, value)
        for own, keys in search.keys:
            yield NamesEntry(Contents(own), keys)
        for kind, keys in search.classes:
            yield ClassEntry(Contents(vars(kind), f"the names in {kind.__name__}"), keys)
        skipped = {*inputs, *[("contents", id(each)) for each in search.only_added_to]}
        for container, before, _ in search.containers.values():
            if ("contents", id(container)) not in skipped:
                yield from container_entries(container, before, inputs)
        for array, content, holders in search.arrays.values():
            if ("contents", id(owner_of(array))) in inputs:
                continue
            if not holders or not all(key in inputs for key in holders):
                place = search.found[holders[0]][0] if holders else Contents(array, "an array")
                yield ArrayEntry(place, array, content)


_MOST_IDENTITIES = 40
_LARGE = 1 << 16
"""Bytes of an array from which on it comes in as an input, so that it need not be compared."""


class OutsideGuards:
    """Places with the values that they had.

    Parameters
    ----------
    entries : sequence of Entry
    containers : collection of int
        The ids of the lists, dicts and nests of others among which they are.
    instances : collection of int, optional
        The ids of instances of the program's classes there.
    serves_once : bool, optional
        Whether there is more, at which nobody can look.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        containers: Collection[int],
        instances: Collection[int] = (),
        *,
        serves_once: bool = False,
    ) -> None:
        self._entries = entries
        self.containers = containers
        self.instances = instances
        self.serves_once = serves_once
        self._names: dict[str, Any] = {}
        terms = [entry.term(self._names, str(number)) for number, entry in enumerate(entries)]
        text = " and ".join(terms) or "True"
        self._check = as_written("check", f"def check(): return {text}", "<guards>", self._names)

    def __len__(self) -> int:
        return len(self._entries)

    def hold(self) -> bool:
        """Whether all of it is as it was. Called in front of every run."""
        try:
            holds: bool = self._check()
        except Exception:  # noqa: BLE001  # a name that is gone, or an owner: its entry says so
            holds = False
        return holds or all(entry.holds() for entry in self._entries)

    def identities(self) -> Sequence[Held] | None:
        """What has to be which object, where that is all there is to look at; else None."""
        found = [entry.identity() for entry in self._entries]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) <= _MOST_IDENTITIES else None

    def arrays(self) -> Iterator[np.ndarray]:
        """The arrays among them that are still there."""
        found = [entry.before for entry in self._entries if isinstance(entry, ArrayEntry)]
        return (each for each in found if isinstance(each, np.ndarray))

    def with_tensors(self) -> Iterator[Place]:
        """The places that hold tensors."""
        for entry in self._entries:
            before = entry.before
            values = before if type(entry) is ContentsEntry else [before]
            if type(entry) in {Entry, ContentsEntry} and not EAGER.isdisjoint(map(type, values)):
                yield entry.place

    def changes(self) -> Iterator[Change]:
        """What is not as it was."""
        for entry in self._entries:
            if not entry.holds():
                yield entry.change()
