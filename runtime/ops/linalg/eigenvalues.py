"""Eigenvalues and eigenvectors, of symmetric matrices and of any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import bind, bind_all
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.linalg.matrices import OfMatrices, complex_of, real_of, written_adjoint

__all__ = [
    "Eig",
    "EigResult",
    "EighResult",
    "Eigvals",
    "Eigvalsh",
    "SelfAdjointEigV2",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
]

_SYMMETRIC = np.array([[4.0, 1.0], [1.0, 3.0]])
_HERMITIAN = np.array([[2, 1j], [-1j, 2]], np.complex64)
_TURN = np.array([[0.0, -1.0], [1.0, 0.0]], np.float32)
_EMPTY = np.empty((0, 3, 3))


class EighResult(NamedTuple):
    """What `eigh` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EigResult(NamedTuple):
    """What `eig` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class SelfAdjointEigV2(OfMatrices):
    """The eigenvalues of each symmetric matrix, the least first, and its eigenvectors."""

    lower: bool

    why_no_graphdef = "the signs of TensorFlow's eigenvectors are its own"
    samples = (
        Sample((_SYMMETRIC,), {"lower": True}),
        Sample((_HERMITIAN[None],), {"lower": False}),
        Sample((_EMPTY,), {"lower": True}),
    )

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        found = self.squared(x)
        return _one_each(found, real_of(x.dtype)), found

    def kernel(self, x: Array) -> Any:
        return tuple(np.linalg.eigh(x, "L" if self.lower else "U"))


def _one_each(x: ArraySpec, dtype: DType) -> ArraySpec:
    """A number for each row of each matrix."""
    return ArraySpec(None if x.shape is None else x.shape[:-1], dtype)


class Eigvalsh(OfMatrices):
    """The eigenvalues of each symmetric matrix, the least first."""

    lower: bool

    samples = SelfAdjointEigV2.samples

    def infer(self, x: ArraySpec) -> ArraySpec:
        return _one_each(self.squared(x), real_of(x.dtype))

    def kernel(self, x: Array) -> Any:
        return np.linalg.eigvalsh(x, "L" if self.lower else "U")

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), dtype = inputs, specs[0].dtype
        x = x if self.lower else written_adjoint(builder, x, dtype)  # TensorFlow reads the lower triangle
        values = builder.node("SelfAdjointEigV2", [x], "e", T=dtype, compute_v=False)
        return [builder.node("Real", [values], T=dtype, Tout=real_of(dtype)) if dtype.is_complex else values]


class Eig(OfMatrices):
    """The eigenvalues of each matrix and its eigenvectors, as complex numbers always."""

    why_no_graphdef = "the order and the signs of TensorFlow's eigenvectors are its own"
    samples = (Sample((_SYMMETRIC,)), Sample((_TURN,)), Sample((_HERMITIAN,)), Sample((_EMPTY,)))

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        found = self.squared(x).with_dtype(complex_of(x.dtype))
        return _one_each(found, found.dtype), found

    def kernel(self, x: Array) -> Any:
        values, vectors = np.linalg.eig(x)
        kind = np.result_type(x, np.complex64)
        return values.astype(kind), vectors.astype(kind)


class Eigvals(OfMatrices):
    """The eigenvalues of each matrix, as complex numbers always."""

    why_no_graphdef = "the order of TensorFlow's eigenvalues is its own"
    samples = Eig.samples

    def infer(self, x: ArraySpec) -> ArraySpec:
        return _one_each(self.squared(x), complex_of(x.dtype))

    def kernel(self, x: Array) -> Any:
        return np.linalg.eigvals(x).astype(np.result_type(x, np.complex64))


def eigh(x: TensorLike, /) -> EighResult:
    """Eigenvalues and eigenvectors of each symmetric or Hermitian matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)
        Only the lower triangles are read.

    Returns
    -------
    eigenvalues : Tensor of the real dtype of the same precision, shape (..., n)
        The least first.
    eigenvectors : Tensor of the same dtype, shape (..., n, n)
        The columns are orthonormal, in the order of the eigenvalues.

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When the eigenvalues of one are not found; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.eigh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.eigh(rt.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 2.])>
    """
    return EighResult(*bind_all(SelfAdjointEigV2(True), x))


def eigvalsh(x: TensorLike, /) -> Tensor:
    """Eigenvalues of each symmetric or Hermitian matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)
        Only the lower triangles are read.

    Returns
    -------
    Tensor of the real dtype of the same precision, shape (..., n)
        The least first.

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When the eigenvalues of one are not found; in a graph, in the run.

    Notes
    -----
    GraphDef "SelfAdjointEigV2". Semantics: Array API 2025.12, `linalg.eigvalsh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.eigvalsh(rt.asarray([[2.0, 0.0], [0.0, 1.0]]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 2.])>
    """
    return bind(Eigvalsh(True), x)


def eig(x: TensorLike, /) -> EigResult:
    """Eigenvalues and eigenvectors of each matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)

    Returns
    -------
    eigenvalues : Tensor of the complex dtype of the same precision, shape (..., n)
        In no order; each as often as it is a root of the characteristic polynomial.
    eigenvectors : Tensor of that dtype, shape (..., n, n)
        The columns, in the order of the eigenvalues, of length 1.

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When the eigenvalues of one are not found, or it holds numbers that are not finite; in a graph, in the
        run.

    Notes
    -----
    Complex where the matrix is real, too: its values do not decide the dtype, other than in NumPy. Semantics:
    Array API 2025.12, `linalg.eig`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.eig(rt.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    <Tensor: shape=(2,), dtype=complex128, numpy=array([2.+0.j, 1.+0.j])>
    """
    return EigResult(*bind_all(Eig(), x))


def eigvals(x: TensorLike, /) -> Tensor:
    """Eigenvalues of each matrix.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype, shape (..., n, n)

    Returns
    -------
    Tensor of the complex dtype of the same precision, shape (..., n)
        In no order; each as often as it is a root of the characteristic polynomial.

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When the eigenvalues of one are not found, or it holds numbers that are not finite; in a graph, in the
        run.

    Notes
    -----
    Complex where the matrix is real, too: its values do not decide the dtype, other than in NumPy. Semantics:
    Array API 2025.12, `linalg.eigvals`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.eigvals(rt.asarray([[2.0, 0.0], [0.0, 1.0]]))
    <Tensor: shape=(2,), dtype=complex128, numpy=array([2.+0.j, 1.+0.j])>
    """
    return bind(Eigvals(), x)
