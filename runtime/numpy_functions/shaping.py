"""The same elements in another shape, or with their axes in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Tensor
from runtime.graph.build import current_builder
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.operands import Axis, known_rank, place_of, strong
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import order_of

__all__ = ["at_least"]


@implements(np.reshape)
def _reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Tensor:
    x = strong(a)
    if order_of(order, "CFA") in {"C", "A"}:
        return _reshaped(x, shape, copy)
    backwards = ops.transpose(x)
    turned = shape[::-1] if isinstance(shape, Sequence) else shape
    return ops.transpose(_reshaped(backwards, turned, copy))


def _reshaped(x: Tensor, shape: Any, copy: bool | None) -> Tensor:
    """`x` in another shape, as a view of it where there may be no copy.

    Raises
    ------
    ValueError
        In NumPy's words, where it is none.
    """
    found = ops.reshape(x, shape)
    builder = current_builder()
    if copy is not False or builder is None or not (isinstance(x, Symbol) and isinstance(found, Symbol)):
        return found
    if builder.arrays.root(found.value) is not builder.arrays.root(x.value):
        np.reshape(np.zeros((2, 2)).T, -1, copy=False)
    return found


@implements(np.ravel)
def _ravel(a: Any, order: str = "C") -> Tensor:
    x = strong(a)
    found = ops.flatten(x if order_of(order) in {"C", "A", "K"} else ops.transpose(x))
    return x[...] if found is x else found  # a view of all of it is another array


@implements(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Tensor:
    return ops.transpose(strong(a), axes)


@implements(np.matrix_transpose, np.linalg.matrix_transpose)
def _matrix_transpose(x: Any, /) -> Tensor:
    return ops.matrix_transpose(strong(x))


@implements(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    return ops.swapaxes(strong(a), axis1, axis2)


@implements(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    return ops.moveaxis(strong(a), source, destination)


@implements(np.rollaxis)
def _rollaxis(a: Any, axis: int, start: int = 0) -> Tensor:
    x = strong(a)
    axis, rank = place_of(axis, x, "np.rollaxis"), x.ndim
    start = normalise_axis(start, rank if start < 0 else rank + 1)
    return ops.moveaxis(x, axis, start - 1 if axis < start else start)


@implements(np.squeeze)
def _squeeze(a: Any, axis: Axis = None) -> Tensor:
    x = strong(a)
    found = ops.squeeze(x, axis)
    return x if found.static_shape == x.static_shape else found


@implements(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Tensor:
    return ops.expand_dims(strong(a), axis=axis)


@implements(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Tensor:
    return ops.broadcast_to(strong(array), shape)


@implements(np.broadcast_arrays)
def _broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Tensor, ...]:
    return ops.broadcast_arrays(*map(strong, args))


def at_least(rank: int, x: Tensor) -> Tensor:
    """`x` with new axes where `np.atleast_1d` and its likes put them."""
    missing = rank - known_rank(x, f"np.atleast_{rank}d")
    if missing <= 0:
        return x
    if rank < 3 or missing == 3:
        return ops.expand_dims(x, axis=tuple(range(missing)))
    return ops.expand_dims(x, axis=-1 if missing == 1 else (0, 2))


def _each(rank: int, arrays: Sequence[Any]) -> Any:
    results = tuple([at_least(rank, strong(each)) for each in arrays])
    return results[0] if len(results) == 1 else results


@implements(np.atleast_1d)
def _atleast_1d(*arys: Any) -> Any:
    return _each(1, arys)


@implements(np.atleast_2d)
def _atleast_2d(*arys: Any) -> Any:
    return _each(2, arys)


@implements(np.atleast_3d)
def _atleast_3d(*arys: Any) -> Any:
    return _each(3, arys)
