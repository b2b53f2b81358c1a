"""`np.linalg`: norms, factors, eigenvalues, systems of equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import LOW_PRECISION
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import bind, bind_all
from runtime.numpy_functions.operands import Axis, dims, known, known_rank, strong, whole
from runtime.numpy_functions.table import implements
from runtime.ops.linalg.eigenvalues import EighResult, EigResult, Eigvalsh, SelfAdjointEigV2
from runtime.ops.linalg.equations import LeastSquares, SlogdetResult

__all__ = ["least_squares"]


@implements(np.linalg.det)
def _det(a: Any) -> Tensor:
    return ops.linalg.det(strong(a))


@implements(np.linalg.slogdet)
def _slogdet(a: Any) -> SlogdetResult:
    return ops.linalg.slogdet(strong(a))


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
    return ops.linalg.cholesky(strong(a), upper=upper)


@implements(np.linalg.qr)
def _qr(a: Any, mode: Any = "reduced") -> Any:
    if mode not in {"reduced", "complete", "r"}:
        raise InvalidValue(f"mode {mode!r}", way_out="The modes are 'reduced', 'complete' and 'r'.")
    if mode == "r":
        return ops.linalg.qr(strong(a)).R
    return ops.linalg.qr(strong(a), mode=mode)


@implements(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    x = strong(a)
    return ops.linalg.svd(x, full_matrices=full_matrices) if compute_uv else ops.linalg.svdvals(x)


@implements(np.linalg.svdvals)
def _svdvals(x: Any, /) -> Tensor:
    return ops.linalg.svdvals(strong(x))


@implements(np.linalg.eig)
def _eig(a: Any) -> EigResult:
    return ops.linalg.eig(strong(a))


@implements(np.linalg.eigvals)
def _eigvals(a: Any) -> Tensor:
    return ops.linalg.eigvals(strong(a))


@implements(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> EighResult:
    return EighResult(*bind_all(SelfAdjointEigV2(UPLO.upper() == "L"), strong(a)))


@implements(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    return bind(Eigvalsh(UPLO.upper() == "L"), strong(a))


@implements(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, *, rtol: Any = None) -> Tensor:
    limit = rcond if rtol is None else rtol
    return ops.linalg.pinv(strong(a), rtol=1e-15 if limit is None else limit)


@implements(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None, *, rtol: Any = None) -> Tensor:
    x = strong(A)
    if known_rank(x, "np.linalg.matrix_rank") < 2:
        return ops.stands_for_python(ops.cast(ops.any(ops.not_equal(x, 0)), int))
    if tol is None:
        return ops.linalg.matrix_rank(x, rtol=rtol)
    limit = ops.expand_dims(strong(tol), axis=-1)
    return ops.count_nonzero(ops.greater(ops.linalg.svdvals(x), limit), axis=-1)


@implements(np.linalg.matrix_power)
def _matrix_power(a: Any, n: Any) -> Tensor:
    return ops.linalg.matrix_power(strong(a), whole(n, "the power"))


@implements(np.linalg.multi_dot)
def _multi_dot(arrays: Any) -> Tensor:
    first, *others = [strong(each) for each in arrays]
    for each in others:
        first = ops.matmul(first, each)
    return first


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """`np.linalg.norm`."""
    tensor = strong(x)
    if axis is None:
        if ord is None and tensor.dtype.is_floating and tensor.dtype not in LOW_PRECISION and not keepdims:
            row = ops.flatten(tensor)
            return ops.sqrt(ops.tensordot(row, row, axes=1))  # as NumPy has it
        if ord is None:
            return ops.linalg.vector_norm(tensor, keepdims=keepdims)
        axis = tuple(range(known_rank(tensor, "np.linalg.norm")))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    match len(axes):
        case 1:
            order = 2 if ord is None else ord
            return ops.linalg.vector_norm(tensor, axis=axes, keepdims=keepdims, ord=order)
        case 2:
            return _of_matrices(tensor, "fro" if ord in {None, "f"} else ord, axes, keepdims)
    raise ShapeError(
        f"a norm over the axes {axes}",
        why="A norm is of vectors, along one axis, or of matrices, along two.",
        way_out="Reshape, or say which with `axis`.",
    )


def _of_matrices(x: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The norm of the matrices that lie along two axes."""
    rank = known_rank(x, "np.linalg.norm")
    result = ops.linalg.matrix_norm(ops.moveaxis(x, axes, (-2, -1)), ord=ord)
    return ops.expand_dims(result, axis=tuple([axis % rank for axis in axes])) if keepdims else result


@implements(np.linalg.vector_norm)
def _vector_norm(x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    return ops.linalg.vector_norm(strong(x), axis=axis, keepdims=keepdims, ord=ord)


@implements(np.linalg.matrix_norm)
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    return ops.linalg.matrix_norm(strong(x), keepdims=keepdims, ord=ord)


@implements(np.linalg.cond)
def _cond(x: Any, p: Any = None) -> Tensor:
    tensor = strong(x)
    if p in {None, 2, -2}:
        values = ops.linalg.svdvals(tensor)
        greatest, least = values[..., 0], values[..., -1]
        return least / greatest if p == -2 else greatest / least
    of_inverse = ops.linalg.matrix_norm(ops.linalg.inv(tensor), ord=p)
    return ops.linalg.matrix_norm(tensor, ord=p) * of_inverse


@implements(np.linalg.diagonal)
def _diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    return ops.linalg.diagonal(strong(x), offset=offset)


@implements(np.linalg.trace)
def _trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    return ops.linalg.trace(strong(x), offset=offset, dtype=dtype)
