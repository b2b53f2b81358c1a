"""Systems of linear equations: solutions, inverses, determinants, least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ExportError, ShapeError
from runtime.graph.build import bind, bind_all
from runtime.ops.facts import GraphDef, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.linalg.matrices import OfMatrices, least, real_of

__all__ = [
    "LeastSquares",
    "LogMatrixDeterminant",
    "MatrixDeterminant",
    "MatrixInverse",
    "MatrixSolve",
    "SlogdetResult",
    "det",
    "inv",
    "slogdet",
    "solve",
]

_MATRIX = np.array([[4.0, 1.0], [2.0, 3.0]])
_STACK = np.stack([_MATRIX, -2 * _MATRIX])
_EMPTY = np.empty((0, 2, 2), np.float32)
_TALL = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 7.0]])


class MatrixDeterminant(OfMatrices):
    """The determinant of each matrix."""

    graphdef = GraphDef("MatrixDeterminant")
    samples = (Sample((_MATRIX,)), Sample((_STACK.astype(np.float32),)), Sample((np.empty((0, 0)),)))

    def infer(self, x: ArraySpec) -> ArraySpec:
        parts = self.square(x)
        return x.with_shape(None if parts is None else parts.batch)

    def kernel(self, x: Array) -> Any:
        return np.linalg.det(x)


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


class SlogdetResult(NamedTuple):
    """What `slogdet` gives."""

    sign: Tensor
    logabsdet: Tensor


class LogMatrixDeterminant(OfMatrices):
    """The sign of the determinant of each matrix, and the logarithm of its magnitude."""

    samples = (Sample((_MATRIX,)), Sample((_STACK.astype(np.complex64),)), Sample((np.empty((0, 0)),)))

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        parts = self.square(x)
        sign = x.with_shape(None if parts is None else parts.batch)
        return sign, sign.with_dtype(real_of(x.dtype))

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.slogdet(x))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        outputs = ("sign", "log_abs_determinant")
        sign, logarithm = [  # two nodes of one output each, which TensorFlow merges
            builder.node("LogMatrixDeterminant", inputs, outputs[:count], T=dtype) for count in (1, 2)
        ]
        if dtype.is_complex:
            logarithm = builder.node("Real", [logarithm], T=dtype, Tout=real_of(dtype))
        return [sign, logarithm]


def slogdet(x: TensorLike, /) -> SlogdetResult:
    """Sign and logarithm of the determinant of each matrix, where the determinant itself would overflow.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)

    Returns
    -------
    sign : Tensor of the same dtype, shape (...)
        A number of magnitude 1, or 0 for a singular matrix.
    logabsdet : Tensor of the real dtype of the same precision, shape (...)
        The logarithm of the magnitude; minus infinity for a singular matrix.

    Raises
    ------
    ShapeError
        When the matrices are not square.

    Notes
    -----
    GraphDef "LogMatrixDeterminant". Semantics: Array API 2025.12, `linalg.slogdet`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.slogdet(rt.asarray([[-1.0, 0.0], [0.0, 1.0]])).sign
    <Tensor: shape=(), dtype=float64, numpy=-1.0>
    """
    return SlogdetResult(*bind_all(LogMatrixDeterminant(), x))


class MatrixInverse(OfMatrices):
    """The inverse of each matrix."""

    graphdef = GraphDef("MatrixInverse")
    samples = (Sample((_MATRIX,)), Sample((_STACK.astype(np.complex64),)), Sample((_EMPTY,)))

    def infer(self, x: ArraySpec) -> ArraySpec:
        return self.squared(x)

    def kernel(self, x: Array) -> Any:
        return np.linalg.inv(x)


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


class MatrixSolve(OfMatrices):
    """What each matrix of the first input must be multiplied with to give that of the second, or a vector."""

    samples = (
        Sample((_MATRIX, _MATRIX + 1)),
        Sample((_STACK, np.ones((2, 2, 1)))),
        Sample((_STACK, np.ones((3, 1, 2, 1)))),
        Sample((_MATRIX.astype(np.complex64), np.ones(2, np.complex64))),
        Sample((_STACK, np.ones(2))),
        Sample((_EMPTY, np.ones((2, 3), np.float32))),
    )

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        left = self.square(x)
        if left is None or y.shape is None:
            return x.with_shape(None)
        right = y.shape if len(y.shape) != 1 else (*y.shape, 1)
        if len(right) < 2 or not shapes.compatible((left.rows,), right[-2:-1]):
            raise ShapeError(
                f"equations of shape {shapes.text(x.shape)} cannot be solved for {shapes.text(y.shape)}",
                why="There is one row on the right for each equation.",
                way_out="Give a vector or a matrix of as many rows; a stack of vectors is not told from a "
                "matrix: `rt.expand_dims(y, axis=-1)` makes a stack of columns.",
            )
        batch = shapes.broadcast(left.batch, right[:-2])
        assert batch is not None, "both ranks are known"
        length = shapes.known_of(left.rows, right[-2])
        return x.with_shape((*batch, length, *(right[-1:] if len(y.shape) > 1 else ())))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.linalg.solve(x, y)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype, (left, right) = specs[0].dtype, inputs
        shape = specs[1].shape
        if shape is not None and len(shape) == 1:
            last = builder.constant(-1, int32)
            column = builder.node("ExpandDims", [right, last], T=dtype, Tdim=int32)
            solution = self._written(builder, left, column, specs[0], specs[1].with_shape((*shape, 1)))
            return [builder.node("Squeeze", [solution], T=dtype, squeeze_dims=[-1])]
        return [self._written(builder, left, right, *specs)]

    def _written(
        self,
        builder: GraphDefBuilder,
        left: GraphDefTensor,
        right: GraphDefTensor,
        x: ArraySpec,
        y: ArraySpec,
    ) -> GraphDefTensor:
        """The node for stacks of matrices, which TensorFlow takes from stacks of one shape."""
        if x.shape is None or y.shape is None or x.shape[:-2] != y.shape[:-2]:
            result = self.infer(x, y).shape
            if result is None or not shapes.all_known((*result, *(x.shape or ()))):
                raise ExportError(
                    f"`solve` of {x} and {y} cannot be written to a GraphDef",
                    why="TensorFlow's stacks of matrices do not broadcast together.",
                    way_out="Give both the same axes before the last two, or known shapes.",
                )
            assert x.shape is not None, "the result's is known"
            shapes_wanted = (*result[:-2], *x.shape[-2:]), result
            left, right = [
                builder.node("BroadcastTo", [each, builder.constant(shape, int32)], T=x.dtype, Tidx=int32)
                for each, shape in zip((left, right), shapes_wanted, strict=True)
            ]
        return builder.node("MatrixSolve", [left, right], T=x.dtype)


def solve(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """What each matrix of `x1` must be multiplied with to give `x2`.

    Parameters
    ----------
    x1 : Tensor of a floating-point or complex dtype, shape (..., n, n)
    x2 : Tensor of a floating-point or complex dtype, shape (n,) or (..., n, k)
        Only with one axis is it a vector. The axes before those of the matrices broadcast together.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., n) where `x2` is a vector, or (..., n, k)

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
    return bind(MatrixSolve(), x1, x2)


