"""Choices and containers: the items of a chosen one, and those of the graph that hold what is chosen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograph.backends.tensors.containers import sets
from autograph.backends.tensors.containers.catalogues import can_be_held
from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple, gathered
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.iteration.items import Source, all_unpacked, require_items
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, each
from autograph.backends.tensors.objects.objects import are_chosen
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.outgrown import may_hold
from runtime.core.tensor import Tensor

__all__ = [
    "are_rows_of_objects",
    "holds_choice",
    "is_to_choose",
    "items_of",
    "items_to_unpack",
    "listed",
    "unordered_items_of",
]


def items_of(value: Any) -> Any:
    """What there is to run over: of a chosen object, a list of its items as they are now."""
    return _gathered_by(_items, value)


def items_to_unpack(value: Any) -> Any:
    """As `items_of`, for what stands on the right of several targets."""
    if isinstance(value, MaybeNone):
        value = value.ag__present("cannot unpack non-iterable NoneType object")
    return _gathered_by(lambda one: _items(one, all_unpacked), value)


def unordered_items_of(value: Any) -> Any:
    """As `items_of`, for what does not depend on the order of a set."""
    return _gathered_by(lambda one: _items(sets.unordered(one)), value)


def _gathered_by(items: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, MaybeNone | MaybeUndefined):
        return _gathered_by(items, value.ag__operand(iter))
    if not isinstance(value, OneOf):
        return value
    with _joining(value):
        return each(value, items)


def listed(value: Any) -> Any:
    """The items of a chosen object in one list of the graph."""
    if not isinstance(value, OneOf):
        return value
    with other_names().joining_values():
        return each(value, gathered)


def _joining(chosen: OneOf) -> AbstractContextManager[None]:
    """While items are gathered: lists of several lengths become one of the graph, which is no choice."""
    lengths = {len(one) for one in candidates_of(chosen) if type(one) in _SIZED}
    return other_names().joining_values() if len(lengths) > 1 else nullcontext()


_SIZED = frozenset([list, tuple, set, frozenset, dict])
"""Classes of containers whose lengths Python knows."""


def _items(candidate: Any, asked: Callable[[Any], Any] = list) -> Any:
    if isinstance(candidate, StagedTuple):
        return StagedList(candidate.contents)
    if isinstance(candidate, StagedKeyed):
        return gathered(candidate)
    if isinstance(candidate, Once):
        return gathered(candidate.items)  # where a loop leaves it, nobody knows
    if isinstance(candidate, Source):
        return gathered(candidate)
    if isinstance(candidate, Tensor):
        require_items(candidate, asked)
    return candidate if isinstance(candidate, Tensor) or hasattr(candidate, "dtype") else asked(candidate)


def are_rows_of_objects(value: Any) -> bool:
    """Whether a value is one of several lists or tuples of objects, of several lengths."""
    if not isinstance(value, OneOf):
        return False
    candidates = candidates_of(value)
    are_rows = all(type(each_) in {list, tuple} and are_chosen(each_) for each_ in candidates)
    return are_rows and len({len(each_) for each_ in candidates}) > 1


def holds_choice(container: Any, value: Any) -> bool:
    """Whether a container of the graph may hold a choice by its number, so that no branch is needed."""
    return isinstance(container, StagedKeyed | StagedTuple) and can_be_held(value)


def is_to_choose(container: dict[Any, Any] | set[Any], key: Any) -> bool:
    """Whether a container of the graph may take the place of one, and hold what a tensor chooses."""
    return isinstance(key, OneOf) and may_hold(container, candidates_of(key))
