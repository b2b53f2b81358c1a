"""Lists of tensors while a graph runs: Python's lists of arrays, and the handle of one in eager code.

The functions here are all that is special about them. Kernels call these, programs of the NumPy executor call
them, and a printed program has the source of those that it needs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import Any, NoReturn

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.spec import ArraySpec, Element, ListSpec, Spec, refuse_as_tensor
from runtime.errors import IndexOutOfRange, InvalidValue

__all__ = [
    "ListValue",
    "concatenated",
    "item_at",
    "joined_spec",
    "known_shape",
    "position_in",
    "put",
    "spec_of_item",
    "stacked",
]


# ── Python's lists, where None stands for an element that was never written ───────────────────────────


def put(items: list[Any], index: Any, item: Any, grows: bool) -> None:
    """Writes an element; one behind the end makes the list longer where it `grows`."""
    if not 0 <= index < len(items):
        if index < 0 or not grows:
            raise IndexOutOfRange(
                f"index {index} is out of range for a TensorArray of size {len(items)}"
                + ("" if grows else "; make it with dynamic_size=True to let it grow")
            )
        items.extend([None] * (int(index) + 1 - len(items)))
    items[index] = item


def item_at(items: list[Any], index: Any, shape: Any, dtype: Any) -> Any:
    """The element at `index`; zeros where nothing was written."""
    if index < 0 or index >= len(items):
        raise IndexOutOfRange(f"index {index} is out of range for a TensorArray of size {len(items)}")
    item = items[index]
    return _unwritten(items, shape, dtype) if item is None else item


def _unwritten(items: list[Any], shape: Any, dtype: Any) -> Any:
    """What an element that was never written reads as: zeros of the shape that elements have."""
    if shape is None or None in shape:
        shapes = {np.shape(item) for item in items if item is not None}
        if len(shapes) != 1:
            raise InvalidValue(
                "an element of a TensorArray was read before it was written",
                why="It would be zeros, and their shape is not known.",
                way_out="Write it first, or give the array an `element_shape`.",
            )
        (shape,) = shapes
    return np.zeros(shape, dtype)[()]


def stacked(items: list[Any], shape: Any, dtype: Any) -> Any:
    """Every element along a new first axis."""
    if not items:
        return np.zeros((0, *[dim or 0 for dim in shape or ()]), dtype)
    whole = [_unwritten(items, shape, dtype) if item is None else item for item in items]
    return np.array(whole, dtype) if shape == () else np.stack(whole)  # an array of each number costs much


def concatenated(items: list[Any], shape: Any, dtype: Any) -> Any:
    """Every element end to end along its first axis."""
    if not items:
        return np.zeros((0, *[dim or 0 for dim in (shape or ())[1:]]), dtype)
    return np.concatenate([_unwritten(items, shape, dtype) if item is None else item for item in items])


def position_in(items: list[Any], index: Any, outside: str, empty: str) -> Any:
    """An index counted from the front; an IndexError of one of these words where there is no such element."""
    place = int(index)
    if 0 <= place < len(items):
        return index if type(index) is np.int64 else np.int64(place)
    if not -len(items) <= place < 0:
        raise IndexError(outside if items else empty)
    return np.int64(place + len(items))


# ── handles ───────────────────────────────────────────────────────────────────────────────────────────


class ListValue:
    """A list that never changes, whose versions share one list of Python's.

    The newest version has the items. An older one knows which version came next, and what that changed: it
    takes a copy when it is asked for its own. So to write and to append take constant time, as long as only
    the newest version is used.

    >>> old = ListValue([1, 2])
    >>> new = old.put(2, 3, grows=True)
    >>> [*map(int, new.items)], old.items
    ([1, 2, 3], [1, 2])

    Attributes
    ----------
    element : ArraySpec, ListSpec or None
        What each element is, None while nothing was put into it.
    """

    __slots__ = ("_items", "_newer", "_packed", "element")

    def __init__(self, items: list[Any], element: Element | None = None) -> None:
        self._items: list[Any] | None = items
        self._newer: tuple[ListValue, int, int, Any] | None = None
        """The next version, and before that: the length, and what stood at which index."""
        self._packed: Any = None
        """The elements as one array; of lists a pair: the numbers in all of them, and how long they are."""
        self.element = element

    @classmethod
    def packed(cls, array: Any, element: Element) -> ListValue:
        """A list of the numbers or rows of an array, which is for nobody else."""
        found = cls([], element)
        found._items, found._packed = None, array  # of its own kind
        return found

    @classmethod
    def of_rows(cls, numbers: Any, lengths: Any, element: ListSpec) -> ListValue:
        """A list of lists of numbers, from an array of all of these and one of how many are in each list."""
        found = cls([], element)
        found._items, found._packed = None, (numbers, lengths)  # of its own kind
        return found

    @property
    def rows(self) -> tuple[Any, Any] | None:
        """The numbers in the lists of this one, and how long these are, where they came so; else None."""
        packed = self._packed
        return packed if type(packed) is tuple else None

    @property
    def together(self) -> Any:
        """The elements as one array, where they have come so and nobody has asked for each; else None."""
        packed = self._packed
        return None if type(packed) is tuple else packed

    @classmethod
    def of(cls, elements: list[Any], element: Element | None = None) -> ListValue:
        """A list of these elements; `element` says what it would hold, where there are none."""
        items = [_stored(item) for item in elements]
        return cls(items, joined_spec(items, element))

    @property
    def spec(self) -> ListSpec:
        """What a graph knows of it."""
        return ListSpec(self.element)

    @property
    def items(self) -> list[Any]:
        """The elements, None for those that were never written; it is not for the caller to change."""
        with _lock:
            return self._own_items()

    @property
    def length(self) -> int:
        """How many elements there are."""
        packed = self._packed
        if type(packed) is tuple:
            return len(packed[1])
        return len(self.items if packed is None else packed)

    def values(self) -> list[Any]:
        """The elements as a caller reads them: numbers of NumPy's, arrays, and lists of the run."""
        packed = self.together
        if packed is not None:
            return list(packed)
        return [item[()] if isinstance(item, np.ndarray) else item for item in self.items]

    def own_values(self) -> list[Any]:
        """As `values`, with numbers of Python's own, also in lists."""
        packed = self._packed
        if type(packed) is tuple:
            numbers = iter(packed[0].tolist())
            return [list(islice(numbers, length)) for length in packed[1].tolist()]
        if packed is not None and packed.ndim == 1:
            own: list[Any] = packed.tolist()
            return own
        return [
            value.own_values() if isinstance(value, ListValue) else _own(value) for value in self.values()
        ]

    def put(self, index: int, item: Any, *, grows: bool) -> ListValue:
        """A list with another element at `index`."""
        stored = _stored(item)
        found = spec_of_item(stored)
        with _lock:
            items = self._own_items()
            length = len(items)
            before = items[index] if 0 <= index < length else None
            put(items, index, stored, grows)
            newer = ListValue(items, found if self.element is None else self.element.join(found))
            self._items, self._newer = None, (newer, length, index, before)
        return newer

    def _own_items(self) -> list[Any]:
        """The items, after this version alone has them."""
        changes = []
        version = self
        packed = self._packed
        if packed is not None:
            own = self._own_rows(*packed) if type(packed) is tuple else list(map(np.asarray, packed))
            self._items, self._packed = own, None
        while version._newer is not None:
            version, *change = version._newer
            changes.append(change)
        assert version._items is not None, "the newest version has them"  # noqa: SLF001  # of its own kind
        if changes:
            items = version._items.copy()  # noqa: SLF001  # likewise
            for length, index, before in reversed(changes):
                del items[length:]
                if index < length:
                    items[index] = before
            self._items, self._newer = items, None
            return items
        return version._items  # noqa: SLF001  # likewise

    def _own_rows(self, numbers: Any, lengths: Any) -> list[Any]:
        assert isinstance(self.element, ListSpec), "it has rows"
        assert self.element.element is not None, "these are of numbers"
        ends = accumulate(lengths.tolist(), initial=0)
        return [ListValue.packed(numbers[i:j].copy(), self.element.element) for i, j in pairwise(ends)]

    def written_items(self) -> Iterator[tuple[int, Any]]:
        """The elements that are there, and where."""
        return ((index, item) for index, item in enumerate(self.items) if item is not None)

    def _refuse(self, *arguments: object, **options: object) -> NoReturn:
        """A list is no array."""
        del arguments, options
        refuse_as_tensor(self.spec)

    dtype = shape = ndim = size = property(_refuse)
    __array__ = astype = copy = item = tolist = view = _refuse


_lock = threading.Lock()
"""Held while versions of any list part: threads may have started from the same one."""


def _own(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _stored(value: Any) -> Any:
    """An element: a list, or an array."""
    return value if isinstance(value, ListValue) else np.asarray(value)


def spec_of_item(value: Any) -> Element:
    """What an element is."""
    return value.spec if isinstance(value, ListValue) else ArraySpec(np.shape(value), as_dtype(value.dtype))


def joined_spec(items: Sequence[Any], element: Element | None) -> Element | None:
    """What each of some arrays and lists is, and what `element` says."""
    kinds = dict.fromkeys(  # most lists hold many of few kinds
        [item if isinstance(item, ListValue) else (item.dtype, item.shape) for item in items]
    )
    for kind in kinds:
        found = kind.spec if isinstance(kind, ListValue) else ArraySpec(kind[1], as_dtype(kind[0]))
        element = found if element is None else element.join(found)
    return element


def known_shape(element: Spec | None) -> tuple[int | None, ...] | None:
    """The shape of elements as far as it is known before the run."""
    shape = element.shape if isinstance(element, ArraySpec) else None
    return None if shape is None else tuple([dim if isinstance(dim, int) else None for dim in shape])
