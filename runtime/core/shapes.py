"""Shapes with unknown parts.

A shape is a tuple of dims; an unknown dim is None, and an unknown rank makes the whole shape None.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import SupportsIndex, TypeAlias

from runtime.errors import AxisError, DTypeError, ShapeError

__all__ = [
    "Dim",
    "Shape",
    "as_axis",
    "broadcast",
    "broadcasts_surely",
    "compatible",
    "contains",
    "is_known",
    "join",
    "known_of",
    "normalise_axes",
    "normalise_axis",
    "size",
    "text",
    "times",
]

Dim: TypeAlias = int | None
Shape: TypeAlias = tuple[Dim, ...] | None


def is_known(shape: Shape) -> bool:
    """Whether rank and every dim are known."""
    return shape is not None and None not in shape


def size(shape: Shape) -> int | None:
    """The number of elements, or None where it is not known."""
    if shape is None:
        return None
    known = [dim for dim in shape if dim is not None]
    if 0 in known:
        return 0
    return math.prod(known) if len(known) == len(shape) else None


def text(shape: Shape) -> str:
    """How a shape is printed: ``()``, ``(2,)``, ``(None, 3)``, ``<unknown>``."""
    return "<unknown>" if shape is None else str(shape)


def broadcast(*shapes: Shape) -> Shape:
    """The shape that these broadcast to, by NumPy's rule; an unknown dim gives way to a known one above 1.

    >>> broadcast((3, 1), (None,)), broadcast((2, 3), None)
    ((3, None), None)

    Raises
    ------
    ShapeError
        When two known dims differ and neither is 1.
    """
    if any(shape is None for shape in shapes):
        return None
    known = [shape for shape in shapes if shape is not None]
    if len(set(known)) == 1 and is_known(known[0]):
        return known[0]
    rank = max(map(len, known), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    try:
        return tuple(_broadcast_dims(dims) for dims in zip(*padded, strict=True))
    except ShapeError:
        listed = " and ".join(text(shape) for shape in known)
        raise ShapeError(
            f"shapes {listed} do not broadcast together",
            why="Counted from the right, dims must be equal or 1.",
            way_out="Reshape one of them, or give it an axis of length 1 with `rt.expand_dims`.",
        ) from None


def _broadcast_dims(dims: Iterable[Dim]) -> Dim:
    result: Dim = 1
    for dim in dims:
        if dim in {1, result}:
            continue
        if result == 1 or (result is None and dim is not None):
            result = dim
        elif dim is not None:
            raise ShapeError
    return result


def broadcasts_surely(*shapes: Shape) -> bool:
    """Whether these broadcast whatever is not known of them, given that they do by what is known.

    >>> broadcasts_surely((None, 3), (3,)), broadcasts_surely((None,), (3,)), broadcasts_surely(None, ())
    (True, False, True)
    """
    with_axes = [shape for shape in shapes if shape != ()]
    if len(with_axes) < 2 or all(map(is_known, with_axes)):
        return True
    known = [shape for shape in with_axes if shape is not None]
    if len(known) < len(with_axes):
        return False
    rank = max(map(len, known))
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    return all(None not in dims or sum(dim != 1 for dim in dims) < 2 for dims in zip(*padded, strict=True))


def join(left: Shape, right: Shape) -> Shape:
    """The most exact shape that holds both: dims that differ become unknown, and so do ranks.

    >>> join((2, 3), (5, 3)), join((2,), (2, 2))
    ((None, 3), None)
    """
    if left == right:
        return left
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else None for a, b in zip(left, right, strict=True))


def known_of(left: Dim, right: Dim) -> Dim:
    """The length of two axes that are equally long, where one of them is known.

    >>> known_of(None, 3), known_of(None, None)
    (3, None)
    """
    return right if left is None else left


def times(dim: Dim, count: int) -> Dim:
    """The length of an axis repeated so often: 0 times is nothing, whatever its length.

    >>> times(2, 3), times(None, 3), times(None, 0)
    (6, None, 0)
    """
    return 0 if count == 0 else None if dim is None else dim * count


def contains(general: Shape, specific: Shape) -> bool:
    """Whether every array of shape `specific` is one of shape `general`."""
    return join(general, specific) == general


def compatible(left: Shape, right: Shape) -> bool:
    """Whether some array has both shapes."""
    if left is None or right is None:
        return True
    return len(left) == len(right) and all(
        a is None or b is None or a == b for a, b in zip(left, right, strict=True)
    )


def as_axis(axis: SupportsIndex) -> int:
    """`axis` as a Python integer.

    Raises
    ------
    DTypeError
        When it is no integer.
    """
    try:
        return operator.index(axis)
    except TypeError as error:
        if isinstance(error, DTypeError):  # a tensor that is no integer says so itself
            raise
        raise DTypeError(
            f"an axis is {axis!r}",
            why="The axes of a tensor are counted: an axis is an integer.",
            way_out="Give one, or a tuple of integers where a function takes several axes.",
        ) from None


def normalise_axis(axis: SupportsIndex, rank: int) -> int:
    """`axis` counted from the front.

    Raises
    ------
    AxisError
        When it is outside ``-rank <= axis < rank``.
    DTypeError
        When it is no integer.
    """
    axis = as_axis(axis)
    if not -rank <= axis < rank:
        raise AxisError(
            f"axis {axis} is out of range for a tensor of rank {rank}",
            way_out=f"Give one from {-rank} to {rank - 1}." if rank else "Leave out the axis: there is none.",
        )
    return axis % rank


def normalise_axes(axes: SupportsIndex | Sequence[SupportsIndex] | None, rank: int) -> tuple[int, ...]:
    """`axes` counted from the front, in order; None means all.

    Raises
    ------
    AxisError
        When one is out of range.
    ShapeError
        When one is named twice.
    """
    if axes is None:
        return tuple(range(rank))
    listed = axes if isinstance(axes, Sequence) else (axes,)
    result = tuple(sorted(normalise_axis(axis, rank) for axis in listed))
    if len(set(result)) != len(result):
        raise ShapeError(
            f"an axis is named twice in {tuple(listed)}",
            why="Counted from the front or from the back, an axis can be named once.",
            way_out="Name each axis once.",
        )
    return result
