"""Flattening of nested containers to a list of leaves, and a `Structure` that rebuilds them.

Containers are lists, tuples, named tuples, dicts, dataclass instances, partials of functions, None, and the
classes given to `register`. Everything else is a leaf, a spec too: it stands for a tensor. An instance of
another class of the program's is a container of its attributes where somebody has said so, in one thread and
for a time (`take_apart`).
"""

from __future__ import annotations

import dataclasses
import weakref
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from numbers import Number
from operator import itemgetter
from types import MemberDescriptorType
from typing import Any, NamedTuple

from autograph_base.dataclass import dataclass
from runtime.core.instances import (
    TakenApart,
    build_instance,
    dict_of,
    is_left_out,
    is_plain_class,
    split_instance,
)
from runtime.core.records import record
from runtime.core.spec import Spec, TensorSpec
from runtime.core.tracing import tracing

__all__ = [
    "LEAF",
    "Again",
    "Boxes",
    "Finish",
    "Level",
    "Structure",
    "changing_containers_in",
    "containers_in",
    "count_as",
    "finish_of",
    "flatten",
    "flatten_shared",
    "instances_in",
    "is_container",
    "is_taken_apart",
    "leaf_paths",
    "leave_whole",
    "level_of",
    "map_leaves",
    "register",
    "take_apart",
    "taken_apart",
    "told_of_keys",
    "unflatten",
    "unflattening",
    "was_made",
]


@record
@dataclass(frozen=True, slots=True)
class Structure:
    """The shape of a nest: hashable, so that it can be part of a cache key.

    `kind` is the container's class, or None for a leaf; `keys` name the children.
    """

    kind: type | None
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()
    extra: Any = None

    @property
    def leaf_count(self) -> int:
        """The number of leaves below."""
        return 1 if self.kind is None else sum(child.leaf_count for child in self.children)

    @property
    def depth(self) -> int:
        """How many containers are around the leaf that has most of them around it."""
        return 0 if self.kind is None else 1 + max([child.depth for child in self.children], default=0)

    @property
    def shares(self) -> bool:
        """Whether an object is in there more than once."""
        return self.kind is Again or any(child.shares for child in self.children)

    def records(self) -> Iterator[type]:
        """The classes of dataclasses, named tuples and instances in there."""
        if self.kind is not None and (is_record(self.kind) or is_of_instance(self.kind)):
            yield self.kind
        for child in self.children:
            yield from child.records()

    def leaves_of_instances(self, first: int = 0, *, is_inside: bool = False) -> Iterator[int]:
        """The numbers of the leaves, from a first one on, that are in instances."""
        if self.kind is None:
            yield from (first,) * is_inside
            return
        is_inside |= is_of_instance(self.kind)
        for child in self.children:
            yield from child.leaves_of_instances(first, is_inside=is_inside)
            first += child.leaf_count

    def __str__(self) -> str:
        if self.kind is None:
            return "*"
        if self.kind is type(None):
            return "None"
        if self.kind is Again:
            return "the same object"
        inside = [str(child) for child in self.children]
        container = _CONTAINERS.get(self.kind)
        if container is not None and container.says is not None:
            return container.says(self.extra, inside)
        if self.kind is list:
            return f"[{', '.join(inside)}]"
        if self.kind is tuple:
            return f"({', '.join(inside)}{',' * (len(inside) == 1)})"
        named = [f"{key!r}: {child}" for key, child in zip(self.keys, inside, strict=True)]
        if self.kind is dict:
            return f"{{{', '.join(named)}}}"
        return f"{self.kind.__name__}({', '.join(named)})"


LEAF = Structure(None)


class Again:
    """The kind of what stands for an object that came before in a nest: `extra` is its number."""


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
class _Container:
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
    fields = (_known.get(id(type(value))) or _kind_of(value)).fields
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


_CONTAINERS: dict[type, _Container] = {
    partial: _Container(_split_partial, _build_partial),
    list: _Container(_split_sequence, lambda _, __, children, ___: list(children)),
    tuple: _Container(_split_sequence, lambda _, __, children, ___: tuple(children)),
    dict: _Container(_split_dict, lambda _, keys, children, __: dict(zip(keys, children, strict=True))),
    type(None): _Container(lambda _: ((), (), None), lambda _, __, ___, ____: None),
}
_NAMED_TUPLE = _Container(_split_named, _build_named)
_DATACLASS = _Container(_split_dataclass, _build_dataclass)


# ── instances of other classes ──


_MOST_INSIDE = 256
"""Objects in an instance that is a container: one that leads to more, or to itself, is a leaf."""


