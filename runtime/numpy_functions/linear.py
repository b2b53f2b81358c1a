"""`np.linalg`: norms, factors, eigenvalues, systems of equations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime import ops
from runtime.core.limits import finfo
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import bind, bind_all
from runtime.numpy_functions.operands import Axis, dims, known, known_rank, strong, to_inexact, whole
from runtime.numpy_functions.table import implements
from runtime.ops.decompositions import (
    Cholesky,
    Eig,
    LeastSquares,
    LogMatrixDeterminant,
    Qr,
    SelfAdjointEigV2,
    SingularValues,
    Svd,
)

__all__ = ["least_squares"]


class QRResult(NamedTuple):
    """What `np.linalg.qr` gives."""

    Q: Tensor
    R: Tensor


class SVDResult(NamedTuple):
    """What `np.linalg.svd` gives."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class EigResult(NamedTuple):
    """What `np.linalg.eig` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EighResult(NamedTuple):
    """What `np.linalg.eigh` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class SlogdetResult(NamedTuple):
    """What `np.linalg.slogdet` gives."""

    sign: Tensor
    logabsdet: Tensor


@implements(np.linalg.det)
def _det(a: Any) -> Tensor:
    return ops.linalg.det(strong(a))


@implements(np.linalg.slogdet)
def _slogdet(a: Any) -> SlogdetResult:
    return SlogdetResult(*bind_all(LogMatrixDeterminant(), strong(a)))


@implements(np.linalg.inv)
def _inv(a: Any) -> Tensor:
    return ops.linalg.inv(strong(a))


@implements(np.linalg.solve)
def _solve(a: Any, b: Any) -> Tensor:
    return ops.linalg.solve(strong(a), strong(b))


@implements(np.linalg.tensorsolve)
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Tensor:
    x, y = strong(a), strong(b)
    if axes is not None:
        moved = tuple(axes)
        x = ops.moveaxis(x, moved, tuple(range(x.ndim - len(moved), x.ndim)))
    rest = dims(x, "np.linalg.tensorsolve")[y.ndim :]
    size = int(np.prod([whole(each, "the shape of the matrix") for each in rest]))
    return ops.reshape(ops.linalg.solve(ops.reshape(x, (-1, size)), ops.flatten(y)), rest)


@implements(np.linalg.tensorinv)
def _tensorinv(a: Any, ind: int = 2) -> Tensor:
    x = strong(a)
    shape = dims(x, "np.linalg.tensorinv")
    size = int(np.prod([whole(each, "the shape of the tensor") for each in shape[ind:]]))
    return ops.reshape(ops.linalg.inv(ops.reshape(x, (-1, size))), (*shape[ind:], *shape[:ind]))


@implements(np.linalg.lstsq)
def least_squares(a: Any, b: Any, rcond: Any = None) -> tuple[Tensor, ...]:
    """`np.linalg.lstsq`."""
    limit = None if rcond is None else float(known(rcond, "`rcond`"))
    return bind_all(LeastSquares(limit), strong(a), strong(b))


@implements(np.linalg.cholesky)
def _cholesky(a: Any, /, *, upper: bool = False) -> Tensor:
    return bind(Cholesky(upper), strong(a))


