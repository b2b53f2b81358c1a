"""Flattening of nested containers to a list of leaves, and a `Structure` that rebuilds them.

Containers are lists, tuples, named tuples, dicts, dataclass instances, partials of functions, None, and the
classes given to `register`. Everything else is a leaf, a spec too: it stands for a tensor. An instance of
another class of the program's is a container of its attributes where somebody has said so, in one thread and
for a time (`take_apart`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.core.containers import CONTAINERS, INSTANCE, Kind, container_of, kind_of, known_kinds
from runtime.core.records import record
from runtime.core.taken_apart import has_end, is_taken_apart
from runtime.core.tracing import tracing

__all__ = [
    "LEAF",
    "Again",
    "Level",
    "Structure",
    "changing_containers_in",
    "containers_in",
    "flatten",
    "flatten_shared",
    "leaf_paths",
    "level_of",
    "map_leaves",
    "unflatten",
    "unflattening",
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
        container = CONTAINERS.get(self.kind)
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


# ── instances of other classes ──


def is_of_instance(kind: type) -> bool:
    """Whether a structure that says this class is one of an instance that was taken apart."""
    return kind is not Again and container_of(kind) is None


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
        build = (container_of(self.kind) or INSTANCE).build
        return lambda children: build(self.kind, self.keys, children, self.extra)

    def build(self, children: Sequence[Any]) -> Any:
        """The container with these children."""
        container = container_of(self.kind) or INSTANCE
        return container.build(self.kind, self.keys, children, self.extra)


def level_of(value: Any) -> tuple[Level, Sequence[Any]] | None:
    """The outermost container of a nest and its children; None for a leaf.

    >>> level, children = level_of({"a": (1, 2)})
    >>> level.keys, children
    (('a',), ((1, 2),))
    """
    kind = known_kinds.get(id(type(value))) or kind_of(value)
    container = kind.container
    if container is None:
        if not (tracing.instances and is_taken_apart(value)):
            return None
        container = INSTANCE
    elif kind.sequence is not None and len(value) <= _LONGEST:
        return _level_of_sequence(kind.sequence, len(value)), value
    keys, children, extra = container.split(value)
    return Level(kind.counted_as or type(value), tuple(keys), extra), children


def split_record(value: Any) -> tuple[tuple[str, ...], Sequence[Any]] | None:
    """What the fields of a dataclass or of a named tuple are called, and hold; None for any other value."""
    kind = known_kinds.get(id(type(value))) or kind_of(value)
    if not kind.is_record:
        return None
    assert kind.container is not None, "records are containers"
    names, children, _ = kind.container.split(value)
    return tuple(names), children


def is_record(kind: type) -> bool:
    """Whether instances of a class are dataclasses or named tuples that count as containers."""
    return (known_kinds.get(id(kind)) or Kind(kind)).is_record


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
    kind = known_kinds.get(id(type(value))) or kind_of(value)
    container = kind.container
    if container is None:
        if id(value) not in instances or not (ends or has_end(value)):
            leaves.append(value)
            return LEAF
        container, ends = INSTANCE, True
    elif kind.sequence is not None and len(value) <= _LONGEST:
        for child in value:  # nothing but leaves, as in most: all of them at once
            if type(child) in _ATOMS:
                continue
            known = known_kinds.get(id(type(child)))
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
        known = known_kinds.get(id(type(child)))
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
        container = container_of(structure.kind) or INSTANCE
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