def take_apart(value: Any) -> None:
    """Has an instance be a container of its attributes, in this thread, until `leave_whole`.

    An exception is one of its arguments, too. A partial is a container anyway: that it was made is noted.
    """
    kind = type(value)
    if kind is partial:
        tracing.instances[id(value)] = value
        return
    is_plain = _is_plain_exception(kind) if isinstance(value, BaseException) else is_plain_class(kind)
    if is_plain and (_container(kind) or _DATACLASS) is _DATACLASS:
        tracing.instances[id(value)] = value


def _is_plain_exception(kind: type) -> bool:
    """Whether exceptions of a class are nothing but their arguments and attributes."""
    return not any(
        isinstance(member, MemberDescriptorType) and name != "__suppress_context__"
        for base in kind.__mro__
        for name, member in vars(base).items()
    )


def leave_whole() -> None:
    """Has every instance be a leaf again."""
    tracing.instances.clear()


@contextmanager
def taken_apart(instances: Mapping[int, Any], apart: TakenApart | None = None) -> Iterator[None]:
    """While some instances, by their ids, are containers of attributes in this thread: of all, or of some."""
    if not instances:
        yield
        return
    before = tracing.instances, tracing.apart
    tracing.instances, tracing.apart = {**before[0], **instances}, apart
    try:
        yield
    finally:
        tracing.instances, tracing.apart = before


def instances_in(value: Any, apart: TakenApart) -> dict[int, Any]:
    """The instances in a nest, and in each other, that are to be taken apart, by their ids.

    One that leads to more than so many objects, or to itself, is none of them.
    """
    found: dict[int, Any] = {}
    with taken_apart({0: None}, apart):  # a table of its own
        there = tracing.instances
        pending, seen = [value], set[int]()
        while pending and len(seen) <= _MOST_SEEN:
            each = pending.pop()
            if id(each) in seen:
                continue
            if type(each) in apart.kinds:
                there[id(each)] = found[id(each)] = each
            children = _inside(each)
            if children:
                seen.add(id(each))
                pending += children
        return {key: each for key, each in found.items() if _ends(each)}


_MOST_SEEN = 10_000
"""Containers that are looked into for instances."""


def is_of_instance(kind: type) -> bool:
    """Whether a structure that says this class is one of an instance that was taken apart."""
    return kind is not Again and _container(kind) is None


def was_made(value: Any) -> bool:
    """Whether `take_apart` was told of an instance, or it was put together since."""
    return id(value) in tracing.instances


def is_taken_apart(value: Any) -> bool:
    """Whether a value is an instance that is a container for a time."""
    return id(value) in tracing.instances and _ends(value)


def _ends(value: Any) -> bool:
    """Whether what an instance leads to has an end: no object in it leads to itself."""
    instances = tracing.instances
    found, pending, around = 0, [(value, False)], set[int]()
    while pending:
        each, is_left = pending.pop()
        if is_left:
            around.discard(id(each))
            continue
        children = _inside(each)
        if children:
            found += 1
            if id(each) in around or found > _MOST_INSIDE:
                return False
            around.add(id(each))
            pending.append((each, True))
            for child in children:
                kind = _known.get(id(type(child)))
                if kind is None or kind.holds or id(child) in instances:  # nothing is in most of them
                    pending.append((child, False))
    return True


def _inside(value: Any) -> Sequence[Any]:
    """What is in a container, a deque, a dataclass, or an instance that is a container for a time."""
    if isinstance(value, (list, tuple, deque)):
        return [*value]
    if isinstance(value, dict):
        return [*value.values()]
    container = (_known.get(id(type(value))) or _kind_of(value)).container
    if container is not None:
        return container.split(value)[1]
    if id(value) in tracing.instances or dataclasses.is_dataclass(value):
        return split_instance(value)[1]
    return ()


_INSTANCE = _Container(split_instance, build_instance)


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
    _CONTAINERS[kind] = _Container(split, build, says, finish)
    _known.clear()


def finish_of(kind: type) -> Finish | None:
    """How Python's object is made in the place of a container of this class; None: as `build` says."""
    container = _container(kind)
    return None if container is None else container.finish


def is_container(kind: type) -> bool:
    """Whether instances of a class are containers."""
    return _container(kind) is not None


def count_as(kind: type, other: type) -> None:
    """Has instances of `kind` taken for those of `other`, a class above it; they come back as these."""
    _COUNTED_AS[kind] = other
    _known.clear()


_COUNTED_AS: dict[type, type] = {}


