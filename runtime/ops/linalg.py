"""Linear algebra: `rt.linalg.norm`, `solve`, `inv`, `det`, `trace`, `diagonal`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import float16, float64, int32
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.facts import COMPLEX, FLOATING, GraphDef, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Axes, IndexMap, Opaque, cast_operand, promoted, require_dtype

__all__ = [
    "Diagonal",
    "MatrixDeterminant",
    "MatrixInverse",
    "MatrixSolve",
    "det",
    "diagonal",
    "inv",
    "norm",
    "solve",
    "trace",
]

_MATRIX = np.array([[4.0, 1.0], [2.0, 3.0]])
_LAPACK = (FLOATING | COMPLEX) - {float16}


class _OfMatrix(Opaque, abstract=True):
    """An op on square matrices of the precisions that LAPACK has: other numbers become float64."""

    accepts = _LAPACK

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        prepared = promoted(operands)
        dtype = prepared[0].dtype
        return prepared if dtype in _LAPACK else [cast_operand(each, float64) for each in prepared]

    def square(self, x: Spec) -> Shape:
        """The shape of an operand of square matrices."""
        require_dtype(self.name, x.dtype, self.accepts)
        if x.shape is None:
            return None
        if len(x.shape) < 2 or not shapes.compatible(x.shape[-1:], x.shape[-2:-1]):
            raise ShapeError(
                f"a tensor of shape {shapes.text(x.shape)} holds no square matrices",
                why="The last two axes must be equally long.",
                way_out="Multiply it with its transpose, `x.mT @ x`, or give a square part of it.",
            )
        return x.shape


class MatrixDeterminant(_OfMatrix):
    """The determinant of each matrix."""

    graphdef = GraphDef("MatrixDeterminant")
    samples = (Sample((_MATRIX,)), Sample((np.stack([_MATRIX, 2 * _MATRIX]).astype(np.float32),)))

    def infer(self, x: Spec) -> Spec:
        shape = self.square(x)
        return x.with_shape(None if shape is None else shape[:-2])

    def kernel(self, x: Array) -> Any:
        return np.linalg.det(x)


class MatrixInverse(_OfMatrix):
    """The inverse of each matrix."""

    graphdef = GraphDef("MatrixInverse")
    samples = (Sample((_MATRIX,)), Sample((np.stack([_MATRIX, 2 * _MATRIX]).astype(np.complex64),)))

    def infer(self, x: Spec) -> Spec:
        return x.with_shape(self.square(x))

    def kernel(self, x: Array) -> Any:
        return np.linalg.inv(x)


class MatrixSolve(_OfMatrix):
    """What each matrix of the first input must be multiplied with to give that of the second."""

    graphdef = GraphDef("MatrixSolve")
    samples = (Sample((_MATRIX, _MATRIX + 1)), Sample((np.stack([_MATRIX, _MATRIX]), np.ones((2, 2, 1)))))

    def infer(self, x: Spec, y: Spec) -> Spec:
        left = self.square(x)
        if left is None or y.shape is None:
            return x.with_shape(None)
        if len(y.shape) < 2 or not shapes.compatible(left[-2:-1], y.shape[-2:-1]):
            raise ShapeError(
                f"equations of shape {shapes.text(left)} cannot be solved for {shapes.text(y.shape)}",
                why="There is one row on the right for each equation.",
                way_out="Give a matrix of as many rows: `rt.expand_dims(y, axis=-1)` makes one of a vector.",
            )
        batch = shapes.broadcast(left[:-2], y.shape[:-2])
        assert batch is not None, "both ranks are known"
        return x.with_shape((*batch, *y.shape[-2:]))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.linalg.solve(x, y)


def det(x: TensorLike, /) -> Tensor:
    """Determinant of each matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)

    Returns
    -------
    Tensor of the same dtype, shape (...)

    Raises
    ------
    ShapeError
        When the matrices are not square.

    Notes
    -----
    GraphDef "MatrixDeterminant". Semantics: Array API 2025.12, `linalg.det`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.round(rt.linalg.det(rt.asarray([[2.0, 0.0], [0.0, 3.0]])))
    <Tensor: shape=(), dtype=float64, numpy=6.0>
    """
    return bind(MatrixDeterminant(), x)


def inv(x: TensorLike, /) -> Tensor:
    """Inverse of each matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When one has no inverse; in a graph, in the run.

    Notes
    -----
    GraphDef "MatrixInverse". Semantics: Array API 2025.12, `linalg.inv`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.inv(rt.asarray([[2.0, 0.0], [0.0, 4.0]]))
    <Tensor: shape=(2, 2), dtype=float64, numpy=
    array([[0.5 , 0.  ],
           [0.  , 0.25]])>
    """
    return bind(MatrixInverse(), x)


def solve(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """What each matrix of `x1` must be multiplied with to give `x2`.

    Parameters
    ----------
    x1 : Tensor of a floating-point or complex dtype, shape (..., n, n)
    x2 : Tensor of a floating-point or complex dtype, shape (n,) or (..., n, k)

    Returns
    -------
    Tensor of the promoted dtype, shape (n,) or (..., n, k)

    Raises
    ------
    ShapeError
        When the matrices are not square, or `x2` does not fit.
    numpy.linalg.LinAlgError
        When there is no one solution; in a graph, in the run.

    Notes
    -----
    GraphDef "MatrixSolve". Semantics: Array API 2025.12, `linalg.solve`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.solve(rt.asarray([[2.0, 0.0], [0.0, 4.0]]), rt.asarray([2.0, 2.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1. , 0.5])>
    """
    right = as_tensor(x2)
    if right.ndim != 1:
        return bind(MatrixSolve(), x1, right)
    solution = bind(MatrixSolve(), x1, ops.expand_dims(right, axis=1))
    return ops.squeeze(solution, -1)


class Diagonal(IndexMap):
    """The diagonal of each matrix, along the last axis."""

    offset: int

    samples = (Sample((_MATRIX,), {"offset": 0}), Sample((np.arange(12).reshape(2, 2, 3),), {"offset": 1}))

    def infer(self, x: Spec) -> Spec:
        if x.shape is None:
            return x
        if len(x.shape) < 2:
            raise ShapeError(
                f"a tensor of shape {shapes.text(x.shape)} holds no matrix",
                why="A matrix has two axes, and a stack of matrices more.",
                way_out="Give it an axis with `rt.expand_dims`.",
            )
        return x.with_shape((*x.shape[:-2], _diagonal_length(x.shape[-2], x.shape[-1], self.offset)))

    def kernel(self, x: Array) -> Any:
        return np.diagonal(x, self.offset, -2, -1)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        offset, padding = builder.constant(self.offset, int32), builder.constant(0, dtype)
        return [builder.node("MatrixDiagPartV3", [*inputs, offset, padding], "diagonal", T=dtype)]


def _diagonal_length(rows: Dim, columns: Dim, offset: int) -> Dim:
    if rows is None or columns is None:
        return None
    return max(0, min(rows + min(offset, 0), columns - max(offset, 0)))


def diagonal(x: TensorLike, /, *, offset: int = 0) -> Tensor:
    """Diagonal of each matrix.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, m)
    offset : int, optional
        Which diagonal: above the main one where it is positive, below where it is negative.

    Returns
    -------
    Tensor of the same dtype, shape (..., k)

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.diagonal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.diagonal(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 4])>
    """
    return bind(Diagonal(offset), x)


def trace(x: TensorLike, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Sum of the diagonal of each matrix.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., n, m)
    offset : int, optional
        Which diagonal: above the main one where it is positive, below where it is negative.
    dtype : DType, optional
        In which to compute, and of the result.

    Returns
    -------
    Tensor, shape (...)
        Small integers widen to 64 bits, as in `sum`, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    GraphDef "Sum" and others. Semantics: Array API 2025.12, `linalg.trace`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.trace(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(), dtype=int64, numpy=5>
    """
    return ops.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def norm(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """Norm of vectors, of matrices element by element.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.
    ord : float, optional
        The order of the norm: 1, 2, or any other; infinity for the greatest magnitude, its negative for the
        least, 0 for the number of elements that are not 0.

    Returns
    -------
    Tensor of the real floating-point dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Sum", "Sqrt" and others. Semantics: Array API 2025.12, `linalg.vector_norm`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.norm(rt.asarray([3.0, 4.0]))
    <Tensor: shape=(), dtype=float64, numpy=5.0>
    """
    tensor = as_tensor(x)
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        tensor = ops.astype(tensor, float64)
    folded: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if ord == 2 and not tensor.dtype.is_complex:
        return ops.sqrt(ops.sum(ops.square(tensor), **folded))
    size = ops.abs(tensor)
    if ord == np.inf:
        return ops.max(size, **folded)
    if ord == -np.inf:
        return ops.min(size, **folded)
    if ord == 0:
        return ops.astype(ops.count_nonzero(tensor, **folded), size.dtype)
    if ord == 1:
        return ops.sum(size, **folded)
    return ops.pow(ops.sum(ops.pow(size, ord), **folded), 1 / ord)
