"""Snapshot and restore of all objects that a function and its arguments reach.

A check runs a function twice from the same world: as Python, and as a graph. The objects stay the same in
both, since functions and classes know theirs by name; what they hold is put back in between.
"""

from __future__ import annotations

import functools
import io
import logging
import random
import threading
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.staging.attributes import slots_in
from runtime.core.instances import dict_of
from runtime.core.tensor import Tensor, set_shape
from runtime.errors import InvalidValue
from runtime.functions.reachable import (
    carries_functions,
    finds_members,
    inside,
    is_closed,
    is_view,
    set_by_program,
)
from runtime.functions.reads import functions_behind, names_in
from runtime.variables import Variable

__all__ = ["World", "is_open"]

_MOST = 50_000
"""Objects that are kept; a world that is larger cannot be checked."""

Restore = Callable[[], None]


class World:
    """What some objects, and all that they lead to, hold now.

    Parameters
    ----------
    roots : iterable of object
        Functions, and what they are called with.
    changes : iterable of object
        What happens between calls: of what that alone leads to, it is put back what can be.

    Raises
    ------
    ValueError
        When one of them cannot be put back: an iterator that is used up, an open file.
    """

    def __init__(self, roots: Iterable[Any], changes: Iterable[Any] = ()) -> None:
        self.objects: dict[int, Any] = {}
        """By id; kept alive, so that an id means one object."""
        self._restore: list[Restore] = [_global_stream(), _global_python_stream()]
        for value in self._reached(roots):
            self._restore += _keepers(value)
        for value in self._reached(changes):
            with suppress(InvalidValue):
                self._restore += [*_keepers(value)]

    def _reached(self, roots: Iterable[Any]) -> Iterator[Any]:
        """The roots, and what they lead to, each once."""
        pending = deque(roots)
        while pending:
            value = pending.popleft()
            if id(value) in self.objects or _is_atom(value):
                continue
            self.objects[id(value)] = value
            if len(self.objects) > _MOST:
                raise InvalidValue(
                    f"the function leads to more than {_MOST:,} objects, which is too many to check",
                    way_out="Check a part of it that reaches less.",
                )
            yield value
            pending += _leads_to(value)

    def restore(self) -> None:
        """Gives every object what it held."""
        for restore in self._restore:
            restore()

    def tensors_to_numpy(self) -> None:
        """Puts NumPy's values where lists, dicts and attributes hold tensors, until the world is restored."""
        made: dict[int, Any] = {}
        for value in self.objects.values():
            for holder in (value, dict_of(value)):
                if isinstance(holder, list | dict):
                    for key, held in [*(enumerate(holder) if isinstance(holder, list) else holder.items())]:
                        if isinstance(held, Tensor):
                            holder[key] = made.setdefault(id(held), held.numpy().copy()[()])


_ATOMS = (bool, int, float, complex, str, bytes, type(None), type(...), ModuleType, np.generic, np.dtype)


def _is_atom(value: Any) -> bool:
    """Whether nothing can be set of an object; members of an enumeration may be numbers with attributes."""
    return isinstance(value, _ATOMS) and (isinstance(value, ModuleType) or dict_of(value) is None)


