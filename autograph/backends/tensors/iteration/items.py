"""What a staged `for` iterates over: a length, and the item at an index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from operator import is_
from typing import Any, ClassVar, TypeVar

import numpy as np

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.scalars.indices import OF_AN_ARRAY, refuse, require_index
from autograph.staging.attributes import spoken_name
from autograph.staging.heap import current
from autograph.staging.spoken import called
from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.containers import register
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Slot, mark_text
from runtime.errors import GraphError, NoConcreteValue, NotASequence, ShapeError
from runtime.graph.build import as_tensor, current_builder, current_defaults, is_strict, is_symbolic, is_weak
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import is_tensor
from runtime.ops.core import check
from runtime.ops.refused_calls import blame
from runtime.ops.tensor_list import TensorArray

__all__ = [
    "Counted",
    "Items",
    "Lazy",
    "Produced",
    "Range",
    "Source",
    "all_items",
    "all_unpacked",
    "as_items",
    "as_ranges",
    "both",
    "bounded",
    "each_of",
    "is_short",
    "iterated",
    "least",
    "left_over",
    "length_of",
    "range_bounds",
    "require_items",
    "slice_bounds",
    "standing_for",
    "unrolled",
    "vector",
]


class Lazy(ABC):
    """What may have its items only when the graph runs: Python can iterate where the length is known."""

    pythons_class: ClassVar[type | None] = None
    """The class of Python's that it is an instance of, to the program; None where nobody has said so."""

    def __repr__(self) -> str:
        """As Python shows an iterator, in another place of memory."""
        kind = self.pythons_class
        if kind is None:
            return f"<{type(self).__name__} of a graph>"
        home = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        return f"<{home}{kind.__qualname__} object at {id(self):#x}>"

    @property
    @abstractmethod
    def items(self) -> Items:
        """Length and items for one loop; asked for where the loop starts."""

    def __iter__(self) -> Iterator[Any]:
        items = self.items
        length = items.length
        if not is_symbolic(length):  # of what a graph has returned, it is a tensor with its value
            return map(items.item, range(int(length)))
        raise NoConcreteValue(
            "a tensor decides how many items there are, so Python itself cannot run over them",
            way_out="Let AutoGraph convert the function that does, or write `rt.arange(n)` and compute with "
            "all items at once.",
        )


_Made = TypeVar("_Made", bound=Lazy)


def standing_for(kind: type, made: _Made) -> _Made:
    """`made`, as an instance of one of Python's classes: so its own errors, and `type`, call it."""
    made.__class__ = _named_after(kind, type(made))
    return made


@cache
def _named_after(kind: type, ours: type) -> type:
    return type(ours)(spoken_name(kind), (ours,), {"pythons_class": kind, "__module__": ours.__module__})


class Items(Lazy):
    """What a staged `for` runs over.

    Parameters
    ----------
    length : int, integer Tensor, or callable
        A callable is asked whenever the length is wanted, for what grows while a loop runs over it.
    item : callable
        ``item(index) -> object``
    """

    def __init__(self, length: Any, item: Callable[[Any], Any]) -> None:
        self._length = length
        self.item = item

    @property
    def length(self) -> Any:
        """How many there are: an int where that is known, otherwise a tensor."""
        return self._length() if callable(self._length) else self._length

    @property
    def may_grow(self) -> bool:
        """Whether a loop over them may make them more."""
        return callable(self._length)

    @property
    def items(self) -> Items:
        return self

    @property
    def is_python(self) -> bool:
        """Whether Python runs over them."""
        return False

    @property
    def ahead(self) -> Any:
        """How many there are to come."""
        return self.length

    def taken(self) -> Items:
        """The items, for callers that take all of them."""
        return self

    @property
    def backwards(self) -> Items:
        """The same from the last to the first."""
        length = self.length
        return Items(length, lambda index: self.item(length - 1 - index))


class Source(Lazy):
    """Base class of what a staged `for` can run over, beside tensors."""


