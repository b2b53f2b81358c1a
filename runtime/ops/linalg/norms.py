"""The length of vectors, and the size of matrices."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from runtime import ops
from runtime.core.dims import at_least
from runtime.core.dtypes import float64
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.graph.build import as_tensor
from runtime.ops.arguments import Axes, checked_axes, is_named
from runtime.ops.linalg.matrices import matrices
from runtime.ops.linalg.singular_values import svdvals

__all__ = ["matrix_norm", "vector_norm"]


def vector_norm(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """Norm of vectors.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        The axes of a vector's elements; all of them by default.
    keepdims : bool, optional
        Whether those axes stay, with length 1.
    ord : float, optional
        The order of the norm: 2 for the length, 1 for the sum of magnitudes, infinity for the greatest
        magnitude, its negative for the least, 0 for the number of elements that are not 0, or any other.

    Returns
    -------
    Tensor of the real dtype of the same precision, shape (..., ...)
        Integers become float64. The norm of no elements is 0, where `ord` is positive.

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice, or the least of no magnitudes is asked for.
    InvalidValue
        When `ord` is not a number.

    Notes
    -----
    GraphDef "Sum", "Sqrt" and others. Semantics: Array API 2025.12, `linalg.vector_norm`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.vector_norm(rt.asarray([3.0, 4.0]))
    <Tensor: shape=(), dtype=float64, numpy=5.0>
    """
    if not isinstance(ord, (int, float)):
        raise InvalidValue(
            f"{ord!r} is no norm of vectors",
            why="Norms of vectors are named by numbers.",
            way_out="Give a number, or take `rt.linalg.matrix_norm`.",
        )
    tensor = _inexact(x)
    folded: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if ord == 2:
        return ops.sqrt(ops.sum(_squares(tensor), **folded))
    size = ops.abs(tensor)
    if ord == np.inf:
        return _greatest(size, axis, keepdims)
    if ord == -np.inf:
        return ops.min(size, **folded)
    if ord == 0:
        return ops.cast(ops.count_nonzero(tensor, **folded), size.dtype)
    if ord == 1:
        return ops.sum(size, **folded)
    return ops.pow(ops.sum(ops.pow(size, ord), **folded), 1 / ord)


def matrix_norm(
    x: TensorLike, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> Tensor:
    """Norm of each matrix.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., n, m)
    keepdims : bool, optional
        Whether the last two axes stay, with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, optional
        The Frobenius norm, that of all elements as one vector; the nuclear norm, the sum of the singular
        values; the greatest (-1: least) sum of magnitudes of a column, the greatest (-2: least) singular
        value, the greatest (-inf: least) sum of magnitudes of a row.

    Returns
    -------
    Tensor of the real dtype of the same precision, shape (...)
        Integers become float64. The norm of an empty matrix is 0, where it is not the least of something.

    Raises
    ------
    ShapeError
        When there are fewer than two axes, or the least of nothing is asked for.
    InvalidValue
        When there is no such norm.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.matrix_norm`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.matrix_norm(rt.asarray([[3.0, 0.0], [0.0, 4.0]]), ord=2)
    <Tensor: shape=(), dtype=float64, numpy=4.0>
    """
    tensor = _inexact(x)
    matrices(tensor.static_shape)
    if ord is None or ord == "fro":
        return vector_norm(tensor, axis=(-2, -1), keepdims=keepdims)
    if is_named(ord, (1, -1, np.inf, -np.inf)):
        summed = -2 if abs(float(ord)) == 1 else -1
        values = ops.sum(ops.abs(tensor), axis=summed)
    elif is_named(ord, (2, -2, "nuc")):
        values = svdvals(tensor)
    else:
        raise InvalidValue(
            f"{ord!r} is no norm of matrices",
            way_out="There are 'fro', 'nuc', 1, -1, 2, -2, inf and -inf.",
        )
    if ord == "nuc":
        norm = ops.sum(values, axis=-1)
    else:
        norm = _greatest(values, -1, False) if float(ord) > 0 else ops.min(values, axis=-1)
    return norm[..., None, None] if keepdims else norm


def _inexact(x: TensorLike) -> Tensor:
    """`x` as a tensor of floating-point or complex numbers."""
    tensor = as_tensor(x)
    return tensor if tensor.dtype.is_floating or tensor.dtype.is_complex else ops.cast(tensor, float64)


def _squares(x: Tensor) -> Tensor:
    """The square of each magnitude."""
    return ops.square(ops.real(x)) + ops.square(ops.imag(x)) if x.dtype.is_complex else ops.square(x)


def _greatest(size: Tensor, axis: Axes, keepdims: bool) -> Tensor:
    """The greatest magnitude, which is 0 where there is none."""
    axes = checked_axes(axis, size)
    if (
        axes
        and size.static_shape is not None
        and not all(at_least(size.static_shape[each], 1) for each in axes)
    ):
        widths = [(0, int(each in axes)) for each in range(len(size.static_shape))]
        size = ops.pad(size, widths)  # with zeros, which no magnitude is less than
    return ops.max(size, axis=axes, keepdims=keepdims)
