"""Statistics: variance, counts, sums of exponentials."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, bool_, float16, float32, float64, int32, int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Operators, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import Axes, checked_axes
from runtime.ops.core.elements import scalar_map
from runtime.ops.core.folding import reduce
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, axes_in_graphdef
from runtime.ops.families import Reduction

__all__ = [
    "CountNonZero",
    "count_nonzero",
    "logsumexp",
    "std",
    "var",
]


def var(
    x: TensorLike, /, *, axis: Axes = None, correction: TensorLike = 0.0, keepdims: bool = False
) -> Tensor:
    """Variance of the elements of `x` along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    correction : number or Tensor of shape (), optional
        What is taken from the number of elements before dividing: 1 for a sample of a population. Where
        nothing is left, the result is NaN or infinite.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of a floating-point dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Mean" and others. Semantics: Array API 2025.12, `var`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.var(rt.asarray([1.0, 2.0, 3.0, 4.0]))
    <Tensor: shape=(), dtype=float64, numpy=1.25>
    """
    if not isinstance(correction, (int, float, np.number, Operators)):
        raise DTypeError(
            f"`correction` is {correction!r}",
            why="It is taken from the number of elements.",
            way_out="Give a number: 1 for a sample of a population.",
        )
    tensor = as_tensor(x)
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        tensor = ops.cast(tensor, float64)
    halves = tensor.dtype is float16  # which NumPy adds up in single precision
    wide = ops.cast(tensor, float32) if halves else tensor
    squares = ops.square(ops.abs(wide - ops.mean(wide, axis=axis, keepdims=True)))
    total = ops.sum(squares, axis=axis, keepdims=keepdims)
    count = _folded(tensor, axis)
    if isinstance(count, Operators) or isinstance(correction, Operators):
        spread = total / ops.cast(ops.maximum(count - correction, 0), total.dtype)
    else:
        spread = total / max(count - correction, 0.0)
    return ops.cast(spread, float16) if halves else spread


def _folded(x: Tensor, axis: Axes) -> int | Tensor:
    """How many elements of `x` a reduction folds into one; a tensor where only the run knows."""
    axes = checked_axes(axis, x)
    if axes is None:
        return ops.size(x)
    assert x.static_shape is not None, "the axes are counted from the front"
    lengths = [x.static_shape[axis] for axis in axes]
    known = [length for length in lengths if isinstance(length, int)]
    if len(known) == len(lengths):
        return prod(known)
    return ops.prod(ops.take(ops.shape(x), np.asarray(axes), axis=0))


def std(
    x: TensorLike, /, *, axis: Axes = None, correction: TensorLike = 0.0, keepdims: bool = False
) -> Tensor:
    """Standard deviation of the elements of `x` along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    correction : number or Tensor of shape (), optional
        What is taken from the number of elements before dividing: 1 for a sample of a population. Where
        nothing is left, the result is NaN or infinite.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of a floating-point dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Sqrt" and others. Semantics: Array API 2025.12, `std`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.std(rt.asarray([1.0, 2.0, 3.0, 4.0]))
    <Tensor: shape=(), dtype=float64, numpy=1.118033988749895>
    """
    return ops.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


class CountNonZero(Reduction):
    """How many elements are not zero along some axes."""

    samples = tuple(
        Sample((np.array([[1, 0, 2], [0, 0, 3]], each),), {"axis": axis, "keepdims": keepdims})
        for each in (np.bool_, np.int32, np.float32, np.complex64)
        for axis, keepdims in (((0, 1), False), ((1,), True), (None, False), ((), False))
    )
    quiet = "biuf"

    def result_dtype(self, dtype: DType) -> DType:
        del dtype
        return int64

    def kernel(self, x: Array) -> Any:
        return np.count_nonzero(x, axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("add", scalar_map("x0 != T(0)", x), self.axis, self.keepdims, int64)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        every = self.axis is None
        axes = axes_in_graphdef(builder, inputs[0], dtype) if every else builder.constant(self.axis, int32)
        found = builder.node("Cast", inputs, "y", SrcT=dtype, DstT=bool_)
        counts = builder.node("Cast", [found], "y", SrcT=bool_, DstT=int64)
        return [builder.node("Sum", [counts, axes], T=int64, Tidx=int32, keep_dims=self.keepdims)]


def count_nonzero(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Number of elements of `x` that are not zero, along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of int64, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Sum" of a "Cast". Semantics: Array API 2025.12, `count_nonzero`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.count_nonzero(rt.asarray([[1, 0], [3, 4]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>
    """
    tensor = as_tensor(x)
    return bind(CountNonZero(checked_axes(axis, tensor), keepdims), tensor)


def logsumexp(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Logarithm of the sum of the exponentials of `x` along some axes, without overflow.

    Parameters
    ----------
    x : Tensor of a floating-point dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of the same dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Log", "Sum" and others. Semantics: SciPy `logsumexp`, TensorFlow `tf.reduce_logsumexp`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logsumexp(rt.asarray([1000.0, 1000.0]))
    <Tensor: shape=(), dtype=float64, numpy=1000.6931471805599>
    """
    tensor = as_tensor(x)
    top = ops.max(tensor, axis=axis, keepdims=True)
    top = ops.where(ops.isfinite(top), top, ops.cast(0, top.dtype))
    total = ops.log(ops.sum(ops.exp(tensor - top), axis=axis, keepdims=True)) + top
    axes = checked_axes(axis, tensor)
    if keepdims:
        return total
    return ops.reshape(total, ()) if axes is None else ops.squeeze(total, axes)
