"""The bits of elements, read as elements of another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype, int8, int32, int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.facts import NUMERIC, GraphDef, Sample, raising
from runtime.ops.families import Opaque

__all__ = ["Bitcast", "bitcast"]


class Bitcast(Opaque):
    """The bits of each element as one element of another dtype, or as several, or several elements as one."""

    to: DType

    graphdef = GraphDef("Bitcast", types={"T": "in0", "type": "out0"})
    accepts = NUMERIC
    samples = (
        Sample((np.array([1.0, -2.5], np.float32),), {"to": int32}),
        Sample((np.array([[1, -2]], np.int64),), {"to": int32}),
        Sample((np.array([[1, 2], [3, 4]], np.int32),), {"to": int64}),
        Sample((np.array(258, np.uint16),), {"to": int8}),
    )
    raises = raising(ShapeError)

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.dtype.is_bool or self.to.is_bool:
            raise DTypeError(
                f"the bits of {x.dtype} were asked for as {self.to}",
                why="A truth value has no bits of its own.",
                way_out="Cast with `rt.astype`.",
            )
        ours, theirs = x.dtype.itemsize, self.to.itemsize
        if x.shape is None or ours == theirs:
            return ArraySpec(x.shape, self.to)
        if ours > theirs:
            return ArraySpec((*x.shape, ours // theirs), self.to)
        if not x.shape or not shapes.compatible(x.shape[-1:], (theirs // ours,)):
            raise ShapeError(
                f"the bits of {x} were asked for as {self.to}",
                why=f"One {self.to} takes the bits of {theirs // ours} elements, which are a row.",
                way_out=f"Give it a last axis of the length {theirs // ours}.",
            )
        return ArraySpec(x.shape[:-1], self.to)

    def kernel(self, x: Array) -> Any:
        return _with_bits_of(x, self.to.numpy)


def _with_bits_of(x: Array, to: Any) -> Any:
    """An array of another dtype: each element has the bits of one of `x`, of several, or of a part."""
    to = np.dtype(to)
    whole = np.array(x, order="C")
    ours, theirs = whole.dtype.itemsize, to.itemsize
    if ours == theirs:
        return whole.reshape(-1).view(to).reshape(whole.shape)
    if ours > theirs:
        return whole.reshape((*whole.shape, 1)).view(to)
    if whole.shape[-1:] != (theirs // ours,):
        raise ShapeError(
            f"a row of {whole.shape[-1:]} elements was asked for as one {to}",
            why=f"One {to} takes the bits of {theirs // ours}.",
            way_out=f"Give it a last axis of the length {theirs // ours}.",
        )
    return whole.view(to)[..., 0]


def bitcast(x: TensorLike, dtype: Any) -> Tensor:
    """The bits of `x` as elements of another dtype.

    Parameters
    ----------
    x : Tensor of numbers
    dtype : DType

    Returns
    -------
    Tensor of `dtype`
        Of the same shape where elements are as wide; with another axis at the end where one becomes several,
        and without the last one where several become one.

    Raises
    ------
    ShapeError
        When the last axis does not have as many elements as make one.

    Notes
    -----
    GraphDef "Bitcast". Semantics: TensorFlow `tf.bitcast`.

    Examples
    --------
    >>> import runtime as rt
    >>> from runtime import ops
    >>> ops.bitcast(rt.asarray(1.0, dtype=rt.float32), rt.int32)
    <Tensor: shape=(), dtype=int32, numpy=1065353216>
    """
    return bind(Bitcast(as_dtype(dtype)), as_tensor(x))