@implements(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode not in {"reduced", "complete", "r"}:
        raise InvalidValue(f"mode {mode!r}", way_out="The modes are 'reduced', 'complete' and 'r'.")
    factors = bind_all(Qr("complete" if mode == "complete" else "reduced"), strong(a))
    return factors[1] if mode == "r" else QRResult(*factors)


@implements(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    x = strong(a)
    return SVDResult(*bind_all(Svd(full_matrices), x)) if compute_uv else _singular_values(x)


@implements(getattr(np.linalg, "svdvals", None))
def _singular_values(x: Any, /) -> Tensor:
    return bind(SingularValues(), strong(x))


@implements(np.linalg.eig)
def _eig(a: Any) -> EigResult:
    return EigResult(*bind_all(Eig(), strong(a)))


@implements(np.linalg.eigvals)
def _eigvals(a: Any) -> Tensor:
    return _eig(a).eigenvalues


@implements(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> EighResult:
    return EighResult(*bind_all(SelfAdjointEigV2(UPLO.upper() == "L"), strong(a)))


@implements(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    return _eigh(a, UPLO).eigenvalues


@implements(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    x = ops.conj(to_inexact(strong(a)))
    left, values, right = bind_all(Svd(False), x)
    limit = rcond if rtol is None else rtol
    cut = (1e-15 if limit is None else limit) * ops.max(values, axis=-1, keepdims=True)
    kept = ops.greater(values, cut)
    inverse = ops.where(kept, 1 / ops.where(kept, values, ops.ones_like(values)), ops.zeros_like(values))
    scaled = ops.expand_dims(inverse, axis=-1) * ops.matrix_transpose(left)
    return ops.matmul(ops.matrix_transpose(right), scaled)


@implements(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    x = to_inexact(strong(A))
    if x.ndim < 2:
        return ops.astype(ops.any(ops.not_equal(x, 0)), int)
    values = _singular_values(x)
    if tol is None:
        lengths = ops.shape(x)
        relative = ops.max(lengths[-2:]) * finfo(values.dtype).eps if rtol is None else strong(rtol)
        limit = ops.max(values, axis=-1, keepdims=True) * ops.astype(relative, values.dtype)
    else:
        limit = ops.expand_dims(strong(tol), axis=-1)
    return ops.count_nonzero(ops.greater(values, limit), axis=-1)


@implements(np.linalg.matrix_power)
def _matrix_power(a: Any, n: Any) -> Tensor:
    x, times = strong(a), whole(n, "the power")
    if times < 0:
        x, times = ops.linalg.inv(x), -times
    if times == 0:
        identity = ops.eye(ops.shape(x)[-1], dtype=x.dtype)
        return ops.broadcast_to(identity, ops.shape(x))
    result = None
    while times:
        times, odd = divmod(times, 2)
        if odd:
            result = x if result is None else ops.matmul(result, x)
        x = ops.matmul(x, x) if times else x
    assert result is not None, "the power is not 0"
    return result


@implements(np.linalg.multi_dot)
def _multi_dot(arrays: Any) -> Tensor:
    first, *others = [strong(each) for each in arrays]
    for each in others:
        first = ops.matmul(first, each)
    return first


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """`np.linalg.norm`."""
    tensor = to_inexact(strong(x))
    if axis is None:
        rank = known_rank(tensor, "np.linalg.norm")
        if ord is None:
            return ops.linalg.norm(tensor, keepdims=keepdims)
        axis = tuple(range(rank))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    match len(axes):
        case 1:
            return ops.linalg.norm(tensor, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
        case 2:
            return _of_matrices(tensor, "fro" if ord is None else ord, axes, keepdims)
    raise ShapeError(
        f"a norm over the axes {axes}",
        why="A norm is of vectors, along one axis, or of matrices, along two.",
        way_out="Reshape, or say which with `axis`.",
    )


def _of_matrices(x: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The norm of the matrices that lie along two axes."""
    rank = known_rank(x, "np.linalg.norm")
    first, second = [axis % rank for axis in axes]
    if ord in {"fro", "f"}:
        return ops.linalg.norm(x, axis=(first, second), keepdims=keepdims)
    if ord in {1, -1, np.inf, -np.inf}:
        summed, over = (first, second) if abs(ord) == 1 else (second, first)
        sums = ops.sum(ops.abs(x), axis=summed, keepdims=True)
        result = (ops.max if ord > 0 else ops.min)(sums, axis=over, keepdims=True)
        return result if keepdims else ops.squeeze(result, (first, second))
    if ord not in {2, -2, "nuc"}:
        raise InvalidValue(
            f"{ord!r} is no norm of matrices",
            way_out="There are 'fro', 'nuc', 1, -1, 2, -2, np.inf and -np.inf.",
        )
    values = _singular_values(ops.moveaxis(x, (first, second), (-2, -1)))
    fold = ops.sum if ord == "nuc" else ops.max if ord == 2 else ops.min
    result = fold(values, axis=-1)
    return ops.expand_dims(result, axis=(first, second)) if keepdims else result


@implements(getattr(np.linalg, "vector_norm", None))
def _vector_norm(x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    return ops.linalg.norm(to_inexact(strong(x)), axis=axis, keepdims=keepdims, ord=ord)


@implements(getattr(np.linalg, "matrix_norm", None))
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    return _of_matrices(to_inexact(strong(x)), ord, (-2, -1), keepdims)


@implements(np.linalg.cond)
def _cond(x: Any, p: Any = None) -> Tensor:
    tensor = to_inexact(strong(x))
    if p in {None, 2, -2}:
        values = _singular_values(tensor)
        greatest, least = values[..., 0], values[..., -1]
        return least / greatest if p == -2 else greatest / least
    last = (-2, -1)
    return _of_matrices(tensor, p, last, False) * _of_matrices(ops.linalg.inv(tensor), p, last, False)


@implements(getattr(np.linalg, "diagonal", None))
def _diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    return ops.linalg.diagonal(strong(x), offset=offset)


@implements(getattr(np.linalg, "trace", None))
def _trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    return ops.linalg.trace(strong(x), offset=offset, dtype=dtype)
