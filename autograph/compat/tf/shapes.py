"""`tf.TensorShape`: a shape as an object, and what `.shape` gives of tensors under TensorFlow's names."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dims import SymbolicDim
from runtime.core.shapes import Written, written
from runtime.core.spec import as_shape
from runtime.core.tensor import Array
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.ops.arguments import shape_argument

__all__ = ["TensorShape"]


class TensorShape:
    """`tf.TensorShape`.

    Parameters
    ----------
    dims : sequence of int or None, int, vector of integers, TensorShape, or None
        None for an unknown rank.

    Attributes
    ----------
    dims : tuple of int or None, or None
        The shape as the rest of the project has it.

    Raises
    ------
    ValueError
        When a length is negative.
    TypeError
        When one is no integer.

    Examples
    --------
    >>> TensorShape([None, 2]).as_list()
    [None, 2]
    >>> TensorShape([None, 2])[1:]
    TensorShape([2])
    >>> TensorShape([None, 2]) == (None, 2)
    True
    """

    __slots__ = ("dims",)

    def __init__(self, dims: Any) -> None:
        self.dims: Written = _dims_of(dims)

    @property
    def rank(self) -> int | None:
        """The number of axes, None where it is unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        """As `rank`."""
        return self.rank

    def as_list(self) -> list[int | None]:
        """The dims as a list.

        Raises
        ------
        ValueError
            When the rank is unknown.
        """
        if self.dims is None:
            raise _unknown("as_list() is not defined on an unknown TensorShape.")
        return list(self.dims)

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dim are known."""
        return self.dims is not None and None not in self.dims

    def num_elements(self) -> int | None:
        """The number of elements, None where it is unknown."""
        return shapes.size(as_shape(self.dims))

    # ── one shape and another ──

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some tensor has both shapes."""
        return shapes.compatible(as_shape(self.dims), as_shape(TensorShape(other)))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape is of the other one, too."""
        return isinstance(other, TensorShape) and shapes.contains(as_shape(other), as_shape(self))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most exact shape that holds both: lengths that differ become unknown, and so do ranks."""
        return TensorShape(shapes.join(as_shape(self), as_shape(TensorShape(other))))

    def most_specific_common_supertype(self, others: Iterable[Any]) -> TensorShape | None:
        """The most exact shape that holds all of them; None where one is no shape."""
        found = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            found = found.most_specific_compatible_shape(other)
        return found

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from both.

        Raises
        ------
        ValueError
            When no tensor has both shapes.
        """
        shape = TensorShape(other)
        if not self.is_compatible_with(shape):
            raise _disagree(f"Shapes {self} and {shape} are not compatible")
        if self.dims is None or shape.dims is None:
            return shape if self.dims is None else self
        return TensorShape([b if a is None else a for a, b in zip(self.dims, shape.dims, strict=True)])

    def concatenate(self, other: Any) -> TensorShape:
        """The dims of this shape and then those of another."""
        shape = TensorShape(other)
        return TensorShape(None if self.dims is None or shape.dims is None else (*self.dims, *shape.dims))

    # ── what it must be ──

    def with_rank(self, rank: int) -> TensorShape:
        """The shape, which must have so many axes.

        Raises
        ------
        ValueError
            When it has not.
        """
        if self.rank not in {None, rank}:
            raise _disagree(f"Shape {self} must have rank {rank}")
        return self.merge_with([None] * rank)

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """The shape, which must have so many axes, or more.

        Raises
        ------
        ValueError
            When it has not.
        """
        if self.rank is not None and self.rank < rank:
            raise _disagree(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """The shape, which must have so many axes, or fewer.

        Raises
        ------
        ValueError
            When it has not.
        """
        if self.rank is not None and self.rank > rank:
            raise _disagree(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """As `with_rank`, for its error."""
        if self.rank not in {None, rank}:
            raise _disagree(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raises a ValueError where the other shape has another number of axes."""
        shape = TensorShape(other)
        if self.rank is not None and shape.rank is not None and self.rank != shape.rank:
            raise _disagree(f"Shapes {self} and {shape} must have the same rank")

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises a ValueError where no tensor has both shapes."""
        if not self.is_compatible_with(other):
            raise _disagree(f"Shapes {self} and {other} are incompatible")

    def assert_is_fully_defined(self) -> None:
        """Raises a ValueError where a length is unknown, or the rank."""
        if not self.is_fully_defined():
            raise _disagree(f"Shape {self} is not fully defined")

    # ── as a sequence ──

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        del copy  # it is made anew
        known, _ = shape_argument(tuple(self))
        return np.array(known, dtype or np.int32)

    def __len__(self) -> int:
        if self.dims is None:
            raise _unknown("Cannot take the length of shape with unknown rank.")
        return len(self.dims)

    def __bool__(self) -> bool:
        return self.dims is not None

    def __iter__(self) -> Iterator[int | None]:
        if self.dims is None:
            raise _unknown("Cannot iterate over a shape with unknown rank.")
        return iter(self.dims)

    def __getitem__(self, index: Any) -> Any:
        if self.dims is not None:
            return TensorShape(self.dims[index]) if isinstance(index, slice) else self.dims[index]
        if not isinstance(index, slice):
            return None
        first, last = index.start or 0, index.stop
        if last is None or first < 0 or last < 0 or index.step is not None:
            return TensorShape(None)  # how many there are follows from the rank
        return TensorShape([None] * max(0, last - first))

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == TensorShape(other).dims
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.dims)

    def __str__(self) -> str:
        return "<unknown>" if self.dims is None else str(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def _dims_of(dims: Any) -> Written:
    """The lengths that `dims` names, which is anything that TensorFlow takes for a shape."""
    dims = getattr(dims, "dims", dims)
    if dims is None:
        return None
    if isinstance(dims, tuple) and builtins.all(type(dim) is int for dim in dims):
        return dims if builtins.min(dims, default=0) >= 0 else _refuse(builtins.min(dims))
    if hasattr(dims, "__index__") and not getattr(dims, "ndim", 0):
        dims = (dims,)
    if isinstance(dims, (str, bytes)) or not isinstance(dims, Iterable):
        raise DTypeError(
            f"{dims!r} is no shape",
            why="A shape is one length, or a sequence of lengths: whole numbers, and None for any.",
            way_out="Write `[2, 3]`, or `[None, 3]`.",
        )
    items = np.asarray(dims).tolist() if hasattr(dims, "ndim") else dims
    return written(tuple([_dim(dim) for dim in items]))


def _dim(dim: Any) -> Any:
    if dim is None or isinstance(dim, SymbolicDim):
        return None
    try:
        length = operator.index(dim)
    except TypeError:
        raise DTypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value {dim!r} with "
            f"type {type(dim)!r}",
            why="A length of a shape is a whole number, or None where it may be any.",
            way_out="Write `[2, 3]`, or `[None, 3]`.",
        ) from None
    return length if length >= 0 else _refuse(length)


def _refuse(length: int) -> Any:
    raise ShapeError(
        f"Dimension {length} must be >= 0",
        why="A length counts elements.",
        way_out="Give None for a length that may be any.",
    )


def _disagree(happened: str) -> ShapeError:
    return ShapeError(
        happened,
        why="A shape says what tensors have it: so many axes, of such lengths.",
        way_out="Give None for a length that may be any.",
    )


def _unknown(happened: str) -> InvalidValue:
    return InvalidValue(
        happened,
        why="How many axes there are is only known when the graph runs.",
        way_out="Test `shape.rank is not None` first, or use `tf.shape(x)`.",
    )
