"""Which classes are containers, and how each is taken apart and put together."""

from __future__ import annotations

import dataclasses
import weakref
from collections import deque
from collections.abc import Callable, Collection, Hashable, Sequence
from functools import partial
from numbers import Number
from typing import TYPE_CHECKING, Any

from autograph_base.dataclass import dataclass
from autograph_base.named_tuple import NamedTuple
from runtime.core.instances import build_instance, dict_of, is_left_out, split_instance
from runtime.core.spec import Spec, TensorSpec
from runtime.core.tracing import tracing

if TYPE_CHECKING:
    from runtime.core.structure import Structure

__all__ = [
    "CONTAINERS",
    "DATACLASS",
    "INSTANCE",
    "Boxes",
    "Finish",
    "Kind",
    "container_of",
    "count_as",
    "finish_of",
    "is_container",
    "kind_of",
    "known_kinds",
    "register",
    "told_of_keys",
]


class Boxes(NamedTuple):
    """What makes tensors of what a run gives."""

    one: Callable[[Any], Any]
    """array or list → tensor"""
    each: Callable[[Any], list[Any]]
    """list → a tensor for each element"""
    text: Callable[[Any], str]
    """code points → the string"""


class Finish(NamedTuple):
    """How Python's objects are made of the arrays and lists that a run gives, when it is over."""

    one: Callable[[Structure, Boxes], Callable[[Sequence[Any]], Any]]
    """(structure, boxes) → what makes one object of what is given for each leaf, in order"""
    rows: Callable[[Structure, Boxes], Callable[[Sequence[Any]], list[Any]]] | None = None
    """… → what makes the elements of a list of a column for each leaf; None: one by one"""


@dataclass(frozen=True, slots=True)
class Container:
    """How one class of containers is taken apart and put together."""

    split: Callable[[Any], tuple[Sequence[Any], Sequence[Any], Any]]
    """container → (keys, children, extra)"""
    build: Callable[[type, Sequence[Any], Sequence[Any], Any], Any]
    """(class, keys, children, extra) → container"""
    says: Callable[[Any, Sequence[str]], str] | None = None
    """(extra, what messages call the children) → what they call it; None for its class, and what is in it"""
    finish: Finish | None = None
    """See `Finish`; None where `build` does it of tensors."""


def _split_sequence(value: Any) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(value)), value, None


def _split_dict(value: dict[Any, Any]) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return tuple(value), tuple(value.values()), told_of_keys(value)


def told_of_keys(keys: Collection[Any]) -> Hashable:
    """What tells keys from others that are equal, and are not the same: `1`, `1.0` and `True`."""
    kinds = {*map(type, keys)}
    if kinds <= {str}:
        return None
    return int if kinds == {int} else tuple(map(_told_of_key, keys))


def _told_of_key(key: Any) -> Hashable:
    if isinstance(key, tuple):
        return (type(key), *map(_told_of_key, key))
    return type(key), repr(key) if isinstance(key, Number | range) else None


def _split_named(value: Any) -> tuple[Sequence[Any], Sequence[Any], Any]:
    more = dict_of(value, {})  # attributes of a subclass
    return (*value._fields, *more), (*value, *more.values()), None


def _build_named(kind: Any, keys: Sequence[Any], children: Sequence[Any], _: Any) -> Any:
    count = len(kind._fields)
    if len(keys) == count:
        return kind(*children)
    made: Any = tuple.__new__(kind, children[:count])
    vars(made).update(zip(keys[count:], children[count:], strict=True))
    return made


def _split_dataclass(value: Any) -> tuple[Sequence[Any], Sequence[Any], Any]:
    fields = (known_kinds.get(id(type(value))) or kind_of(value)).fields
    names = [*fields, *[name for name in dict_of(value, ()) if name not in fields]]
    held = [(name, getattr(value, name, _MISSING)) for name in names]
    given = [each for each in held if each[1] is not _MISSING]  # in `__post_init__`, fields may have none yet
    return [name for name, _ in given], [child for _, child in given], None


_MISSING = object()


def _build_dataclass(kind: type, keys: Sequence[Any], children: Sequence[Any], _: Any) -> Any:
    made: Any = object.__new__(kind)
    for name, child in zip(keys, children, strict=True):
        if not is_left_out(child):
            object.__setattr__(made, name, child)
    if tracing.instances:
        tracing.instances[id(made)] = made
    return made


def _split_partial(value: partial[Any]) -> tuple[Sequence[Any], Sequence[Any], Any]:
    function, given = value.func, value.keywords
    function = function.leaf if isinstance(function, _Called) else function
    keys = ("func", *range(len(value.args)), *given)
    return keys, (function, *value.args, *given.values()), len(value.args)


