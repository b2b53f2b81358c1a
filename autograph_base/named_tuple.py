"""`NamedTuple`, as that of `typing`, in all but what it costs to make a class.

The library parses the type of each field, and has a constructor compiled: 0.3 ms for each class, and most of
ours have no instance in most programs. Here the constructor is written when it is first asked for, types stay
the text that they are, and the other methods serve all classes.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple

__all__ = ["NamedTuple"]

FILENAME = "<runtime named tuple>"
"""The file of constructors that are written here: no line of the user's is in it."""
_MODEL = namedtuple("_MODEL", "a b c d e f g h i j k l m n o p")  # for its descriptors alone
_ITEMS = [vars(_MODEL)[item] for item in _MODEL._fields]
"""What gives the items of a tuple, whatever its class."""
_NO_FIELD: type[Exception] = TypeError if sys.version_info >= (3, 13) else ValueError
"""What the library raises for a name of no field."""


class _Constructor:
    """`__new__` of a class, which is written when it is first asked for, and stands there from then on."""

    __slots__ = ("_kind",)

    def __set_name__(self, kind: Any, name: str) -> None:
        self._kind = kind

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        kind = self._kind
        given = ", ".join(["_cls", *kind._fields])
        items = "".join([f"{name}, " for name in kind._fields])
        names: dict[str, Any] = {"_new": tuple.__new__, "__name__": kind.__module__}
        text = f"def __new__({given}): return _new(_cls, ({items}))"
        exec(compile(text, FILENAME, "exec"), names)  # noqa: S102  # names of fields are all that is not ours
        made = names["__new__"]
        made.__qualname__, made.__annotations__ = f"{kind.__qualname__}.__new__", {**kind.__annotations__}
        made.__defaults__ = tuple(kind._field_defaults.values())
        kind.__new__ = staticmethod(made)
        return made


def _items(self: Any) -> tuple[Any, ...]:
    """What a copy is made of."""
    return tuple(self)


def _make(kind: Any, items: Iterable[Any]) -> Any:
    """One of items in their order."""
    made: Any = tuple.__new__(kind, items)
    if len(made) != len(kind._fields):
        raise TypeError(f"Expected {len(kind._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **changed: Any) -> Any:
    """One with other values for some fields."""
    made = self._make([changed.pop(name, item) for name, item in zip(self._fields, self, strict=True)])
    if changed:
        raise _NO_FIELD(f"Got unexpected field names: {[*changed]!r}")
    return made


def _as_dict(self: Any) -> dict[str, Any]:
    """The items by their names."""
    return dict(zip(self._fields, self, strict=True))


def _shown(self: Any) -> str:
    items = ", ".join([f"{name}={item!r}" for name, item in zip(self._fields, self, strict=True)])
    return f"{type(self).__name__}({items})"


_METHODS = {
    "__getnewargs__": _items,
    "__repr__": _shown,
    "_asdict": _as_dict,
    "_make": classmethod(_make),
    "__replace__": _replace,
    "_replace": _replace,
}


class _Maker(type):
    """Makes the class of a text: an ordinary one, which derives from `tuple` alone."""

    def __new__(cls, name: str, bases: tuple[type, ...], text: dict[str, Any]) -> Any:
        if not bases:
            return type.__new__(cls, name, bases, text)
        fields = tuple(text.get("__annotations__", ()))
        assert len(fields) <= len(_ITEMS), "there are getters for so many"
        defaults = {field: text.pop(field) for field in fields if field in text}
        text.pop("__orig_bases__", None)
        own: dict[str, Any] = {"__slots__": (), "_fields": fields, "__match_args__": fields}
        own |= {"_field_defaults": defaults, "__new__": _Constructor(), **_METHODS}
        return type(name, (tuple,), own | dict(zip(fields, _ITEMS, strict=False)) | text)


if not TYPE_CHECKING:  # whoever checks types knows that of `typing`

    class NamedTuple(metaclass=_Maker):
        """What the classes name as their base."""
