"""What a list of tensors is while a graph runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype, variant
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import IndexOutOfRange, InvalidValue

__all__: list[str] = []  # for this family, and no part of the namespace


class ListValue:
    """The elements of a list.

    Versions share one storage: each knows how long it is and which slots were written in it, so that filling
    a slot for the first time and appending cost no copy, and older versions stay what they were.
    """

    __slots__ = ("element", "length", "storage", "written")

    def __init__(self, storage: list[Any], length: int, written: int, element: ArraySpec | None) -> None:
        self.storage = storage
        self.length = length
        self.written = written
        self.element = element

    @classmethod
    def of(cls, elements: Iterable[Any], element: ArraySpec | None = None) -> ListValue:
        """A list of these elements; `element` says what it would hold, where there are none."""
        storage = [np.asarray(value) for value in elements]
        for value in storage:
            element = _spec_of(value) if element is None else element.join(_spec_of(value))
        return cls(storage, len(storage), (1 << len(storage)) - 1, element)

    @property
    def spec(self) -> ArraySpec:
        """What a graph knows of it."""
        return ArraySpec((), variant, self.element)

    def get(self, index: int, dtype: DType) -> Array:
        """The element at `index`; zeros where nothing was written and the shape is known."""
        if not 0 <= index < self.length:
            raise IndexOutOfRange(f"index {index} is out of range for a TensorArray of size {self.length}")
        if self.written >> index & 1:
            element: Array = self.storage[index]
            return element
        shape = self.element.shape if self.element else None
        if shape is None or None in shape:
            raise InvalidValue(
                f"element {index} of a TensorArray was read before it was written",
                why="It would be zeros, and their shape is not known.",
                way_out="Write it first, or give the array an `element_shape`.",
            )
        return np.zeros(tuple(dim or 0 for dim in shape), dtype.numpy)

    def put(self, index: int, value: Array, *, grows: bool) -> ListValue:
        """A list with another element at `index`."""
        if index < 0 or (index >= self.length and not grows):
            raise IndexOutOfRange(
                f"index {index} is out of range for a TensorArray of size {self.length}"
                + ("" if grows else "; make it with dynamic_size=True to let it grow")
            )
        fresh = index >= len(self.storage) or self.storage[index] is None
        storage = self.storage if fresh else self.storage.copy()
        storage.extend([None] * (index + 1 - len(storage)))
        storage[index] = np.asarray(value)
        found = _spec_of(storage[index])
        element = found if self.element is None else self.element.join(found)
        return ListValue(storage, max(self.length, index + 1), self.written | 1 << index, element)

    def elements(self, dtype: DType) -> list[Array]:
        """Every element."""
        return [self.get(index, dtype) for index in range(self.length)]

    @property
    def written_elements(self) -> list[Any]:
        """The elements of a list that was never reserved: all of them are there."""
        return self.storage[: self.length]


def list_of(value: Any) -> ListValue:
    """The list in what a kernel is given: an eager tensor wraps it in an array."""
    found: ListValue = value.item() if isinstance(value, np.ndarray) else value
    return found


def _spec_of(value: Array) -> ArraySpec:
    if value.dtype == variant.numpy:
        inner: ArraySpec = list_of(value).spec
        return inner
    return ArraySpec(value.shape, as_dtype(value.dtype))
