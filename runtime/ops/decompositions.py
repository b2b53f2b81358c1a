"""Matrices taken apart: triangular, orthogonal and diagonal factors, eigenvalues, least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runtime.core.dtypes import DType, complex64, complex128, float16, float32, float64, int32
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import Spec
from runtime.core.tensor import Array
from runtime.errors import ShapeError
from runtime.ops.facts import COMPLEX, FLOATING, Sample
from runtime.ops.families import Opaque, cast_operand, promoted, require_dtype

__all__ = [
    "Cholesky",
    "Eig",
    "LeastSquares",
    "LogMatrixDeterminant",
    "Qr",
    "SelfAdjointEigV2",
    "SingularValues",
    "Svd",
]

_SYMMETRIC = np.array([[4.0, 1.0], [1.0, 3.0]])
_WIDE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
_LAPACK = (FLOATING | COMPLEX) - {float16}


class _OfMatrices(Opaque, abstract=True):
    """An op on the matrices in the last two axes, of the precisions that LAPACK has."""

    accepts = _LAPACK

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        prepared = promoted(operands)
        dtype = prepared[0].dtype
        return prepared if dtype in _LAPACK else [cast_operand(each, float64) for each in prepared]

    def parts(self, x: Spec, *, square: bool = False) -> tuple[tuple[Dim, ...], Dim, Dim] | None:
        """The axes before the matrices, and their rows and columns; None where the rank is not known."""
        require_dtype(self.name, x.dtype, self.accepts)
        if x.shape is None:
            return None
        if len(x.shape) < 2:
            raise ShapeError(f"`{self.name}` takes matrices, not {x}")
        *batch, rows, columns = x.shape
        if square and None not in (rows, columns) and rows != columns:
            raise ShapeError(f"`{self.name}` takes square matrices, not {x}")
        return tuple(batch), rows, columns


def _real(dtype: DType) -> DType:
    return {complex64: float32, complex128: float64}.get(dtype, dtype)


def _complex(dtype: DType) -> DType:
    return {float32: complex64, float64: complex128}.get(dtype, dtype)


def _least(rows: Dim, columns: Dim) -> Dim:
    return None if rows is None or columns is None else min(rows, columns)


class Cholesky(_OfMatrices):
    """The triangular factor of each positive definite matrix."""

    upper: bool

    why_no_graphdef = "TensorFlow's Cholesky gives the lower factor only"
    samples = (Sample((_SYMMETRIC,), {"upper": False}), Sample((_SYMMETRIC[None],), {"upper": True}))

    def infer(self, x: Spec) -> Spec:
        self.parts(x, square=True)
        return x

    def kernel(self, x: Array) -> Any:
        factor = np.linalg.cholesky(x)
        return np.conj(np.swapaxes(factor, -1, -2)) if self.upper else factor


class Qr(_OfMatrices):
    """An orthogonal and a triangular factor of each matrix."""

    mode: Literal["reduced", "complete"]

    why_no_graphdef = "the signs of TensorFlow's factors are its own"
    samples = (
        Sample((_WIDE,), {"mode": "reduced"}),
        Sample((np.stack([_WIDE.T, _WIDE.T]),), {"mode": "complete"}),
    )

    def infer(self, x: Spec) -> tuple[Spec, Spec]:
        parts = self.parts(x)
        if parts is None:
            return x, x
        batch, rows, columns = parts
        inner = rows if self.mode == "complete" else _least(rows, columns)
        return x.with_shape((*batch, rows, inner)), x.with_shape((*batch, inner, columns))

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.qr(x, mode=self.mode))


class Svd(_OfMatrices):
    """Two orthogonal factors of each matrix, and the singular values between them."""

    full_matrices: bool

    why_no_graphdef = "TensorFlow gives the factors in another order, the last one not conjugated"
    samples = (Sample((_WIDE,), {"full_matrices": True}), Sample((_WIDE[None],), {"full_matrices": False}))

    def infer(self, x: Spec) -> tuple[Spec, Spec, Spec]:
        parts = self.parts(x)
        values = x.with_dtype(_real(x.dtype))
        if parts is None:
            return x, values, x
        batch, rows, columns = parts
        least = _least(rows, columns)
        left, right = (rows, columns) if self.full_matrices else (least, least)
        return (
            x.with_shape((*batch, rows, left)),
            values.with_shape((*batch, least)),
            x.with_shape((*batch, right, columns)),
        )

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.svd(x, full_matrices=self.full_matrices))


class SingularValues(_OfMatrices):
    """The singular values of each matrix, the greatest first."""

    why_no_graphdef = "TensorFlow's Svd gives the factors as well"
    samples = (Sample((_WIDE,)), Sample((_WIDE[None].astype(np.complex64),)))

    def infer(self, x: Spec) -> Spec:
        parts = self.parts(x)
        shape: Shape = None if parts is None else (*parts[0], _least(*parts[1:]))
        return Spec(shape, _real(x.dtype))

    def kernel(self, x: Array) -> Any:
        return np.linalg.svd(x, compute_uv=False)


class SelfAdjointEigV2(_OfMatrices):
    """The eigenvalues of each symmetric matrix, the least first, and its eigenvectors."""

    lower: bool

    why_no_graphdef = "the signs of TensorFlow's eigenvectors are its own"
    samples = (Sample((_SYMMETRIC,), {"lower": True}), Sample((_SYMMETRIC[None],), {"lower": False}))

    def infer(self, x: Spec) -> tuple[Spec, Spec]:
        self.parts(x, square=True)
        return Spec(None if x.shape is None else x.shape[:-1], _real(x.dtype)), x

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.eigh(x, "L" if self.lower else "U"))


class Eig(_OfMatrices):
    """The eigenvalues of each matrix and its eigenvectors, as complex numbers always."""

    why_no_graphdef = "the order and the signs of TensorFlow's eigenvectors are its own"
    samples = (Sample((_SYMMETRIC,)), Sample((np.array([[0.0, -1.0], [1.0, 0.0]], np.float32),)))

    def infer(self, x: Spec) -> tuple[Spec, Spec]:
        self.parts(x, square=True)
        found = x.with_dtype(_complex(x.dtype))
        return found.with_shape(None if x.shape is None else x.shape[:-1]), found

    def kernel(self, x: Array) -> Any:
        values, vectors = np.linalg.eig(x)
        kind = np.result_type(x, np.complex64)
        return values.astype(kind), vectors.astype(kind)


class LogMatrixDeterminant(_OfMatrices):
    """The sign of the determinant of each matrix, and the logarithm of its magnitude."""

    why_no_graphdef = "a tuple of NumPy's has no counterpart whose dtypes agree"
    samples = (Sample((_SYMMETRIC,)), Sample((np.stack([_SYMMETRIC, -_SYMMETRIC]).astype(np.float32),)))

    def infer(self, x: Spec) -> tuple[Spec, Spec]:
        self.parts(x, square=True)
        sign = x.with_shape(None if x.shape is None else x.shape[:-2])
        return sign, sign.with_dtype(_real(x.dtype))

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.slogdet(x))


class LeastSquares(_OfMatrices):
    """What a matrix must be multiplied with to come nearest to another; residuals, rank, singular values."""

    rcond: float | None

    why_no_graphdef = "TensorFlow's MatrixSolveLs gives the solution only"
    samples = (
        Sample((_WIDE.T, np.ones(3)), {"rcond": None}),
        Sample((_WIDE, np.ones((2, 2))), {"rcond": 1e-6}),
    )

    def infer(self, x: Spec, y: Spec) -> tuple[Spec, Spec, Spec, Spec]:
        parts = self.parts(x)
        values = Spec((None if parts is None else _least(*parts[1:]),), _real(x.dtype))
        residuals = Spec((None,), _real(x.dtype))
        if parts is None or y.shape is None:
            return x.with_shape(None), residuals, Spec((), int32), values
        if parts[0]:
            raise ShapeError(f"`lstsq` takes one matrix, not {x}")
        return x.with_shape((parts[2], *y.shape[1:])), residuals, Spec((), int32), values

    def kernel(self, x: Array, y: Array) -> Any:
        solution, residuals, rank, values = np.linalg.lstsq(x, y, rcond=self.rcond)
        return solution, residuals, np.int32(rank), values
