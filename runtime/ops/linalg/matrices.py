"""What the ops on matrices have in common: the last two axes are theirs, and LAPACK's four dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core import dims, shapes
from runtime.core.dtypes import DType, complex64, complex128, float32, float64
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import ArraySpec
from runtime.errors import MatrixError
from runtime.graph.op import NOTHING, Failures
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, misfits
from runtime.ops.families import Opaque
from runtime.ops.promotion import cast_operand, promoted, require_dtype

__all__ = [
    "LAPACK",
    "Matrices",
    "OfMatrices",
    "complex_of",
    "least",
    "matrices",
    "real_of",
    "square_matrices",
    "to_lapack",
    "written_adjoint",
]

LAPACK = frozenset([float32, float64, complex64, complex128])
"""The dtypes in which there is linear algebra; other numbers become float64, as in NumPy."""


class Matrices(NamedTuple):
    """The shape of a stack of matrices, in parts."""

    batch: tuple[Dim, ...]
    rows: Dim
    columns: Dim

    @property
    def shape(self) -> tuple[Dim, ...]:
        """The whole of it."""
        return (*self.batch, self.rows, self.columns)


class OfMatrices(Opaque, abstract=True):
    """An op on matrices of the dtypes that LAPACK has."""

    accepts = LAPACK

    def raises(self, *specs: ArraySpec) -> Failures:
        found = misfits(*specs)
        return found | {np.linalg.LinAlgError} | ({MatrixError} if found else NOTHING)

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return to_lapack(*operands)

    def matrices(self, x: ArraySpec) -> Matrices | None:
        """The parts of an operand's shape; None where its rank is not known."""
        require_dtype(self.name, x.dtype, self.accepts)
        return matrices(x.shape)

    def square(self, x: ArraySpec) -> Matrices | None:
        """As `matrices`, of an operand that must be of square matrices."""
        require_dtype(self.name, x.dtype, self.accepts)
        return square_matrices(x.shape)

    def squared(self, x: ArraySpec) -> ArraySpec:
        """The operand, which must be of square matrices: either axis says how long both are."""
        parts = self.square(x)
        return x if parts is None else x.with_shape(parts.shape)


def to_lapack(*operands: Any) -> Sequence[Any]:
    """Operands cast to the one dtype that holds them all and in which there is linear algebra."""
    tensors = promoted(operands)
    if tensors[0].dtype in LAPACK:
        return tensors
    return [cast_operand(tensor, float64) for tensor in tensors]


def matrices(shape: Shape) -> Matrices | None:
    """The parts of the shape of a stack of matrices; None where its rank is not known.

    Raises
    ------
    MatrixError
        When there are fewer than two axes.
    """
    if shape is None:
        return None
    if len(shape) < 2:
        raise MatrixError(
            f"a tensor of shape {shapes.text(shape)} holds no matrix",
            way_out="Give it an axis with `rt.expand_dims`.",
        )
    return Matrices(shape[:-2], shape[-2], shape[-1])


def square_matrices(shape: Shape) -> Matrices | None:
    """As `matrices`, of square ones.

    Raises
    ------
    MatrixError
        When there are fewer than two axes, or the last two can never be equally long.
    """
    if shape is not None and (len(shape) < 2 or not shapes.compatible(shape[-1:], shape[-2:-1])):
        raise MatrixError(
            f"a tensor of shape {shapes.text(shape)} holds no square matrices",
            why="The last two axes must be equally long.",
            way_out="Multiply it with its transpose, `x.mT @ x`, or give a square part of it.",
        )
    parts = matrices(shape)
    if parts is None:
        return None
    length = shapes.known_of(parts.rows, parts.columns)
    return Matrices(parts.batch, length, length)


def least(rows: Dim, columns: Dim) -> Dim:
    """The smaller of two lengths."""
    return 0 if 0 in (rows, columns) else dims.minimum(rows, columns)


def real_of(dtype: DType) -> DType:
    """The dtype of the real parts of `dtype`."""
    return {complex64: float32, complex128: float64}.get(dtype, dtype)


def complex_of(dtype: DType) -> DType:
    """The complex dtype whose parts are of `dtype`."""
    return {float32: complex64, float64: complex128}.get(dtype, dtype)


def written_adjoint(builder: GraphDefBuilder, x: GraphDefTensor, dtype: DType) -> GraphDefTensor:
    """Each matrix of `x` transposed and conjugated, in a GraphDef."""
    x = builder.node("Conj", [x], T=dtype) if dtype.is_complex else x
    return builder.node("Einsum", [x], T=dtype, N=1, equation="...ij->...ji")
