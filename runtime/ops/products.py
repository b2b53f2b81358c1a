"""Sums of products: matrix products and their generalisations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import LOW_PRECISION, int32, int64
from runtime.core.shapes import Dim, Shape, normalise_axes, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ExportError, ShapeError
from runtime.graph.build import as_tensor
from runtime.ops.arguments import is_one, whole_number, whole_numbers
from runtime.ops.core import dot
from runtime.ops.facts import GraphDefBuilder, shaped
from runtime.ops.families import ALL, Contraction
from runtime.ops.promotion import promoted, require_dtype, rounded_once

__all__ = ["MatMul", "Tensordot", "Vecdot", "matmul", "outer", "tensordot", "vecdot"]

LOWERCASE = "abcdefghijklmnopqrstuvwxyz"
"""Names of axes in equations; `string`, which has them, compiles a pattern when it is loaded."""
UPPERCASE = LOWERCASE.upper()


class MatMul(Contraction):
    """Products of matrices along the last two axes; a vector is a row on the left, a column on the right."""

    accepts = ALL.difference(LOW_PRECISION)
    samples = (
        shaped((2, 3), (3, 4)),
        shaped((3,), (3,)),
        shaped((2, 3), (3,)),
        shaped((3,), (3, 2), elements=np.int32),
        shaped((5, 1, 2, 3), (4, 3, 2)),
        shaped((2, 0), (0, 3)),
        shaped((3,), (2, 3, 4), elements=np.complex64),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        require_dtype("matmul", x.dtype, self.accepts)
        return x.with_shape(_product_shape(x.shape, y.shape))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.matmul(x, y)

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if x.static_shape is None or y.static_shape is None:
            return None
        stacked = max(x.ndim, y.ndim) - 2
        batch = UPPERCASE[: max(stacked, 0)]
        left = "k" if x.ndim == 1 else f"{batch[len(batch) - x.ndim + 2 :]}ik"
        right = "k" if y.ndim == 1 else f"{batch[len(batch) - y.ndim + 2 :]}kj"
        rows, columns = "i" * (x.ndim > 1), "j" * (y.ndim > 1)
        return dot(f"{left},{right}->{batch}{rows}{columns}", x, y, order="matmul")

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        ranks = [spec.rank for spec in specs]
        if ranks == [2, 2]:
            return [builder.node("MatMul", inputs, "product", T=specs[0].dtype)]
        vectors = [rank == 1 for rank in ranks]
        added = [-2, -1]
        matrices = [
            _with_axis(builder, each, axis, spec) if vector else each
            for each, vector, axis, spec in zip(inputs, vectors, added, specs, strict=True)
        ]
        product = builder.node("BatchMatMulV2", matrices, T=specs[0].dtype)
        dropped = [axis for axis, vector in zip(added, vectors, strict=True) if vector]
        if dropped:
            product = builder.node("Squeeze", [product], T=specs[0].dtype, squeeze_dims=dropped)
        return [product]


def _with_axis(builder: GraphDefBuilder, x: Any, axis: int, spec: ArraySpec) -> Any:
    return builder.node("ExpandDims", [x, builder.constant(axis, int64)], T=spec.dtype, Tdim=int64)


def _product_shape(x: Shape, y: Shape) -> Shape:
    """The shape of a matrix product."""
    if x == () or y == ():
        raise ShapeError(
            "`matmul` was given a tensor without axes",
            why="It multiplies matrices and vectors.",
            way_out="Multiply by a single number with `*`.",
        )
    if x is None or y is None:
        return None
    rows, columns = x[-2:-1], y[-1:] if len(y) > 1 else ()
    inner = y[-2] if len(y) > 1 else y[0]
    if not shapes.compatible((x[-1],), (inner,)):
        raise ShapeError(
            f"shapes {shapes.text(x)} and {shapes.text(y)} do not multiply",
            why=f"The last axis on the left has length {x[-1]}, and the "
            f"{'first' if len(y) == 1 else 'last but one'} on the right {inner}: these must be equal.",
            way_out="Transpose one of them (`x.T`, or `x.mT` for a stack of matrices), or reshape it.",
        )
    batch = shapes.broadcast(x[:-2], y[:-2])
    assert batch is not None, "both ranks are known"
    return (*batch, *rows, *columns)


def matmul(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Product of matrices.

    Parameters
    ----------
    x1 : Tensor, shape (..., n, k) or (k,)
    x2 : Tensor, shape (..., k, m) or (k,)
        Axes before the last two broadcast together. A vector is a row on the left, a column on the right.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., n, m)
        Without n, m or both where a side is a vector.

    Raises
    ------
    ShapeError
        When the shapes do not fit.

    Notes
    -----
    GraphDef "MatMul" or "BatchMatMulV2". Semantics: Array API 2025.12, `matmul`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.matmul(rt.asarray([[1, 2], [3, 4]]), rt.asarray([1, 1]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    return rounded_once(MatMul(), x1, x2)


class Tensordot(Contraction):
    """Sums of products over some axes of the first input and as many of the second."""

    axes: tuple[tuple[int, ...], tuple[int, ...]]

    accepts = ALL.difference(LOW_PRECISION)
    samples = (
        shaped((2, 3), (3, 4), axes=((-1,), (0,))),
        shaped((2, 3, 4), (4, 2), axes=((2, 0), (0, 1)), elements=np.int32),
        shaped((2,), (3,), axes=((), ()), elements=np.complex64),
        shaped((2, 0), (0, 3), axes=((1,), (0,))),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        require_dtype("tensordot", x.dtype, self.accepts)
        if x.shape is None or y.shape is None:
            return x.with_shape(None)
        left, right = self._folded(x.shape, y.shape)
        if not shapes.compatible(
            tuple([x.shape[axis] for axis in left]), tuple([y.shape[axis] for axis in right])
        ):
            raise ShapeError(
                f"axes {left} of shape {shapes.text(x.shape)} and {right} of {shapes.text(y.shape)} differ",
                why="Axes that are summed together are equally long.",
                way_out="Say which axes belong together with `axes=((…), (…))`.",
            )
        kept = [dim for axis, dim in enumerate(x.shape) if axis not in left]
        return x.with_shape((*kept, *[dim for axis, dim in enumerate(y.shape) if axis not in right]))

    def _folded(self, *operands: tuple[Dim, ...]) -> list[list[int]]:
        """The axes of each operand that are summed, counted from the front."""
        for axes, shape in zip(self.axes, operands, strict=True):
            normalise_axes(axes, len(shape))
        return [
            [normalise_axis(axis, len(shape)) for axis in axes]
            for axes, shape in zip(self.axes, operands, strict=True)
        ]

    def kernel(self, x: Array, y: Array) -> Any:
        return np.asarray(np.tensordot(x, y, self.axes))

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if x.static_shape is None or y.static_shape is None:
            return None
        summed = self._folded(x.static_shape, y.static_shape)
        names = iter(LOWERCASE + UPPERCASE)
        left, right = [[next(names) for _ in range(each.ndim)] for each in (x, y)]
        for one, two in zip(*summed, strict=True):
            right[two] = left[one]
        kept = [name for name in [*left, *right] if not (name in left and name in right)]
        return dot(f"{''.join(left)},{''.join(right)}->{''.join(kept)}", x, y, order="tensordot")

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        x, y = [spec.shape for spec in specs]
        if x is None or y is None:
            raise ExportError(
                "`tensordot` of a tensor whose number of axes is not known cannot be written to a GraphDef",
                why="The axes that are summed are counted there.",
                way_out="Give the function an `input_signature` with a shape.",
            )
        left, right = self._folded(x, y)
        letters = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        names = [[next(letters) for _ in shape] for shape in (x, y)]
        for one, other in zip(left, right, strict=True):
            names[1][other] = names[0][one]
        kept = [name for name in (*names[0], *names[1]) if not (name in names[0] and name in names[1])]
        equation = f"{''.join(names[0])},{''.join(names[1])}->{''.join(kept)}"
        return [builder.node("Einsum", inputs, T=specs[0].dtype, N=2, equation=equation)]


def tensordot(
    x1: TensorLike, x2: TensorLike, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Sum of products over some axes of `x1` and as many of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any dtype
    axes : int or pair of sequences of ints, optional
        How many axes, the last of `x1` and the first of `x2`; or which axes of each.

    Returns
    -------
    Tensor of the promoted dtype
        The axes of `x1` that are left, then those of `x2`.

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice, or two paired axes differ in length.

    Notes
    -----
    GraphDef "Einsum", where the ranks are known. Semantics: Array API 2025.12, `tensordot`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tensordot(rt.asarray([1, 2]), rt.asarray([3, 4]), axes=1)
    <Tensor: shape=(), dtype=int64, numpy=11>
    """
    if is_one(axes):
        count = whole_number(axes, "axes")
        pair = [tuple(range(-count, 0)), tuple(range(count))] if count >= 0 else []
    else:
        several: Any = axes
        pair = [whole_numbers((each,) if is_one(each) else each, "axes") for each in several]
    if len(pair) != 2 or len(pair[0]) != len(pair[1]):
        raise ShapeError(
            f"`axes` is {axes}",
            why="It says how many axes are summed, or which of each operand, as many of one as of the other.",
            way_out="Give an int that is not negative, or two sequences of one length.",
        )
    return rounded_once(Tensordot((pair[0], pair[1])), x1, x2)


