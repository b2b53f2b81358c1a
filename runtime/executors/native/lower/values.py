"""What a value is during lowering: a number, an array, a list, an object, deferred elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, int64
from runtime.core.spec import Spec
from runtime.executors.native.language.loops import (
    Array,
    Expression,
    Load,
    Named,
    Number,
    Object,
    add,
    multiply,
)
from runtime.graph.graph import Node

__all__ = [
    "NOWHERE",
    "Cell",
    "Dims",
    "Elements",
    "Failure",
    "Growing",
    "InMemory",
    "Lowered",
    "Nested",
    "Opaque",
    "Scalar",
    "Source",
    "Unmade",
    "count_of",
    "flat_place",
]

Dims: TypeAlias = tuple[Expression, ...]
"""The length of each axis."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number."""

    value: Expression

    @property
    def dtype(self) -> DType:
        """That of the number."""
        return self.value.dtype


@dataclass(frozen=True, slots=True)
class InMemory:
    """An array."""

    array: Array
    dims: Dims

    @property
    def dtype(self) -> DType:
        """That of the elements."""
        return self.array.dtype

    def at(self, indices: Sequence[Expression]) -> Expression:
        """The element at indices, one for each axis."""
        return Load(self.array, flat_place(indices, self.dims))


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements that are computed where they are wanted.

    Attributes
    ----------
    dims : tuple of Expression
    dtype : DType
    at : callable
        The element at indices, one for each axis; it may add statements.
    at_place : callable or None
        The element so far in, in the order of the indices; None where that is more than asking the operands.
    is_cheap : bool
        Whether computing an element is no more than reading one.
    is_of_places : bool
        Whether an element is known from where it is: nothing that is written changes it.
    seams : tuple of frozenset of int
        For each axis, the indices from which on elements are computed otherwise than before; empty for none.
    """

    dims: Dims
    dtype: DType
    at: Callable[[Sequence[Expression]], Expression]
    at_place: Callable[[Expression], Expression] | None = None
    is_cheap: bool = False
    is_of_places: bool = False
    seams: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True, slots=True)
class Growing:
    """A list of numbers, or of arrays of one shape.

    Attributes
    ----------
    array : Array
        The memory in which the elements lie, one after the other.
    length : Expression
        How many there are.
    room : Expression
        For how many there is memory.
    index : Array or None
        What finds elements by value, where a program asks for such (`tables.py`).
    shape : tuple of int
        Of each element.
    is_blank : bool
        Whether it is not known of what the list is: then nothing is in it.
    """

    array: Array
    length: Expression
    room: Expression
    index: Array | None = None
    shape: tuple[int, ...] = ()
    is_blank: bool = False

    def numbers(self, elements: Expression | int) -> Expression:
        """How many numbers so many elements have."""
        return multiply(elements, math.prod(self.shape))

    @property
    def parts(self) -> list[Expression | Array | Object]:
        """What stands for it inside of a program."""
        return [self.array, self.length, self.room, *([] if self.index is None else [self.index])]

    @property
    def dtype(self) -> DType:
        """That of the elements."""
        return self.array.dtype


@dataclass(frozen=True, slots=True)
class Nested:
    """A list of lists, of numbers or again of lists, which lie in one memory.

    Attributes
    ----------
    heads : Growing
        Where each list begins, how long it is, and for how many elements it has room.
    inner : Growing or Nested
        The elements of all lists, and what lies between them.
    """

    heads: Growing
    inner: Growing | Nested

    @property
    def parts(self) -> list[Expression | Array | Object]:
        """What stands for it inside of a program."""
        return [*self.heads.parts, *self.inner.parts]

    @property
    def numbers(self) -> Growing:
        """Those of the innermost lists."""
        return self.inner if isinstance(self.inner, Growing) else self.inner.numbers

    def with_numbers(self, numbers: Growing) -> Nested:
        """The same lists, with other numbers in the innermost ones."""
        inner = self.inner
        return Nested(self.heads, inner.with_numbers(numbers) if isinstance(inner, Nested) else numbers)


@dataclass(frozen=True, slots=True)
class Opaque:
    """What only Python knows: it is handed from one call of Python to the next."""

    object: Object


@dataclass(frozen=True, slots=True)
class Source:
    """A generator of random numbers that the program has made: the memory that says where its bits are."""

    array: Array


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception by number: machine code knows where it was raised, and Python makes it of that.

    Attributes
    ----------
    site : Expression
        Of the program; `NOWHERE` where nothing was raised.
    bits, floats : tuple of Expression
        The numbers that the site shows: each as its 64 bits, and as the float that these are.
    raising : tuple of Node or None
        The nodes that may have raised it with arguments of the program's own; None for all that there are.
    """

    site: Expression
    bits: tuple[Expression, ...]
    floats: tuple[Expression, ...]
    raising: tuple[Node, ...] | None = None

    @property
    def parts(self) -> tuple[Expression, ...]:
        """What stands for it."""
        return (self.site, *self.bits, *self.floats)


NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Unmade:
    """A text of an exception, or one behind it, which exceptions hold that are not made here."""


@dataclass(slots=True)
class Cell:
    """A cell for checkpoints.

    Attributes
    ----------
    variables : list of (names, Spec)
        Of the `try` that it belongs to, with what stands for each.
    rows : dict of int to tuple
        For each checkpoint, where the variables are found there.
    """

    variables: list[tuple[Sequence[Named], Spec]] = field(default_factory=list)
    rows: Mapping[int, Sequence[Any]] = field(default_factory=dict)


Lowered: TypeAlias = (
    "Scalar | InMemory | Elements | Growing | Nested | Opaque | Source | Failure | Unmade | Cell"
)


def count_of(dims: Dims) -> Expression:
    """How many elements there are."""
    return multiply(*dims) if dims else Number(1, int64)


def flat_place(indices: Sequence[Expression], dims: Dims) -> Expression:
    """How far in an element is."""
    place: Expression = Number(0, int64)
    for index, dim in zip(indices, dims, strict=True):
        place = add(multiply(place, dim), index)
    return place
