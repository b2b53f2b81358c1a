"""Fourier transforms along several axes, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64
from runtime.core.shapes import as_axis, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import is_one
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, shaped
from runtime.ops.families import Opaque
from runtime.ops.fft.transforms import (
    COMPLEX_INPUT,
    FourierTransform,
    Norm,
    checked_norm,
    refuse_nothing,
    whole_length,
)
from runtime.ops.promotion import cast_operand, widened

__all__ = ["DynamicFourierTransforms", "FourierTransforms", "fftn", "ifftn", "irfftn", "rfftn"]


class FourierTransforms(Opaque):
    """The function of `numpy.fft` of that name: one transform after the other, each along an axis."""

    function: str
    s: tuple[int, ...] | None
    """How many samples there are on each axis, -1 for as many as the operand has; None for that on all."""
    axes: tuple[int, ...]
    norm: str

    accepts = COMPLEX_INPUT
    samples = (
        shaped((2, 3), function="fftn", s=None, axes=(0, 1), norm="backward", elements=np.complex64),
        shaped((4, 2, 3), function="ifftn", s=(5, -1), axes=(2, 0), norm="ortho", elements=np.float64),
        shaped((4, 3), function="rfftn", s=None, axes=(1, 0), norm="forward"),
        shaped((2, 3), function="rfftn", s=(3, 3), axes=(0, 1), norm="backward", elements=np.int32),
        shaped((2, 3), function="irfftn", s=None, axes=(-2, -1), norm="backward", elements=np.complex64),
        shaped((2, 3), function="irfftn", s=(3, 5), axes=(0, 1), norm="backward", elements=np.complex128),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        prepared = widened(operands)
        refuse_nothing(self.function, prepared[0], self.axes[-1])
        return prepared

    def infer(self, x: ArraySpec) -> ArraySpec:
        for step in self.steps():
            x = step.infer(x)
        return x

    def steps(self) -> list[FourierTransform]:
        """The transforms, in order: that of real samples is the first, and the last where it gives them."""
        one = self.function.removesuffix("n")
        others = {"rfft": "fft", "irfft": "ifft"}.get(one, one)
        counts: Sequence[int | None] = (None,) * len(self.axes) if self.s is None else self.s
        functions = [others] * (len(self.axes) - 1) + [one]
        steps = [
            FourierTransform(function, None if count == -1 else count, axis, self.norm)
            for function, count, axis in zip(functions, counts, self.axes, strict=True)
        ]
        return steps if one == "irfft" else steps[::-1]

    def kernel(self, x: Array) -> Any:
        return getattr(np.fft, self.function)(x, s=self.s, axes=self.axes, norm=self.norm)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), (spec,) = inputs, specs
        for step in self.steps():
            (x,), spec = step.to_graphdef(builder, [x], [spec]), step.infer(spec)
        return [x]


class DynamicFourierTransforms(Opaque):
    """`FourierTransforms` where the second input says how many samples there are on each axis."""

    function: str
    axes: tuple[int, ...]
    norm: str

    accepts = COMPLEX_INPUT
    why_no_graphdef = "TensorFlow pads no samples"
    samples = (
        Sample((np.ones((2, 3)), np.array([4])), {"function": "fftn", "axes": (-1,), "norm": "ortho"}),
        Sample(
            (np.ones((2, 3)), np.array([5, -1])), {"function": "rfftn", "axes": (0, 1), "norm": "forward"}
        ),
        Sample(
            (np.ones((2, 3)), np.array([4, 2])), {"function": "irfftn", "axes": (1, 0), "norm": "backward"}
        ),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, lengths = operands
        return [*widened([x]), cast_operand(lengths, int64)]

    def infer(self, x: ArraySpec, lengths: ArraySpec) -> ArraySpec:
        del lengths
        if x.shape is None:
            hidden = x
        else:
            places = [normalise_axis(axis, len(x.shape)) for axis in self.axes]
            hidden = x.with_shape(
                tuple([UNKNOWN if axis in places else dim for axis, dim in enumerate(x.shape)])
            )
        return FourierTransforms(self.function, None, self.axes, self.norm).infer(hidden)

    def kernel(self, x: Array, lengths: Array) -> Any:
        return getattr(np.fft, self.function)(x, s=tuple(lengths.tolist()), axes=self.axes, norm=self.norm)


def _transformed(function: str, x: TensorLike, s: Any, axes: Any, norm: Any) -> Tensor:
    tensor = as_tensor(x)
    s = (s,) if s is not None and is_one(s) else s
    counts = None if s is None else [-1 if _is_own(each) else whole_length(each, "s") for each in s]
    if axes is not None:
        places = tuple(map(as_axis, (axes,) if is_one(axes) else axes))
    else:
        count = tensor.ndim if counts is None else len(counts)
        places = tuple(range(-count, 0))
    if counts is not None and len(counts) != len(places):
        raise ShapeError(
            f"`s` has {len(counts)} lengths for {len(places)} axes",
            why="Each axis that is transformed has one.",
            way_out="Give as many, -1 where the axis shall keep its length.",
        )
    if not places:
        raise ShapeError(
            f"`{function}` along no axes",
            why="It transforms along one axis or more.",
            way_out="Name one with `axes`, or give `x` one with `rt.expand_dims`.",
        )
    if counts is None:
        return bind(FourierTransforms(function, None, places, checked_norm(norm)), tensor)
    known = tuple([each for each in counts if isinstance(each, int)])
    if len(known) == len(counts):
        return bind(FourierTransforms(function, known, places, checked_norm(norm)), tensor)
    lengths = ops.stack([ops.cast(each, int64) for each in counts])
    return bind(DynamicFourierTransforms(function, places, checked_norm(norm)), tensor, lengths)


def _is_own(length: Any) -> bool:
    """Whether a length stands for that of the axis."""
    return isinstance(length, int) and length == -1


def fftn(
    x: TensorLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Discrete Fourier transform along several axes.

    Parameters
    ----------
    x : Tensor of any numeric dtype
    s : sequence of ints, or of Tensors of one integer, optional
        How many samples to transform on each axis: a longer axis is cut, a shorter one gets zeros, -1 keeps
        the length.
    axes : sequence of ints, optional
        By default the last ``len(s)`` axes, or all of them.
    norm : {"backward", "ortho", "forward"}, optional
        Whether the inverse divides by the number of samples, both by its root, or this function.

    Returns
    -------
    Tensor of the same shape, but for the lengths that `s` gives
        complex64 from float32 and complex64, otherwise complex128.

    Raises
    ------
    ShapeError
        When an axis is out of range or empty, there is none, or `s` and `axes` differ in length.
    InvalidValue
        When a length is not positive, or there is no such `norm`.

    Notes
    -----
    The rank must be known where neither `s` nor `axes` is given. GraphDef "FFT" and its family, one after the
    other. Semantics: Array API 2025.12, `fft.fftn`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.fftn(rt.asarray([[1.0, 0.0], [0.0, 0.0]]))
    <Tensor: shape=(2, 2), dtype=complex128, numpy=
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])>
    """
    return _transformed("fftn", x, s, axes, norm)