class LeastSquares(OfMatrices):
    """What a matrix must be multiplied with to come nearest to another; residuals, rank, singular values."""

    rcond: float | None

    why_no_graphdef = "TensorFlow's MatrixSolveLs gives the solution only"
    samples = (
        Sample((_TALL, np.ones(3)), {"rcond": None}),
        Sample((_TALL.T, np.ones((2, 2))), {"rcond": 1e-6}),
    )

    def infer(self, x: ArraySpec, y: ArraySpec) -> tuple[ArraySpec, ArraySpec, ArraySpec, ArraySpec]:
        parts = self.matrices(x)
        values, residuals = [ArraySpec((UNKNOWN,), real_of(x.dtype))] * 2
        if parts is None or y.shape is None:
            return x.with_shape(None), residuals, ArraySpec((), int32), values
        if parts.batch:
            raise ShapeError(f"`lstsq` takes one matrix, not {x}")
        if not shapes.compatible((parts.rows,), y.shape[:1]):
            raise ShapeError(
                f"equations of shape {shapes.text(x.shape)} cannot be solved for {shapes.text(y.shape)}",
                why="There is one row on the right for each equation.",
                way_out="Give a vector or a matrix of as many rows.",
            )
        inner = least(shapes.known_of(parts.rows, y.shape[0]), parts.columns)
        solution = x.with_shape((parts.columns, *y.shape[1:]))
        return solution, residuals, ArraySpec((), int32), values.with_shape((inner,))

    def kernel(self, x: Array, y: Array) -> Any:
        solution, residuals, rank, values = np.linalg.lstsq(x, y, rcond=self.rcond)
        return solution, residuals, np.int32(rank), values
