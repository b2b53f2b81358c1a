"""Factors of matrices, bands and diagonals: the part of `tf.linalg` beside products."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from autograph.compat.tf.values import convert_to_tensor, known_integers, together
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dtypes import int32, int64
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "Lu",
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "global_norm",
    "logdet",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matrix_rank",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "triangular_solve",
]


def adjoint(matrix: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.adjoint`: turned, and conjugated."""
    del name
    return ops.conj(ops.matrix_transpose(convert_to_tensor(matrix)))


def band_part(input: TensorLike, num_lower: int, num_upper: int, name: Any = None) -> Tensor:
    """`tf.linalg.band_part`: zeros outside of some diagonals; -1 keeps all of one side."""
    del name
    tensor = convert_to_tensor(input)
    rows = ops.arange(ops.dimension(tensor, -2))[:, None]
    columns = ops.arange(ops.dimension(tensor, -1))
    below = convert_to_tensor(num_lower)
    above = convert_to_tensor(num_upper)
    kept = ((below < 0) | (rows - columns <= below)) & ((above < 0) | (columns - rows <= above))
    return ops.where(kept, tensor, ops.zeros_like(tensor))


def cholesky(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.cholesky`: the lower factor."""
    del name
    return ops.linalg.cholesky(convert_to_tensor(input))


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.cholesky_solve`: equations of which the lower factor is known."""
    del name
    factor, right = together(chol, rhs)
    return ops.linalg.solve(ops.matmul(factor, adjoint(factor)), right)


def cross(a: TensorLike, b: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.cross`."""
    del name
    return ops.linalg.cross(*together(a, b))


class Eigen(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    e: Tensor
    v: Tensor


def eigh(tensor: TensorLike, name: Any = None) -> Eigen:
    """`tf.linalg.eigh`: of symmetric matrices, the least eigenvalue first."""
    del name
    return Eigen(*ops.linalg.eigh(convert_to_tensor(tensor)))


def eigvalsh(tensor: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.eigvalsh`: the least first."""
    del name
    return ops.linalg.eigvalsh(convert_to_tensor(tensor))


def eig(tensor: TensorLike, name: Any = None) -> Eigen:
    """`tf.linalg.eig`: complex, in LAPACK's order."""
    del name
    return Eigen(*ops.linalg.eig(convert_to_tensor(tensor)))


def eigvals(tensor: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.eigvals`: complex, in LAPACK's order."""
    del name
    return ops.linalg.eigvals(convert_to_tensor(tensor))


def global_norm(t_list: Sequence[TensorLike | None], name: Any = None) -> Tensor:
    """`tf.linalg.global_norm`: the Euclidean norm of several tensors as one vector."""
    del name
    squares = [ops.sum(ops.square(convert_to_tensor(each))) for each in t_list if each is not None]
    return ops.sqrt(ops.sum(ops.stack(squares)))


def normalize(tensor: TensorLike, ord: Any = "euclidean", axis: Any = None, name: Any = None) -> Any:
    """`tf.linalg.normalize`: divided by its norm, and the norm."""
    del name
    operand = convert_to_tensor(tensor)
    order = 2 if ord == "euclidean" else ord
    length = ops.linalg.vector_norm(operand, axis=known_integers(axis), keepdims=True, ord=order)
    return operand / length, length


class LogDeterminant(NamedTuple):
    """The sign of determinants, and the logarithm of their magnitude."""

    sign: Tensor
    log_abs_determinant: Tensor


def slogdet(input: TensorLike, name: Any = None) -> LogDeterminant:
    """`tf.linalg.slogdet`."""
    del name
    return LogDeterminant(*ops.linalg.slogdet(convert_to_tensor(input)))


def logdet(matrix: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.logdet`: of positive definite matrices."""
    return slogdet(matrix, name).log_abs_determinant


def lstsq(
    matrix: TensorLike, rhs: TensorLike, l2_regularizer: float = 0.0, fast: bool = True, name: Any = None
) -> Tensor:
    """`tf.linalg.lstsq`: the least squares; by a pseudoinverse, whatever `fast` says."""
    del name, fast
    left, right = together(matrix, rhs)
    if l2_regularizer == 0.0:
        return ops.matmul(ops.linalg.pinv(left), right)
    rows, columns = ops.dimension(left, -2), ops.dimension(left, -1)
    short = adjoint(left)
    eye = ops.eye(columns, dtype=left.dtype) * l2_regularizer
    if isinstance(rows, int) and isinstance(columns, int) and rows < columns:
        eye = ops.eye(rows, dtype=left.dtype) * l2_regularizer
        return ops.matmul(short, ops.linalg.solve(ops.matmul(left, short) + eye, right))
    return ops.linalg.solve(ops.matmul(short, left) + eye, ops.matmul(short, right))


def matrix_rank(a: TensorLike, tol: Any = None, validate_args: bool = False, name: Any = None) -> Tensor:
    """`tf.linalg.matrix_rank`: the number of singular values above `tol`, as an int32."""
    del validate_args, name
    tensor = convert_to_tensor(a)
    values = ops.linalg.svdvals(tensor)
    if tol is None:
        return ops.cast(ops.linalg.matrix_rank(tensor), "int32")
    return ops.cast(ops.sum(values > tol, axis=-1), "int32")


def pinv(a: TensorLike, rcond: Any = None, validate_args: bool = False, name: Any = None) -> Tensor:
    """`tf.linalg.pinv`: the pseudoinverse."""
    del validate_args, name
    return ops.linalg.pinv(convert_to_tensor(a), rtol=rcond)


class Factors(NamedTuple):
    """An orthogonal and a triangular factor."""

    q: Tensor
    r: Tensor


def qr(input: TensorLike, full_matrices: bool = False, name: Any = None) -> Factors:
    """`tf.linalg.qr`."""
    del name
    mode: Any = "complete" if full_matrices else "reduced"
    return Factors(*ops.linalg.qr(convert_to_tensor(input), mode=mode))


class Lu(NamedTuple):
    """`tf.linalg.lu`: both triangles in one matrix, and the rows in their order."""

    lu: Tensor
    p: Tensor


def lu(input: TensorLike, output_idx_type: Any = int32, name: Any = None) -> Lu:
    """`tf.linalg.lu`: Gauss's elimination, with the row of the greatest number next."""
    del name
    matrix = convert_to_tensor(input)
    size = known_integers(ops.dimension(matrix, -1))
    rows = ops.arange(size)
    order = ops.zeros(ops.shape(matrix)[:-1], dtype=int64) + rows
    for step in range(size):
        column = ops.where(rows >= step, ops.abs(matrix[..., :, step]), -1.0)
        pivot = ops.expand_dims(ops.cast(ops.argmax(column, axis=-1), int64), axis=-1)
        swap = ops.where(rows == step, pivot, ops.where(rows == pivot, step, rows))
        matrix = ops.take_along_axis(matrix, ops.expand_dims(swap, axis=-1), axis=-2)
        order = ops.take_along_axis(order, swap, axis=-1)
        factor = matrix[..., :, step] / matrix[..., step : step + 1, step]
        factor = ops.expand_dims(ops.where(rows > step, factor, ops.zeros_like(factor)), axis=-1)
        rest = matrix - factor * ops.where(rows > step, matrix[..., step : step + 1, :], 0)
        is_factor = (ops.expand_dims(rows, axis=-1) > step) & (rows == step)
        matrix = ops.where(is_factor, factor, rest)
    return Lu(matrix, ops.cast(order, output_idx_type))


def lu_reconstruct(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: Any = None
) -> Tensor:
    """`tf.linalg.lu_reconstruct`: the matrix of which `lu` gave both triangles."""
    del validate_args, name
    both, order = convert_to_tensor(lower_upper), convert_to_tensor(perm)
    lower = ops.tril(both, k=-1) + ops.eye(known_integers(ops.dimension(both, -1)), dtype=both.dtype)
    back = ops.expand_dims(ops.argsort(order, axis=-1), axis=-1)
    return ops.take_along_axis(ops.matmul(lower, ops.triu(both)), back, axis=-2)


def lu_solve(
    lower_upper: TensorLike, perm: TensorLike, rhs: TensorLike, validate_args: bool = False, name: Any = None
) -> Tensor:
    """`tf.linalg.lu_solve`: what a matrix, of which `lu` gave both triangles, must be multiplied with."""
    del name
    return ops.linalg.solve(lu_reconstruct(lower_upper, perm, validate_args), convert_to_tensor(rhs))


def lu_matrix_inverse(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: Any = None
) -> Tensor:
    """`tf.linalg.lu_matrix_inverse`."""
    del name
    return ops.linalg.inv(lu_reconstruct(lower_upper, perm, validate_args))


def svd(tensor: TensorLike, full_matrices: bool = False, compute_uv: bool = True, name: Any = None) -> Any:
    """`tf.linalg.svd`: singular values, then both factors as columns."""
    del name
    operand = convert_to_tensor(tensor)
    if not compute_uv:
        return ops.linalg.svdvals(operand)
    u, s, vh = ops.linalg.svd(operand, full_matrices=full_matrices)
    return s, u, adjoint(vh)


def set_diag(input: TensorLike, diagonal: TensorLike, name: Any = None, k: int = 0) -> Tensor:
    """`tf.linalg.set_diag`: a matrix with another diagonal."""
    del name
    tensor, line = together(input, diagonal)
    rows = ops.arange(ops.dimension(tensor, -2))[:, None]
    columns = ops.arange(ops.dimension(tensor, -1))
    places = ops.clip(ops.minimum(rows, columns), 0, ops.dimension(line, -1) - 1)
    spread = ops.take(line, places, axis=-1)
    return ops.where(columns - rows == k, spread, tensor)


def tensor_diag(diagonal: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.tensor_diag`: the elements on a diagonal of twice as many axes."""
    del name
    tensor = convert_to_tensor(diagonal)
    dims = tuple([ops.dimension(tensor, axis) for axis in range(tensor.ndim)])
    flat = ops.reshape(tensor, (-1,))
    square = flat[:, None] * ops.eye(ops.size(flat), dtype=flat.dtype)
    return ops.reshape(square, (*dims, *dims))


def tensor_diag_part(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.linalg.tensor_diag_part`: undoes `tensor_diag`."""
    del name
    tensor = convert_to_tensor(input)
    dims = tuple([ops.dimension(tensor, axis) for axis in range(tensor.ndim // 2)])
    size = math.prod(dims)
    return ops.reshape(ops.linalg.diagonal(ops.reshape(tensor, (size, size))), dims)


def triangular_solve(
    matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False, name: Any = None
) -> Tensor:
    """`tf.linalg.triangular_solve`: what stands on the other side of the diagonal is not looked at."""
    del name
    left, right = together(matrix, rhs)
    half = ops.tril(left) if lower else ops.triu(left)
    return ops.linalg.solve(ops.conj(ops.matrix_transpose(half)) if adjoint else half, right)
