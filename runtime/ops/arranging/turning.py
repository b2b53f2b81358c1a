"""Elements in another order along an axis: flipped and rolled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import Dim
from runtime.core.shapes import normalise_axes, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.arguments import Axes, checked_axes, checked_axis, whole_number
from runtime.ops.core import computed, indices, length, lengths, move, part
from runtime.ops.facts import GraphDef, misranked, shaped, sharing
from runtime.ops.families import IndexMap

__all__ = ["ReverseV2", "Roll", "flip", "roll"]


class ReverseV2(IndexMap):
    """Some axes in reverse order."""

    axis: tuple[int, ...]

    graphdef = GraphDef("ReverseV2", types={"T": "in0", "Tidx": "in1"}, inputs_then=("axis",))
    samples = (shaped((2, 3), axis=(0,)), shaped((2, 3), axis=(0, 1)), shaped((), axis=()))
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is not None:
            normalise_axes(self.axis, len(x.shape))
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.flip(x, self.axis)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output, whole
        return bind(self, part)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        axes, own = normalise_axes(self.axis, x.ndim), lengths(x)
        places = enumerate(indices(x.ndim))
        return move(x, own, [own[axis] - 1 - place if axis in axes else place for axis, place in places])


def flip(x: TensorLike, /, *, axis: Axes = None) -> Tensor:
    """`x` in reverse order along some axes.

    Parameters
    ----------
    x : Tensor of any dtype
    axis : int or tuple of ints, optional
        All of them by default; the rank must be known then.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "ReverseV2". Semantics: Array API 2025.12, `flip`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.flip(rt.asarray([1, 2, 3]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([3, 2, 1])>
    """
    tensor = as_tensor(x)
    axes = tuple(range(tensor.ndim)) if axis is None else checked_axes(axis, tensor)
    return bind(ReverseV2(axes or ()), tensor)


def rolled(x: Tensor, axis: int, shift: Dim) -> Tensor:
    """`x` with its elements moved along an axis, those beyond the end coming in at the start."""
    own = length(x, axis)
    moved = computed("x0 % maximum(x1, i64(1))", shift, own)
    if moved == 0:
        return x
    return ops.concat([part(x, axis, own - moved, moved), part(x, axis, 0, own - moved)], axis=axis)


class Roll(IndexMap):
    """Elements moved along some axes, those beyond the end coming in at the start."""

    shift: tuple[int, ...]
    axis: tuple[int, ...]

    graphdef = GraphDef(
        "Roll", types={"T": "in0", "Tshift": "in1", "Taxis": "in2"}, inputs_then=("shift", "axis")
    )
    samples = (shaped((2, 3), shift=(1,), axis=(1,)), shaped((2, 3), shift=(-1, 2), axis=(0, 1)))
    aliases = sharing()

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is not None:
            normalise_axes(self.axis, len(x.shape))
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.roll(x, self.shift, self.axis)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        for axis, shift in zip(self.axis, self.shift, strict=True):
            x = rolled(x, normalise_axis(axis, x.ndim), shift)
        return x


def roll(x: TensorLike, /, shift: int | Sequence[int], *, axis: Axes = None) -> Tensor:
    """`x` with its elements moved along some axes, those beyond the end coming in at the start.

    Parameters
    ----------
    x : Tensor of any dtype
    shift : int or tuple of ints
        How many places, for each axis.
    axis : int or tuple of ints, optional
        Without it, the elements move through the flattened tensor.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice, or there are not as many shifts as axes.

    Notes
    -----
    GraphDef "Roll". Semantics: Array API 2025.12, `roll`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.roll(rt.asarray([1, 2, 3]), 1)
    <Tensor: shape=(3,), dtype=int64, numpy=array([3, 1, 2])>
    """
    tensor = as_tensor(x)
    several = shift if isinstance(shift, Sequence) else (shift,)
    shifts = tuple([whole_number(each, "shift") for each in several])
    if axis is None:
        rolled = bind(Roll((sum(shifts),), (0,)), ops.flatten(tensor))
        return ops.reshape(
            rolled, tensor.static_shape if shapes.is_known(tensor.static_shape) else ops.shape(tensor)
        )
    axes = tuple(axis) if isinstance(axis, Sequence) else (axis,)
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(
            f"`roll` was given {len(shifts)} shifts for {len(axes)} axes",
            why="Each axis has a shift of its own.",
            way_out="Give as many shifts as axes.",
        )
    return bind(Roll(shifts, tuple([checked_axis(each, tensor) for each in axes])), tensor)
