"""The object graph behind a function: attributes, items, closures, and names that its code reads."""

from __future__ import annotations

import enum
import os
import sys
import weakref
from collections import ChainMap, UserDict, UserList, UserString, defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cached_property, cmp_to_key, lru_cache, partial, partialmethod, singledispatchmethod
from types import (
    CellType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any, Generic, TypeVar

import numpy as np

from autograph_base.packages import OURS
from runtime.core.instances import attributes_of, is_of_statement
from runtime.core.instances import is_ours as is_ours_class
from runtime.functions.decorated import Decorated
from runtime.functions.reads import names_in, names_of
from runtime.graph.location import is_ours, is_users_file

__all__ = [
    "calls_unseen",
    "cells_of",
    "finds_members",
    "inside",
    "is_closed",
    "is_view",
    "keeps_attributes",
    "reads_itself",
    "set_by_program",
    "shown_by",
]


def inside(value: Any) -> Iterator[Any]:
    """What an object leads to in a step, without running code of the user's."""
    kind = type(value)
    if value is _OF_SYS:
        yield from (each for name, each in value.items() if name not in _IMPORTED)
    elif issubclass(kind, dict):
        yield from dict.values(value)
        if issubclass(kind, defaultdict):
            yield value.default_factory
    for sequence in (list, tuple, deque, set, frozenset):
        if issubclass(kind, sequence):
            yield from sequence.__iter__(value)
    if kind is FunctionType:
        yield from _of_function(value)
    elif kind is MethodType:
        yield from (value.__self__, value.__func__)
    elif kind is CellType:
        yield from _contents(value)
    elif kind in _WRAPPERS:
        yield from (getattr(value, name) for name in _WRAPPERS[kind])
        yield from set_by_program(value).values()
    elif is_view(kind):
        yield shown_by(value)
    elif issubclass(kind, ModuleType):
        if is_users_file(getattr(value, "__file__", None) or "<frozen"):
            yield vars(value)
    elif issubclass(kind, type):
        if not is_closed(value):
            yield from (kind, value.__mro__, *vars(value).values())
    elif keeps_attributes(kind):
        yield from set_by_program(value).values()
        yield kind
    elif issubclass(kind, Decorated):
        yield value.python_function


_OF_SYS = vars(sys)
_IMPORTED = {"modules", "meta_path"}
"""What `sys` has of imports, which leads to all that is alive: no function changes it by naming `sys`."""


def carries_functions(kind: type) -> bool:
    """Whether objects of a class of Python's own, or of NumPy's, are made of functions, which they call."""
    return kind in _WRAPPERS


_T = TypeVar("_T")
_ALIASES = (GenericAlias, type(Generic[_T]))  # type: ignore[index]  # what `Box[int]` is
_WRAPPERS: Mapping[type, tuple[str, ...]] = {
    cached_property: ("func",),
    classmethod: ("__func__",),
    partial: ("func", "args", "keywords"),
    partialmethod: ("func", "args", "keywords"),
    property: ("fget", "fset", "fdel"),
    type(lru_cache(is_users_file)): ("__wrapped__",),
    np.vectorize: ("pyfunc",),
    **dict.fromkeys(_ALIASES, ("__origin__", "__args__")),
    singledispatchmethod: ("func", "dispatcher"),
    staticmethod: ("__func__",),
}
"""What objects around functions, and around classes, lead to."""


def finds_members(held: Any) -> bool:
    """Whether this is where an enumeration keeps its members by value.

    Sums of flags come in as they are asked for. Nobody sees that, and there is to be one member for each.
    """
    found = next(iter(dict.values(held)), None) if isinstance(held, dict) else None
    return isinstance(found, enum.Enum) and type(found)._value2member_map_ is held


def calls_unseen(value: Any) -> bool:
    """Whether an object of C's calls a function that it does not show.

    Examples
    --------
    >>> calls_unseen(np.frompyfunc(len, 1, 1)), calls_unseen(np.add)
    (True, False)
    """
    if isinstance(value, np.ufunc):
        return {*"".join(value.types)} == {*"O->"}  # a loop of C's own is one for numbers
    return isinstance(value, _BY_COMPARISON)


_BY_COMPARISON = type(cmp_to_key(max))


def keeps_attributes(kind: type) -> bool:
    """Whether a program may set attributes of instances of a class that are its own, as of `logger.seen`."""
    return not is_closed(kind) or (kind.__dictoffset__ != 0 and not is_ours_class(kind))


def set_by_program(value: Any) -> dict[str, Any]:
    """The attributes of an object that a program may have set: of a closed class, what no library names."""
    kind = type(value)
    if not is_closed(kind):
        return attributes_of(value)
    if not keeps_attributes(kind):
        return {}
    names = _named_by_library(kind)  # type: ignore[arg-type]  # a class is hashable
    held = attributes_of(value).items()
    return {name: each for name, each in held if name not in names and not name.startswith("__")}


@lru_cache(maxsize=4096)
def _named_by_library(kind: type) -> frozenset[str]:
    """All names in the code of the modules in which `class` statements have made a class."""
    homes = {base.__module__ for base in kind.__mro__ if is_of_statement(base)}
    held = [each for home in homes for each in [*vars(sys.modules.get(home, sys)).values()]]
    methods = [each for one in held if issubclass(type(one), type) for each in vars(one).values()]
    wrapped = [inner for each in methods if type(each) in _WRAPPERS for inner in inside(each)]
    functions = [each for each in (*held, *methods, *wrapped) if type(each) is FunctionType]
    return frozenset().union(*[names_in(each.__code__) for each in functions])


_WEAK = (weakref.ref, weakref.ProxyType, weakref.CallableProxyType)
_DICT_VIEWS = frozenset({type({}.keys()), type({}.values()), type({}.items())})
_VIEWS = (*_WEAK, MappingProxyType, memoryview, *_DICT_VIEWS)


def is_view(kind: type) -> bool:
    """Whether instances of a class of Python's own show what another object holds."""
    return issubclass(kind, _VIEWS)


def shown_by(view: Any) -> Any:
    """The object that a view or a weak reference shows; None where it is gone."""
    kind = type(view)  # `isinstance` would ask an object that may be gone
    if issubclass(kind, weakref.ref):
        return view()
    if kind is memoryview:
        return view.obj
    if kind in _WEAK:
        try:
            return view.__reduce_ex__.__self__  # a method of the object's: the proxy has none of its own
        except ReferenceError:
            return None
    asked = _Asked()
    _ = (view if kind is MappingProxyType else view.mapping) == asked
    return asked.shown


class _Asked:
    """What a mapping is compared with that another one shows: it gets to see that mapping itself."""

    shown: Any = None

    def __eq__(self, other: object) -> bool:
        self.shown = other
        return False

    __hash__ = None  # type: ignore[assignment]  # it is no key


def _of_function(function: FunctionType) -> Iterator[Any]:
    yield from (cell for _, cell in cells_of(function))
    yield from (function.__defaults__, function.__kwdefaults__)
    yield from (held for name, held in vars(function).items() if not _is_of_dispatch(function, name))
    if is_users_file(function.__code__.co_filename):
        yield from (name.value() for name in names_of(function))


def cells_of(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    """The variables of functions around that a function sees, by name: all that a program may ask for."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if not _is_of_dispatch(function, name):
            yield name, cell


def _is_of_dispatch(function: FunctionType, name: str) -> bool:
    """Whether `functools.singledispatch` keeps what it has found out under a name: no program sees that."""
    return name in _OF_SINGLEDISPATCH and function.__globals__.get("__name__") == "functools"


_OF_SINGLEDISPATCH = {"cache_token", "dispatch_cache", "_clear_cache"}


def _contents(cell: CellType) -> Iterator[Any]:
    try:
        yield cell.cell_contents
    except ValueError:  # a variable without a value
        return


def is_closed(kind: type) -> bool:
    """Whether a class is one of Python's own, or of ours: its instances keep nothing that a program set."""
    home = str(kind.__module__)  # of C, it may be a descriptor
    if home.partition(".")[0] not in _CLOSED or home in _OPEN_MODULES:
        return False
    if (home, kind.__name__) == ("argparse", "Namespace"):  # which takes long to import
        return False
    return not issubclass(kind, _OPEN) and kind.__name__ != "_local"  # of a thread


_CLOSED = (sys.stdlib_module_names - {"__main__"}) | OURS | {"numpy"}
_OPEN = (
    *(SimpleNamespace, ChainMap, UserDict, UserList, UserString, type(os.environ)),
    *(weakref.WeakKeyDictionary, weakref.WeakSet, weakref.WeakValueDictionary),
)
"""Classes of Python's own that are there to keep what a program puts into them."""
_OPEN_MODULES = frozenset({"configparser", "queue", "string"})
"""Modules of such classes, which not every program imports."""


@lru_cache(maxsize=4096)
def reads_itself(kind: type) -> bool:
    """Whether code of a library's reads the attributes of instances of a class: nobody follows what it names.

    Examples
    --------
    >>> reads_itself(UserDict), reads_itself(SimpleNamespace), reads_itself(dict)
    (True, False, False)
    """
    return any(_is_of_library(base) for base in kind.__mro__)


def _is_of_library(kind: type) -> bool:
    """Whether a class has methods that are written in Python, and not in a file of the user's."""
    if kind.__module__ in _WITHOUT_STATE:
        return False
    home = kind.__module__  # a class decorator of a library's may add functions of its own
    own = [each for each in vars(kind).values() if isinstance(each, FunctionType) and each.__module__ == home]
    files = {each.__code__.co_filename for each in own if each.__globals__.get("__name__") == home}
    return any(not is_ours(file) and not is_users_file(file) for file in files)


_WITHOUT_STATE = frozenset({"abc", "collections.abc", "_collections_abc", "enum", "numbers", "typing"})
"""Modules whose classes have methods, and no attributes that these read."""
