"""Singular values, and what they decide: the rank of a matrix, its pseudo-inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.limits import finfo
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind, bind_all
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.linalg.matrices import OfMatrices, least, matrices, real_of, to_lapack

__all__ = ["SVDResult", "SingularValues", "Svd", "matrix_rank", "pinv", "svd", "svdvals"]

_WIDE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])


class SVDResult(NamedTuple):
    """What `svd` gives."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class Svd(OfMatrices):
    """Two orthogonal factors of each matrix, and the singular values between them."""

    full_matrices: bool

    why_no_graphdef = "the signs of TensorFlow's factors are its own"
    samples = (
        Sample((_WIDE,), {"full_matrices": True}),
        Sample((_WIDE[None].astype(np.float32),), {"full_matrices": False}),
        Sample((np.stack([_WIDE.T, _WIDE.T * 1j]),), {"full_matrices": True}),
        Sample((np.empty((0, 3)),), {"full_matrices": True}),
    )

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec, ArraySpec]:
        parts = self.matrices(x)
        values = x.with_dtype(real_of(x.dtype))
        if parts is None:
            return x, values, x
        batch, rows, columns = parts
        inner = least(rows, columns)
        left, right = (rows, columns) if self.full_matrices else (inner, inner)
        return (
            x.with_shape((*batch, rows, left)),
            values.with_shape((*batch, inner)),
            x.with_shape((*batch, right, columns)),
        )

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.svd(x, full_matrices=self.full_matrices))


class SingularValues(OfMatrices):
    """The singular values of each matrix, the greatest first."""

    samples = (Sample((_WIDE,)), Sample((_WIDE[None].astype(np.complex64),)), Sample((np.empty((2, 0, 3)),)))

    def infer(self, x: ArraySpec) -> ArraySpec:
        parts = self.matrices(x)
        if parts is None:
            return ArraySpec(None, real_of(x.dtype))
        return ArraySpec((*parts.batch, least(parts.rows, parts.columns)), real_of(x.dtype))

    def kernel(self, x: Array) -> Any:
        return np.linalg.svd(x, compute_uv=False)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        values = builder.node("Svd", inputs, "s", T=dtype, compute_uv=False, full_matrices=False)
        return [builder.node("Real", [values], T=dtype, Tout=real_of(dtype)) if dtype.is_complex else values]


def svd(x: TensorLike, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular value decomposition of each matrix: ``x = U @ diag(S) @ Vh``.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, m)
    full_matrices : bool, optional
        Whether U and Vh are square, or have only the k columns and rows that meet singular values, k being
        the smaller of n and m.

    Returns
    -------
    U : Tensor of the same dtype, shape (..., n, n) or (..., n, k)
        Its columns are orthonormal.
    S : Tensor of the real dtype of the same precision, shape (..., k)
        Not negative, the greatest first.
    Vh : Tensor of the same dtype, shape (..., m, m) or (..., k, m)
        Its rows are orthonormal.

    Raises
    ------
    ShapeError
        When there are fewer than two axes.
    numpy.linalg.LinAlgError
        When the singular values of one are not found; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.svd`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.svd(rt.asarray([[3.0, 0.0], [0.0, 4.0]])).S
    <Tensor: shape=(2,), dtype=float64, numpy=array([4., 3.])>
    """
    return SVDResult(*bind_all(Svd(bool(full_matrices)), x))


def svdvals(x: TensorLike, /) -> Tensor:
    """Singular values of each matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, m)

    Returns
    -------
    Tensor of the real dtype of the same precision, shape (..., k)
        k is the smaller of n and m. Not negative, the greatest first.

    Raises
    ------
    ShapeError
        When there are fewer than two axes.
    numpy.linalg.LinAlgError
        When the singular values of one are not found; in a graph, in the run.

    Notes
    -----
    GraphDef "Svd". Semantics: Array API 2025.12, `linalg.svdvals`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.svdvals(rt.asarray([[3.0, 0.0], [0.0, 4.0]]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([4., 3.])>
    """
    return bind(SingularValues(), x)


def matrix_rank(x: TensorLike, /, *, rtol: TensorLike | None = None) -> Tensor:
    """Rank of each matrix: how many of its singular values are not as good as 0.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, m)
    rtol : float, or Tensor of shape (...), optional
        Up to which part of the greatest one a singular value counts as 0; by default the machine epsilon
        times the greater of n and m.

    Returns
    -------
    Tensor of int64, shape (...)

    Raises
    ------
    ShapeError
        When there are fewer than two axes.
    numpy.linalg.LinAlgError
        When the singular values of one are not found; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.matrix_rank`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.matrix_rank(rt.asarray([[1.0, 2.0], [2.0, 4.0]]))
    <Tensor: shape=(), dtype=int64, numpy=1>
    """
    tensor = as_tensor(x)
    values = svdvals(tensor)
    kept = ops.greater(values, _smallest_kept(tensor, values, rtol))
    return ops.count_nonzero(kept, axis=-1)


def pinv(x: TensorLike, /, *, rtol: TensorLike | None = None) -> Tensor:
    """Moore-Penrose pseudo-inverse of each matrix: what comes nearest to an inverse.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, m)
    rtol : float, or Tensor of shape (...), optional
        Up to which part of the greatest one a singular value counts as 0; by default the machine epsilon
        times the greater of n and m.

    Returns
    -------
    Tensor of the same dtype, shape (..., m, n)

    Raises
    ------
    ShapeError
        When there are fewer than two axes.
    numpy.linalg.LinAlgError
        When the singular values of one are not found; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.pinv`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.pinv(rt.asarray([[2.0, 0.0], [0.0, 0.0]]))
    <Tensor: shape=(2, 2), dtype=float64, numpy=
    array([[0.5, 0. ],
           [0. , 0. ]])>
    """
    tensor = as_tensor(to_lapack(as_tensor(x))[0])
    left, values, right = bind_all(Svd(False), ops.conj(tensor))
    kept = ops.greater(values, _smallest_kept(tensor, values, rtol))
    inverse = ops.where(kept, 1.0 / ops.where(kept, values, 1.0), 0.0)
    scaled = ops.multiply(ops.expand_dims(inverse, axis=-1), ops.matrix_transpose(left))
    return ops.matmul(ops.matrix_transpose(right), scaled)


def _smallest_kept(x: Tensor, values: Tensor, rtol: TensorLike | None) -> Tensor:
    """What the singular values of `x` must exceed to count."""
    greatest = values[..., :1]  # they are in order, and there may be none
    if rtol is None:
        rtol = _longest(x, values) * float(finfo(values.dtype).eps)
    elif not isinstance(rtol, (int, float)):
        rtol = ops.expand_dims(rtol, axis=-1)
    return ops.multiply(greatest, rtol)


def _longest(x: Tensor, values: Tensor) -> Any:
    """The length of the longer side of each matrix: a number, or a tensor of the dtype of `values`."""
    parts = matrices(x.static_shape)
    if parts and isinstance(parts.rows, int) and isinstance(parts.columns, int):
        return max(parts.rows, parts.columns)
    return ops.cast(ops.max(ops.shape(x)[-2:]), values.dtype)
