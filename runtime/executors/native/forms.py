"""How values are passed between Python and machine code: in words of eight bytes.

A number is one word. An array is the address of its elements, which lie in the order of their indices, and
those of its lengths that the code does not know; a list of numbers is an address, a length, and for how many
elements there is room. Anything else is an object of Python's: its address, with the last bit set.
"""

from __future__ import annotations

import ctypes
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.dtypes import LOW_PRECISION, DType, float16
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec, Spec

__all__ = [
    "Anything",
    "ArrayForm",
    "Form",
    "ListForm",
    "NumberForm",
    "Shelter",
    "address_of",
    "form_of",
    "is_computed",
    "missing",
    "object_at",
]

_FORMATS = {
    "bool": "?7x",
    "int8": "b7x",
    "uint8": "B7x",
    "int16": "h6x",
    "uint16": "H6x",
    "int32": "i4x",
    "uint32": "I4x",
    "int64": "q",
    "uint64": "Q",
    "float32": "f4x",
    "float64": "d",
}
"""A number in eight bytes, for `struct`."""


class Shelter(ABC):
    """Where what Python hands over lives as long as the machine code needs it."""

    @abstractmethod
    def array(self, array: Any) -> int:
        """The address of the elements, of an array whose elements lie in order."""

    @abstractmethod
    def object(self, value: object) -> int:
        """The address of an object."""


class Form(ABC):
    """How values of a kind are passed.

    Attributes
    ----------
    format : str
        Of the words, for `struct`.
    """

    format: str

    @property
    def words(self) -> int:
        """How many there are."""
        return struct.calcsize(f"<{self.format}") // 8

    @abstractmethod
    def read(self, words: Iterator[Any], *, copies: bool = True) -> Any:
        """The value that the next words stand for; an array is lent, not a copy, unless it `copies`."""

    @abstractmethod
    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        """The words for a value."""


@dataclass(frozen=True)
class NumberForm(Form):
    """A number."""

    dtype: DType

    @property
    def format(self) -> str:  # type: ignore[override]  # it is never set
        return _FORMATS[self.dtype.name]

    def read(self, words: Iterator[Any], *, copies: bool = True) -> Any:
        del copies
        return self.dtype.numpy.type(next(words))

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        del shelter
        return [np.asarray(value, self.dtype.numpy).item()]


@dataclass(frozen=True)
class ArrayForm(Form):
    """An array; lengths that are None have words of their own."""

    dtype: DType
    dims: tuple[int | None, ...]

    @property
    def format(self) -> str:  # type: ignore[override]  # it is never set
        return "Q" + "q" * self.dims.count(None)

    def read(self, words: Iterator[Any], *, copies: bool = True) -> Any:
        address = next(words)
        shape = tuple([next(words) if dim is None else dim for dim in self.dims])
        return _elements(address, shape, self.dtype, copies=copies)

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        array = np.asarray(value, self.dtype.numpy)
        fits = array.ndim == len(self.dims) and all(
            dim is None or dim == length for dim, length in zip(self.dims, array.shape, strict=True)
        )
        assert fits, f"an array of shape {array.shape} is no {self}"
        lengths = [length for dim, length in zip(self.dims, array.shape, strict=True) if dim is None]
        return [shelter.array(np.ascontiguousarray(array)), *lengths]


@dataclass(frozen=True)
class ListForm(Form):
    """A list of numbers."""

    dtype: DType
    format = "Qqq"

    def read(self, words: Iterator[Any], *, copies: bool = True) -> Any:
        del copies
        address, length, _ = next(words), next(words), next(words)
        items = _elements(address, (length,), self.dtype, copies=True)
        return ListValue(list(map(np.asarray, items)), ArraySpec((), self.dtype))

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        zero = self.dtype.numpy.type(0)  # what was never written reads as
        items = [zero if item is None else item for item in value.items]
        array = np.array(items, self.dtype.numpy)
        return [shelter.array(array), len(items), len(items)]


@dataclass(frozen=True)
class Anything(Form):
    """An object."""

    format = "Q"

    def read(self, words: Iterator[Any], *, copies: bool = True) -> Any:
        del copies
        return object_at(next(words))

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        return [shelter.object(value) | 1]


def object_at(word: int) -> Any:
    """The object that a word stands for."""
    return ctypes.cast(word & ~1, ctypes.py_object).value


def address_of(array: Any) -> int:
    """Where the elements of an array are."""
    address: int = array.__array_interface__["data"][0]
    return address


def _elements(address: int, shape: tuple[int, ...], dtype: DType, *, copies: bool) -> Any:
    if not copies and 0 not in shape:
        size = dtype.itemsize
        for length in shape:
            size *= length
        memory: Any = (ctypes.c_char * size).from_address(address)
        lent = np.ndarray(shape, dtype.numpy, memory)
        lent.flags.writeable = False
        return lent
    array = np.empty(shape, dtype.numpy)
    ctypes.memmove(address_of(array), address, array.nbytes)
    return array


def is_computed(dtype: DType) -> bool:
    """Whether machine code computes with numbers of a dtype."""
    return not (dtype.is_complex or dtype in LOW_PRECISION or dtype is float16)


def missing(spec: Spec) -> str:
    """Why a value is an object of Python's in machine code; empty where it is none."""
    if isinstance(spec, ListSpec):
        element = spec.element
        has_form = isinstance(element, ArraySpec) and element.is_scalar and is_computed(element.dtype)
        return "" if has_form else f"it gives a {spec}"
    if not isinstance(spec, ArraySpec):
        return f"it gives a {spec}"
    if spec.shape is None:
        return "the rank of its result is not known"
    return "" if is_computed(spec.dtype) else f"{spec.dtype} is computed by NumPy"


def form_of(spec: Spec) -> Form:
    """How values of a spec are passed."""
    if missing(spec):
        return Anything()
    if isinstance(spec, ListSpec):
        assert isinstance(spec.element, ArraySpec), "it is of numbers"
        return ListForm(spec.element.dtype)
    assert isinstance(spec, ArraySpec), "there is nothing else"
    if not spec.shape:
        return NumberForm(spec.dtype)
    return ArrayForm(spec.dtype, tuple([dim if isinstance(dim, int) else None for dim in spec.shape]))
