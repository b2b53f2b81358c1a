"""`Gather` and `Scatter`: elements read and written at places; `Nonzero`, which finds such places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import bool_, int64
from runtime.core.shapes import UNKNOWN, Dim, Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import GraphError, IndexOutOfRange, InvalidIndex, ShapeError
from runtime.graph.build import bind
from runtime.graph.op import FRESH, Aliases
from runtime.ops.facts import INTEGER, TABLE, Sample, raising
from runtime.ops.families import Family
from runtime.ops.promotion import require_dtype

__all__ = ["WRITERS", "Gather", "Nonzero", "Scatter", "gather", "is_together", "joined", "scatter"]


WRITERS = ("set", "add", "subtract", "multiply", "divide", "power", "minimum", "maximum")
"""What becomes of an element that is written to: the new value, or a function of both."""


def is_together(axes: Sequence[int]) -> bool:
    """Whether axes follow each other: then what is picked along them stands in their place, else in front."""
    return list(axes) == list(range(axes[0], axes[0] + len(axes)))


def joined(picked: Sequence[Shape]) -> Shape:
    """The shape to which indices broadcast together.

    Raises
    ------
    InvalidIndex
        When they do not.
    """
    try:
        return shapes.broadcast(*picked)
    except ShapeError:
        listed = " and ".join(map(shapes.text, picked))
        raise InvalidIndex(
            f"indices of shapes {listed} do not broadcast together",
            why="One element of each says where an element of the result comes from.",
            way_out="Index in two steps, or give one of them an axis of length 1: `x[i[:, None], j]`.",
        ) from None


def _picked(shape: Shape, axes: Sequence[int], indices: Sequence[ArraySpec]) -> Shape:
    """The shape of what indices of these axes pick."""
    for spec in indices:
        require_dtype("gather", spec.dtype, INTEGER)
    together = joined([spec.shape for spec in indices])
    if shape is None or together is None:
        return None
    if len(axes) != len(indices) or not set(axes) <= set(range(len(shape))):
        raise GraphError(f"the axes {tuple(axes)} of shape {shapes.text(shape)} need an index each")
    at = axes[0] if is_together(axes) else 0
    kept: list[Dim] = [dim for axis, dim in enumerate(shape) if axis not in axes]
    return (*kept[:at], *together, *kept[at:])


def _fits(value: Shape, place: Shape) -> bool:
    """Whether a value broadcasts to its place; axes of length 1 in front do not count."""
    if value is None or place is None:
        return True
    rest = value[max(len(value) - len(place), 0) :]
    return shapes.compatible(shapes.broadcast(rest, place), place)


def _index_key(rank: int, axes: Sequence[int], indices: Sequence[Any]) -> tuple[Any, ...]:
    key: list[Any] = [slice(None)] * rank
    for axis, index in zip(axes, indices, strict=True):
        key[axis] = index
    return tuple(key)


class Gather(Family):
    """Elements or slices at places: the inputs after the first say where along `axes`.

    They broadcast together. Negative ones count from the end; one outside is an IndexOutOfRange. Their axes
    stand where `axes` were, or in front where these do not follow each other.
    """

    axes: tuple[int, ...]

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        Sample((TABLE, np.array([2, 0, -1])), {"axes": (0,)}),
        Sample((TABLE, np.array([[1], [3]], np.int32)), {"axes": (1,)}),
        Sample((TABLE, np.array([[1], [2]]), np.array([0, 3])), {"axes": (0, 1)}),
        Sample((TABLE.reshape(3, 2, 2), np.array([0, 2]), np.array(1)), {"axes": (0, 2)}),
    )

    def infer(self, x: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        return x.with_shape(_picked(x.shape, self.axes, indices))

    raises = raising(IndexOutOfRange, InvalidIndex)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array, *indices: Array) -> Any:
        return _taken(x, self.axes, indices)


def _taken(x: Array, axes: Sequence[int], indices: Sequence[Array]) -> Any:
    """Elements at places."""
    if len(axes) == 1:
        return np.take(x, indices[0], axis=axes[0])
    return np.asarray(x)[_index_key(np.ndim(x), axes, indices)]


class Scatter(Family):
    """The first input with the second written to the places of `Gather`, one after the other.

    What is written broadcasts to what is picked. Of several elements for one place, `set` keeps the last.
    """

    axes: tuple[int, ...]
    combine: str
    """A name in `WRITERS`."""

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        Sample((TABLE, np.array(7.0), np.array([2, 0])), {"axes": (0,), "combine": "set"}),
        Sample((TABLE, np.ones((3, 2)), np.array([1, 1])), {"axes": (1,), "combine": "add"}),
        Sample(
            (TABLE, np.array([5.0, 6.0]), np.array([0, 0]), np.array([1, 1])),
            {"axes": (0, 1), "combine": "set"},
        ),
    )

    def infer(self, x: ArraySpec, value: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        if self.combine not in WRITERS:
            raise GraphError(
                f"elements are not written by {self.combine!r}", why=f"There are {', '.join(WRITERS)}."
            )
        place = _picked(x.shape, self.axes, indices)
        if not _fits(value.shape, place):
            raise ShapeError(f"{value} does not fit places of shape {shapes.text(place)}")
        return x

    raises = raising(IndexOutOfRange, InvalidIndex, ShapeError, ValueError)

    def updates(self, *specs: ArraySpec) -> bool:
        return specs[0].shape is not None

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        return _written(x, value, self.axes, self.combine, indices)


def _written(x: Array, value: Array, axes: Sequence[int], combine: str, indices: Sequence[Array]) -> Array:
    """A copy with other elements at places."""
    result = np.array(x)
    key = _index_key(result.ndim, axes, indices)
    if combine == "set":
        result[key] = value
    else:
        getattr(np, combine).at(result, key, value)
    return result


class Nonzero(Family):
    """The places of the elements of a vector of bools that hold, in their order."""

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        Sample((np.array([True, False, True, True]),)),
        Sample((np.zeros(3, np.bool_),)),
        Sample((np.zeros(0, np.bool_),)),
    )
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype("nonzero", x.dtype, frozenset({bool_}))
        return ArraySpec((UNKNOWN,), int64)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array) -> Any:
        return np.flatnonzero(x)


def gather(x: Tensor, axes: Sequence[int], *indices: TensorLike) -> Tensor:
    """Elements or slices of `x` at places along `axes`."""
    return bind(Gather(tuple(axes)), x, *indices)


def scatter(
    x: Tensor, value: TensorLike, axes: Sequence[int], *indices: TensorLike, combine: str = "set"
) -> Tensor:
    """`x` with `value` written to places along `axes`."""
    return bind(Scatter(tuple(axes), combine), x, value, *indices)
