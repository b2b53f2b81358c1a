"""Matrices taken apart into triangular and orthogonal factors: Cholesky, QR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.graph.build import bind, bind_all
from runtime.ops.arguments import is_named
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.linalg.matrices import OfMatrices, least, written_adjoint

__all__ = ["Cholesky", "QRResult", "Qr", "cholesky", "qr"]

_SYMMETRIC = np.array([[4.0, 1.0], [1.0, 3.0]])
_WIDE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])


class Cholesky(OfMatrices):
    """The triangular factor of each positive definite matrix."""

    upper: bool

    samples = (
        Sample((_SYMMETRIC,), {"upper": False}),
        Sample((_SYMMETRIC[None],), {"upper": True}),
        Sample((np.array([[2, 1j], [-1j, 2]], np.complex64),), {"upper": True}),
        Sample((np.empty((0, 0), np.float32),), {"upper": False}),
    )

    def infer(self, x: ArraySpec) -> ArraySpec:
        return self.squared(x)

    def kernel(self, x: Array) -> Any:
        return np.linalg.cholesky(x, upper=self.upper)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), dtype = inputs, specs[0].dtype
        if not self.upper:
            return [builder.node("Cholesky", [x], T=dtype)]
        lower = builder.node("Cholesky", [written_adjoint(builder, x, dtype)], T=dtype)
        return [written_adjoint(builder, lower, dtype)]


def cholesky(x: TensorLike, /, *, upper: bool = False) -> Tensor:
    """Triangular factor of each positive definite matrix, whose product with its adjoint gives the matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)
        Symmetric, or Hermitian where complex, and positive definite. Only the triangle that is asked for is
        read.
    upper : bool, optional
        Whether it is the upper triangle U, with x the adjoint of U times U, or the lower one L, with x the
        product of L and its adjoint.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When one is not positive definite; in a graph, in the run.

    Notes
    -----
    GraphDef "Cholesky". Semantics: Array API 2025.12, `linalg.cholesky`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.cholesky(rt.asarray([[4.0, 2.0], [2.0, 5.0]]))
    <Tensor: shape=(2, 2), dtype=float64, numpy=
    array([[2., 0.],
           [1., 2.]])>
    """
    return bind(Cholesky(bool(upper)), x)


class QRResult(NamedTuple):
    """What `qr` gives."""

    Q: Tensor
    R: Tensor


class Qr(OfMatrices):
    """An orthogonal and a triangular factor of each matrix."""

    mode: Literal["reduced", "complete"]

    why_no_graphdef = "the signs of TensorFlow's factors are its own"
    samples = (
        Sample((_WIDE,), {"mode": "reduced"}),
        Sample((_WIDE.astype(np.float32),), {"mode": "complete"}),
        Sample((np.stack([_WIDE.T, _WIDE.T * 1j]),), {"mode": "complete"}),
        Sample((np.empty((2, 0, 3)),), {"mode": "reduced"}),
        Sample((np.empty((3, 0)),), {"mode": "complete"}),
    )

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        parts = self.matrices(x)
        if parts is None:
            return x, x
        batch, rows, columns = parts
        inner = rows if self.mode == "complete" else least(rows, columns)
        return x.with_shape((*batch, rows, inner)), x.with_shape((*batch, inner, columns))

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.qr(x, mode=self.mode))


def qr(x: TensorLike, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Orthogonal and triangular factor of each matrix: ``x = Q @ R``.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, m)
    mode : {"reduced", "complete"}, optional
        Whether Q has k columns, k being the smaller of n and m, or n.

    Returns
    -------
    Q : Tensor of the same dtype, shape (..., n, k) or (..., n, n)
        Its columns are orthonormal.
    R : Tensor of the same dtype, shape (..., k, m) or (..., n, m)
        An upper triangle.

    Raises
    ------
    ShapeError
        When there are fewer than two axes.
    InvalidValue
        When there is no such `mode`.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.qr`.

    Examples
    --------
    >>> import runtime as rt
    >>> Q, R = rt.linalg.qr(rt.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    >>> Q.shape, R.shape
    ((3, 2), (2, 2))
    """
    if not is_named(mode, ("reduced", "complete")):
        raise InvalidValue(f"`mode` is {mode!r}", way_out='Give "reduced" or "complete".')
    return QRResult(*bind_all(Qr(mode), x))