def _build_partial(_: type, keys: Sequence[Any], children: Sequence[Any], count: int) -> Any:
    function, *given = children
    called = function if callable(function) else _Called(function)
    made = partial(called, *given[:count], **dict(zip(keys[1 + count :], given[count:], strict=True)))
    if tracing.instances:
        tracing.instances[id(made)] = made
    return made


@dataclass(frozen=True, slots=True)
class _Called:
    """What stands for the function of a partial: a `partial` takes nothing that cannot be called."""

    leaf: Any

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.leaf(*arguments, **options)


CONTAINERS: dict[type, Container] = {
    partial: Container(_split_partial, _build_partial),
    list: Container(_split_sequence, lambda _, __, children, ___: list(children)),
    tuple: Container(_split_sequence, lambda _, __, children, ___: tuple(children)),
    dict: Container(_split_dict, lambda _, keys, children, __: dict(zip(keys, children, strict=True))),
    type(None): Container(lambda _: ((), (), None), lambda _, __, ___, ____: None),
}
_NAMED_TUPLE = Container(_split_named, _build_named)
DATACLASS = Container(_split_dataclass, _build_dataclass)
INSTANCE = Container(split_instance, build_instance)


def register(
    kind: type,
    split: Callable[[Any], tuple[Sequence[Any], Sequence[Any], Any]],
    build: Callable[[type, Sequence[Any], Sequence[Any], Any], Any],
    says: Callable[[Any, Sequence[str]], str] | None = None,
    finish: Finish | None = None,
) -> None:
    """Makes instances of `kind` containers.

    Parameters
    ----------
    kind : type
    split : callable
        ``split(value) -> (keys, children, extra)``; `extra` is hashable and says what the children do not.
    build : callable
        ``build(kind, keys, children, extra) -> value``, the inverse.
    says : callable, optional
        ``says(extra, children)`` is what messages call it, given what they call its children.
    finish : Finish, optional
        Makes what a function gives to its caller in the place of one.
    """
    CONTAINERS[kind] = Container(split, build, says, finish)
    known_kinds.clear()


def finish_of(kind: type) -> Finish | None:
    """How Python's object is made in the place of a container of this class; None: as `build` says."""
    container = container_of(kind)
    return None if container is None else container.finish


def is_container(kind: type) -> bool:
    """Whether instances of a class are containers."""
    return container_of(kind) is not None


def count_as(kind: type, other: type) -> None:
    """Has instances of `kind` taken for those of `other`, a class above it; they come back as these."""
    _COUNTED_AS[kind] = other
    known_kinds.clear()


_COUNTED_AS: dict[type, type] = {}


class Kind:
    """Which other class a class is taken for, and how its instances are taken apart; None for leaves.

    `sequence` is the class itself where it is Python's list or tuple, whose forms are a class and a length;
    `fields` are the names of those of a dataclass. A dataclass or a named tuple `is_record`, where it counts
    as itself. Instances of a class that `holds` something are looked into; of others, only those that are
    containers for a time.
    """

    __slots__ = ("container", "counted_as", "fields", "holds", "is_record", "of", "sequence")

    def __init__(self, kind: type) -> None:
        self.of = weakref.ref(kind, partial(_forget, id(kind)))
        self.counted_as = _COUNTED_AS.get(kind)
        self.container = container_of_class(self.counted_as or kind)
        self.sequence = kind if kind is list or kind is tuple else None
        self.is_record = self.counted_as is None and (
            self.container is DATACLASS or self.container is _NAMED_TUPLE
        )
        is_dataclass = dataclasses.is_dataclass(kind)
        self.fields = tuple([each.name for each in dataclasses.fields(kind)]) if is_dataclass else ()
        self.holds = is_dataclass or self.container is not None or issubclass(kind, _HOLDERS)


_HOLDERS = (list, tuple, deque, dict, type)
"""Classes of which subclasses, too, hold what is looked into: a class may be a dataclass."""

known_kinds: dict[int, Kind] = {}
"""By the id of the class, which it must not keep: each value of each nest is asked for."""


def _forget(key: int, _: object) -> None:
    known_kinds.pop(key, None)


def kind_of(value: Any) -> Kind:
    """What is known of the class of a value, from now on; who asks often looks into `known_kinds` first."""
    kind = type(value)
    found = known_kinds[id(kind)] = Kind(kind)
    return found


def container_of(kind: type) -> Container | None:
    """How instances of a class are taken apart and put together, as what they count; None for leaves."""
    known = known_kinds.get(id(kind))
    return container_of_class(kind) if known is None or known.counted_as is not None else known.container


def container_of_class(kind: type) -> Container | None:
    found = CONTAINERS.get(kind)
    if found is not None:
        return found
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _NAMED_TUPLE
    if dataclasses.is_dataclass(kind) and not issubclass(kind, (Spec, TensorSpec)):
        return DATACLASS
    return None
