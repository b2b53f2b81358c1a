"""Single places, by their coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import IndexOutOfRange, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.core import gather, pick
from runtime.ops.facts import INTEGER, TABLE, GraphDef, Sample, misfits, sharing
from runtime.ops.families import IndexMap
from runtime.ops.promotion import require_dtype

__all__ = ["GatherNd", "gather_nd"]


class GatherNd(IndexMap):
    """Elements or slices, picked by coordinates along the last axis of the second input."""

    input_names = ("params", "indices")
    graphdef = GraphDef("GatherNd", types={"Tparams": "in0", "Tindices": "in1"})
    samples = (
        Sample((TABLE, np.array([[0, 1], [2, 3]]))),
        Sample((TABLE, np.array([[[2]], [[0]]]))),
        Sample((TABLE, np.empty((0, 2), np.int64))),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        return x.with_shape(coordinates_shape(x.shape, indices))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, indices: Array) -> Any:
        return x[tuple(np.moveaxis(indices, -1, 0))]

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        columns = coordinates(indices)
        return gather(x, range(len(columns)), *columns) if columns and x.static_shape is not None else None


def coordinates(indices: Tensor) -> list[Tensor]:
    """The columns of coordinates along a last axis; none where it is not known how many there are."""
    depth = indices.static_shape[-1] if indices.static_shape else None
    known = range(depth) if isinstance(depth, int) else ()
    return [pick(indices, indices.ndim - 1, place) for place in known]


def coordinates_shape(shape: Shape, indices: ArraySpec) -> Shape:
    """The shape of what coordinates pick."""
    require_dtype("gather_nd", indices.dtype, INTEGER)
    if indices.shape == ():
        raise ShapeError(
            "the indices of `gather_nd` have no axis",
            why="Coordinates lie along their last axis.",
            way_out="Write `rt.take(x, index, axis=0)` for one index.",
        )
    depth = indices.shape[-1] if indices.shape else None
    if shape is None or indices.shape is None or not isinstance(depth, int):
        return None
    if depth > len(shape):
        raise IndexOutOfRange(
            f"{depth} coordinates are too many for shape {shapes.text(shape)}",
            why=f"It has {len(shape)} axes, and each coordinate counts along one.",
            way_out="Give one coordinate for each axis, or fewer for slices.",
        )
    return (*indices.shape[:-1], *shape[depth:])


def gather_nd(x: TensorLike, indices: TensorLike, /) -> Tensor:
    """Elements or slices of `x`, picked by coordinates.

    Parameters
    ----------
    x : Tensor of any dtype
    indices : Tensor of integers, shape (..., k)
        Each row along the last axis holds the coordinates in the first k axes of `x`.

    Returns
    -------
    Tensor of the same dtype, shape ``indices.shape[:-1] + x.shape[k:]``

    Raises
    ------
    IndexOutOfRange
        When a coordinate is outside its axis; in a graph, in the run.

    Notes
    -----
    GraphDef "GatherNd". Semantics: TensorFlow `tf.gather_nd`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.gather_nd(rt.asarray([[1, 2], [3, 4]]), rt.asarray([[0, 1], [1, 0]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([2, 3])>
    """
    places = as_tensor(indices)
    require_dtype("gather_nd", places.dtype, INTEGER)
    return bind(GatherNd(), x, places)
