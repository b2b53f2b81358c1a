"""The attributes that an object stores itself, read without calling properties or `__getattr__`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import MemberDescriptorType
from typing import Any

from autograph.staging.state import Undefined

__all__ = ["dict_of", "held_by", "in_classes", "own_attribute", "slots_in", "spoken_name"]


def dict_of(value: Any, otherwise: Any = None) -> Any:
    """The dict in which an object keeps its attributes, of a class the proxy; `otherwise` where it has none.

    No code of the user's runs: `__getattr__` may know any name.
    """
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return otherwise


def held_by(value: Any) -> Iterator[Any]:
    """The values of the attributes of an object."""
    yield from dict_of(value, {}).values()
    for _, slot in slots_in(type(value)):
        with suppress(AttributeError):
            yield slot.__get__(value)


def own_attribute(value: Any, name: str) -> Any:
    """The value of an attribute that an object stores itself; `Undefined` where it stores none."""
    own = dict_of(value, {})
    if name in own:
        return own[name]
    for each, slot in slots_in(type(value)):
        if each == name:
            with suppress(AttributeError):
                return slot.__get__(value)
    return Undefined(name)


def in_classes(kind: type, name: str) -> Any:
    """What a class, or one above it, has under a name, or None. No descriptor is asked, and no metaclass."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def slots_in(kind: type) -> Iterator[tuple[str, MemberDescriptorType]]:
    """The slots that classes of Python's own give the instances of a class, by name."""
    for base in kind.__mro__:
        for name, slot in vars(base).items() if "__slots__" in vars(base) else ():
            if isinstance(slot, MemberDescriptorType):
                yield name, slot


def spoken_name(kind: type) -> str:
    """What Python calls a class in its messages: one that C has made, and is no builtin, with its module."""
    is_of_statement = kind.__flags__ & (_HEAP_TYPE | _IMMUTABLE_TYPE) == _HEAP_TYPE
    is_plain = is_of_statement or kind.__module__ == "builtins"
    return kind.__name__ if is_plain else f"{kind.__module__}.{kind.__name__}"


_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8
"""The flag of classes that a `class` statement has made, and some of C; and the one that those of C have."""
