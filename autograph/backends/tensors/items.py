"""What a staged `for` runs over: a length, and an item for each index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.errors import GraphError, NoConcreteValue
from runtime.graph.build import as_tensor, is_symbolic
from runtime.graph.graph import Symbol, Value
from runtime.graph.location import caller_location
from runtime.ops.tensor_list import TensorArray

__all__ = [
    "Items",
    "Range",
    "Source",
    "as_items",
    "bounded",
    "iterated",
    "least",
    "left_over",
    "length_of",
    "range_bounds",
    "vector",
]


class Lazy:
    """What has its items only when the graph runs: Python cannot iterate over it."""

    def __iter__(self) -> Iterator[Any]:
        raise NoConcreteValue(
            "a tensor decides how many items there are, so only a `for` statement can run over them, and no "
            f"comprehension or function of Python\n\n{caller_location().describe()}\n\n"
            "Write `rt.arange(n)` and compute with all items at once, or write a `for` statement that fills "
            "an `rt.TensorArray`."
        )


@dataclass(frozen=True)
class Items(Lazy):
    """What a staged `for` runs over: a length, and the item at an index.

    Attributes
    ----------
    length : int or integer Tensor
    item : callable
        ``item(index) -> object``
    """

    length: Any
    item: Callable[[Any], Any]


class Source(Lazy, ABC):
    """Base class of what a staged `for` can run over, beside tensors."""

    @property
    @abstractmethod
    def items(self) -> Items:
        """Length and items for one loop; asked for where the loop starts."""


@dataclass(frozen=True)
class Range(Source):
    """`range` with a tensor among its bounds."""

    start: Any
    stop: Any
    step: Any

    def __tensor__(self) -> Tensor:
        numbers: Tensor = ops.arange(self.start, self.stop, self.step)
        return numbers

    @property
    def items(self) -> Items:
        """The numbers by index."""
        if not isinstance(self.step, int) or self.step != 1:
            length = -((self.start - self.stop) // self.step)
            return Items(length, lambda index: self.start + index * self.step)
        if isinstance(self.start, int) and self.start == 0:
            return Items(self.stop, lambda index: index)
        return Items(self.stop - self.start, lambda index: self.start + index)


def as_items(value: Any) -> Items:
    """Length and items of anything that a staged loop can run over."""
    if isinstance(value, Items):
        return value
    if isinstance(value, Source):
        return value.items
    if isinstance(value, TensorArray):
        return Items(value.size(), value.read)
    tensor = as_tensor(value)
    if tensor.shape == ():
        raise TypeError("a tensor without axes has nothing to iterate over")
    if isinstance(tensor, Symbol) and tensor.dtype.is_integer:
        match tensor.value:
            case Value(ops.Range(), bounds):  # counted: the numbers themselves are not needed
                return Range(*map(Symbol, bounds)).items
    return Items(length_of(tensor), lambda index: ops.take(tensor, index, axis=0))


def left_over(iterator: Iterator[Any]) -> Range | Tensor | None:
    """What an iterator has not given yet, where it is over a range or a list that a staged loop can take."""
    if type(iterator) not in _RESUMABLE:
        return None
    parts: Any = iterator.__reduce__()
    _, (items, *_), *position = parts
    rest = items[position[0] or 0 :] if position else items
    if isinstance(rest, range):
        return Range(rest.start, rest.stop, rest.step)
    numeric = all(isinstance(item, (Tensor, bool, int, float, complex)) for item in rest)
    alike = numeric and len({as_tensor(item).spec for item in rest}) == 1
    return as_tensor(list(rest)) if alike else None


_RESUMABLE: tuple[type, ...] = (
    type(iter(range(0))),
    type(iter(range(1 << 99))),
    type(iter([])),
    type(iter(())),
)
"""Iterators that say where they stand."""


def bounded(items: Iterator[Any]) -> Iterator[Any]:
    """The same items, of an iterator that may never end: each becomes an `if` of the graph.

    Raises
    ------
    GraphError
        After `MOST_UNROLLED` of them.
    """
    yield from islice(items, MOST_UNROLLED)
    for _ in items:
        raise GraphError(
            f"a tensor decides when this loop ends, and its iterator gave more than {MOST_UNROLLED} items\n\n"
            f"{caller_location().describe()}\n\n"
            "Each item becomes a part of the graph, and the iterator may have no end.\n"
            "Loop over a range, a list or a tensor: then the graph holds one loop."
        )


MOST_UNROLLED = 1000
"""Turns of a Python loop that a tensor may end before we take it for endless."""


def iterated(value: Any) -> Any:
    """Something that Python can iterate over, in eager code."""
    if isinstance(value, Items):
        return (value.item(index) for index in range(int(value.length)))
    if isinstance(value, TensorArray):
        return (value.read(index) for index in range(int(value.size())))
    return as_tensor(value) if isinstance(value, Range) else value


def length_of(tensor: Tensor) -> Any:
    """How many items a tensor has along its first axis: a Python number where it is known."""
    shape = tensor.shape
    if shape == ():
        raise TypeError("a tensor without axes has no len()")
    if shape is None or shape[0] is None:
        return ops.shape(tensor)[0]
    return shape[0]


def least(left: Any, right: Any) -> Any:
    """The smaller of two lengths."""
    return ops.minimum(left, right) if is_symbolic(left) or is_symbolic(right) else min(left, right)


def range_bounds(bounds: Sequence[Any]) -> tuple[Any, Any, Any]:
    """`range`'s arguments as start, stop and step."""
    if len(bounds) == 1:
        return 0, bounds[0], 1
    if len(bounds) == 2:
        return bounds[0], bounds[1], 1
    if len(bounds) != 3:
        raise TypeError(f"range expected at most 3 arguments, got {len(bounds)}")
    start, stop, step = bounds
    return start, stop, step


def vector(items: Any) -> Tensor:
    """A tensor of one axis, whose elements Python's builtins look at."""
    tensor = as_tensor(items)
    if tensor.shape is not None and len(tensor.shape) != 1:
        raise ValueError(
            f"the truth of the items of a tensor of shape {tensor.shape} is ambiguous: "
            "reduce it with `rt.any`, `rt.all`, `rt.max` or `rt.min`"
        )
    return tensor
