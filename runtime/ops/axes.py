"""Axes added, dropped and reordered; the elements stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import compatible, normalise_axes, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import NOTHING, Failures
from runtime.ops.arguments import Axes, checked_axes, checked_axis
from runtime.ops.core import expect, indices, lengths, move
from runtime.ops.facts import GraphDef, misfits, misranked, shaped, sharing
from runtime.ops.families import IndexMap

__all__ = [
    "ExpandDims",
    "Squeeze",
    "Transpose",
    "expand_dims",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "squeeze",
    "swapaxes",
    "transpose",
]


class ExpandDims(IndexMap):
    """A new axis of length 1."""

    axis: int

    graphdef = GraphDef("ExpandDims", types={"T": "in0", "Tdim": "in1"}, inputs_then=("axis",))
    samples = (
        shaped((2, 3), axis=0),
        shaped((2, 3), axis=-1),
        shaped((), axis=0),
    )
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is None:
            return x
        axis = normalise_axis(self.axis, len(x.shape) + 1)
        return x.with_shape((*x.shape[:axis], 1, *x.shape[axis:]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.expand_dims(x, self.axis)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output
        return ops.reshape(part, ops.shape(whole))

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim + 1)
        shape, index = lengths(x), indices(x.ndim + 1)
        return move(x, [*shape[:axis], 1, *shape[axis:]], [*index[:axis], *index[axis + 1 :]])


def expand_dims(x: TensorLike, /, axis: int | Sequence[int] = 0) -> Tensor:
    """`x` with new axes of length 1.

    Parameters
    ----------
    x : Tensor of any dtype
    axis : int or tuple of ints, optional
        Where the new axes are in the result.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "ExpandDims". Semantics: Array API 2025.12, `expand_dims`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.expand_dims(rt.asarray([1, 2]), axis=1)
    <Tensor: shape=(2, 1), dtype=int64, numpy=
    array([[1],
           [2]])>
    """
    tensor = as_tensor(x)
    if not isinstance(axis, Sequence):
        return bind(ExpandDims(checked_axis(axis, tensor, extra=1)), tensor)
    for each in normalise_axes(axis, tensor.ndim + len(axis)):
        tensor = bind(ExpandDims(each), tensor)
    return tensor


class Squeeze(IndexMap):
    """The same without some axes of length 1."""

    axis: tuple[int, ...]

    graphdef = GraphDef("Squeeze", attributes={"axis": "squeeze_dims"})
    samples = (
        shaped((1, 3, 1), axis=(0,)),
        shaped((1, 3, 1), axis=(0, 2)),
        shaped((2,), axis=()),
    )
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is None:
            return x
        axes = normalise_axes(self.axis, len(x.shape))
        long = [axis for axis in axes if not compatible((x.shape[axis],), (1,))]
        if long:
            raise ShapeError(
                f"axis {long[0]} of shape {shapes.text(x.shape)} cannot be squeezed",
                why="Only an axis of length 1 can go without elements being lost.",
                way_out="Pick one of its slices, or reduce it: `rt.sum(x, axis=...)`.",
            )
        return x.with_shape(tuple([dim for axis, dim in enumerate(x.shape) if axis not in axes]))

    def raises(self, *specs: ArraySpec) -> Failures:
        (x,) = specs
        if x.shape is not None and all(isinstance(x.shape[axis], int) for axis in self.axis):
            return NOTHING
        return misfits(x)

    def kernel(self, x: Array) -> Any:
        return x.squeeze(self.axis)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output
        return ops.reshape(part, ops.shape(whole))

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        axes, shape = normalise_axes(self.axis, x.ndim), lengths(x)
        for axis in axes:
            expect(
                "x0 == i64(1)", "ShapeError", f"axis {axis} of length {{0}} cannot be squeezed", shape[axis]
            )
        kept = [axis for axis in range(x.ndim) if axis not in axes]
        places = dict(zip(kept, indices(len(kept)), strict=True))
        return move(x, [shape[axis] for axis in kept], [places.get(axis, 0) for axis in range(x.ndim)])


def squeeze(x: TensorLike, /, axis: Axes = None) -> Tensor:
    """`x` without some axes of length 1.

    Parameters
    ----------
    x : Tensor of any dtype
    axis : int or tuple of ints, optional
        All axes of length 1 by default; their lengths must be known then.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When an axis is longer, or out of range.

    Notes
    -----
    GraphDef "Squeeze". Semantics: Array API 2025.12, `squeeze`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.squeeze(rt.asarray([[1], [2]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>
    """
    tensor = as_tensor(x)
    if axis is not None:
        return bind(Squeeze(checked_axes(axis, tensor) or ()), tensor)
    if not shapes.is_known(tensor.static_shape):
        raise ShapeError(
            f"which axes of shape {shapes.text(tensor.static_shape)} have length 1 is not known before the "
            "run",
            why="It decides how many axes the result has.",
            way_out="Name them: `rt.squeeze(x, axis=0)`.",
        )
    return bind(
        Squeeze(tuple([index for index, dim in enumerate(tensor.static_shape or ()) if dim == 1])), tensor
    )


class Transpose(IndexMap):
    """The axes in another order."""

    perm: tuple[int, ...]

    graphdef = GraphDef("Transpose", "y", types={"T": "in0", "Tperm": "in1"}, inputs_then=("perm",))
    samples = (
        shaped((2, 3), perm=(1, 0)),
        shaped((2, 3, 4), perm=(2, 0, 1)),
        shaped((), perm=()),
    )
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is None:
            return x.with_shape((UNKNOWN,) * len(self.perm))
        if sorted(self.perm) != list(range(len(x.shape))):
            raise ShapeError(
                f"{self.perm} is no order of the axes of shape {shapes.text(x.shape)}",
                why=f"An order names each axis from 0 to {len(x.shape) - 1} once.",
                way_out="Name them all, each once.",
            )
        return x.with_shape(tuple([x.shape[axis] for axis in self.perm]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return x.transpose(self.perm)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output, whole
        return bind(Transpose(tuple(np.argsort(self.perm).tolist())), part)

    def decompose(self, x: Tensor) -> Tensor:
        shape = lengths(x, len(self.perm))
        places = dict(zip(self.perm, indices(len(self.perm)), strict=True))
        return move(x, [shape[axis] for axis in self.perm], [places[axis] for axis in range(len(self.perm))])


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """`x` with its axes in another order.

    Parameters
    ----------
    x : Tensor of any dtype
    axes : tuple of ints
        Axis ``axes[i]`` of `x` becomes axis ``i``.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When `axes` does not name each axis once.

    Notes
    -----
    GraphDef "Transpose". Semantics: Array API 2025.12, `permute_dims`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.permute_dims(rt.asarray([[1, 2], [3, 4]]), (1, 0))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 3],
           [2, 4]])>
    """
    tensor = as_tensor(x)
    order = axes if isinstance(axes, Sequence) else (axes,)
    rank = len(order if tensor.static_shape is None else tensor.static_shape)
    return bind(Transpose(tuple([normalise_axis(axis, rank) for axis in order])), tensor)


def transpose(x: TensorLike, /, axes: Sequence[int] | None = None) -> Tensor:
    """`x` with its axes reversed, or in the order of `axes`.

    Parameters
    ----------
    x : Tensor of any dtype
        Of known rank, unless `axes` is given.
    axes : tuple of ints, optional

    Returns
    -------
    Tensor of the same dtype

    Notes
    -----
    GraphDef "Transpose". Semantics: NumPy `transpose`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.transpose(rt.asarray([[1, 2, 3]])).shape
    (3, 1)
    """
    tensor = as_tensor(x)
    return permute_dims(tensor, tuple(range(tensor.ndim))[::-1] if axes is None else axes)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """`x` with its last two axes swapped.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, m)

    Returns
    -------
    Tensor of the same dtype, shape (..., m, n)

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    GraphDef "Transpose". Semantics: Array API 2025.12, `matrix_transpose`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.matrix_transpose(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 3],
           [2, 4]])>
    """
    tensor = as_tensor(x)
    if tensor.static_shape is None:
        return ops.einsum("...ij->...ji", tensor)
    return swapaxes(tensor, -1, -2)


def swapaxes(x: TensorLike, axis1: int, axis2: int, /) -> Tensor:
    """`x` with two of its axes swapped.

    Parameters
    ----------
    x : Tensor of any dtype and known rank
    axis1, axis2 : int

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    AxisError
        When an axis is out of range.

    Notes
    -----
    GraphDef "Transpose". Semantics: NumPy `swapaxes`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.swapaxes(rt.asarray([[1, 2, 3]]), 0, 1).shape
    (3, 1)
    """
    tensor = as_tensor(x)
    order = list(range(tensor.ndim))
    one, other = checked_axis(axis1, tensor), checked_axis(axis2, tensor)
    order[one], order[other] = order[other], order[one]
    return bind(Transpose(tuple(order)), tensor)


def moveaxis(x: TensorLike, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """`x` with some axes moved to other places, the others staying in order.

    Parameters
    ----------
    x : Tensor of any dtype and known rank
    source, destination : int or tuple of ints
        As many of each.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    AxisError
        When an axis is out of range.
    ShapeError
        When one is named twice, or the counts differ.

    Notes
    -----
    GraphDef "Transpose". Semantics: Array API 2025.12, `moveaxis`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.moveaxis(rt.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    tensor = as_tensor(x)
    sources, places = _each_once(source, tensor), _each_once(destination, tensor)
    if len(sources) != len(places):
        raise ShapeError(
            f"`moveaxis` was given {len(sources)} axes to move, but {len(places)} places for them",
            why="Each axis moves to a place of its own.",
            way_out="Give as many places as axes.",
        )
    moves = dict(zip(places, sources, strict=True))
    others = iter([axis for axis in range(tensor.ndim) if axis not in moves.values()])
    return permute_dims(
        tensor, [moves[place] if place in moves else next(others) for place in range(tensor.ndim)]
    )


def _each_once(axes: int | Sequence[int], x: Tensor) -> list[int]:
    """Axes counted from the front, in the order in which they are named."""
    normalise_axes(axes, x.ndim)
    return [checked_axis(axis, x) for axis in (axes if isinstance(axes, Sequence) else (axes,))]