def _leads_to(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            yield from value.flat
        elif value.base is not None:
            yield value.base
        return
    if isinstance(value, dict) and "__builtins__" in value:
        return  # the variables of a module, which are put back, lead to all that the program has
    kind = value if isinstance(value, type) else type(value)
    if is_open(kind) or is_view(kind) or carries_functions(kind) or isinstance(value, _LOOKED_INTO):
        yield from inside(value)


_LOOKED_INTO = (list, tuple, dict, set, frozenset, deque, FunctionType, MethodType, CellType, partial)


def _keepers(value: Any) -> Iterator[Restore]:
    """What puts back what an object holds, part by part. No code of the user's runs."""
    kind = type(value)
    if isinstance(value, FunctionType):
        yield from _names(value)
        yield _keyed(vars(value), dict)
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            yield _aspect(value, name)
    elif isinstance(value, CellType):
        yield _cell(value)
    elif isinstance(value, type):
        if is_open(value):
            yield _class(value)
            yield _aspect(value, "__bases__")
    elif isinstance(value, np.ndarray):
        if value.flags.writeable:
            yield _array(value)
    elif isinstance(value, np.random.Generator | np.random.RandomState):
        yield _stream(value)
    elif isinstance(value, random.Random):
        yield _python_stream(value)
    elif isinstance(value, Variable):
        yield _variable(value)
    elif isinstance(value, logging.Logger):
        yield _logger(value)
    elif isinstance(value, ContextVar):
        yield from _contextual(value)
    elif isinstance(value, io.StringIO | io.BytesIO):
        yield _buffer(value)
    elif isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001  # the class of what `lru_cache` makes
        if not value.cache_info().currsize:  # nobody can see what is in it
            yield value.cache_clear
    elif isinstance(value, Iterator) and kind.__module__ in {"builtins", "itertools", "_collections"}:
        raise InvalidValue(
            f"a {kind.__name__} is used up by the first run, and a check runs a function more than once",
            way_out="Give it what the iterator runs over.",
        )
    elif isinstance(value, io.IOBase):
        raise InvalidValue(
            f"a {kind.__name__} cannot be put back, and a check runs a function more than once",
            way_out="Give it an `io.StringIO` or `io.BytesIO`.",
        )
    else:
        if is_open(kind):
            yield _aspect(value, "__class__")
        yield from _contents(value)
        if is_open(kind):
            yield from _attributes(value)
    if set_by_program(value) and not is_open(kind):
        yield _keyed(vars(value), dict)


def is_open(kind: type) -> bool:
    """Whether a class is the program's own: what it and its instances keep is a part of the world."""
    return not is_closed(kind)


def _names(function: FunctionType) -> Iterator[Restore]:
    """The global variables that a function, and those that it reaches, may bind; some are not there yet."""
    for each in functions_behind(function):
        for name in sorted(names_in(each.__code__)):
            yield _entry(each.__globals__, name)


def _entry(namespace: dict[str, Any], name: str) -> Restore:
    is_there, value = name in namespace, namespace.get(name)

    def restore() -> None:
        if is_there:
            namespace[name] = value
        else:
            namespace.pop(name, None)

    return restore


def _aspect(owner: Any, name: str) -> Restore:
    """What Python itself keeps about an object."""
    is_class = name == "__class__"

    def now() -> Any:
        return type(owner) if is_class else getattr(owner, name)

    kept = now()

    def restore() -> None:
        if now() is not kept:
            (object.__setattr__ if is_class else setattr)(owner, name, kept)

    return restore


def _cell(cell: CellType) -> Restore:
    try:
        value = cell.cell_contents
    except ValueError:

        def empty() -> None:
            del cell.cell_contents

        return empty

    def restore() -> None:
        cell.cell_contents = value

    return restore


def _class(kind: type) -> Restore:
    kept = {name: value for name, value in vars(kind).items() if name not in _OF_CLASSES}

    def restore() -> None:
        for name in [name for name in vars(kind) if name not in kept and name not in _OF_CLASSES]:
            type.__delattr__(kind, name)
        for name, value in kept.items():
            if vars(kind).get(name) is not value:
                type.__setattr__(kind, name, value)

    return restore


_OF_CLASSES = frozenset({"__dict__", "__weakref__", "__abstractmethods__", "_abc_impl"})


def _array(array: np.ndarray[Any, Any]) -> Restore:
    kept = array.copy()

    def restore() -> None:
        if array.shape != kept.shape:
            set_shape(array, kept.shape)
        array[...] = kept

    return restore


def _stream(source: np.random.Generator | np.random.RandomState) -> Restore:
    if isinstance(source, np.random.Generator):
        state = source.bit_generator.state

        def rewind() -> None:
            source.bit_generator.state = state

        return rewind
    legacy = source.get_state()
    return lambda: source.set_state(legacy)


def _global_stream() -> Restore:
    state = np.random.get_state()  # noqa: NPY002  # the one that the program may use
    return lambda: np.random.set_state(state)  # noqa: NPY002  # likewise


def _global_python_stream() -> Restore:
    state = random.getstate()
    return lambda: random.setstate(state)


def _python_stream(source: random.Random) -> Restore:
    state = source.getstate()
    return lambda: source.setstate(state)


def _variable(variable: Variable) -> Restore:
    value = variable.numpy()

    def restore() -> None:
        variable.assign(value)

    return restore


def _logger(logger: logging.Logger) -> Restore:
    level, filters = logger.level, [*logger.filters]

    def restore() -> None:
        logger.setLevel(level)  # which makes loggers forget what they have found out
        logger.filters[:] = filters

    return restore


def _contextual(variable: ContextVar[Any]) -> Iterator[Restore]:
    """The value of a context variable, or its default; one without either cannot be without again."""
    with suppress(LookupError):
        value = variable.get()
        yield lambda: variable.set(value) and None


def _buffer(buffer: io.StringIO | io.BytesIO) -> Restore:
    text: Any = buffer.getvalue()
    position = buffer.tell()

    def restore() -> None:
        buffer.seek(0)
        buffer.truncate()
        buffer.write(text)
        buffer.seek(position)

    return restore


def _contents(value: Any) -> Iterator[Restore]:
    """The items of a container; those of a class of the user's through the container's own methods."""
    for base in (list, deque):
        if isinstance(value, base):
            yield _sequence(value, base)
    if isinstance(value, bytearray | array):
        yield _memory(value)
    for keyed in (OrderedDict, dict, set):
        if isinstance(value, keyed):
            if not finds_members(value):
                yield _keyed(value, keyed)
            return


def _sequence(value: Any, base: Any) -> Restore:
    kept = [*base.__iter__(value)]

    def restore() -> None:
        base.clear(value)
        base.extend(value, kept)

    return restore


def _memory(value: Any) -> Restore:
    kept = value[:]

    def restore() -> None:
        value[:] = kept  # which somebody may look at: it is not cleared

    return restore


def _keyed(value: Any, base: Any) -> Restore:
    kept = base.copy(value)

    def restore() -> None:
        base.clear(value)
        base.update(value, kept)

    return restore


def _attributes(value: Any) -> Iterator[Restore]:
    own = dict_of(value)
    if isinstance(own, dict):
        yield _keyed(own, dict)
        if not isinstance(value, threading.local):
            yield _dict(value, own)
    for _, slot in slots_in(type(value)):
        yield _slot(value, slot)


def _dict(value: Any, own: dict[str, Any]) -> Restore:
    """The dict in which an object keeps its attributes: a program may give it another one."""

    def restore() -> None:
        if dict_of(value) is not own:
            object.__setattr__(value, "__dict__", own)

    return restore


def _slot(value: Any, slot: Any) -> Restore:
    try:
        held = slot.__get__(value)
    except AttributeError:  # a slot without a value

        def empty() -> None:
            with suppress(AttributeError):  # it has none; a `__getattr__` may give one all the same
                slot.__delete__(value)

        return empty
    return lambda: slot.__set__(value, held)
