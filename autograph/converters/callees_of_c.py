"""What is called in the place of builtins, and of functions and classes of C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, Flag
from functools import partial
from itertools import tee
from typing import Any

from autograph.converters.compare import OF_MODULE
from autograph.staging.builtins import COLLECTIONS, staged_collection
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.made import note_result
from autograph.staging.special_methods import (
    SPECIAL,
    by_methods,
    constructed,
    pairs_by_methods,
    special_method,
    truth,
)
from autograph.staging.twins import (
    MODULES,
    OPERATIONS,
    ORDERING,
    calls_until,
    element_by_element,
    holds_values,
    in_python,
    items_backwards,
    iterated,
    next_or,
    orders_by_methods,
)

__all__ = [
    "ITERATE",
    "is_of_few_members",
    "is_to_be_python",
    "made_by_class",
    "member",
    "of_module",
    "own_method",
    "with_items",
]


def made_by_class(backends: Backends, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An instance by the constructor of a backend, or the converted one; `NotImplemented` for Python's."""
    if kind in COLLECTIONS and (args or kwargs):
        collection = staged_collection(backends, kind, args, kwargs)
        if collection is not None:
            return note_result(backends, kind, args, kwargs, collection(args, kwargs))
    if kind.__module__ == "itertools":
        return iterated(backends, kind, args, kwargs)
    twin = element_by_element(kind)
    if twin is not None and holds_values(backends, args):
        return backends.convert(twin)(*args, **kwargs)
    return constructed(backends, kind, args, kwargs)


def is_of_few_members(backends: Backends, kind: type, args: tuple[Any, ...]) -> bool:
    """Whether a member is asked for by a value of a backend's; of flags there is one for each sum."""
    return len(args) == 1 and holds_values(backends, args) and not issubclass(kind, Flag)


def member(backends: Backends, kind: type[Enum], value: Any) -> Any:
    """The member of an enumeration that has a value which only a backend knows."""
    own: Any = kind._missing_
    has_others = own.__func__ is not Enum._missing_.__func__  # type: ignore[attr-defined]  # a method of a class
    return backends.convert(in_python("member_of"))(kind, value, has_others=has_others)


def of_module(backends: Backends, callee: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What stands for a function of a module that is more than a method of its argument."""
    if callee is tee or (callee.__name__ == "from_iterable" and holds_values(backends, args)):
        return _tried(backends, callee)
    found = OF_MODULE.get(callee)
    return None if found is None else partial(found, backends)


def _tried(backends: Backends, callee: Any) -> Callable[..., Any]:
    """A function of `itertools` in Python, or the one of C's where that is right."""

    def call(*args: Any, **kwargs: Any) -> Any:
        found = iterated(backends, callee, args, kwargs)
        return callee(*args, **kwargs) if found is NotImplemented else found

    return call


def is_to_be_python(backends: Backends, callee: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function of the standard library in C is to be the one in Python: it meets values."""
    module = MODULES.get(callee.__module__)
    if module is None:
        return False
    is_staging = backends.staging_now() is not backends.plain
    if module == OPERATIONS:
        return is_staging and any(type(each) not in ATOMS for each in args)
    return holds_values(backends, args) or (module in ORDERING and is_staging and orders_by_methods(args))


def own_method(backends: Backends, callee: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What a builtin calls of the class of its argument, converted; None where Python's call is right."""
    if callee is bool and args:
        found = truth(backends, args[0])
        return None if found is args[0] else lambda _: backends.of(found).bool_(found)
    name = SPECIAL.get(callee) if args else None
    if callee is next and len(args) in {1, 2}:
        own = special_method(backends, args[0], "__next__")
        return own if own is None or len(args) == 1 else backends.convert(next_or())
    twin = None
    if callee is iter and len(args) == 2 and backends.staging_now() is not backends.plain:
        twin = calls_until()
    elif callee is reversed and args and not hasattr(type(args[0]), "__reversed__"):
        twin = items_backwards() if special_method(backends, args[0], "__getitem__") else None
    if twin is not None:
        converted: Callable[..., Any] = backends.convert(twin)
        return converted
    return None if name is None else special_method(backends, args[0], name)


def with_items(backends: Backends, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a builtin, with what gives the items of those that it goes over."""
    if name in ITERATE_ALONE and len(args) > 1:
        return args
    if name == "iter_" and hasattr(type(args[0]), "__next__"):
        return args
    first, last = ITERATE[name]
    found = pairs_by_methods if name == "dict_" else by_methods
    return (*args[:first], *(found(backends, each) for each in args[first:last]), *args[last or len(args) :])


ITERATE: Mapping[str, tuple[int, int | None]] = {
    **dict.fromkeys(("all_", "any_", "dict_", "enumerate_", "iter_", "list_", "max_", "min_"), (0, 1)),
    **dict.fromkeys(("set_", "sorted_", "sum_", "tuple_"), (0, 1)),
    **dict.fromkeys(("filter_", "map_"), (1, None)),
    "zip_": (0, None),
}
"""Operators that go over items, and which of their arguments give these."""

ITERATE_ALONE = frozenset({"iter_", "max_", "min_"})
"""Operators that go over the items of an argument which is alone."""
