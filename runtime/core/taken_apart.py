"""Instances that are containers of their attributes, in one thread and for a time."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MemberDescriptorType
from typing import Any

from runtime.core.containers import DATACLASS, container_of, kind_of, known_kinds
from runtime.core.instances import TakenApart, is_plain_class, split_instance
from runtime.core.tracing import tracing

__all__ = [
    "has_end",
    "instances_in",
    "is_taken_apart",
    "leave_whole",
    "take_apart",
    "taken_apart",
    "was_made",
]

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
    if is_plain and (container_of(kind) or DATACLASS) is DATACLASS:
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
        return {key: each for key, each in found.items() if has_end(each)}


_MOST_SEEN = 10_000
"""Containers that are looked into for instances."""


def was_made(value: Any) -> bool:
    """Whether `take_apart` was told of an instance, or it was put together since."""
    return id(value) in tracing.instances


def is_taken_apart(value: Any) -> bool:
    """Whether a value is an instance that is a container for a time."""
    return id(value) in tracing.instances and has_end(value)


def has_end(value: Any) -> bool:
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
                kind = known_kinds.get(id(type(child)))
                if kind is None or kind.holds or id(child) in instances:  # nothing is in most of them
                    pending.append((child, False))
    return True


def _inside(value: Any) -> Sequence[Any]:
    """What is in a container, a deque, a dataclass, or an instance that is a container for a time."""
    if isinstance(value, (list, tuple, deque)):
        return [*value]
    if isinstance(value, dict):
        return [*value.values()]
    container = (known_kinds.get(id(type(value))) or kind_of(value)).container
    if container is not None:
        return container.split(value)[1]
    if id(value) in tracing.instances or dataclasses.is_dataclass(value):
        return split_instance(value)[1]
    return ()
