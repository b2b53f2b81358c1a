"""Spread, quantiles, averages with weights, and how variables vary together."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import float64
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, ShapeError
from runtime.graph.build import bind, is_weak
from runtime.numpy_functions.operands import (
    Axis,
    filled,
    place_of,
    refuse_unless,
    require_one_shape,
    require_rank,
    strong,
    to_inexact,
)
from runtime.numpy_functions.reducing import count, mean
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import checked_axes
from runtime.ops.known import concrete
from runtime.ops.order_statistics import Median, Quantile
from runtime.ops.promotion import rounded_once

__all__ = ["variance"]


@implements(np.var)
def variance(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: Any = None,
    mean: Any = None,
    correction: float | None = None,
) -> Tensor:
    """`np.var`."""
    x = to_inexact(strong(a)) if dtype is None else strong(a)
    center = _mean(x, axis=axis, dtype=dtype, keepdims=True, where=where) if mean is None else strong(mean)
    squares = ops.square(ops.abs(x - center))
    if where is not None:
        squares = filled(squares, where, 0)
    total = ops.sum(squares, axis=axis, dtype=dtype, keepdims=keepdims)  # in that dtype, as the result is
    counted = count(x, where, axis, keepdims) - (ddof if correction is None else correction)
    return ops.cast(total / ops.maximum(counted, 0), total.dtype)


_mean = mean


@implements(np.std)
@wraps(variance)
def _std(*args: Any, **options: Any) -> Tensor:
    return ops.sqrt(variance(*args, **options))


@implements(np.median)
def _median(a: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    return median(strong(a), axis, keepdims, ignore_nan=False)


def median(x: Tensor, axis: Axis, keepdims: bool, *, ignore_nan: bool) -> Tensor:
    """The median, or that of the numbers alone."""
    return rounded_once(Median(checked_axes(axis, x), keepdims, ignore_nan), x)


@implements(np.quantile)
def _quantile(
    a: Any,
    q: Any,
    axis: Axis = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    return quantile(strong(a), q, axis, method, keepdims, ignore_nan=False)


@implements(np.percentile)
def _percentile(
    a: Any,
    q: Any,
    axis: Axis = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    return quantile(strong(a), percents(q), axis, method, keepdims, ignore_nan=False)


def percents(q: Any) -> Any:
    """Percentages as parts of one."""
    parts, given = strong(q), concrete(strong(q))
    if given is None or not np.all((given >= 0) & (given <= 100)):
        is_inside = ops.all(ops.logical_and(parts >= 0, parts <= 100))
        refuse_unless(is_inside, "ValueError", "Percentiles must be in the range [0, 100]")
    return q / 100 if type(q) in {int, float} else parts / 100


def quantile(x: Tensor, q: Any, axis: Axis, method: str, keepdims: bool, *, ignore_nan: bool) -> Tensor:
    """The quantiles `q`, or those of the numbers alone."""
    if x.dtype.is_bool:
        raise DTypeError("quantiles of truth values", why="Between two of them there is none.")
    of_python = type(q) in {int, float} or (isinstance(q, Tensor) and is_weak(q) and q.dtype.kind in "if")
    return bind(Quantile(checked_axes(axis, x), keepdims, method, ignore_nan, of_python), x, strong(q))


@implements(np.average)
def _average(
    a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, keepdims: bool = False
) -> Any:
    x = strong(a)
    if weights is None:
        result = ops.mean(x, axis=axis, keepdims=keepdims)
        total = ops.cast(count(x, None, axis, keepdims), result.dtype)
    else:
        result, total = _weighted(x, strong(weights), axis, keepdims)
    return (result, ops.broadcast_to(total, ops.shape(result))) if returned else result


def _weighted(x: Tensor, weights: Tensor, axis: Axis, keepdims: bool) -> tuple[Tensor, Tensor]:
    """An average and the sum of its weights."""
    if axis is None:
        _require_weights(x, weights)
    if weights.static_shape != x.static_shape and weights.ndim == 1 and isinstance(axis, int):
        weights = ops.expand_dims(weights, axis=tuple(range(1, x.ndim - place_of(axis, x, "np.average"))))
    inexact = x.dtype.is_floating or x.dtype.is_complex
    floating = ops.result_type(x.dtype, weights.dtype, *[] if inexact else [float64])
    x, weights = ops.cast(x, floating), ops.cast(weights, floating)
    total = ops.sum(ops.broadcast_to(weights, ops.shape(x)), axis=axis, keepdims=keepdims)
    refuse_unless(
        ops.all(ops.not_equal(total, 0)), "ZeroDivisionError", "Weights sum to zero, can't be normalized"
    )
    return ops.sum(x * weights, axis=axis, keepdims=keepdims) / total, total


def _require_weights(x: Tensor, weights: Tensor) -> None:
    """Refuses weights that are not one for each element: without an axis nobody knows what they are for."""
    try:
        require_one_shape(x, weights, "np.average", "DTypeError")
    except ShapeError as error:
        raise DTypeError(
            f"weights {weights.spec} for {x.spec}",
            why="`np.average` does not know along which axis they count.",
            way_out="Give the `axis`, or a weight for each element.",
        ) from error


@implements(np.cov)
def covariance(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    dtype: Any = None,
) -> Tensor:
    """`np.cov`, without weights."""
    x = _variables(strong(m), rowvar)
    if y is not None:
        x = ops.concat([x, _variables(strong(y), rowvar)], axis=0)
    x = ops.cast(x, ops.result_type(x.dtype, float64) if dtype is None else dtype)
    x = x - ops.mean(x, axis=1, keepdims=True)
    number = ops.maximum(ops.shape(x)[1] - ((0 if bias else 1) if ddof is None else ddof), 0)
    product = ops.matmul(x, ops.conj(ops.matrix_transpose(x)))
    return ops.squeeze(product * (1 / ops.cast(number, product.dtype)), _ones(product))


def _variables(x: Tensor, rowvar: bool) -> Tensor:
    """One variable a row."""
    if x.ndim < 2:
        return ops.reshape(x, (1, -1))
    require_rank(x, 2, "np.cov")
    return x if rowvar else ops.matrix_transpose(x)


def _ones(x: Tensor) -> tuple[int, ...]:
    """The axes of length 1."""
    return tuple([axis for axis, dim in enumerate(x.static_shape or ()) if dim == 1])


@implements(np.corrcoef)
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    together = covariance(x, y, rowvar, dtype=dtype)
    if together.ndim == 0:
        return together / together
    spread = ops.sqrt(ops.real(ops.linalg.diagonal(together)))
    scaled = together / ops.expand_dims(spread, axis=1) / ops.expand_dims(spread, axis=0)
    return ops.clip(scaled, -1, 1) if not scaled.dtype.is_complex else scaled
