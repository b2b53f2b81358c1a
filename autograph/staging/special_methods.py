"""Special methods that statements and builtins call (`__init__`, `__getitem__`, `__len__`), called converted.

Here they are called converted, where a statement or a builtin says which one Python would call: a
constructor, a subscript, `in`, a loop, `len` and its likes.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from types import FunctionType
from typing import Any

from autograph.staging import heap
from autograph.staging.attributes import spoken_name
from autograph.staging.dispatch import PLAIN, Backends
from autograph.staging.iterators import advance
from autograph.staging.meeting import note_made
from autograph.staging.notes import listening
from autograph.staging.operators import holds_operators
from autograph.staging.stand_ins import defined, is_left_alone, meet
from autograph.staging.twins import has_text, initialised, items_at, items_of, pairs_of

__all__ = [
    "SPECIAL",
    "as_array",
    "by_methods",
    "compared_as",
    "compares_itself",
    "constructed",
    "given",
    "is_told_apart",
    "pairs_by_methods",
    "says_what_is_missing",
    "special_method",
    "truth",
]

SPECIAL: Mapping[Any, str] = {
    abs: "__abs__",
    complex: "__complex__",
    float: "__float__",
    format: "__format__",
    hash: "__hash__",
    int: "__int__",
    len: "__len__",
    operator.index: "__index__",
    repr: "__repr__",
    reversed: "__reversed__",
    str: "__str__",
}
"""A builtin, and the method that it calls."""


def special_method(backends: Backends, value: Any, name: str) -> Callable[..., Any] | None:
    """A method that the class of a value defines in Python, converted; None where Python's own call is right.

    Parameters
    ----------
    backends : Backends
    value : object
    name : str
        ``"__len__"``.

    Returns
    -------
    callable or None
        It takes the value, and then the arguments.
    """
    kind = type(value)
    if kind in PLAIN or backends.owned[kind]:
        return None
    return _converted(backends, kind, name)


def says_what_is_missing(backends: Backends, items: Any) -> bool:
    """Whether the class of a dict says in Python what a missing key stands for, and is no `Counter`."""
    kind = type(items)
    return (
        issubclass(kind, dict)
        and kind is not dict
        and getattr(kind, "__missing__", Counter.__missing__) is not Counter.__missing__
        and special_method(backends, items, "__missing__") is not None
    )


def given(backends: Backends, items: Any) -> Any:
    """What gives the items of an object, where its class says in Python how; any other object itself.

    Parameters
    ----------
    backends : Backends
    items : object
        It is about to be asked for its items: an iterator goes on.
    """
    advance(backends, (items,))
    return by_methods(backends, items)


GIVEN = "ag__given"
"""The method of a backend's own class that gives an object whose class says in Python what its items are."""


def by_methods(backends: Backends, items: Any) -> Any:
    """The same, where somebody has said already that iterators go on."""
    if type(items) in PLAIN:
        return items
    if backends.owned[type(items)] and hasattr(type(items), GIVEN):
        items = getattr(items, GIVEN)()
    by_index = getattr(type(items), "__iter__", Sequence.__iter__) is Sequence.__iter__
    if by_index and special_method(backends, items, "__getitem__") is not None:
        return backends.convert(items_at())(items)
    own = special_method(backends, items, "__iter__")
    if own is not None:
        items = own(items)
    if special_method(backends, items, "__next__") is not None:
        return backends.convert(items_of())(items)
    return items


def as_array(backends: Backends, value: Any) -> Any:
    """The array that an object gives NumPy, where its class says in Python how; any other object itself."""
    kind = type(value)
    if kind in PLAIN or backends.owned[kind] or hasattr(kind, "__array_ufunc__"):
        return value
    own = special_method(backends, value, "__array__") if hasattr(kind, "__array__") else None
    return value if own is None else own(value)


def pairs_by_methods(backends: Backends, items: Any) -> Any:
    """What gives the keys and values of a mapping, or pairs, likewise."""
    if type(items) not in PLAIN and special_method(backends, items, "__getitem__") and hasattr(items, "keys"):
        return backends.convert(pairs_of())(items)
    return items if backends.owned[type(items)] else by_methods(backends, items)


def truth(backends: Backends, value: Any) -> Any:
    """What decides whether a value is true, where its class says so in Python; else the value itself.

    Parameters
    ----------
    backends : Backends
    value : object
    """
    kind = type(value)
    if kind in PLAIN or backends.owned[kind]:
        return value
    for name in ("__bool__", "__len__"):
        method = special_method(backends, value, name)
        if method is not None:
            found = method(value)
            if name == "__bool__":
                _require_bool(backends, found)
            return found
        if hasattr(kind, name):
            return value
    return value