class Produced(Lazy):
    """Base class of items that code of the user's gives."""

    @abstractmethod
    def gathered(self) -> Any:
        """All of them: a Python list, or one of the graph where a tensor decides how long it is."""


_NO_STEP = "range() arg 3 must not be zero"
_NEAR = 2**31
"""From a bound that is known, and nearer to zero, it is not too far to any that counts."""


@called("range")
@dataclass(frozen=True)
class Range(Source):
    """`range` with a tensor among its bounds, or the numbers of an `arange`, which are NumPy's own."""

    start: Any
    stop: Any
    step: Any
    is_pythons: bool = True

    @classmethod
    def between(cls, start: Any, stop: Any, step: Any) -> Range:
        """The range that Python makes of its bounds: it asks NumPy's small integers for an int."""
        if is_strict() or current_defaults().static_shapes:
            return cls(start, stop, step)
        if is_symbolic(step):
            check(ops.not_equal(step, 0), "ValueError", _NO_STEP)
        elif step == 0:
            refuse(ValueError(_NO_STEP))
        low, high = _whole(start), _whole(stop)
        if not any(type(each) is int and abs(each) < _NEAR for each in (low, high)):
            # `items` takes their difference; of loops in loops, as of `range(i, n)`, it is sure to fit
            is_plain = type(step) is int and step == 1
            last, first = (high, ops.minimum(low, 0)) if is_plain else (low, high)
            ops.check_whole(last, first, "-")
        return cls(low, high, _whole(step))

    def __repr__(self) -> str:
        if is_symbolic(self.step):  # of which Python leaves out a 1
            bounds = [as_tensor(bound) for bound in (self.start, self.stop, self.step)]
            marked = mark_text(Apply("range", tuple([Slot(is_number=True)] * 3)), bounds)
            return marked or "<a range of the graph>"
        step = "" if self.step == 1 else f", {self.step}"
        return f"range({self.start!s}, {self.stop!s}{step})"

    @property
    def is_filled(self) -> Any:
        """Whether there are numbers in it."""
        return self.items.length > 0

    def __tensor__(self) -> Tensor:
        numbers: Tensor = ops.arange(self.start, self.stop, self.step)
        return numbers

    def __getitem__(self, key: Any) -> Any:
        require_index(range, key)
        if isinstance(key, slice):
            return self._sliced(key)
        if as_tensor(key).static_shape != ():
            refuse(TypeError(OF_AN_ARRAY))
        items, index = self.items, ops.as_whole_number(as_tensor(key))
        length = ops.maximum(items.length, 0)
        position = ops.where(ops.less(index, 0), ops.add(index, length), index)
        is_there = ops.logical_and(ops.greater_equal(position, 0), ops.less(position, length))
        check(is_there, "IndexError", "range object index out of range")
        return ops.stands_for_python(as_tensor(items.item(position)))

    def __eq__(self, other: object) -> Any:
        """Whether the numbers are the same, as Python compares ranges."""
        if not isinstance(other, Range | range):
            return NotImplemented
        one, two = self, Range(other.start, other.stop, other.step)
        length, steps = ops.maximum(one.items.length, 0), ops.equal(one.step, two.step)
        start_alike = ops.logical_and(ops.equal(one.start, two.start), ops.logical_or(length == 1, steps))
        are_as_many = ops.equal(length, ops.maximum(two.items.length, 0))
        same = ops.logical_and(are_as_many, ops.logical_or(length == 0, start_alike))
        return ops.stands_for_python(same)

    def count(self, value: Any) -> Any:
        """How often a value is among the numbers: once, or not."""
        _, is_there = self._place(value)
        return ops.stands_for_python(ops.where(is_there, 1, 0))

    def index(self, value: Any) -> Any:
        """The place of a value among the numbers; a ValueError where it has none."""
        place, is_there = self._place(value)
        if type(value) is int:
            check(is_there, "ValueError", f"{value} is not in range")
        elif is_tensor(value) and is_weak(value) and value.dtype.is_integer:
            check(is_there, "ValueError", "{0} is not in range", value)
        else:  # also of an integer of NumPy's, which Python takes for any object
            check(is_there, "ValueError", "sequence.index(x): x not in sequence")
        return ops.stands_for_python(ops.astype(place, int64))

    def _place(self, value: Any) -> tuple[Tensor, Tensor]:
        """The place that a value has, and whether there is one."""
        if not is_tensor(value) or as_tensor(value).static_shape != ():
            return as_tensor(0), as_tensor(np.False_)
        behind = ops.subtract(as_tensor(value), self.start)
        place, is_whole = behind // self.step, ops.equal(behind % self.step, 0)
        return place, ops.logical_and(is_whole, (place >= 0) & (place < self.items.length))

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ops.stands_for_python(ops.logical_not(same))

    def __hash__(self) -> int:
        return hash((self.start, self.stop, self.step))

    def _sliced(self, key: slice) -> Range:
        """The range of the numbers that a slice selects."""
        if is_symbolic(key.step):
            raise NoConcreteValue(
                "a slice was taken of a range, with a step that only a run knows",
                why="Whether it goes forward or backward decides what its other bounds mean.",
                way_out="Write the range with that step, `range(start, stop, step)`.",
            )
        step = slice(None, None, key.step).indices(0)[2]
        length = ops.maximum(self.items.length, 0)
        least, most = (0, length) if step > 0 else (-1, length - 1)

        def bound(end: Any, otherwise: Any) -> Any:
            if end is None:
                return otherwise
            return ops.clip(ops.where(as_tensor(end) < 0, end + length, end), least, most)

        ends = (least, most) if step > 0 else (most, least)
        start, stop = [bound(*pair) for pair in zip((key.start, key.stop), ends, strict=True)]
        start, stop = self._counted(start, self.step), self._counted(stop, self.step)
        return Range(start, stop, self.step * step, self.is_pythons)

    @property
    def items(self) -> Items:
        """The numbers by index."""
        if not isinstance(self.step, int) or self.step != 1:
            length = -((self.start - self.stop) // self.step)
            return Items(length, lambda index: self._counted(index, self.step))
        if isinstance(self.start, int) and self.start == 0:
            return Items(self.stop, lambda index: index)
        return Items(self.stop - self.start, lambda index: self._counted(index, 1))

    @property
    def total(self) -> Any:
        """The sum of Python's numbers, which may be too many for memory; else None."""
        if not self.is_pythons or is_strict() or current_defaults().static_shapes:
            return None
        start, step, length = map(_own, (self.start, self.step, self.items.length))
        count = _own(ops.maximum(length, 0))
        return start * count + step * ((count // 2) * ((count - 1) | 1))

    def _counted(self, index: Any, step: Any) -> Any:
        """A number of the range: it lies between numbers that are there, so nobody asks how large it gets."""
        start = self.start
        if not any(map(is_symbolic, (start, index, step))):
            return start + index * step
        found: Tensor = ops.add(
            start, index if isinstance(step, int) and step == 1 else ops.multiply(index, step)
        )
        return ops.stands_for_python(found) if self._gives_pythons(index) else found

    def _gives_pythons(self, index: Any) -> bool:
        """Whether its numbers are Python's, as of NumPy's bounds, too; of TensorFlow's they are tensors."""
        if is_strict() or current_defaults().static_shapes:
            return all(map(is_weak, (self.start, index, self.step)))
        return self.is_pythons


def _split_range(items: Range) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("start", "stop", "step"), (items.start, items.stop, items.step), items.is_pythons


def _build_range(
    kind: type[Range], _: Sequence[Any], bounds: Sequence[Any], is_pythons: bool
) -> Range | range:
    start, stop, step = bounds
    if is_pythons and current_builder() is None and all(type(each) in {Tensor, int} for each in bounds):
        # what a function gives is Python's; one without a step is what another path would have given
        return range(int(start), int(stop), int(step) or 1)
    return kind(start, stop, step, is_pythons)


register(Range, _split_range, _build_range, lambda _, __: "a range")


def as_ranges(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values; where one is a range of the graph and the other one of Python's, both of the graph."""
    if isinstance(left, Range) and type(right) is range:
        return left, Range(right.start, right.stop, right.step)
    if isinstance(right, Range) and type(left) is range:
        return Range(left.start, left.stop, left.step), right
    return left, right


def _own(number: Any) -> Any:
    """An integer as one of Python's, which raises where NumPy's wraps around."""
    return ops.python_number(number) if is_symbolic(number) else int(number)


def _whole(bound: Any) -> Any:
    """A bound of a range in as many bits as Python's ints have in a graph."""
    is_small = is_symbolic(bound) and as_tensor(bound).dtype != current_defaults().integer
    return ops.python_number(bound) if is_small else bound


def as_items(value: Any) -> Items:
    """Length and items of anything that a staged loop can run over."""
    if isinstance(value, Lazy):
        return value.items
    if isinstance(value, TensorArray):
        return Items(value.size(), value.read)
    if isinstance(value, range):
        return Range(value.start, value.stop, value.step).items
    if isinstance(value, (list, tuple)) and not _is_array(value):
        return Items(len(value), Elements.of(value).get)
    tensor = as_tensor(value)
    require_items(tensor)
    if isinstance(tensor, Symbol) and tensor.dtype.is_integer:
        match tensor.value:
            case Value(ops.Range(), [start, stop, step]):  # counted: the numbers themselves are not needed
                return Range(Symbol(start), Symbol(stop), Symbol(step), is_pythons=False).items
    return Items(length_of(tensor), lambda index: ops.take(tensor, index, axis=0))


def all_items(value: Any) -> Items:
    """As `as_items`, for callers that take all of them."""
    return value.taken() if isinstance(value, Items) else as_items(value)


def _is_array(items: Sequence[Any]) -> bool:
    """Whether the items of a list have one shape and dtype, so that they are the rows of a tensor."""
    return all(map(is_tensor, items)) and len({as_tensor(item).spec for item in items}) == 1


def left_over(iterator: Iterator[Any]) -> Range | Items | None:
    """What an iterator has not given yet, where it is over a range or a list that a staged loop can take."""
    source, position = _source_of(iterator)
    rest = source[position:]
    if isinstance(rest, range):
        return Range(rest.start, rest.stop, rest.step)
    numeric = all(isinstance(item, (Tensor, bool, int, float, complex)) for item in rest)
    alike = numeric and len({as_tensor(item).spec for item in rest}) == 1
    return _behind(source, position) if alike else None


def _behind(source: Sequence[Any], position: int) -> Items:
    """The items from a position on, which are numbers; the loop over a list may add some."""
    rest = source[position:]
    stacked = as_tensor(list(rest))
    are_pythons = all(map(is_weak, rest))

    def length() -> Any:
        now = current(source)
        return len(rest) if now is source else as_items(now).length - position

    def item(index: Any) -> Any:
        now = current(source)
        if now is not source:
            return as_items(now).item(index + position)
        last = source[position:]
        is_as_it_was = len(last) == len(rest) and all(map(is_, last, rest))
        found = ops.take(stacked if is_as_it_was else as_tensor(list(last)), index, axis=0)
        return ops.stands_for_python(found) if are_pythons else found

    return Items(length, item)


def _source_of(iterator: Iterator[Any]) -> tuple[Sequence[Any], int]:
    """The range, list or tuple that an iterator of Python's runs over, and the index of the next item.

    Of any other iterator, and of one that has come to its end, there is nothing.
    """
    if type(iterator) not in _RESUMABLE:
        return (), 0
    parts: Any = iterator.__reduce__()
    _, (items, *_), *position = parts
    return items, (position[0] or 0) if position else 0


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
            f"a tensor decides when this loop ends, and its iterator gave more than {MOST_UNROLLED} items",
            why="Each item becomes a part of the graph, and the iterator may have no end.",
            way_out="Loop over a range, a list or a tensor: then the graph holds one loop.",
        )


MOST_UNROLLED = 1000
"""Turns of a Python loop that a tensor may end before we take it for endless."""


class Counted(Iterator[Any]):
    """The same items, and how many of them were taken."""

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items
        self.count = 0

    def __next__(self) -> Any:
        item = next(self._items)
        self.count += 1
        return item


def both(one: Any, other: Any) -> Any:
    """`one and other`, of truth values."""
    return ops.logical_and(one, other) if is_symbolic(one) or is_symbolic(other) else one and other


def iterated(value: Any) -> Any:
    """Something that Python can iterate over, in eager code."""
    if isinstance(value, Range):
        return as_tensor(value)
    if isinstance(value, (Lazy, TensorArray)):
        items = as_items(value)
        return (items.item(index) for index in range(int(items.length)))
    return value


def unrolled(value: Any) -> Iterable[Any] | None:
    """The items for Python to run over, one by one; None where a tensor decides how many there are."""
    if is_symbolic(value) or isinstance(value, Lazy):
        items = all_items(value)
        length = items.length
        if not isinstance(length, int):
            return None
        return (items.item(index) for index in range(length))
    found: Iterable[Any] = iterated(value)
    return found


def each_of(value: Any) -> Iterable[Any]:
    """The items for Python to run over, one by one; none where a tensor decides how many there are."""
    found = unrolled(value)
    return () if found is None else found


def is_short(value: Any) -> bool:
    """Whether the items are to be computed one by one, and not by a loop of the graph."""
    if not (is_symbolic(value) or isinstance(value, Lazy)):
        return True
    length = value.ahead if isinstance(value, Items) else as_items(value).length
    return isinstance(length, int) and length <= MOST_COPIES


MOST_COPIES = 64
"""Items of a tensor up to which a comprehension becomes so many copies of its expression, and no loop."""


def require_items(tensor: Tensor, asked: Callable[[Any], Any] = iter) -> None:
    """Sees to it that a tensor has items, which Python asks for as `asked` does.

    Raises
    ------
    NotASequence
    """
    if tensor.static_shape == ():
        error = NotASequence("a tensor without axes has nothing to iterate over")
        blame(error, asked, (tensor,))
        raise error


def all_unpacked(value: Any) -> list[Any]:
    """The items, or what Python says of a value on the right of several targets that has none."""
    items: list[Any]
    (*items,) = value
    return items


def length_of(tensor: Tensor) -> Any:
    """How many items a tensor has along its first axis: a Python number where it is known."""
    if tensor.static_shape == ():
        error = NotASequence("a tensor without axes has no len()")
        blame(error, len, (tensor,))
        raise error
    return ops.dimension(tensor, 0)


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
        refuse(TypeError(f"range expected at most 3 arguments, got {len(bounds)}"))
    start, stop, step = bounds
    return start, stop, step


def slice_bounds(key: slice, length: Any) -> tuple[Any, Any]:
    """Start and stop of a slice of so many items, each between 0 and the length."""

    def bound(end: Any, otherwise: Any) -> Any:
        if end is None:
            return otherwise
        return ops.clip(ops.where(as_tensor(end) < 0, end + length, end), 0, length)

    return bound(key.start, 0), bound(key.stop, length)


def vector(items: Any) -> Tensor:
    """A tensor of one axis, whose elements Python's builtins look at."""
    tensor = as_tensor(items)
    require_items(tensor)
    if tensor.ndim != 1:
        raise ShapeError(
            f"the truth of the items of a tensor of shape {tensor.static_shape} is ambiguous",
            why="Its items are tensors with axes of their own.",
            way_out="Reduce it with `rt.any`, `rt.all`, `rt.max` or `rt.min`.",
        )
    return tensor
