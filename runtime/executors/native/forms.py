"""The calling convention between Python and machine code: words of eight bytes.

A number is one word, or two where it is complex128. An array is the address of its elements, which lie in the
order of their indices, and those of its lengths that the code does not know; a list of numbers, or of arrays
of one known shape, is an address, a length, and for how many elements there is room. A list of lists of
numbers is two such: of where each list begins among the numbers of all, how long it is and how many it has
room for; and of these numbers. Lists in lists in lists are three, and so on. Anything else is an object of
Python's: its address, with the last bit set.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import LOW_PRECISION, DType, float16, int64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec, Spec

__all__ = [
    "HEAD",
    "Anything",
    "ArrayForm",
    "Form",
    "ListForm",
    "NestedForm",
    "NumberForm",
    "Shelter",
    "address_of",
    "form_of",
    "is_blank",
    "is_computed",
    "is_nested",
    "missing",
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
    "complex64": "ff",
    "complex128": "dd",
}
"""A number in eight bytes, for `struct`."""


class Shelter:
    """What is handed to machine code, as long as a call lasts."""

    def __init__(self) -> None:
        self._values: list[Any] = []

    def array(self, array: Any) -> int:
        """The address of the elements of an array, where these lie in order."""
        whole = np.ascontiguousarray(array)
        self._values.append(whole)
        return address_of(whole)

    def object(self, value: object) -> int:
        """The address of an object."""
        self._values.append(value)
        return id(value)


class Form(ABC):
    """How values of a kind are passed.

    Attributes
    ----------
    format : str
        Of the words, for `struct`.
    """

    format: str

    @abstractmethod
    def read(self, words: Iterator[Any]) -> Any:
        """The value that the next words stand for; an array is a copy."""

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

    def read(self, words: Iterator[Any]) -> Any:
        value = complex(next(words), next(words)) if self.dtype.is_complex else next(words)
        return self.dtype.numpy.type(value)

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        del shelter
        number = np.asarray(value, self.dtype.numpy).item()
        return [number.real, number.imag] if self.dtype.is_complex else [number]


@dataclass(frozen=True)
class ArrayForm(Form):
    """An array; lengths that are None have words of their own."""

    dtype: DType
    dims: tuple[int | None, ...]

    @property
    def format(self) -> str:  # type: ignore[override]  # it is never set
        return "Q" + "q" * self.dims.count(None)

    def read(self, words: Iterator[Any]) -> Any:
        address = next(words)
        shape = tuple([next(words) if dim is None else dim for dim in self.dims])
        return _elements_at(address, shape, self.dtype)

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        array = np.asarray(value, self.dtype.numpy)
        lengths = [length for dim, length in zip(self.dims, array.shape, strict=True) if dim is None]
        return [shelter.array(array), *lengths]


@dataclass(frozen=True)
class ListForm(Form):
    """A list of numbers, or of arrays of one shape, which lie one after the other."""

    dtype: DType
    dims: tuple[int, ...] = ()
    format = "Qqq"

    @property
    def element(self) -> ArraySpec:
        """What is known of each element."""
        return ArraySpec(self.dims, self.dtype)

    def read(self, words: Iterator[Any]) -> Any:
        address, length, _ = next(words), next(words), next(words)
        return ListValue.packed(_elements_at(address, (length, *self.dims), self.dtype), self.element)

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        array = self.items(value)
        return [shelter.array(array), len(array), len(array)]

    def items(self, value: ListValue) -> Any:
        """The elements of a list as an array."""
        packed = value.together
        if packed is not None:
            return np.asarray(packed, self.dtype.numpy).reshape(len(packed), *self.dims)
        zero = np.zeros(self.dims, self.dtype.numpy)[()]  # what was never written reads as
        items = [zero if item is None else item for item in value.items]
        return np.array(items, self.dtype.numpy).reshape(len(items), *self.dims)


@dataclass(frozen=True)
class NestedForm(Form):
    """A list of lists of numbers: the heads of all lists, and the numbers of all; or of lists of such lists.

    Attributes
    ----------
    dtype : DType
        Of the numbers.
    depth : int
        How many lists a number is in.
    """

    dtype: DType
    depth: int = 2

    @property
    def format(self) -> str:  # type: ignore[override]  # it is never set
        return ListForm.format * self.depth

    def read(self, words: Iterator[Any]) -> Any:
        parts = []
        for level in range(1, self.depth + 1):
            address, count, _ = next(words), next(words), next(words)
            is_last = level == self.depth
            shape, dtype = ((count,), self.dtype) if is_last else ((count, HEAD), int64)
            parts.append(_elements_at(address, shape, dtype))
        return self.made(*parts)

    def made(self, heads: Any, *inner: Any) -> ListValue:
        """A list, of the heads of what is in it and of what these say, down to the numbers of all."""
        if len(inner) == 1:
            (numbers,) = inner
            return self._of_rows(heads, numbers)
        of_each, *rest = inner
        element: ListSpec = ListSpec(ArraySpec((), self.dtype))
        for _ in rest:
            element = ListSpec(element)
        lists = [self.made(of_each[start : start + size], *rest) for start, size, _ in heads.tolist()]
        return ListValue(lists, element)

    def _of_rows(self, heads: Any, whole: Any) -> ListValue:
        starts, sizes, _ = heads.T
        sizes = sizes.copy()
        ends = np.cumsum(sizes)
        total = int(ends[-1]) if len(sizes) else 0
        if total != len(whole) or (starts != ends - sizes).any():  # lists have grown, or lie elsewhere
            whole = whole[np.repeat(starts - ends + sizes, sizes) + np.arange(total)]
        return ListValue.of_rows(whole, sizes, ListSpec(ArraySpec((), self.dtype)))

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        return [word for each in self.items(value) for word in (shelter.array(each), len(each), len(each))]

    def items(self, value: ListValue) -> list[Any]:
        """The heads of the lists of a list, of the lists in these, and so on; and the numbers of all."""
        together = value.rows if isinstance(value, ListValue) else None
        if together is not None:
            numbers, sizes = together
            return [_heads(sizes), np.ascontiguousarray(numbers, self.dtype.numpy)]
        lists = [each if isinstance(each, ListValue) else ListValue(each or []) for each in value.items]
        if self.depth == 2:
            rows = list(map(ListForm(self.dtype).items, lists))
            return [
                _heads(list(map(len, rows))),
                np.concatenate([np.zeros(0, self.dtype.numpy), *rows]),
            ]
        inner = list(map(NestedForm(self.dtype, self.depth - 1).items, lists))
        heads = [_heads([len(of_one) for of_one, *_ in inner])]
        for level in range(self.depth - 2):
            behind = np.cumsum([0, *[len(each[level + 1]) for each in inner]])
            of_each = [each[level] + [start, 0, 0] for each, start in zip(inner, behind, strict=False)]
            heads.append(np.concatenate([np.zeros((0, HEAD), np.int64), *of_each]))
        numbers = [each[-1] for each in inner]
        return [*heads, np.concatenate([np.zeros(0, self.dtype.numpy), *numbers])]


def _heads(lengths: Any) -> Any:
    """The heads of lists of these lengths, which lie one behind the other."""
    sizes = np.asarray(lengths, np.int64)
    heads = np.empty((len(sizes), HEAD), np.int64)
    heads[:, 1] = heads[:, 2] = sizes
    heads[:, 0] = np.cumsum(sizes) - sizes
    return heads


HEAD = 3
"""Numbers that say of a list in a list where it begins, how long it is, and how many it has room for."""


@dataclass(frozen=True)
class Anything(Form):
    """An object."""

    format = "Q"

    def read(self, words: Iterator[Any]) -> Any:
        return ctypes.cast(next(words) & ~1, ctypes.py_object).value

    def write(self, value: Any, shelter: Shelter) -> list[Any]:
        return [shelter.object(value) | 1]


def address_of(array: Any) -> int:
    """Where the elements of an array are."""
    address: int = array.__array_interface__["data"][0]
    return address


def _elements_at(address: int, shape: tuple[int, ...], dtype: DType) -> Any:
    """The elements that lie at an address, as an array of their own."""
    array = np.empty(shape, dtype.numpy)
    ctypes.memmove(address_of(array), address, array.nbytes)
    return array


def is_computed(dtype: DType) -> bool:
    """Whether machine code computes with numbers of a dtype."""
    return not (dtype in LOW_PRECISION or dtype is float16)


def missing(spec: Spec) -> str:
    """Why a value is an object of Python's in machine code; empty where it is none."""
    if isinstance(spec, ListSpec):
        element = spec.element
        has_form = isinstance(element, ArraySpec) and _is_known(element) and is_computed(element.dtype)
        return "" if has_form else f"it gives a {spec}"
    if not isinstance(spec, ArraySpec):
        return f"it gives a {spec}"
    if spec.shape is None:
        return "the rank of its result is not known"
    return "" if is_computed(spec.dtype) else f"{spec.dtype} is computed by NumPy"