def _require_bool(backends: Backends, found: Any) -> None:
    """Sees to it that a `__bool__` gives a bool of Python's, or a value that stands for one."""
    kind = type(found)
    if backends.owned[kind]:
        try:
            kind = backends.of(found).type_(found)
        except TypeError:  # it is Python's on some paths alone: only the run knows whether it is on this one
            return
        if not isinstance(kind, type) or backends.owned[kind]:
            return
    if kind is not bool:
        raise TypeError(f"__bool__ should return bool, returned {spoken_name(kind)}")


def constructed(backends: Backends, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`kind(*args, **kwargs)` with the constructor converted; `NotImplemented` where Python's call is right.

    Parameters
    ----------
    backends : Backends
    kind : type
        A class without a metaclass.
    args, kwargs
        What its constructor is given.
    """
    meet((kind,))
    maker: Any = kind.__new__
    if maker is not object.__new__:
        return _made_in_python(backends, kind, args, kwargs)
    initialise = _converted(backends, kind, "__init__")
    if initialise is None:
        return NotImplemented
    made: Any = maker(kind)
    backends.staging_now().made(made)
    if listening():
        note_made(made)
    _initialised(initialise, made, args, kwargs)
    return backends.staging_now().finished(made)


def _made_in_python(backends: Backends, kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a `__new__` of the program's gives, which need not be new, as `type.__call__` goes on with it."""
    make = None if issubclass(kind, type) else _converted(backends, kind, "__new__")
    if make is None:
        return NotImplemented
    made = make(kind, *args, **kwargs)
    if backends.owned[type(made)]:  # the run knows which object it is, and of which class
        return backends.convert(initialised())(kind, made, args, kwargs)
    if not isinstance(made, kind):
        return made
    if type(made).__init__ is not object.__init__:
        initialise = _converted(backends, type(made), "__init__") or type(made).__init__
        _initialised(initialise, made, args, kwargs)
    current = heap.current(made)
    return backends.staging_now().finished(made) if current is made else current


def _initialised(
    initialise: Callable[..., Any], made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    result = initialise(made, *args, **kwargs)
    if result is not None:
        raise TypeError(f"__init__() should return None, not {type(result).__name__!r}")


def compares_itself(kind: type, name: str) -> bool:
    """Whether the objects of a class compare by something else than all that is in them, part by part.

    Parameters
    ----------
    kind : type
    name : str
        ``"__eq__"``, which every class of a program has: that of `object` asks for the same object. Or
        ``"__lt__"``, of which that of `object` knows no order.
    """
    if is_left_alone(kind):
        return False
    owner = next(base for base in kind.__mro__ if name in defined(base))
    if owner is not object and is_left_alone(owner):
        return False
    method = defined(owner)[name]
    is_made = is_dataclass(owner) and isinstance(method, FunctionType) and not has_text(method)
    return not (is_made and owner is kind and all(each.compare for each in fields(kind)))


def compared_as(kind: type, name: str) -> type | None:
    """`list` or `tuple`, where a class compares with that one's method; None for every other class.

    Parameters
    ----------
    kind : type
    name : str
        ``"__eq__"``, ``"__lt__"``, …
    """
    for base in (list, tuple):
        if issubclass(kind, base) and getattr(kind, name) is getattr(base, name):
            return base
    return None


def compares_as_library(kind: Any) -> bool:
    """Whether code of Python's, or of a library's, compares the objects of a class: nobody follows it."""
    if kind in PLAIN or kind.__eq__ is object.__eq__:
        return False
    return is_left_alone(next(base for base in kind.__mro__ if "__eq__" in defined(base)))


def is_told_apart(value: Any) -> bool:
    """Whether an object is equal to nothing but itself, as its class says nothing else."""
    kind: Any = type(value)
    return kind not in PLAIN and kind.__eq__ is object.__eq__ and not is_left_alone(kind)


def _converted(backends: Backends, kind: type, name: str) -> Callable[..., Any] | None:
    backend = backends.staging_now()
    method = None if backend is backends.plain else _of_class(kind, name)
    if method is None:
        return None
    converted = backends.convert(method)
    is_as_written = converted is method and not holds_operators(method)
    return None if is_as_written else partial(_called, backend, method, converted)


def _called(backend: Any, method: FunctionType, converted: Any, /, *args: Any, **kwargs: Any) -> Any:
    return backend.call(method, converted, args, kwargs)


def _of_class(kind: type, name: str) -> FunctionType | None:
    """The method, where it is written in Python and has a text."""
    method = next((defined(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if name == "__new__" and isinstance(method, staticmethod):  # which `class` makes of it
        method = method.__func__
    return method if isinstance(method, FunctionType) and has_text(method) else None
