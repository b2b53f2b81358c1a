"""Other elements around those of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike, short
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.arguments import is_named, is_one, whole_numbers
from runtime.ops.core import (
    computed,
    expect,
    gather,
    indices,
    iota,
    length,
    lengths,
    move,
    number_of,
    scalar_map,
)
from runtime.ops.facts import (
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    misfits,
    misranked,
    shaped,
    sharing,
)
from runtime.ops.families import IndexMap
from runtime.ops.promotion import cast_operand

__all__ = ["MirrorPad", "PadV2", "pad"]


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
        inside = tuple(
            [slice(before, before + n) for (before, _), n in zip(self.paddings, x.shape, strict=True)]
        )
        lengths = [before + n + after for (before, after), n in zip(self.paddings, x.shape, strict=True)]
        padded = np.full(lengths, value, x.dtype, order="F" if x.flags.fnc else "C")  # as `np.pad` has it
        padded[inside] = x
        return padded

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
        known = x.static_shape[axis] if x.static_shape is not None else None
        if isinstance(known, int) and known > 0:
            return gather(x, (axis,), np.pad(np.arange(known), (before, after), mode=self.mode))
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
    DTypeError, InvalidValue
        When `pad_width` is no pairs of integers, or one is negative; when there is no such `mode`.
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
    widths = _widths(pad_width)
    if len(widths) == 1:
        widths *= tensor.ndim
    if mode == "constant":
        return bind(PadV2(widths), tensor, constant_values)
    if not is_named(mode, ("reflect", "symmetric")):
        raise InvalidValue(
            f"`pad` knows no mode {mode!r}",
            why="It adds one value, or mirrors the tensor without its edge or with it.",
            way_out="Write 'constant', 'reflect' or 'symmetric'.",
        )
    return bind(MirrorPad(widths, mode), tensor)


def _widths(pad_width: Any) -> tuple[tuple[int, int], ...]:
    """How many elements there are to be at the ends of each axis."""
    axes = [pad_width] if is_one(pad_width) else [*pad_width]
    pairs = [whole_numbers([each] if is_one(each) else each, "pad_width") for each in axes]
    if any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise InvalidValue(
            f"`pad_width` is {short(pad_width)}",
            why="It has a pair of numbers for each axis: the elements before and after, 0 or more.",
            way_out="Write, for instance, `[(1, 1)]`, or `np.pad`, which takes other forms.",
        )
    return tuple([(before, after) for before, after in pairs])
