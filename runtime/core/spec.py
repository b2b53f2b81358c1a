"""What is known of a tensor before it has a value: shape and dtype."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from runtime.core.dtypes import DType, as_dtype, float32, result_type, variant
from runtime.core.shapes import Dim, Shape, compatible, contains, join, text
from runtime.errors import DTypeError, ShapeError

__all__ = ["ArraySpec", "Spec", "TensorSpec", "as_shape"]

_SHAPE = "A shape is a tuple of lengths: integers from 0 on, and None where a length is not known."


class Spec:
    """What is known of a value of a graph before it is there: the base class of every kind."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ArraySpec(Spec):
    """Shape and dtype of a value in a graph.

    `element` is there for lists of tensors only (dtype `variant`): what each element is, None while nothing
    was put into the list.
    """

    shape: Shape
    dtype: DType
    element: ArraySpec | None = None

    @property
    def rank(self) -> int | None:
        """The number of axes, or None where it is unknown."""
        return None if self.shape is None else len(self.shape)

    def with_shape(self, shape: Shape) -> ArraySpec:
        """The same dtype in another shape."""
        return ArraySpec(shape, self.dtype)

    def with_dtype(self, dtype: DType) -> ArraySpec:
        """The same shape in another dtype."""
        return ArraySpec(self.shape, dtype)

    def contains(self, other: ArraySpec) -> bool:
        """Whether every tensor of spec `other` also has this spec."""
        if self.dtype is not other.dtype or not contains(self.shape, other.shape):
            return False
        if self.element is None or other.element is None:
            return other.element is None
        return self.element.contains(other.element)

    def join(self, other: ArraySpec) -> ArraySpec:
        """The most exact spec that holds both; the dtypes must agree already, but not those of elements."""
        if self == other:
            return self
        if self.dtype is not other.dtype:
            raise DTypeError(
                f"{self} and {other} have no spec in common",
                why="A spec has one dtype.",
                way_out="Cast one of the tensors with `rt.astype`.",
            )
        element = self.element or other.element
        if self.element and other.element:
            element = self.element._promoted(other.element)  # noqa: SLF001  # of this class
        return ArraySpec(join(self.shape, other.shape), self.dtype, element)

    def _promoted(self, other: ArraySpec) -> ArraySpec:
        """What the elements of two lists have in common."""
        if variant in (self.dtype, other.dtype):
            return self.join(other)
        dtype = result_type(self.dtype, other.dtype)
        return ArraySpec(join(self.shape, other.shape), dtype)

    def __str__(self) -> str:
        if self.dtype is variant:
            return f"list[{self.element or '?'}]"
        if self.shape is None:
            return f"{self.dtype.short}[...]"
        return f"{self.dtype.short}[{','.join('?' if dim is None else str(dim) for dim in self.shape)}]"


def as_shape(shape: Any) -> Shape:
    """A shape from what users write: a tuple or list of ints and None, one int, or None for unknown rank.

    An object with `dims`, such as TensorFlow's shapes, counts as those.

    Raises
    ------
    ShapeError
        When a dim is negative or no integer.
    """
    shape = getattr(shape, "dims", shape)
    if shape is None:
        return None
    if hasattr(shape, "__index__") and not hasattr(shape, "__len__"):
        shape = (shape,)
    if not isinstance(shape, Iterable):
        raise ShapeError(f"{shape!r} is no shape", why=_SHAPE, way_out="Write `(2, 3)`, or `(None, 3)`.")
    return tuple(_as_dim(dim, shape) for dim in shape)


def _as_dim(dim: Any, shape: object) -> Dim:
    if dim is None:
        return None
    try:
        result = operator.index(dim)
    except TypeError:
        raise ShapeError(
            f"{dim!r} in shape {shape!r} is no dim", why=_SHAPE, way_out="Write `(2, 3)`, or `(None, 3)`."
        ) from None
    if result < 0:
        raise ShapeError(
            f"{dim!r} in shape {shape!r} is negative", why=_SHAPE, way_out="Write None for an unknown dim."
        )
    return result


class TensorSpec(ArraySpec):
    """A spec as a user writes it, in `input_signature` and `get_concrete_function`.

    Parameters
    ----------
    shape : tuple of int or None, int, or None
        None for an unknown dim; None alone for an unknown rank.
    dtype : DType, numpy.dtype, type or str
    name : str, optional
        What the argument is called in the graph.

    >>> TensorSpec((None, 3), "float32")
    TensorSpec(shape=(None, 3), dtype=float32, name=None)
    """

    __slots__ = ("name",)
    name: str | None

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        super().__init__(as_shape(shape), as_dtype(dtype))
        object.__setattr__(self, "name", name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    @property
    def plain(self) -> ArraySpec:
        """The same without its name."""
        return ArraySpec(self.shape, self.dtype)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor or spec could be of this spec."""
        return as_dtype(other.dtype) is self.dtype and compatible(self.shape, as_shape(other.shape))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={text(self.shape)}, dtype={self.dtype}, name={self.name!r})"
