"""The functions that leave out what is no number: `np.nansum` and its likes.

Where every element is left out they give what is left of nothing, and nan where that is not defined; they do
not warn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import bind
from runtime.numpy_functions.operands import Axis, filled, refuse_unless, strong
from runtime.numpy_functions.reducing import extreme, mean
from runtime.numpy_functions.statistics import median, percents, quantile, variance
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import checked_axes
from runtime.ops.order_statistics import NanMax, NanMin

__all__: list[str] = []


def _numbers(x: Tensor, where: Any = None) -> Tensor:
    """Where the elements are numbers, and chosen."""
    numbers = ops.logical_not(ops.isnan(x)) if _may_be_nan(x) else ops.ones_like(x, dtype=bool)
    return numbers if where is None else ops.logical_and(numbers, strong(where))


def _may_be_nan(x: Tensor) -> bool:
    return x.dtype.is_floating or x.dtype.is_complex


@implements(np.nansum)
def _nansum(
    a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = 0, where: Any = None
) -> Tensor:
    x = strong(a)
    total = ops.sum(filled(x, _numbers(x, where), 0), axis=axis, dtype=dtype, keepdims=keepdims)
    return ops.cast(total + strong(initial), total.dtype) if initial != 0 else total


@implements(np.nanprod)
def _nanprod(
    a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = 1, where: Any = None
) -> Tensor:
    x = strong(a)
    product = ops.prod(filled(x, _numbers(x, where), 1), axis=axis, dtype=dtype, keepdims=keepdims)
    return ops.cast(product * strong(initial), product.dtype) if initial != 1 else product


@implements(np.nancumsum)
def _nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    x = strong(a)
    x = filled(x, _numbers(x), 0)
    return ops.cumulative_sum(ops.flatten(x) if axis is None else x, axis=axis, dtype=dtype)


@implements(np.nancumprod)
def _nancumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    x = strong(a)
    x = filled(x, _numbers(x), 1)
    return ops.cumulative_prod(ops.flatten(x) if axis is None else x, axis=axis, dtype=dtype)


@implements(np.nanmax)
def _nanmax(
    a: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Tensor:
    return _extreme(strong(a), NanMax, ops.max, ops.maximum, axis, keepdims, initial, where)


@implements(np.nanmin)
def _nanmin(
    a: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Tensor:
    return _extreme(strong(a), NanMin, ops.min, ops.minimum, axis, keepdims, initial, where)


def _extreme(
    x: Tensor,
    of_numbers: type[NanMax | NanMin],
    fold: Any,
    better: Any,
    axis: Axis,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> Tensor:
    """The greatest or least of the elements that are numbers; nan where there are none."""
    if not _may_be_nan(x):
        return extreme(fold, better, x, axis, keepdims, initial, where)
    worst = of_numbers.worst
    if x.dtype in of_numbers.accepts and initial is where is None:
        return bind(of_numbers(checked_axes(axis, x), keepdims), x)
    numbers = _numbers(x)
    result = extreme(fold, better, filled(x, numbers, worst), axis, keepdims, initial, where)
    if initial is not None:
        return result
    return filled(result, ops.any(numbers, axis=axis, keepdims=keepdims), np.nan)


@implements(np.nanargmax)
def _nanargmax(a: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    return ops.argmax(_with_a_number(strong(a), axis, -np.inf), axis=axis, keepdims=keepdims)


@implements(np.nanargmin)
def _nanargmin(a: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    return ops.argmin(_with_a_number(strong(a), axis, np.inf), axis=axis, keepdims=keepdims)


def _with_a_number(x: Tensor, axis: int | None, worst: float) -> Tensor:
    """`x`, the worst of values for what is no number; each slice has to have a number."""
    if not _may_be_nan(x):
        return x
    numbers = _numbers(x)
    refuse_unless(ops.all(ops.any(numbers, axis=axis)), "ValueError", "All-NaN slice encountered")
    return filled(x, numbers, worst)


@implements(np.nanmean)
def _nanmean(
    a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, where: Any = None
) -> Tensor:
    x = strong(a)
    return mean(x, axis, dtype, keepdims, _numbers(x, where))


@implements(np.nanvar)
def _nanvar(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: Any = None,
    mean: Any = None,
    correction: float | None = None,
) -> Tensor:
    x = strong(a)
    options: dict[str, Any] = {"ddof": ddof, "keepdims": keepdims, "mean": mean, "correction": correction}
    return variance(x, axis, dtype, where=_numbers(x, where), **options)


@implements(np.nanstd)
def _nanstd(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: Any = None,
    mean: Any = None,
    correction: float | None = None,
) -> Tensor:
    return ops.sqrt(_nanvar(a, axis, dtype, ddof, keepdims, where, mean, correction))


@implements(np.nanmedian)
def _nanmedian(a: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    return median(strong(a), axis, keepdims, ignore_nan=True)


@implements(np.nanquantile)
def _nanquantile(
    a: Any,
    q: Any,
    axis: Axis = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    return quantile(strong(a), q, axis, method, keepdims, ignore_nan=True)


@implements(np.nanpercentile)
def _nanpercentile(
    a: Any,
    q: Any,
    axis: Axis = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    return quantile(strong(a), percents(q), axis, method, keepdims, ignore_nan=True)
