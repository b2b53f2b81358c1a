"""Elements repeated, turned round and surrounded by others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import int32, int64
from runtime.core.shapes import normalise_axes, normalise_axis, times
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.core import (
    check,
    computed,
    expect,
    gather,
    indices,
    iota,
    length,
    lengths,
    move,
    number_of,
    part,
    reduce,
    reshaped,
    scalar,
    scalar_map,
    scan,
    scatter,
)
from runtime.ops.facts import (
    INTEGER,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    misfits,
    misranked,
    raising,
    shaped,
    sharing,
)
from runtime.ops.families import (
    Axes,
    IndexMap,
    as_constant,
    cast_operand,
    checked_axes,
    checked_axis,
    concrete,
    require_dtype,
    whole_number,
)

__all__ = [
    "MirrorPad",
    "PadV2",
    "Repeat",
    "RepeatEach",
    "ReverseV2",
    "Roll",
    "Tile",
    "flip",
    "pad",
    "repeat",
    "roll",
    "tile",
]


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
    place = checked_axis(axis or 0, tensor)
    if type(repeats) is int:
        return bind(Repeat(repeats, place), tensor)
    times = as_tensor(repeats)
    require_dtype("repeat", times.dtype, INTEGER)
    known = concrete(times)
    if known is not None and known.size == 1:
        return bind(Repeat(int(known.reshape(())), place), tensor)
    return bind(RepeatEach(place), tensor, ops.cast(times, int64))


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


class _Pad(IndexMap, abstract=True):
    """A tensor with elements around it."""

    paddings: tuple[tuple[int, int], ...]
    aliases = sharing()

    def infer(self, x: ArraySpec, *values: ArraySpec) -> ArraySpec:
        if any(value.shape not in {(), None} for value in values):
            raise ShapeError(
                "a tensor was padded with a value that has axes",
                why="All that is added is one value.",
                way_out="Give a single number, or join the tensors with `rt.concat`.",
            )
        if x.shape is None:
            return x.with_shape((UNKNOWN,) * len(self.paddings))
        if len(x.shape) != len(self.paddings):
            raise ShapeError(
                f"{len(self.paddings)} pairs of widths do not pad {x}, of {len(x.shape)} axes",
                why="There is one pair (before, after) for each axis.",
                way_out="Give (0, 0) for an axis that stays.",
            )
        pairs = zip(x.shape, self.paddings, strict=True)
        return x.with_shape(tuple([dim + sum(widths) for dim, widths in pairs]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)


class PadV2(_Pad):
    """A tensor surrounded by one value, the second input."""

    samples = (
        Sample((np.ones((2, 3)), np.array(7.0)), {"paddings": ((1, 0), (0, 2))}),
        Sample((np.arange(3), np.array(0)), {"paddings": ((0, 0),)}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value = operands
        x = as_tensor(x)
        return [x, cast_operand(value, x.dtype)]

    def kernel(self, x: Array, value: Array) -> Any:
        return np.pad(x, self.paddings, constant_values=value)

    def decompose(self, x: Tensor, value: Tensor) -> Tensor:
        own, index = lengths(x, len(self.paddings)), indices(len(self.paddings))
        shape = [length + sum(widths) for length, widths in zip(own, self.paddings, strict=True)]
        places = [place - before for place, (before, _) in zip(index, self.paddings, strict=True)]
        return move(x, shape, places, fill=value)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        x, value = inputs
        widths = builder.constant(self.paddings, int32)
        return [builder.node("PadV2", [x, widths, value], T=specs[0].dtype, Tpaddings=int32)]


class MirrorPad(_Pad):
    """A tensor surrounded by its own mirror image."""

    mode: Literal["reflect", "symmetric"]

    graphdef = GraphDef(
        "MirrorPad",
        types={"T": "in0", "Tpaddings": "in1"},
        attributes={"graphdef_mode": "mode"},
        inputs_then=("paddings",),
    )
    samples = (
        shaped((2, 3), paddings=((1, 0), (0, 2)), mode="reflect"),
        shaped((2, 3), paddings=((1, 0), (0, 3)), mode="symmetric"),
    )

    @property
    def graphdef_mode(self) -> str:
        """The mode as TensorFlow writes it."""
        return self.mode.upper()

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs)

    def kernel(self, x: Array) -> Any:
        return np.pad(x, self.paddings, mode=self.mode)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        for axis, (before, after) in enumerate(self.paddings):
            if before or after:
                x = self._mirrored(x, axis, before, after)
        return x

    def _mirrored(self, x: Tensor, axis: int, before: int, after: int) -> Tensor:
        """`x` with its mirror image, and that of the image, at both ends of an axis."""
        own = length(x, axis)
        expect("x0 > i64(0)", "ShapeError", f"axis {axis} has no elements to mirror", own)
        edge = int(self.mode == "symmetric")
        period = computed(f"maximum((x0 - i64({1 - edge})) * i64(2), i64(1))", own)
        there = scalar_map(f"(x0 - i64({before})) % x1", iota(own + before + after), number_of(period))
        places = scalar_map(
            f"select(x0 < x1, x0, x2 - i64({edge}) - x0)", there, number_of(own), number_of(period)
        )
        return gather(x, (axis,), places)


def pad(
    x: TensorLike,
    pad_width: Sequence[tuple[int, int]],
    /,
    *,
    mode: Literal["constant", "reflect", "symmetric"] = "constant",
    constant_values: TensorLike = 0,
) -> Tensor:
    """`x` with elements around it.

    Parameters
    ----------
    x : Tensor of any dtype
    pad_width : sequence of pairs of ints
        How many elements before and after, for each axis; one pair is for all of them.
    mode : {"constant", "reflect", "symmetric"}, optional
        One value; or a mirror image, without or with the outermost elements themselves.
    constant_values : number or Tensor of shape (), optional

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When there are not as many pairs as axes.

    Notes
    -----
    GraphDef "PadV2" or "MirrorPad". Semantics: NumPy `pad`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.pad(rt.asarray([1, 2]), [(1, 2)])
    <Tensor: shape=(5,), dtype=int64, numpy=array([0, 1, 2, 0, 0])>
    """
    tensor = as_tensor(x)
    widths = tuple([(before, after) for before, after in pad_width])
    if len(widths) == 1:
        widths *= tensor.ndim
    if mode == "constant":
        return bind(PadV2(widths), tensor, constant_values)
    if mode not in {"reflect", "symmetric"}:
        raise InvalidValue(
            f"`pad` knows no mode {mode!r}",
            why="It adds one value, or mirrors the tensor without its edge or with it.",
            way_out="Write 'constant', 'reflect' or 'symmetric'.",
        )
    return bind(MirrorPad(widths, mode), tensor)
