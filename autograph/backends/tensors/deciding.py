"""What a value of the graph counts as where it decides something, or where one object is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.tensors.choices import OneOf
from autograph.backends.tensors.items import Range
from autograph.backends.tensors.lists import StagedTuple
from autograph.backends.tensors.maybe import MaybeNone, MaybeUndefined
from runtime.graph.build import as_tensor, is_symbolic
from runtime.variables import Variable

__all__ = ["decided", "with_each"]


def decided(value: Any) -> Any:
    """What says whether a value is true: a tensor where that shows at run time, otherwise the value."""
    if isinstance(value, StagedTuple):
        return value.length > 0
    if isinstance(value, MaybeNone):
        return value.truth()
    if isinstance(value, OneOf):
        return value.each(_truth)
    if isinstance(value, MaybeUndefined):
        return decided(value.present())
    return as_tensor(value) if isinstance(value, (Variable, Range)) else value


def _truth(value: Any) -> Any:
    """Whether a candidate is true: a bool, or a tensor of the graph."""
    found = decided(value)
    return found if is_symbolic(found) else bool(found)


def with_each(values: tuple[Any, ...], use: Callable[[tuple[Any, ...]], Any]) -> Any:
    """What `use` gives for values of which each is one object: a choice is made before it is used."""
    for index, value in enumerate(values):
        if isinstance(value, MaybeNone | OneOf):
            before, after = values[:index], values[index + 1 :]

            def chosen(candidate: Any) -> Any:
                return with_each((*before, candidate, *after), use)  # noqa: B023  (called before the next turn)

            return value.each(chosen)
    return use(values)
