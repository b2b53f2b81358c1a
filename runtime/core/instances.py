"""Instances of Python's classes: of what kind a class is, and what an object holds; none of its code runs."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from threading import local
from types import MemberDescriptorType, SimpleNamespace
from typing import Any

from autograph_base import packages
from autograph_base.named_tuple import NamedTuple
from runtime.core.tracing import tracing

__all__ = [
    "NOTHING_APART",
    "TakenApart",
    "attributes_of",
    "behind",
    "build_instance",
    "dict_of",
    "is_frozen",
    "is_left_out",
    "is_of_statement",
    "is_ours",
    "is_plain_class",
    "is_value",
    "leave_out",
    "put_attribute",
    "set_own",
    "slots_of",
    "split_instance",
    "stand_behind",
    "with_attributes",
]

_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8
"""The flag of classes that a `class` statement has made, and some of C; and the one that those of C have."""


def is_frozen(kind: type) -> bool:
    """Whether a class is a dataclass whose instances never change."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


def is_value(kind: type) -> bool:
    """Whether a class is a dataclass whose instances never change, and are equal where their fields are."""
    return is_frozen(kind) and bool(kind.__dataclass_params__.eq)  # type: ignore[attr-defined]  # of a dataclass


def is_plain_class(kind: type) -> bool:
    """Whether instances of a class are nothing but their attributes."""
    bases = [base for base in kind.__mro__ if base not in _BARE]
    return all(is_of_statement(base) and not is_ours(base) for base in bases)


_BARE = (SimpleNamespace, object)
"""Classes of C whose instances are nothing but attributes; each makes its own and those of classes below."""


def is_of_statement(kind: type) -> bool:
    """Whether a `class` statement has made a class, and not C, as it has `collections.deque`."""
    return kind.__flags__ & (_HEAP_TYPE | _IMMUTABLE_TYPE) == _HEAP_TYPE


def is_ours(kind: type) -> bool:
    """Whether a class is one of ours, whose instances do not change: that there is no value, for one."""
    return packages.is_ours(kind.__module__)


def slots_of(value: Any) -> dict[str, Any]:
    """The values in the slots of an object, by name."""
    kind, found = type(value), {}
    if kind in _WITHOUT_SLOTS:
        return {}
    has_slots = False
    for base in kind.__mro__:
        for name, slot in vars(base).items() if "__slots__" in vars(base) else ():
            if isinstance(slot, MemberDescriptorType):
                has_slots = True
                try:
                    found[name] = slot.__get__(value)
                except AttributeError:  # a slot without a value
                    continue
    if not has_slots:
        _WITHOUT_SLOTS.add(kind)
    return found


_WITHOUT_SLOTS: weakref.WeakSet[type] = weakref.WeakSet()


def dict_of(value: Any, otherwise: Any = None) -> Any:
    """The dict in which an object keeps its attributes, of a class the proxy; `otherwise` where it has none.

    No code of the user's runs: `__getattr__` may know any name. Each thread has one of a `threading.local`.
    """
    if issubclass(type(value), local):
        return local.__getattribute__(value, "__dict__")
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return otherwise


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object keeps itself: no property is asked, nor its class."""
    own = dict_of(value)
    held = own if isinstance(own, dict) else {}
    if isinstance(value, BaseException):
        held = {**_of_exception(value), **{key: each for key, each in held.items() if key[:8] != "__graph_"}}
    return {**held, **slots_of(value)}


def _of_exception(value: BaseException) -> dict[str, Any]:
    """What an exception holds beside its attributes: its arguments, and what it was raised from."""
    cause: Any = value.__cause__
    if cause is None:
        return {"args": value.args}
    return {"args": value.args, "__cause__": cause.held if type(cause) in _BEHIND else cause}


class TakenApart(NamedTuple):
    """Which objects among the arguments of a function are told by what they hold, and by what of that.

    Attributes
    ----------
    kinds : frozenset of type
        Their classes.
    names : frozenset of str or None
        The attributes that the function may name; None where it may read any.
    """

    kinds: frozenset[type] = frozenset()
    names: frozenset[str] | None = None

    def held(self, value: Any) -> dict[str, Any]:
        """These attributes of an object, as far as it has them."""
        held, names = attributes_of(value), self.names
        if names is None or held.keys() <= names:
            return held
        return {name: each for name, each in held.items() if name in names}


NOTHING_APART = TakenApart()


def split_instance(value: Any) -> tuple[Sequence[Any], Sequence[Any], Any]:
    """The names of an instance's attributes, and what they are; nothing else is to be known of it."""
    held = tracing.apart.held(value) if tracing.apart is not None else attributes_of(value)
    return tuple(held), tuple(held.values()), None


def build_instance(kind: type, keys: Sequence[Any], children: Sequence[Any], _: Any) -> Any:
    """An instance of a class with these attributes, whose constructor is not called."""
    root = next(base for base in (BaseException, *_BARE) if issubclass(kind, base))
    made: Any = root.__new__(kind)
    for name, child in zip(keys, children, strict=True):
        if not is_left_out(child):
            put_attribute(made, name, child)
    if tracing.instances:
        tracing.instances[id(made)] = made
    return made


def put_attribute(instance: Any, name: str, child: Any) -> None:
    """Has an attribute of an instance be a value; no property is asked."""
    slot = next((vars(base)[name] for base in type(instance).__mro__ if name in vars(base)), None)
    if isinstance(instance, BaseException) and name in {"args", "__cause__"}:
        set_own(instance, name, child if name == "args" else behind(child))
    elif isinstance(slot, MemberDescriptorType):
        slot.__set__(instance, child)
    else:
        vars(instance)[name] = child


set_own = BaseException.__setattr__
"""Sets what every exception has, as `raise` does: the `__setattr__` of a user's class does not hear of it."""


def with_attributes(make: Callable[[], Any], change: Callable[[Any], Any]) -> Any:
    """What `make` gives, where all instances that it puts together have changed attributes."""
    before = tracing.instances
    made: dict[int, Any] = {0: None}  # which has it take note of them
    tracing.instances = made
    try:
        found = make()
    finally:
        tracing.instances = before
    for instance in [*made.values()][1:]:
        for name, value in attributes_of(instance).items():
            put_attribute(instance, name, change(value))
    return found


def behind(cause: Any) -> BaseException | None:
    """What Python takes for a `__cause__`: one of several, or what may be None, is held by an exception."""
    return cause if cause is None or isinstance(cause, BaseException) else _BEHIND[0](cause)


def stand_behind(kind: type[BaseException]) -> None:
    """Has exceptions of a class hold, as `held`, what stands for the `__cause__` of another exception."""
    _BEHIND.append(kind)


_BEHIND: list[type[Any]] = []


def leave_out(kind: type) -> None:
    """Has instances be put together without the attributes that a value of this class stands for."""
    _LEFT_OUT.add(kind)


def is_left_out(value: Any) -> bool:
    """Whether a value stands for an attribute, or a variable, that has none."""
    return type(value) in _LEFT_OUT


_LEFT_OUT: set[type] = set()
