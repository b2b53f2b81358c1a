"""`tf.linalg`: matrices."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.arrays import eye
from autograph.compat.tf.factors import (
    adjoint,
    band_part,
    cholesky,
    cholesky_solve,
    cross,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    global_norm,
    logdet,
    lstsq,
    lu,
    lu_matrix_inverse,
    lu_reconstruct,
    lu_solve,
    matrix_rank,
    normalize,
    pinv,
    qr,
    set_diag,
    slogdet,
    svd,
    tensor_diag,
    tensor_diag_part,
    triangular_solve,
)
from autograph.compat.tf.special import l2_normalize
from autograph.compat.tf.values import convert_to_tensor, together
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "einsum",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
]


def matrix_transpose(a: TensorLike, name: Any = None, conjugate: bool = False) -> Tensor:
    """`tf.linalg.matrix_transpose`."""
    del name
    turned = ops.matrix_transpose(convert_to_tensor(a))
    return ops.conj(turned) if conjugate else turned


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: Any = None,
) -> Tensor:
    """`tf.matmul`."""
    del name
    left, right = together(a, b)
    if transpose_a or adjoint_a:
        left = matrix_transpose(left, conjugate=adjoint_a)
    if transpose_b or adjoint_b:
        right = matrix_transpose(right, conjugate=adjoint_b)
    return ops.matmul(left, right)


def matvec(
    a: TensorLike, b: TensorLike, transpose_a: bool = False, adjoint_a: bool = False, name: Any = None
) -> Tensor:
    """`tf.linalg.matvec`."""
    del name
    left, right = together(a, b)
    column = ops.expand_dims(right, axis=-1)
    return ops.squeeze(matmul(left, column, transpose_a=transpose_a, adjoint_a=adjoint_a), axis=-1)


def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: Any = None) -> Tensor:
    """`tf.tensordot`."""
    del name
    left, right = together(a, b)
    return ops.tensordot(left, right, axes=axes)


def einsum(equation: str, *inputs: TensorLike, name: Any = None) -> Tensor:
    """`tf.einsum`."""
    del name
    return ops.einsum(equation, *together(*inputs))


def diag(diagonal: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.diag`: a matrix with zeros beside its diagonal."""
    del name
    rows = ops.expand_dims(convert_to_tensor(diagonal), axis=-1)
    return rows * ops.eye(ops.shape(rows)[-2], dtype=rows.dtype)


def diag_part(input: TensorLike, name: Any = None, k: int = 0) -> Tensor:
    """`tf.linalg.diag_part`."""
    del name
    return ops.linalg.diagonal(convert_to_tensor(input), offset=k)


def trace(x: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.trace`."""
    del name
    tensor = convert_to_tensor(x)
    return ops.linalg.trace(tensor, dtype=tensor.dtype)


def det(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.det`."""
    del name
    return ops.linalg.det(convert_to_tensor(input))


def inv(input: TensorLike, adjoint: bool = False, name: Any = None) -> Tensor:
    """`tf.linalg.inv`."""
    del name
    inverse = ops.linalg.inv(convert_to_tensor(input))
    return matrix_transpose(inverse, conjugate=True) if adjoint else inverse


def solve(matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: Any = None) -> Tensor:
    """`tf.linalg.solve`."""
    del name
    left, right = together(matrix, rhs)
    return ops.linalg.solve(matrix_transpose(left, conjugate=True) if adjoint else left, right)


def norm(
    tensor: TensorLike, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: Any = None
) -> Tensor:
    """`tf.norm` of vectors; without an axis, of all elements as one vector.

    Raises
    ------
    InvalidValue
        When two axes ask for the norm of matrices.
    """
    del name
    if isinstance(axis, (list, tuple)):
        raise InvalidValue(
            "tf.norm was given two axes",
            why="Norms of matrices are not among the names here.",
            way_out="Give one axis, or take `rt.linalg.matrix_norm`.",
        )
    order = 2 if ord == "euclidean" else ord
    return ops.linalg.vector_norm(convert_to_tensor(tensor), axis=axis, keepdims=keepdims, ord=order)