class Vecdot(Contraction):
    """Inner products of the vectors along the last axis, those of the first input conjugated."""

    accepts = ALL.difference(LOW_PRECISION)
    samples = (
        shaped((3,), (3,)),
        shaped((4, 1, 3), (2, 3), elements=np.complex64),
        shaped((2, 0), (1, 0), elements=np.int8),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        require_dtype("vecdot", x.dtype, self.accepts)
        if x.shape == () or y.shape == ():
            raise ShapeError(
                "`vecdot` was given a tensor without axes",
                why="It multiplies vectors.",
                way_out="Multiply by a single number with `*`.",
            )
        if x.shape is None or y.shape is None:
            return x.with_shape(None)
        if not shapes.compatible(x.shape[-1:], y.shape[-1:]):
            raise ShapeError(
                f"vectors of length {x.shape[-1]} and {y.shape[-1]} have no inner product",
                why="Each element of one is multiplied with an element of the other.",
                way_out="Say where the vectors lie with `axis`, or repeat what should fit every element.",
            )
        return x.with_shape(shapes.broadcast(x.shape[:-1], y.shape[:-1]))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.vecdot(x, y)

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if x.static_shape is None or y.static_shape is None:
            return None
        batch = UPPERCASE[: max(x.ndim, y.ndim) - 1]
        left, right = [f"{batch[len(batch) - each.ndim + 1 :]}k" for each in (x, y)]
        conjugate = ops.conj(x) if x.dtype.is_complex else x
        return dot(f"{left},{right}->{batch}", conjugate, y, order="vecdot")

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        dtype = specs[0].dtype
        left, right = inputs
        if dtype.is_complex:
            left = builder.node("Conj", [left], T=dtype)
        product = builder.node("Mul", [left, right], "z", T=dtype)
        return [builder.node("Sum", [product, builder.constant(-1, int32)], T=dtype, Tidx=int32)]


def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Inner products of vectors along an axis.

    Parameters
    ----------
    x1, x2 : Tensor of any dtype, shape (..., n, ...)
        The other axes broadcast together.
    axis : int, optional
        Where the vectors lie in each; negative: counted from the end.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When the axis is out of range or not equally long in both, or the others do not broadcast together.

    Notes
    -----
    The left side of complex vectors is conjugated. GraphDef "Conj", "Mul" and "Sum". Semantics: Array API
    2025.12, `vecdot`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.vecdot(rt.asarray([[1, 2], [3, 4]]), rt.asarray([1, 1]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    if axis != -1:
        x1, x2 = ops.moveaxis(x1, axis, -1), ops.moveaxis(x2, axis, -1)
    return rounded_once(Vecdot(), x1, x2)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Products of each element of `x1` with each one of `x2`.

    Parameters
    ----------
    x1 : Tensor of any numeric dtype, shape (n,)
    x2 : Tensor of any numeric dtype, shape (m,)

    Returns
    -------
    Tensor of the promoted dtype, shape (n, m)

    Raises
    ------
    ShapeError
        When one is no vector.

    Notes
    -----
    GraphDef "Mul". Semantics: Array API 2025.12, `linalg.outer`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.outer(rt.asarray([1, 2]), rt.asarray([3, 4]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[3, 4],
           [6, 8]])>
    """
    left, right = as_tensor(x1), as_tensor(x2)
    for each in (left, right):
        if each.static_shape is not None and len(each.static_shape) != 1:
            raise ShapeError(
                f"`outer` of shape {shapes.text(each.static_shape)}",
                why="It multiplies the elements of two vectors.",
                way_out="Make one with `rt.flatten`; `rt.tensordot(x1, x2, axes=0)` keeps every axis.",
            )
    return ops.multiply(ops.expand_dims(left, axis=-1), right)