def ifftn(
    x: TensorLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Inverse of `fftn`.

    Parameters
    ----------
    x : Tensor of any numeric dtype
    s : sequence of ints, or of Tensors of one integer, optional
        How many frequencies to transform on each axis: a longer axis is cut, a shorter one gets zeros.
    axes : sequence of ints, optional
        By default the last ``len(s)`` axes, or all of them.
    norm : {"backward", "ortho", "forward"}, optional
        Whether this function divides by the number of samples, both by its root, or `fftn`.

    Returns
    -------
    Tensor of the same shape, but for the lengths that `s` gives
        complex64 from float32 and complex64, otherwise complex128.

    Raises
    ------
    ShapeError
        When an axis is out of range or empty, there is none, or `s` and `axes` differ in length.
    InvalidValue
        When a length is not positive, or there is no such `norm`.

    Notes
    -----
    The rank must be known where neither `s` nor `axes` is given. GraphDef "FFT" and its family, one after the
    other. Semantics: Array API 2025.12, `fft.ifftn`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.ifftn(rt.ones((2, 2)))
    <Tensor: shape=(2, 2), dtype=complex128, numpy=
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])>
    """
    return _transformed("ifftn", x, s, axes, norm)


def rfftn(
    x: TensorLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Discrete Fourier transform of real samples along several axes.

    Parameters
    ----------
    x : Tensor of a real dtype
    s : sequence of ints, or of Tensors of one integer, optional
        How many samples to transform on each axis: a longer axis is cut, a shorter one gets zeros, -1 keeps
        the length.
    axes : sequence of ints, optional
        By default the last ``len(s)`` axes, or all of them; along the last one, the frequencies that are
        negative are left out.
    norm : {"backward", "ortho", "forward"}, optional
        As for `fftn`.

    Returns
    -------
    Tensor, where n samples were on the last axis now ``n // 2 + 1`` long there
        complex64 from float32, otherwise complex128.

    Raises
    ------
    DTypeError
        When `x` is complex.
    ShapeError
        When an axis is out of range or empty, there is none, or `s` and `axes` differ in length.
    InvalidValue
        When a length is not positive, or there is no such `norm`.

    Notes
    -----
    The rank must be known where neither `s` nor `axes` is given. GraphDef "FFT" and its family, one after the
    other. Semantics: Array API 2025.12, `fft.rfftn`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.rfftn(rt.asarray([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])).shape
    (2, 2)
    """
    return _transformed("rfftn", x, s, axes, norm)


def irfftn(
    x: TensorLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Inverse of `rfftn`.

    Parameters
    ----------
    x : Tensor of any numeric dtype
        Along the last of `axes`, the frequencies that are not negative.
    s : sequence of ints, or of Tensors of one integer, optional
        How many samples there shall be on each axis; by default m of them, on the last one ``2 * (m - 1)``.
    axes : sequence of ints, optional
        By default the last ``len(s)`` axes, or all of them.
    norm : {"backward", "ortho", "forward"}, optional
        As for `ifftn`.

    Returns
    -------
    Tensor of the shape that `s` gives
        float32 from float32 and complex64, otherwise float64.

    Raises
    ------
    ShapeError
        When an axis is out of range or too short, there is none, or `s` and `axes` differ in length.
    InvalidValue
        When a length is not positive, or there is no such `norm`.

    Notes
    -----
    The rank must be known where neither `s` nor `axes` is given. GraphDef "FFT" and its family, one after the
    other. Semantics: Array API 2025.12, `fft.irfftn`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.irfftn(rt.ones((2, 2)), s=(2, 3))
    <Tensor: shape=(2, 3), dtype=float64, numpy=
    array([[1., 0., 0.],
           [0., 0., 0.]])>
    """
    return _transformed("irfftn", x, s, axes, norm)
