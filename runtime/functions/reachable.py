"""The object graph behind a function: attributes, items, closures, and names that its code reads."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import UserDict, UserList, defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from types import CellType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from runtime.core.structure import attributes_of
from runtime.functions.reads import names_of
from runtime.graph.location import is_users_file

__all__ = ["inside", "is_closed"]


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
    elif issubclass(kind, ModuleType):
        if is_users_file(getattr(value, "__file__", None) or "<frozen"):
            yield vars(value)
    elif issubclass(kind, type):
        if not is_closed(value):
            yield from (value.__mro__, *vars(value).values())
    elif not is_closed(kind):
        yield from _of_instance(value)
    elif "python_function" in getattr(value, "__dict__", ()):
        yield value.python_function
    elif kind.__module__ == "functools":  # what a cache is around
        yield getattr(value, "__wrapped__", None)


_OF_SYS = vars(sys)
_IMPORTED = {"modules", "meta_path"}
"""What `sys` has of imports, which leads to all that is alive: no function changes it by naming `sys`."""

_WRAPPERS: Mapping[type, tuple[str, ...]] = {
    cached_property: ("func",),
    classmethod: ("__func__",),
    partial: ("func", "args", "keywords"),
    property: ("fget", "fset", "fdel"),
    staticmethod: ("__func__",),
}
"""What objects around functions lead to."""


def _of_function(function: FunctionType) -> Iterator[Any]:
    yield from function.__closure__ or ()
    yield from (function.__defaults__, function.__kwdefaults__, *vars(function).values())
    if is_users_file(function.__code__.co_filename):
        yield from (name.value() for name in names_of(function))


def _contents(cell: CellType) -> Iterator[Any]:
    try:
        yield cell.cell_contents
    except ValueError:  # a variable without a value
        return


def _of_instance(value: Any) -> Iterator[Any]:
    yield from attributes_of(value).values()
    yield type(value)


def is_closed(kind: type) -> bool:
    """Whether a class is one of Python's own, or of ours: its instances keep nothing that a program set."""
    package = str(kind.__module__).partition(".")[0]  # of C, it may be a descriptor
    return package in _CLOSED and not issubclass(kind, _OPEN) and kind.__name__ != "_local"  # of a thread


_CLOSED = (sys.stdlib_module_names - {"__main__"}) | {"autograph", "numpy", "runtime"}
_OPEN = (SimpleNamespace, Namespace, UserDict, UserList)
"""Classes of Python's own that are there to keep what a program puts into them."""
