"""Sums, extremes and truth along axes, also of the elements that a mask chooses."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import as_dtype
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue
from runtime.numpy_functions.operands import Axis, filled, known_rank, strong, to_inexact
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import checked_axes

__all__ = ["count", "extreme", "mean"]


@implements(np.sum)
def _sum(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Tensor:
    x = strong(a) if where is None else filled(strong(a), where, 0)
    total = ops.sum(x, axis=axis, dtype=dtype, keepdims=keepdims)
    return total if initial is None else total + strong(initial, total.dtype)


@implements(np.prod)
def _prod(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Tensor:
    x = strong(a) if where is None else filled(strong(a), where, 1)
    product = ops.prod(x, axis=axis, dtype=dtype, keepdims=keepdims)
    return product if initial is None else product * strong(initial, product.dtype)


@implements(np.max, np.amax)
def _max(a: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Tensor:
    return extreme(ops.max, ops.maximum, strong(a), axis, keepdims, initial, where)


@implements(np.min, np.amin)
def _min(a: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Tensor:
    return extreme(ops.min, ops.minimum, strong(a), axis, keepdims, initial, where)


def extreme(
    fold: Any, better: Any, x: Tensor, axis: Axis, keepdims: bool, initial: Any, where: Any = None
) -> Tensor:
    """The greatest or least of the elements that a mask chooses, and of `initial`, in the dtype of `x`."""
    if initial is None:
        if where is not None:
            raise InvalidValue(
                "the greatest or least of the elements that `where=` chooses, without `initial=`",
                why="There may be none, and there is no least or greatest of nothing.",
                way_out="Give the value that counts then: `initial=0`.",
            )
        result: Tensor = fold(x, axis=axis, keepdims=keepdims)
        return result
    first = strong(initial, x.dtype)
    if where is not None:
        x = ops.where(strong(where), x, first)
    folded = checked_axes(axis, x)
    if folded is None or all(
        isinstance(dim, int) and dim for dim in map((x.static_shape or ()).__getitem__, folded)
    ):
        return strong(better(first, fold(x, axis=axis, keepdims=keepdims)))
    ends = [(0, int(each in folded)) for each in range(known_rank(x, "np.max"))]  # one place that is there
    found: Tensor = fold(ops.pad(x, ends, constant_values=first), axis=axis, keepdims=keepdims)
    return found


@implements(np.all)
def _all(a: Any, axis: Axis = None, keepdims: bool = False, where: Any = None) -> Tensor:
    x = strong(a) if where is None else ops.logical_or(strong(a), ops.logical_not(strong(where)))
    return ops.all(x, axis=axis, keepdims=keepdims)


@implements(np.any)
def _any(a: Any, axis: Axis = None, keepdims: bool = False, where: Any = None) -> Tensor:
    x = strong(a) if where is None else ops.logical_and(strong(a), strong(where))
    return ops.any(x, axis=axis, keepdims=keepdims)


@implements(np.argmax)
def _argmax(a: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    return ops.argmax(strong(a), axis=axis, keepdims=keepdims)


@implements(np.argmin)
def _argmin(a: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    return ops.argmin(strong(a), axis=axis, keepdims=keepdims)


@implements(np.count_nonzero)
def _count_nonzero(a: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    return ops.count_nonzero(strong(a), axis=axis, keepdims=keepdims)


@implements(np.ptp)
def _ptp(a: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    x = strong(a)
    options: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    return ops.subtract(ops.max(x, **options), ops.min(x, **options))


@implements(np.cumsum)
def _cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    x = strong(a)
    return ops.cumulative_sum(ops.flatten(x) if axis is None else x, axis=axis, dtype=dtype)


@implements(np.cumprod)
def _cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    x = strong(a)
    return ops.cumulative_prod(ops.flatten(x) if axis is None else x, axis=axis, dtype=dtype)


@implements(getattr(np, "cumulative_sum", None))
def _cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    return ops.cumulative_sum(strong(x), axis=axis, dtype=dtype, include_initial=include_initial)


@implements(getattr(np, "cumulative_prod", None))
def _cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    return ops.cumulative_prod(strong(x), axis=axis, dtype=dtype, include_initial=include_initial)


@implements(np.mean)
def mean(a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, where: Any = None) -> Tensor:
    """`np.mean`."""
    x = strong(a)
    if where is None:
        return ops.mean(x, axis=axis, dtype=dtype, keepdims=keepdims)
    to = to_inexact(x).dtype if dtype is None else as_dtype(dtype)
    total = ops.sum(filled(ops.cast(x, to), where, 0), axis=axis, keepdims=keepdims)
    return total / ops.cast(count(x, where, axis, keepdims), to)


def count(x: Tensor, where: Any, axis: Axis, keepdims: bool) -> Tensor:
    """How many elements are folded together."""
    chosen = ops.ones_like(x, dtype=bool) if where is None else strong(where)
    if where is not None:
        chosen = ops.logical_and(chosen, ops.ones_like(x, dtype=bool))
    return ops.count_nonzero(chosen, axis=axis, keepdims=keepdims)
