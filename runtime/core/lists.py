"""What a list of tensors is while a graph runs, and behind the handle of one in eager code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.spec import ArraySpec, Element, ListSpec, refuse_as_tensor
from runtime.errors import IndexOutOfRange, InvalidValue

__all__ = ["ListValue"]


class ListValue:
    """The elements of a list.

    Versions share one storage: each knows how long it is and which slots were written in it, so that filling
    a slot for the first time and appending cost no copy, and older versions stay what they were.
    """

    __slots__ = ("element", "length", "storage", "written")

    def __init__(self, storage: list[Any], length: int, written: int, element: Element | None) -> None:
        self.storage = storage
        self.length = length
        self.written = written
        self.element = element

    @classmethod
    def of(cls, elements: Iterable[Any], element: Element | None = None) -> ListValue:
        """A list of these elements; `element` says what it would hold, where there are none."""
        storage = [_stored(value) for value in elements]
        for value in storage:
            element = _spec_of(value) if element is None else element.join(_spec_of(value))
        return cls(storage, len(storage), (1 << len(storage)) - 1, element)

    @property
    def spec(self) -> ListSpec:
        """What a graph knows of it."""
        return ListSpec(self.element)

    def _refuse(self, *arguments: object, **options: object) -> NoReturn:
        """A list is no array."""
        del arguments, options
        refuse_as_tensor(self.spec)

    dtype = shape = ndim = size = property(_refuse)
    __array__ = astype = copy = item = tolist = view = _refuse

    def get(self, index: int, dtype: DType) -> Any:
        """The element at `index`; zeros where nothing was written and the shape is known."""
        if not 0 <= index < self.length:
            raise IndexOutOfRange(f"index {index} is out of range for a TensorArray of size {self.length}")
        if self.written >> index & 1:
            return self.storage[index]
        shape = self.element.shape if isinstance(self.element, ArraySpec) else None
        if shape is None or None in shape:
            raise InvalidValue(
                f"element {index} of a TensorArray was read before it was written",
                why="It would be zeros, and their shape is not known.",
                way_out="Write it first, or give the array an `element_shape`.",
            )
        return np.zeros(tuple(dim or 0 for dim in shape), dtype.numpy)

    def put(self, index: int, value: Any, *, grows: bool) -> ListValue:
        """A list with another element at `index`."""
        if index < 0 or (index >= self.length and not grows):
            raise IndexOutOfRange(
                f"index {index} is out of range for a TensorArray of size {self.length}"
                + ("" if grows else "; make it with dynamic_size=True to let it grow")
            )
        fresh = index >= len(self.storage) or self.storage[index] is None
        storage = self.storage if fresh else self.storage.copy()
        storage.extend([None] * (index + 1 - len(storage)))
        storage[index] = _stored(value)
        found = _spec_of(storage[index])
        element = found if self.element is None else self.element.join(found)
        return ListValue(storage, max(self.length, index + 1), self.written | 1 << index, element)

    def elements(self, dtype: DType) -> list[Any]:
        """Every element."""
        return [self.get(index, dtype) for index in range(self.length)]

    def written_items(self) -> Iterator[tuple[int, Any]]:
        """The elements that are there, and where."""
        for index in range(self.length):
            if self.written >> index & 1:
                yield index, self.storage[index]

    @property
    def written_elements(self) -> list[Any]:
        """The elements of a list that was never reserved: all of them are there."""
        return self.storage[: self.length]


def _stored(value: Any) -> Any:
    """An element: a list, or an array."""
    return value if isinstance(value, ListValue) else np.asarray(value)


def _spec_of(value: Any) -> Element:
    return value.spec if isinstance(value, ListValue) else ArraySpec(value.shape, as_dtype(value.dtype))
