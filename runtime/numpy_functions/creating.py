"""Arrays like another, and arrays between two tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import current_builder
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.operands import number, refuse_unless, stored_as, strong, whole
from runtime.numpy_functions.table import implements

__all__: list[str] = []


def _full_like(a: Any, value: Any, dtype: Any, shape: Any) -> Tensor:
    x = strong(a)
    to = x.dtype if dtype is None else dtype
    if shape is not None:
        return ops.full(shape, stored_as(value, to))
    result = ops.full_like(x, stored_as(value, to), dtype=to)
    builder = current_builder()
    if builder is not None and isinstance(result, Symbol) and isinstance(x, Symbol):
        builder.arrays.make_like(result.value, x.value)
    return result


@implements(np.zeros_like, np.empty_like)
def _zeros_like(a: Any, dtype: Any = None, subok: bool = True, shape: Any = None) -> Tensor:
    return _full_like(a, 0, dtype, shape)


@implements(np.ones_like)
def _ones_like(a: Any, dtype: Any = None, subok: bool = True, shape: Any = None) -> Tensor:
    return _full_like(a, 1, dtype, shape)


@implements(np.full_like)
def _like(a: Any, fill_value: Any, dtype: Any = None, subok: bool = True, shape: Any = None) -> Tensor:
    return _full_like(a, fill_value, dtype, shape)


@implements(np.zeros, np.empty)
def _zeros(shape: Any, dtype: Any = float) -> Tensor:
    return ops.zeros(shape, dtype=dtype)


@implements(np.ones)
def _ones(shape: Any, dtype: Any = float) -> Tensor:
    return ops.ones(shape, dtype=dtype)


@implements(np.full)
def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return ops.full(shape, strong(fill_value, dtype))


@implements(np.eye)
def _eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Tensor:
    return ops.eye(N, M, k=k, dtype=dtype)


@implements(np.identity)
def _identity(n: Any, dtype: Any = float) -> Tensor:
    return ops.eye(n, dtype=dtype)


@implements(np.tri)
def _tri(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Tensor:
    return ops.tril(ops.ones((N, N if M is None else M), dtype=dtype), k=k)


@implements(np.array)
def _array(
    object: Any, dtype: Any = None, *, copy: bool | None = True, subok: bool = False, ndmin: int = 0
) -> Tensor:
    x = strong(object, dtype)
    return ops.expand_dims(x, axis=tuple(range(ndmin - x.ndim))) if x.ndim < ndmin else x


@implements(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray)
def _asarray(a: Any, dtype: Any = None, *, copy: bool | None = None) -> Tensor:
    return strong(a, dtype)


@implements(np.copy)
def _copy(a: Any, subok: bool = False) -> Tensor:
    return strong(a)


@implements(getattr(np, "astype", None))
def _astype(x: Any, dtype: Any, /, *, copy: bool = True) -> Tensor:
    return strong(x, dtype)


@implements(np.arange)
def _arange(start_or_stop: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    return ops.arange(start_or_stop, stop, 1 if step is None else step, dtype=dtype)


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """`np.linspace`."""
    kind = ops.result_type(start, stop, 0.0)  # a number of Python's own takes that of the other
    first, last = ops.cast(strong(start), kind), ops.cast(strong(stop), kind)
    count = whole(num, "`num`")
    parts = count - 1 if endpoint else count
    step = (last - first) / parts if parts > 0 else (last - first) * np.nan
    numbers = ops.reshape(ops.arange(count, dtype=kind), (-1,) + (1,) * step.ndim)
    points = first + numbers * step if parts > 0 else first + numbers * (last - first)
    if endpoint and count > 1:
        points = ops.concat([points[:-1], ops.expand_dims(ops.broadcast_to(last, ops.shape(step)), axis=0)])
    if dtype is not None:
        whole_numbers = np.issubdtype(np.dtype(dtype), np.integer)
        points = ops.cast(ops.floor(points) if whole_numbers else points, dtype)
    points = ops.moveaxis(points, 0, axis)
    return (points, step) if retstep else points


@implements(np.logspace)
def _logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    powers = ops.pow(number(base), linspace(start, stop, num, endpoint, axis=axis))
    return powers if dtype is None else ops.cast(powers, dtype)


@implements(np.geomspace)
def _geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Tensor:
    kind = ops.result_type(strong(start).dtype, strong(stop).dtype, 1.0, *[] if dtype is None else [dtype])
    first, last = strong(start, kind), strong(stop, kind)
    nonzero = [ops.all(ops.not_equal(each, 0)) for each in (first, last)]
    refuse_unless(ops.logical_and(*nonzero), "ValueError", "Geometric sequence cannot include zero")
    sign = ops.sign(first)
    first, last = first / sign, last / sign
    points = _logspace(ops.log10(first), ops.log10(last), num, endpoint)
    count = whole(num, "`num`")  # the ends are as they were given, and not the powers of their logarithms
    ends = [
        ops.expand_dims(ops.broadcast_to(each, ops.shape(last + first)), axis=0) for each in (first, last)
    ]
    behind = ends[1:] if endpoint and count > 1 else []
    points = ops.concat([*ends[: min(count, 1)], points[1 : count - len(behind)], *behind]) * sign
    points = ops.moveaxis(points, 0, axis)
    return points if dtype is None else ops.cast(points, dtype)


@implements(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    places = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        places[:2] = [1, 0]
    shapes = [tuple([-1 if axis == place else 1 for axis in range(len(xi))]) for place in places]
    grids = [ops.reshape(strong(each), shape) for each, shape in zip(xi, shapes, strict=True)]
    return tuple(grids) if sparse else ops.broadcast_arrays(*grids)
