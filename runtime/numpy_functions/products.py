"""Products of arrays: sums over shared axes, and every element with every other."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import complex64, complex128, float32, float64
from runtime.core.shapes import size
from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.graph.build import current_builder
from runtime.numpy_functions.operands import known_rank, require_rank, strong
from runtime.numpy_functions.table import implements
from runtime.numpy_functions.writing import as_equation, permutation, shows_operand

__all__: list[str] = []


@implements(np.dot)
def _dot(a: Any, b: Any) -> Tensor:
    x, y = strong(a), strong(b)
    left, right = known_rank(x, "np.dot"), known_rank(y, "np.dot")
    if 0 in (left, right):
        return _scaled(x, y)
    if right <= 2 and left <= 2:
        return ops.matmul(x, y)
    return ops.tensordot(x, y, axes=((left - 1,), (max(right - 2, 0),)))


def _scaled(x: Tensor, y: Tensor) -> Tensor:
    """A number times an array, as a sum of products: one that begins with zero is never -0.0."""
    product = ops.multiply(x, y)
    summed = product.dtype in _OF_BLAS and product.ndim <= 2 and size(product.static_shape) != 1
    return product + ops.zeros_like(product) if summed else product


_OF_BLAS = frozenset({float32, float64, complex64, complex128})


@implements(np.inner)
def _inner(a: Any, b: Any, /) -> Tensor:
    x, y = strong(a), strong(b)
    if 0 in (known_rank(x, "np.inner"), known_rank(y, "np.inner")):
        return _scaled(x, y)
    return ops.tensordot(x, y, axes=((x.ndim - 1,), (y.ndim - 1,)))


@implements(np.vdot)
def _vdot(a: Any, b: Any, /) -> Tensor:
    x = ops.flatten(strong(a))
    return ops.matmul(ops.conj(x) if x.dtype.is_complex else x, ops.flatten(strong(b)))


@implements(np.outer)
def _outer(a: Any, b: Any) -> Tensor:
    return ops.outer(ops.flatten(strong(a)), ops.flatten(strong(b)))


@implements(np.linalg.outer)
def _outer_of_vectors(x1: Any, x2: Any, /) -> Tensor:
    return ops.outer(*[require_rank(strong(each), 1, "np.linalg.outer") for each in (x1, x2)])


@implements(np.tensordot, np.linalg.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return ops.tensordot(strong(a), strong(b), axes=axes)


@implements(np.linalg.matmul)
def _matmul(x1: Any, x2: Any, /) -> Tensor:
    return ops.matmul(strong(x1), strong(x2))


@implements(np.linalg.vecdot)
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    return ops.vecdot(strong(x1), strong(x2), axis=axis)


@implements(np.einsum)
def _einsum(*operands: Any, optimize: Any = False) -> Tensor:
    equation, arrays = as_equation(operands)
    order = permutation(equation) if len(arrays) == 1 else None
    if order is not None:
        return ops.transpose(strong(arrays[0]), order)
    found = ops.einsum(equation, *[strong(each) for each in arrays])
    if shows_operand(equation, arrays):
        _tell_of_view(arrays[0], found)
    return found


def _tell_of_view(x: Any, view: Any) -> None:
    """Notes that an array shows another one in a way that no op has: reading one after a write is refused."""
    builder = current_builder()
    if builder is not None and ops.is_array(x) and ops.is_array(view):
        builder.arrays.may_be_same(builder.arrays.root(view.value), builder.arrays.root(x.value))


@implements(np.kron)
def _kron(a: Any, b: Any) -> Tensor:
    x, y = strong(a), strong(b)
    rank = max(known_rank(x, "np.kron"), known_rank(y, "np.kron"))
    x, y = [_with_rank(each, rank) for each in (x, y)]
    spread = ops.expand_dims(x, axis=tuple(range(1, 2 * rank, 2))) * ops.expand_dims(
        y, axis=tuple(range(0, 2 * rank, 2))
    )
    lengths = ops.shape(x) * ops.shape(y)
    return ops.reshape(spread, [lengths[axis] for axis in range(rank)])


def _with_rank(x: Tensor, rank: int) -> Tensor:
    return ops.expand_dims(x, axis=tuple(range(rank - x.ndim))) if x.ndim < rank else x


@implements(np.cross)
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    """`np.cross`."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = ops.moveaxis(strong(a), axisa, -1), ops.moveaxis(strong(b), axisb, -1)
    lengths = [each.static_shape[-1] if each.static_shape else None for each in (x, y)]
    if not set(lengths) <= {2, 3}:
        raise ShapeError(
            f"`np.cross` of {x.spec} and {y.spec}",
            why="Cross products are of vectors of length 2 or 3, which must be known.",
            way_out="Give the function an `input_signature` with that length, or say which `axis`.",
        )
    first, second = x[..., 0] * y[..., 1], x[..., 1] * y[..., 0]
    if lengths == [2, 2]:
        return first - second
    parts: list[Tensor] = [first - second]
    if lengths[0] == 2:
        parts[:0] = [x[..., 1] * y[..., 2], -(x[..., 0] * y[..., 2])]
    elif lengths[1] == 2:
        parts[:0] = [-(x[..., 2] * y[..., 1]), x[..., 2] * y[..., 0]]
    else:
        parts[:0] = [
            x[..., 1] * y[..., 2] - x[..., 2] * y[..., 1],
            x[..., 2] * y[..., 0] - x[..., 0] * y[..., 2],
        ]
    return ops.moveaxis(ops.stack(ops.broadcast_arrays(*parts), axis=-1), -1, axisc)


@implements(np.linalg.cross)
def _cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    return ops.linalg.cross(strong(x1), strong(x2), axis=axis)
