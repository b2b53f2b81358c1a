"""`tf.linalg`: matrices."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.arrays import eye
from autograph.compat.tf.values import convert_to_tensor, together
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike

__all__ = ["eye", "matmul", "matrix_transpose", "matvec", "tensordot"]


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
