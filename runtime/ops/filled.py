"""What is in the parts of an exception: deques and dicts of classes of their own are opened for the graph.

    raise Stuck(deque([x, y]))

`flatten` takes them for leaves. Here they are opened, so that what is in them has its places among the values
of an op, and closed where the exception is there. Which objects it had, and what these held, is `Held`.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.core import exceptions
from runtime.core.containers import register
from runtime.core.structure import Level, flatten, level_of, map_leaves
from runtime.core.tensor import Tensor
from runtime.graph.graph import Value

__all__: list[str] = []  # for exceptions, and no part of the namespace


class Filled:
    """Stands for a container, apart from what is in it.

    Parameters
    ----------
    kind : type
        `deque`, `OrderedDict`, `Counter` or `defaultdict`.
    option : object
        What a deque holds at most, or what makes the default values of a dict.
    keys : sequence
    children : sequence
        What is in it, by key, or by index.
    """

    __slots__ = ("children", "keys", "kind", "option")

    def __init__(self, kind: type, option: Any, keys: Sequence[Any], children: Sequence[Any]) -> None:
        self.kind, self.option, self.keys, self.children = kind, option, tuple(keys), children

    @classmethod
    def of(cls, container: Any) -> Filled | None:
        """What stands for a container; None of other objects."""
        kind = type(container)
        if kind is deque:
            return cls(kind, container.maxlen, range(len(container)), [*container])
        if kind in _DICTS:
            option = container.default_factory if kind is defaultdict else None
            return cls(kind, option, [*container], [*container.values()])
        return None

    @property
    def container(self) -> Any:
        """The container."""
        if self.kind is deque:
            return deque(self.children, self.option)
        made = defaultdict(self.option) if self.kind is defaultdict else self.kind()
        made.update(dict(zip(self.keys, self.children, strict=True)))
        return made


_DICTS: frozenset[type] = frozenset({Counter, OrderedDict, defaultdict})


def _split(filled: Filled) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return filled.keys, filled.children, (filled.kind, filled.option)


def _build(_: type, keys: Sequence[Any], children: Sequence[Any], extra: tuple[type, Any]) -> Filled:
    kind, option = extra
    return Filled(kind, option, keys, children)


register(Filled, _split, _build)


def is_value(leaf: Any) -> bool:
    """Whether a leaf is a value of a graph, or stands for one."""
    return isinstance(leaf, (Tensor, Value)) or hasattr(type(leaf), "__tensor__")


def opened(nest: Any, around: tuple[int, ...] = ()) -> Any:
    """A nest with the containers opened in which values are."""

    def open_one(leaf: Any) -> Any:
        filled = None if id(leaf) in around else Filled.of(leaf)
        if filled is None:
            return leaf
        filled.children = [opened(child, (*around, id(leaf))) for child in filled.children]
        return filled if any(map(is_value, flatten(filled)[0])) else leaf

    return map_leaves(open_one, nest)


def closed(nest: Any) -> Any:
    """A nest with the containers that were opened."""
    level = level_of(nest)
    if level is None:
        return nest
    children = [closed(child) for child in level[1]]
    if isinstance(nest, Filled):
        return Filled(nest.kind, nest.option, nest.keys, children).container
    is_same = all(one is other for one, other in zip(children, level[1], strict=True))
    return nest if is_same else level[0].build(children)


class Held:
    """What an exception has in it, and what that holds: what the body of a `try` has done is taken back.

    Parameters
    ----------
    value : object
    around : tuple of int
        The ids of what it is in.
    """

    __slots__ = ("_filled", "_levels", "value")

    def __init__(self, value: Any, around: tuple[int, ...] = ()) -> None:
        self.value = value
        within = (*around, id(value))
        is_leaf = value is None or id(value) in around or isinstance(value, BaseException)
        self._levels, self._filled = [
            None if is_leaf else _level(each, within) for each in (value, Filled.of(value))
        ]

    def level(self, value: Any) -> tuple[Level, Sequence[Held]] | None:
        """The container, and what was in it; in the form of what an op that raises has made of it."""
        return self._filled if isinstance(value, Filled) else self._levels


def _level(value: Any, around: tuple[int, ...]) -> tuple[Level, Sequence[Held]] | None:
    level = None if value is None else level_of(value)
    return None if level is None else (level[0], [Held(child, around) for child in level[1]])


def held_by(parts: exceptions.Parts) -> exceptions.Parts:
    """What an exception consists of, with each part as it is now."""
    attributes, fields = [
        {name: Held(value) for name, value in own.items()} for own in (parts.attributes, parts.fields)
    ]
    return replace(parts, args=tuple(map(Held, parts.args)), attributes=attributes, fields=fields)
