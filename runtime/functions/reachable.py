"""What a function leads to: its arguments, the variables outside that it reads by name, and all behind them.

A place that a trace leaves with a value of its graph is kept up to date where the program gets at it after
the call. What nothing here leads to was made by the call itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import CellType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.functions.reads import names_of
from runtime.graph.location import is_users_file

__all__ = ["inside", "leads_to"]

_MOST = 20_000
"""Objects that are looked into; beyond them everything may be reached, which another trace decides."""
_LEAVES = (int, float, complex, str, bytes, type(None), np.ndarray, Tensor)


def leads_to(roots: Iterable[Any]) -> Callable[[Any], bool]:
    """The question whether one of these objects leads to another one.

    Parameters
    ----------
    roots : iterable of object
        Functions, and the arguments that they are called with.

    Returns
    -------
    callable
        Takes an object, a cell, or the namespace of a module.
    """
    found: dict[int, Any] = {}
    pending = deque(roots)
    while pending and len(found) < _MOST:
        value = pending.popleft()
        if not isinstance(value, _LEAVES) and id(value) not in found:
            found[id(value)] = value
            pending += inside(value)
            if isinstance(value, FunctionType):
                found.setdefault(id(value.__globals__), value.__globals__)  # which is not looked into
    is_whole = not pending
    return lambda wanted: not is_whole or id(wanted) in found


def inside(value: Any) -> Iterator[Any]:
    """What an object leads to in a step, without running code of the user's."""
    kind = type(value)
    if issubclass(kind, dict):
        yield from dict.values(value)
    for sequence in (list, tuple, deque, set, frozenset):
        if issubclass(kind, sequence):
            yield from sequence.__iter__(value)
    if kind is FunctionType:
        yield from _of_function(value)
    elif kind is MethodType:
        yield from (value.__self__, value.__func__)
    elif kind is CellType:
        yield from _contents(value)
    elif issubclass(kind, ModuleType):
        if is_users_file(getattr(value, "__file__", None) or "<frozen"):
            yield vars(value)
    elif issubclass(kind, type):
        if not _is_closed(value):
            yield from (value.__mro__, *vars(value).values())
    elif not _is_closed(kind):
        yield from _of_instance(value)
    elif "python_function" in getattr(value, "__dict__", ()):
        yield value.python_function


def _of_function(function: FunctionType) -> Iterator[Any]:
    yield from function.__closure__ or ()
    yield from (function.__defaults__, function.__kwdefaults__)
    if is_users_file(function.__code__.co_filename):
        yield from (name.value() for name in names_of(function))


def _contents(cell: CellType) -> Iterator[Any]:
    try:
        yield cell.cell_contents
    except ValueError:  # a variable without a value
        return


def _of_instance(value: Any) -> Iterator[Any]:
    own = getattr(value, "__dict__", None)
    if isinstance(own, dict):
        yield from own.values()
    for base in type(value).__mro__:
        for slot in vars(base).values():
            if isinstance(slot, MemberDescriptorType):
                try:
                    yield slot.__get__(value)
                except AttributeError:  # a slot without a value
                    continue
    yield type(value)


def _is_closed(kind: type) -> bool:
    """Whether a class is one of Python's own, or of ours."""
    return str(kind.__module__).partition(".")[0] in {"autograph", "builtins", "numpy", "runtime"}