class _Kind:
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
        self.container = _container_of(self.counted_as or kind)
        self.sequence = kind if kind is list or kind is tuple else None
        self.is_record = self.counted_as is None and (
            self.container is _DATACLASS or self.container is _NAMED_TUPLE
        )
        is_dataclass = dataclasses.is_dataclass(kind)
        self.fields = tuple([each.name for each in dataclasses.fields(kind)]) if is_dataclass else ()
        self.holds = is_dataclass or self.container is not None or issubclass(kind, _HOLDERS)


_HOLDERS = (list, tuple, deque, dict, type)
"""Classes of which subclasses, too, hold what is looked into: a class may be a dataclass."""

_known: dict[int, _Kind] = {}
"""By the id of the class, which it must not keep: each value of each nest is asked for."""


def _forget(key: int, _: object) -> None:
    _known.pop(key, None)


def _kind_of(value: Any) -> _Kind:
    kind = type(value)
    found = _known[id(kind)] = _Kind(kind)
    return found


def _container(kind: type) -> _Container | None:
    known = _known.get(id(kind))
    return _container_of(kind) if known is None or known.counted_as is not None else known.container


def _container_of(kind: type) -> _Container | None:
    found = _CONTAINERS.get(kind)
    if found is not None:
        return found
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _NAMED_TUPLE
    if dataclasses.is_dataclass(kind) and not issubclass(kind, (Spec, TensorSpec)):
        return _DATACLASS
    return None


@dataclass(frozen=True, slots=True)
class Level:
    """The outermost container of a nest, apart from what is in it.

    Two of them are equal when containers differ only in what is below their children.
    """

    kind: type
    keys: tuple[Any, ...]
    extra: Any

    def building(self) -> Callable[[Sequence[Any]], Any]:
        """What makes the container of its children, again and again."""
        build = (_container(self.kind) or _INSTANCE).build
        return lambda children: build(self.kind, self.keys, children, self.extra)

    def build(self, children: Sequence[Any]) -> Any:
        """The container with these children."""
        container = _container(self.kind) or _INSTANCE
        return container.build(self.kind, self.keys, children, self.extra)


def level_of(value: Any) -> tuple[Level, Sequence[Any]] | None:
    """The outermost container of a nest and its children; None for a leaf.

    >>> level, children = level_of({"a": (1, 2)})
    >>> level.keys, children
    (('a',), ((1, 2),))
    """
    kind = _known.get(id(type(value))) or _kind_of(value)
    container = kind.container
    if container is None:
        if not (tracing.instances and is_taken_apart(value)):
            return None
        container = _INSTANCE
    elif kind.sequence is not None and len(value) <= _LONGEST:
        return _level_of_sequence(kind.sequence, len(value)), value
    keys, children, extra = container.split(value)
    return Level(kind.counted_as or type(value), tuple(keys), extra), children


def split_record(value: Any) -> tuple[tuple[str, ...], Sequence[Any]] | None:
    """What the fields of a dataclass or of a named tuple are called, and hold; None for any other value."""
    kind = _known.get(id(type(value))) or _kind_of(value)
    if not kind.is_record:
        return None
    assert kind.container is not None, "records are containers"
    names, children, _ = kind.container.split(value)
    return tuple(names), children


def is_record(kind: type) -> bool:
    """Whether instances of a class are dataclasses or named tuples that count as containers."""
    return (_known.get(id(kind)) or _Kind(kind)).is_record


@cache
def _level_of_sequence(kind: type, length: int) -> Level:
    return Level(kind, tuple(range(length)), None)


_LONGEST = 64
"""Lists and tuples up to this length are of one form, and each form is made once."""


def flatten(value: Any) -> tuple[list[Any], Structure]:
    """The leaves of a nest in order, and its structure.

    >>> leaves, structure = flatten({"a": 1, "b": (2, None)})
    >>> leaves, str(structure)
    ([1, 2], "{'a': *, 'b': (*, None)}")
    """
    leaves: list[Any] = []
    return leaves, _flatten_into(value, leaves, tracing.instances)


def _flatten_into(
    value: Any, leaves: list[Any], instances: dict[int, Any], *, ends: bool = False
) -> Structure:
    """Adds the leaves of a nest; `ends` says that it is in an instance that has an end: so has one within."""
    kind = _known.get(id(type(value))) or _kind_of(value)
    container = kind.container
    if container is None:
        if id(value) not in instances or not (ends or _ends(value)):
            leaves.append(value)
            return LEAF
        container, ends = _INSTANCE, True
    elif kind.sequence is not None and len(value) <= _LONGEST:
        for child in value:  # nothing but leaves, as in most: all of them at once
            if type(child) in _ATOMS:
                continue
            known = _known.get(id(type(child)))
            if known is None or known.container is not None or id(child) in instances:
                break
        else:
            leaves += value
            return _of_leaves(kind.sequence, len(value))
    if ends and isinstance(value, (list, tuple, dict)) and type(value) not in _BUILT_IN:
        ends = False  # its items were looked into, and it may be taken apart into something else
    keys, children, extra = container.split(value)
    structures = []
    for child in children:
        known = _known.get(id(type(child)))
        if known is not None and known.container is None and id(child) not in instances:  # as most are
            leaves.append(child)
            structures.append(LEAF)
        else:
            structures.append(_flatten_into(child, leaves, instances, ends=ends))
    return Structure(kind.counted_as or type(value), tuple(keys), tuple(structures), extra)


