"""Classes implemented in C whose instances change without an announcement.

Converted code says what it is about to change: attributes, items, the contents of Python's own containers. A
`bytearray`, a file or an iterator changes in a call, in `+=`, or when it is asked for an item.
"""

from __future__ import annotations

import sys
from collections import deque
from functools import lru_cache
from importlib.machinery import ExtensionFileLoader
from types import (
    BuiltinFunctionType,
    CodeType,
    EllipsisType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MethodType,
    ModuleType,
    NoneType,
    NotImplementedType,
)

from autograph_base.packages import OURS

__all__ = ["is_opaque"]

_KNOWN = frozenset(
    {
        *(object, bool, bytes, complex, float, frozenset, int, property, range, slice, str, tuple, type),
        *(BaseException, Exception, deque, dict, list, set, staticmethod, classmethod),
        *(BuiltinFunctionType, CodeType, EllipsisType, FunctionType, GenericAlias, MappingProxyType),
        *(MethodType, ModuleType, NoneType, NotImplementedType),
        *(type(str.join), type(object.__init__), type("".__add__), type(int.__dict__["real"])),
    }
)
"""Classes of C's that never change, or of which changes are announced."""
_LIBRARIES = OURS | {"ml_dtypes", "numpy"}
"""Libraries whose classes somebody else looks after."""


@lru_cache(maxsize=4096)
def is_opaque(kind: type) -> bool:
    """Whether instances of a class may change without anybody's hearing of it.

    Examples
    --------
    >>> is_opaque(bytearray), is_opaque(type(iter([]))), is_opaque(list), is_opaque(float)
    (True, True, False, False)
    """
    return any(_is_of_c(base) for base in kind.__mro__) or hasattr(kind, "__next__")


def _is_of_c(kind: type) -> bool:
    """Whether a class is written in C, and not known."""
    home = str(kind.__module__)  # of a class of C it may be a descriptor
    if kind in _KNOWN or home.partition(".")[0] in _LIBRARIES or issubclass(kind, BaseException):
        return False
    if home in sys.builtin_module_names:
        return True
    spec = getattr(sys.modules.get(home), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), ExtensionFileLoader)