def is_blank(spec: Spec) -> bool:
    """Whether a spec is of a list, or of lists in lists, whose elements are not known as it is empty."""
    if not isinstance(spec, ListSpec):
        return False
    return spec.element is None or is_blank(spec.element)


def _is_known(element: ArraySpec) -> bool:
    """Whether all elements of a list are numbers, or arrays of one shape that have some."""
    return element.shape is not None and all(isinstance(dim, int) and dim > 0 for dim in element.shape)


def is_nested(spec: Spec) -> bool:
    """Whether a spec is of lists of numbers in a list."""
    return _innermost(spec)[1] > 1


def _innermost(spec: Spec) -> tuple[DType, int]:
    """The dtype of the numbers in lists in lists, and how many lists these are in; 0 without a form."""
    depth = 0
    element: Any = spec
    while isinstance(element, ListSpec):
        element, depth = element.element, depth + 1
    has_form = isinstance(element, ArraySpec) and element.is_scalar and is_computed(element.dtype)
    return (element.dtype, depth) if has_form else (int64, 0)


def form_of(spec: Spec, *, has_nested: bool = False) -> Form:
    """How values of a spec are passed: a list of lists as an object, unless the program `has_nested` ones."""
    if has_nested and is_nested(spec):
        return NestedForm(*_innermost(spec))
    if missing(spec):
        return Anything()
    if isinstance(spec, ListSpec):
        assert isinstance(spec.element, ArraySpec), "it is of numbers"
        return ListForm(spec.element.dtype, tuple([int(dim) for dim in spec.element.shape or ()]))  # type: ignore[arg-type]  # they are known
    assert isinstance(spec, ArraySpec), "there is nothing else"
    if not spec.shape:
        return NumberForm(spec.dtype)
    return ArrayForm(spec.dtype, tuple([dim if isinstance(dim, int) else None for dim in spec.shape]))
