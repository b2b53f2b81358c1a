"""Elements that occur several times: tiles and repeats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64
from runtime.core.shapes import normalise_axis, times
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.arguments import checked_axis, whole_number
from runtime.ops.core import (
    check,
    expect,
    gather,
    indices,
    iota,
    length,
    lengths,
    move,
    part,
    reduce,
    reshaped,
    scalar,
    scalar_map,
    scan,
    scatter,
)
from runtime.ops.facts import INTEGER, GraphDef, Sample, misranked, raising, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.known import as_constant, concrete
from runtime.ops.promotion import require_dtype

__all__ = ["Repeat", "RepeatEach", "Tile", "repeat", "tile"]


class Tile(IndexMap):
    """The whole tensor repeated along each axis."""

    multiples: tuple[int, ...]

    graphdef = GraphDef("Tile", types={"T": "in0", "Tmultiples": "in1"}, inputs_then=("multiples",))
    samples = (shaped((2, 3), multiples=(2, 1)), shaped((2,), multiples=(0,)), shaped((), multiples=()))
    aliases = sharing()

    def infer(self, x: ArraySpec) -> ArraySpec:
        if any(times < 0 for times in self.multiples):
            raise InvalidValue(
                f"`tile` was asked for {self.multiples} times",
                why="What is repeated comes as often as the number says, or not at all.",
                way_out="Give 0 or more for each axis.",
            )
        if x.shape is None:
            return x.with_shape((UNKNOWN,) * len(self.multiples))
        if len(x.shape) != len(self.multiples):
            raise ShapeError(
                f"{self.multiples} does not say how often each axis of {x} is repeated",
                why="There is one number for each axis.",
                way_out="Give 1 for an axis that stays.",
            )
        pairs = zip(x.shape, self.multiples, strict=True)
        return x.with_shape(tuple([times(dim, count) for dim, count in pairs]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.tile(x, self.multiples)

    def decompose(self, x: Tensor) -> Tensor:
        own, index = lengths(x, len(self.multiples)), indices(2 * len(self.multiples))
        shape = [each for pair in zip(self.multiples, own, strict=True) for each in pair]
        repeated = move(x, shape, index[1::2])
        return reshaped(repeated, [length * times for length, times in zip(own, self.multiples, strict=True)])


def tile(x: TensorLike, repetitions: int | Sequence[int], /) -> Tensor:
    """`x` repeated as a whole along each axis.

    Parameters
    ----------
    x : Tensor of any dtype and known rank
    repetitions : tuple of ints, or int
        For the last axes; where there are more than `x` has, it gets new ones in front.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    DTypeError
        When a number is no integer.
    InvalidValue
        When a number is negative.

    Notes
    -----
    GraphDef "Tile". Semantics: Array API 2025.12, `tile`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tile(rt.asarray([1, 2]), (2, 2))
    <Tensor: shape=(2, 4), dtype=int64, numpy=
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])>
    """
    tensor = as_tensor(x)
    several = repetitions if isinstance(repetitions, Sequence) else (repetitions,)
    multiples = tuple([whole_number(each, "repetitions") for each in several])
    rank = tensor.ndim
    for _ in range(len(multiples) - rank):
        tensor = ops.expand_dims(tensor, axis=0)
    return bind(Tile((1,) * (rank - len(multiples)) + multiples), tensor)


class Repeat(IndexMap):
    """Each slice along one axis repeated in place."""

    repeats: int
    axis: int

    why_no_graphdef = "TensorFlow composes it of ExpandDims, Tile and Reshape"
    samples = (shaped((2, 3), repeats=2, axis=1), shaped((2, 3), repeats=0, axis=0))
    aliases = sharing()

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is None:
            return x
        if self.repeats < 0:
            raise InvalidValue(
                f"`repeat` was asked for {self.repeats} times",
                why="What is repeated comes as often as the number says, or not at all.",
                way_out="Give 0 or more.",
            )
        axis = normalise_axis(self.axis, len(x.shape))
        length = x.shape[axis]
        longer = times(length, self.repeats)
        return x.with_shape((*x.shape[:axis], longer, *x.shape[axis + 1 :]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return x.repeat(self.repeats, axis=self.axis)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        axis, own = normalise_axis(self.axis, x.ndim) + 1, lengths(x)
        index = indices(x.ndim + 1)
        repeated = move(x, [*own[:axis], self.repeats, *own[axis:]], [*index[:axis], *index[axis + 1 :]])
        own[axis - 1] *= self.repeats
        return reshaped(repeated, own)


class RepeatEach(IndexMap):
    """Each slice along one axis repeated in place, as often as the second input says of it."""

    axis: int

    why_no_graphdef = "TensorFlow composes it of SequenceMask, Tile and Where"
    samples = (
        Sample((np.arange(6).reshape(2, 3), np.array([2, 0, 1])), {"axis": 1}),
        Sample((np.arange(3.0), np.array([2])), {"axis": 0}),
        Sample((np.arange(3.0), np.array(2)), {"axis": 0}),
    )
    aliases = sharing()
    raises = raising(ValueError)

    def infer(self, x: ArraySpec, repeats: ArraySpec) -> ArraySpec:
        if x.shape is None:
            return x
        axis = normalise_axis(self.axis, len(x.shape))
        length = x.shape[axis]
        if not any(shapes.compatible(repeats.shape, fitting) for fitting in ((), (1,), (length,))):
            raise ShapeError(
                f"{repeats} does not say how often each slice along axis {axis} of {x} is repeated",
                why="There is one number for all slices, or a vector of one for each.",
                way_out="Give one number, or as many as the axis is long.",
            )
        return x.with_shape((*x.shape[:axis], UNKNOWN, *x.shape[axis + 1 :]))

    def kernel(self, x: Array, repeats: Array) -> Any:
        return x.repeat(repeats, axis=self.axis)

    def decompose(self, x: Tensor, repeats: Tensor) -> Tensor | None:
        if x.static_shape is None or repeats.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        count = length(x, axis)
        if repeats.ndim:
            fits = "(x0 == i64(1)) | (x0 == x1)"
            expect(
                fits,
                "ShapeError",
                "{0} numbers do not say how often {1} slices come",
                length(repeats, 0),
                count,
            )
        times = ops.cast(repeats, int64)
        check(ops.all(times >= 0), "ValueError", "repeats may not contain negative values.")
        ends = scan("add", scalar_map("x0 + i64(0) * x1", times, iota(count)), 0)
        total = scalar(reduce("maximum", ends, (0,), initial=0))
        begun = scatter(
            move(as_constant(np.array(0)), [total + 1], []),
            as_constant(np.array(1)),
            (0,),
            ends,
            combine="add",
        )
        return gather(x, (axis,), part(scan("add", begun, 0), 0, 0, total))


def repeat(x: TensorLike, repeats: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """`x` with each slice along an axis repeated in place.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    repeats : int, or Tensor of integers, shape (), (1,) or (d,)
        How often: one number for all slices, or one for each.
    axis : int, optional
        Without it, `x` is flattened first.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    AxisError
        When the axis is out of range.
    ShapeError
        When there is neither one number nor one for each slice.
    DTypeError
        When the numbers are no integers.
    InvalidValue
        When one is negative; `ValueError` in the run, where only that knows it.

    Notes
    -----
    In a graph, the length along the axis is known when that of `x` and a single number are. Semantics: Array
    API 2025.12, `repeat`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.repeat(rt.asarray([1, 2]), 2)
    <Tensor: shape=(4,), dtype=int64, numpy=array([1, 1, 2, 2])>
    >>> rt.repeat(rt.asarray([1, 2]), rt.asarray([2, 1]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 1, 2])>
    """
    tensor = as_tensor(x) if axis is not None else ops.flatten(x)
    place = checked_axis(0 if axis is None else axis, tensor)
    if type(repeats) is int:
        return bind(Repeat(repeats, place), tensor)
    times = as_tensor(repeats)
    require_dtype("repeat", times.dtype, INTEGER)
    known = concrete(times)
    if known is not None and known.size == 1:
        return bind(Repeat(int(known.reshape(())), place), tensor)
    return bind(RepeatEach(place), tensor, ops.cast(times, int64))
