"""Calls of NumPy's as plain data, which a graph can hold and a file can have: a name, and arguments.

A file may be anybody's. So nothing is called by its name but what only computes: an operator, a ufunc, a
method of arrays, one of the functions that NumPy lets other libraries take over, or one that makes arrays.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import records
from runtime.core.dtypes import as_dtype
from runtime.core.records import class_name
from runtime.core.text import Slot
from runtime.graph.op import Const
from runtime.ops.refused_calls import Call, Held, NotKnown, Opaque, method_of_arrays

__all__ = ["WrittenCall", "read", "written"]


@records.record
@dataclass(frozen=True)
class WrittenCall:
    """A call: the name of what is called, the arguments, and the named ones."""

    function: str
    arguments: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()


@records.record
@dataclass(frozen=True)
class Operand:
    """The place of a tensor: its lengths, as far as they are known, and its dtype."""

    shape: tuple[int | None, ...]
    dtype: Any
    slot: Slot = Slot()


@records.record
@dataclass(frozen=True)
class Made:
    """A list, a slice, a dtype, or a known array, by what it is made of."""

    kind: str
    parts: tuple[Any, ...] = ()


def written(call: Call) -> WrittenCall | None:
    """A call as plain data; None where it has what no file can have."""
    name = _name_of(call.function)
    if name is None or call.given is None:
        return None
    args, kwargs = call.given
    try:
        named = tuple([(key, _plain(each)) for key, each in kwargs.items()])
        return WrittenCall(name, tuple(map(_plain, args)), named)
    except NotKnown:
        return None


def read(call: WrittenCall) -> Call | None:
    """The call that was written; None where it is none of NumPy's here."""
    function = _named(call.function)
    if function is None:
        return None
    named = {key: _content(each) for key, each in call.named}
    return Call.of_held(function, tuple(map(_content, call.arguments)), named)


def _name_of(function: Any) -> str | None:
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", None) or ""
    root = (getattr(function, "__module__", None) or "numpy").replace("_operator", "operator")
    if isinstance(owner, np.ufunc):
        root = f"numpy.{owner.__name__}"
    found = f"{root}.{name}"
    known = _named(found)
    is_same = known is function or (known is not None and known == function) or root == _METHODS
    return found if is_same else None


_METHODS = "array"
"""In the place of a module: the methods of arrays."""
_NO_CALLS = ("apply", "dump", "piecewise", "save", "set", "tofile")
"""How names begin of what touches the world or how NumPy works, or calls what it is given."""
_NO_OPERATORS = frozenset({"attrgetter", "call", "itemgetter", "methodcaller"})
_ROOMS = ("", "linalg", "fft")
_MAKE_ARRAYS = frozenset(
    {
        *("arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray"),
        *("asfortranarray", "broadcast_shapes", "diag_indices", "empty", "eye", "full", "identity"),
        *("indices", "ones", "require", "tri", "tril_indices", "triu_indices", "zeros"),
    }
)
_METHODS_OF_UFUNCS = frozenset({"__call__", "accumulate", "at", "outer", "reduce", "reduceat"})


def _named(name: str) -> Callable[..., Any] | None:
    root, *path = name.split(".")
    if root == _METHODS and len(path) == 1 and not path[0].startswith(_NO_CALLS):
        return method_of_arrays(path[0])
    if root == "builtins" and path in (["bool"], ["iter"], ["len"]):
        found: Any = getattr(builtins, path[0])
        return found  # type: ignore[no-any-return]  # one of three
    if root == "operator":
        is_known = len(path) == 1 and path[0] in operator.__all__ and path[0] not in _NO_OPERATORS
        return getattr(operator, path[0]) if is_known else None
    if root != "numpy" or not path or path[-1].startswith(_NO_CALLS):
        return None
    *rooms, last = path
    ufunc = getattr(np, rooms[0], None) if len(rooms) == 1 else None
    if isinstance(ufunc, np.ufunc):
        return getattr(ufunc, last) if last in _METHODS_OF_UFUNCS else None
    room = ".".join(rooms)
    home = None if room not in _ROOMS else getattr(np, room) if room else np
    found = getattr(home, last, None)
    makes_arrays = home is np and last in _MAKE_ARRAYS
    only_computes = isinstance(found, np.ufunc) or hasattr(found, "_implementation") or makes_arrays
    return found if only_computes else None


def _plain(value: Any) -> Any:
    """An argument as plain data."""
    match value:
        case Held(shape, dtype, slot):
            return Operand(shape, as_dtype(dtype), slot)
        case Opaque():
            raise NotKnown
        case slice():
            return Made("slice", tuple(map(_plain, (value.start, value.stop, value.step))))
        case np.ndarray() | np.generic():
            return Made("array" if isinstance(value, np.ndarray) else "number", (Const(np.asarray(value)),))
        case np.dtype():
            return Made("dtype", (as_dtype(value),))
        case list():
            return Made("list", tuple(map(_plain, value)))
        case dict():
            return Made("dict", tuple([(key, _plain(each)) for key, each in value.items()]))
        case tuple():
            return tuple(map(_plain, value))
        case type():
            if class_name(value) is None:
                raise NotKnown
    return value


def _content(part: Any) -> Any:
    """An argument that was written."""
    match part:
        case Operand(shape, dtype, slot):
            return Held(tuple(shape), dtype.numpy, slot)
        case Made("slice", parts):
            return slice(*map(_content, parts))
        case Made("array", (Const(array),)):
            return array
        case Made("number", (Const(array),)):
            return array[()]
        case Made("dtype", (dtype,)):
            return dtype.numpy
        case Made("list", parts):
            return list(map(_content, parts))
        case Made("dict", parts):
            return {key: _content(each) for key, each in parts}
        case tuple():
            return tuple(map(_content, part))
    return part
