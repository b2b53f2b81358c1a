"""Slices along one axis, by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32, int64
from runtime.core.shapes import Dim, Shape, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import IndexOutOfRange, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import FRESH, Aliases, Failures
from runtime.ops import core
from runtime.ops.arguments import checked_axis
from runtime.ops.core import gather, iota, lengths, move
from runtime.ops.facts import (
    INTEGER,
    TABLE,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    misfits,
    misranked,
    sharing,
)
from runtime.ops.families import IndexMap
from runtime.ops.promotion import require_dtype

__all__ = ["GatherV2", "TakeAlongAxis", "take", "take_along_axis"]


class GatherV2(IndexMap):
    """Slices along one axis, picked by integers; negative ones count from the end."""

    axis: int

    input_names = ("params", "indices")
    samples = (
        Sample((TABLE, np.array([2, 0, -1])), {"axis": 0}),
        Sample((TABLE, np.array([[1], [3]], np.int32)), {"axis": -1}),
        Sample((TABLE, np.array(1)), {"axis": 1}),
        Sample((TABLE, np.array([], np.int64)), {"axis": 0}),
    )

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        require_dtype("take", indices.dtype, INTEGER)
        if x.shape is None or indices.shape is None:
            return x.with_shape(None)
        axis = normalise_axis(self.axis, len(x.shape))
        return x.with_shape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(specs[0]) | {IndexOutOfRange}

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return frozenset([0]) if specs[1].shape in {(), None} else FRESH  # one index may be written `x[i]`

    def kernel(self, x: Array, indices: Array) -> Any:
        if np.ndim(indices):
            return x.take(indices, axis=self.axis)
        key: tuple[Any, ...] = (*[slice(None)] * normalise_axis(self.axis, x.ndim), int(indices))
        return x[key]  # a view, as a loop over rows gives one

    def is_view(self, x: ArraySpec, result: ArraySpec) -> bool:
        if x.shape is None or result.shape is None:
            return True
        return len(result.shape) == len(x.shape) - 1 and result.shape != ()  # a row that a loop is at

    def put_back(self, output: int, whole: Tensor, part: Tensor, indices: Tensor) -> Tensor:
        del output
        return ops.set_item(whole, (*[slice(None)] * normalise_axis(self.axis, whole.ndim), indices), part)

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        return None if x.static_shape is None else gather(x, (normalise_axis(self.axis, x.ndim),), indices)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        x, indices = inputs
        axis = builder.constant(self.axis, int32)
        places = from_the_front(builder, x, indices, specs, self.axis)
        tparams = specs[0].dtype
        return [builder.node(self.name, [x, places, axis], Tparams=tparams, Tindices=int64, Taxis=int32)]


def from_the_front(
    builder: GraphDefBuilder,
    x: GraphDefTensor,
    indices: GraphDefTensor,
    specs: Sequence[ArraySpec],
    axis: int,
) -> GraphDefTensor:
    """Indices into an axis of `x` as int64, counted from the front: TensorFlow refuses negative ones."""
    values, given = specs
    if given.dtype is not int64:
        indices = builder.node("Cast", [indices], "y", SrcT=given.dtype, DstT=int64)
    if given.dtype.kind == "u":
        return indices
    shape = builder.node("Shape", [x], T=values.dtype, out_type=int64)
    ends = [builder.constant([end], int64) for end in (axis, axis + 1, 1)]
    length = builder.node("StridedSlice", [shape, *ends], T=int64, Index=int64, shrink_axis_mask=1)
    is_negative = builder.node("Less", [indices, builder.constant(0, int64)], "z", T=int64)
    shifted = builder.node("AddV2", [indices, length], "z", T=int64)
    return builder.node("SelectV2", [is_negative, shifted, indices], T=int64)


def take(x: TensorLike, indices: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """Slices of `x` along an axis, picked by integers.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    indices : Tensor of integers, shape (...)
        In ``-d <= i < d``; negative ones count from the end.
    axis : int, optional
        Without it, `x` is flattened first.

    Returns
    -------
    Tensor of the same dtype
        The axis is replaced by the axes of `indices`.

    Raises
    ------
    IndexOutOfRange
        When an index is outside the axis; in a graph, in the run.

    Notes
    -----
    GraphDef "GatherV2". Semantics: Array API 2025.12, `take`, also with `indices` of any rank.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.take(rt.asarray([10, 20, 30]), rt.asarray([2, 0]), axis=0)
    <Tensor: shape=(2,), dtype=int64, numpy=array([30, 10])>
    """
    tensor, places = as_tensor(x), as_tensor(indices)
    require_dtype("take", places.dtype, INTEGER)
    if axis is None and tensor.static_shape is not None and len(tensor.static_shape) == 1:
        axis = 0
    if axis is None:
        return bind(GatherV2(0), ops.flatten(tensor), places)
    return bind(GatherV2(checked_axis(axis, tensor)), tensor, places)


class TakeAlongAxis(IndexMap):
    """Elements picked along one axis, by an integer for each place of the result."""

    axis: int

    why_no_graphdef = "TensorFlow composes it of a GatherNd and the coordinates of every other axis"
    samples = (
        Sample((TABLE, np.array([[1], [0], [3]])), {"axis": 1}),
        Sample((TABLE, np.array([[2]])), {"axis": 0}),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        require_dtype("take_along_axis", indices.dtype, INTEGER)
        if x.shape is None or indices.shape is None:
            return x.with_shape(_along(self.axis, x.shape, indices.shape))
        if len(x.shape) != len(indices.shape):
            raise ShapeError(
                f"`take_along_axis` was given indices of shape {shapes.text(indices.shape)} for elements of "
                f"shape {shapes.text(x.shape)}",
                why="It needs as many axes of indices as of elements.",
                way_out="Write `rt.take(x, indices, axis=...)`, or give the indices axes of length 1.",
            )
        axis = normalise_axis(self.axis, len(x.shape))
        rest = shapes.broadcast(_but(x.shape, axis, 1), _but(indices.shape, axis, 1))
        assert rest is not None, "both ranks are known"
        return x.with_shape(_but(rest, axis, indices.shape[axis]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, indices: Array) -> Any:
        return np.take_along_axis(x, indices, self.axis)

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        if x.static_shape is None or indices.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        own, along = lengths(x), core.indices(x.ndim)
        places = [
            indices
            if each == axis
            else move(
                iota(own[each]), [own[each] if axis == each else 1 for axis in range(x.ndim)], [along[each]]
            )
            for each in range(x.ndim)
        ]
        return gather(x, range(x.ndim), *places)


def _along(axis: int, x: Shape, indices: Shape) -> Shape:
    """What is known of elements picked along an axis where one of the two ranks is not known."""
    known = x if indices is None else indices
    if known is None:
        return None
    place = normalise_axis(axis, len(known))
    longer = tuple(
        [dim if dims.at_least(dim, 2) or dim == 0 else UNKNOWN for dim in known]
    )  # 1 may be repeated, for what is not known
    return _but(longer, place, UNKNOWN if indices is None else indices[place])


def _but(shape: tuple[Dim, ...], axis: int, dim: Dim) -> tuple[Dim, ...]:
    """`shape` with another length of one axis."""
    return (*shape[:axis], dim, *shape[axis + 1 :])


def take_along_axis(x: TensorLike, indices: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Elements of `x` picked along an axis, by an integer for each place of the result.

    Parameters
    ----------
    x : Tensor of any dtype
    indices : Tensor of integers
        Of the rank of `x`; the other axes broadcast.
    axis : int, optional

    Returns
    -------
    Tensor of the same dtype, shape of `indices`

    Raises
    ------
    IndexOutOfRange
        When an index is outside the axis; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `take_along_axis`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.take_along_axis(rt.asarray([[3, 1], [2, 4]]), rt.asarray([[1], [0]]))
    <Tensor: shape=(2, 1), dtype=int64, numpy=
    array([[1],
           [2]])>
    """
    tensor = as_tensor(x)
    return bind(TakeAlongAxis(checked_axis(axis, tensor)), tensor, indices)
