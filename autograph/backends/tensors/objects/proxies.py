"""Objects that stand for others: every attribute and every operator is that of what they stand for."""

from __future__ import annotations

import operator
import sys
from abc import abstractmethod
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any, ClassVar

from autograph.backends.tensors.containers import in_place as of_containers
from autograph.converters.announce import note_attribute, note_deleted_attribute
from runtime.core.structure import level_of
from runtime.graph.location import is_users_file

__all__ = ["SYMBOLS", "EveryName", "in_place", "write_operators"]


class EveryName:
    """An object that stands for another one: each attribute, whatever its name is, is that of the other.

    Its own begin with `ag__`, as no name of the user's does.
    """

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("ag__") or name in object.__getattribute__(self, "ag__own"):
            return object.__getattribute__(self, name)
        if name == "__class__":  # `isinstance` asks for it; programs say `type(x)`
            return type(self)
        if name == "__dict__":
            raise AttributeError("`__dict__` of an object that a tensor chooses: read its attributes by name")
        if name.startswith("__") and name.endswith("__") and name not in NAMING:
            asks = sys._getframe(1).f_code  # noqa: SLF001  # a library that looks for a protocol finds none
            if not is_users_file(asks.co_filename):
                raise AttributeError(name)
        return self.ag__attribute(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("ag__"):
            object.__setattr__(self, name, value)
        else:
            self.ag__each(lambda one: _set_attribute(one, name, value))

    def __delattr__(self, name: str) -> None:
        self.ag__each(lambda one: _delete_attribute(one, name))

    ag__own: ClassVar[frozenset[str]] = frozenset({"__deepcopy__"})
    """Further names of its own."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """The choice between copies: one that is elsewhere in what is copied is one there, too."""
        level = level_of(self)
        assert level is not None, "choices are containers"
        return level[0].build([deepcopy(child, memo) for child in level[1]])

    @abstractmethod
    def ag__attribute(self, name: str) -> Any:
        """The attribute of what it stands for."""

    @abstractmethod
    def ag__each(self, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for what it stands for."""


def _set_attribute(owner: Any, name: str, value: Any) -> None:
    note_attribute(owner, name, "")
    setattr(owner, name, value)


def _delete_attribute(owner: Any, name: str) -> None:
    note_deleted_attribute(owner, name, "")
    delattr(owner, name)


NAMING = frozenset(
    {
        *("__doc__", "__module__", "__name__", "__qualname__"),
        *("__bases__", "__base__", "__func__", "__mro__", "__self__", "__wrapped__"),
        *("__cause__", "__context__", "__suppress_context__", "__notes__", "__traceback__"),
    }
)
"""Attributes between double underscores that programs read, also by `getattr`."""


def write_operators(
    kind: type,
    apply: Callable[..., Any],
    apply_both: Callable[[Any, Any, Callable[[Any, Any], Any]], Any],
    never_changes: Callable[[Any], bool],
) -> None:
    """Gives a class every operator of Python's.

    Parameters
    ----------
    kind : type
    apply : callable
        ``apply(self, function, *others)`` gives what the function gives for the object that `self` stands
        for, and these others, as they are.
    apply_both : callable
        ``apply_both(self, other, function)``, likewise.
    never_changes : callable
        Whether all that `self` may stand for gives another object where it is changed in place.
    """

    def write(name: str, method: Callable[..., Any]) -> None:
        method.__name__ = f"__{name}__"
        setattr(kind, method.__name__, method)

    def write_unary(name: str, function: Callable[[Any], Any]) -> None:
        write(name, lambda self: apply(self, function))

    def write_binary(name: str, function: Callable[[Any, Any], Any]) -> None:
        write(name, lambda self, other: apply_both(self, other, function))

    def write_in_place(name: str, symbol: str, function: Callable[[Any, Any], Any]) -> None:
        def change(self: Any, other: Any) -> Any:
            if never_changes(self):
                return apply_both(self, other, function)
            return apply(self, lambda one, other: in_place(one, symbol, other), other)

        write(name, change)

    for name in ("abs", "invert", "neg", "pos"):
        write_unary(name, getattr(operator, f"__{name}__"))
    for name, function in (ARITHMETIC | COMPARISONS).items():
        write_binary(name, function)
    for name, function in ARITHMETIC.items():
        write_binary(f"r{name}", partial(_turned, function))
        if name in SYMBOLS:
            write_in_place(f"i{name}", SYMBOLS[name], getattr(operator, f"__i{name}__"))


def in_place(target: Any, symbol: str, value: Any) -> Any:
    """What `target += value` leaves of one object, which may be a container."""
    return of_containers.of_one(target, symbol, value)


SYMBOLS = {
    name: f"{sign}="
    for name, sign in (
        *(("add", "+"), ("and", "&"), ("floordiv", "//"), ("lshift", "<<"), ("matmul", "@"), ("mod", "%")),
        *(("mul", "*"), ("or", "|"), ("pow", "**"), ("rshift", ">>"), ("sub", "-"), ("truediv", "/")),
        ("xor", "^"),
    )
}
"""Operators in place, by the names of their methods."""

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, f"__{name}__") for name in ("eq", "ge", "gt", "le", "lt", "ne")
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "divmod": divmod,
    **{
        name: getattr(operator, f"__{name}__")
        for name in (
            *("add", "and", "floordiv", "lshift", "matmul", "mod", "mul", "or", "pow", "rshift", "sub"),
            *("truediv", "xor"),
        )
    },
}


def _turned(function: Callable[[Any, Any], Any], right: Any, left: Any) -> Any:
    return function(left, right)