_ATOMS = {bool, bytes, complex, float, int, str}
"""Classes whose instances are leaves, whatever else is: nobody needs to be asked about them."""

_BUILT_IN = {dict, list, tuple}
"""Containers of Python's that are taken apart into their items."""


@cache
def _of_leaves(kind: type, length: int) -> Structure:
    """The structure of a list or tuple with nothing but leaves in it."""
    return Structure(kind, tuple(range(length)), (LEAF,) * length)


def flatten_shared(
    value: Any, shared: Collection[int], whole: Collection[int] = ()
) -> tuple[list[Any], Structure]:
    """As `flatten`, for a nest in which some objects are met more than once.

    Parameters
    ----------
    value : object
    shared : collection of int
        The ids of objects that are one object wherever they are met: `unflatten` makes them once.
    whole : collection of int
        The ids of containers that are leaves.

    Examples
    --------
    >>> row = [1, 2]
    >>> leaves, structure = flatten_shared((row, row), {id(row)})
    >>> leaves, str(structure)
    ([1, 2], '([*, *], the same object)')
    >>> one, other = unflatten(structure, leaves)
    >>> one is other
    True
    """
    leaves: list[Any] = []
    numbers: dict[int, int] = {}
    count = 0

    def walk(value: Any) -> Structure:
        nonlocal count
        if id(value) in numbers:
            return Structure(Again, extra=numbers[id(value)])
        level = level_of(value) if id(value) not in whole else None
        if level is None:
            leaves.append(value)
            found = LEAF
        else:
            children = tuple(map(walk, level[1]))
            found = Structure(level[0].kind, level[0].keys, children, level[0].extra)
        if id(value) in shared:
            numbers[id(value)] = count
        count += 1
        return found

    return leaves, walk(value)


def containers_in(value: Any, whole: Collection[int] = ()) -> Iterator[Any]:
    """The containers of a nest that hold something, or may, the outermost first; not those in `whole`."""
    level = level_of(value) if id(value) not in whole else None
    if level is not None and (level[1] or not isinstance(value, tuple | None)):
        yield value
        for child in level[1]:
            yield from containers_in(child, whole)


def changing_containers_in(value: Any) -> Iterator[Any]:
    """Those containers of a nest that may change, and itself if it may."""
    return (each for each in containers_in(value) if type(each) is not tuple)


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The nest of this structure with these leaves; `flatten` undone."""
    return unflattening(structure)(leaves)


def unflattening(structure: Structure) -> Callable[[Sequence[Any]], Any]:
    """What makes nests of this structure, again and again: `unflatten` for each."""
    kind = structure.kind
    if kind is None:
        return itemgetter(0)
    if not all(map(_is_leaf, structure.children)):
        return lambda leaves: _build(structure, iter(leaves), [])
    if kind is tuple or kind is list:  # as most are
        return kind
    return Level(kind, structure.keys, structure.extra).building()


def _is_leaf(structure: Structure) -> bool:
    return structure.kind is None


def _build(structure: Structure, leaves: Iterator[Any], made: list[Any]) -> Any:
    if structure.kind is Again:
        return made[structure.extra]
    if structure.kind is None:
        found = next(leaves)
    else:
        container = _container(structure.kind) or _INSTANCE
        children = [_build(child, leaves, made) for child in structure.children]
        found = container.build(structure.kind, structure.keys, children, structure.extra)
    made.append(found)
    return found


def map_leaves(function: Callable[..., Any], value: Any) -> Any:
    """The same nest with `function` applied to each leaf."""
    leaves, structure = flatten(value)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def leaf_paths(structure: Structure, prefix: str = "") -> Iterator[str]:
    """A name for each leaf in order, as a user would write it: ``x``, ``x[0]``, ``x['a'].b``."""
    if structure.kind is None:
        yield prefix
        return
    for key, child in zip(structure.keys, structure.children, strict=True):
        attribute = structure.kind not in (list, tuple, dict) and isinstance(key, str)
        yield from leaf_paths(child, f"{prefix}.{key}" if attribute else f"{prefix}[{key!r}]")
