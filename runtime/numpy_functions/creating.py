"""Arrays like another, and arrays between two tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import as_dtype, bool_, float64, int64
from runtime.core.tensor import Operators, Tensor
from runtime.errors import InvalidValue
from runtime.graph.build import current_builder, note_kind_told
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.operands import cast_unsafely, count_of, number, refuse_unless, strong
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import is_named

__all__: list[str] = []


def _full_like(a: Any, value: Any, dtype: Any, shape: Any) -> Tensor:
    x = strong(a)
    if dtype is None:
        note_kind_told(x)
    to = x.dtype if dtype is None else dtype
    if shape is not None:
        return ops.full(shape, cast_unsafely(value, to))
    result = ops.full_like(x, cast_unsafely(value, to), dtype=to)
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
    return ops.full(shape, strong(fill_value) if dtype is None else cast_unsafely(fill_value, dtype))


@implements(np.eye)
def _eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Tensor:
    for length in (N, M):
        if isinstance(length, Operators):
            refuse_unless(ops.greater_equal(length, 0), "ValueError", "negative dimensions are not allowed")
    return ops.eye(N, M, k=count_of(k), dtype=dtype)


@implements(np.identity)
def _identity(n: Any, dtype: Any = float) -> Tensor:
    return _eye(n, dtype=dtype)


@implements(np.tri)
def _tri(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Tensor:
    lengths = [ops.maximum(each, 0) if isinstance(each, Operators) else each for each in (N, M)]
    rows, columns = [max(each, 0) if isinstance(each, int) else each for each in lengths]
    return ops.tril(ops.ones((rows, rows if columns is None else columns), dtype=dtype), k=k)


@implements(np.array)
def _array(
    object: Any, dtype: Any = None, *, copy: bool | None = True, subok: bool = False, ndmin: int = 0
) -> Tensor:
    x = _without_copy(object, strong(object, dtype), copy)
    return ops.expand_dims(x, axis=tuple(range(ndmin - x.ndim))) if x.ndim < ndmin else x


@implements(np.asarray, np.asanyarray)
def _asarray(a: Any, dtype: Any = None, *, copy: bool | None = None) -> Tensor:
    return _without_copy(a, strong(a, dtype), copy)


def _without_copy(given: Any, made: Tensor, copy: bool | None) -> Tensor:
    """An array, which must be the one that was given where no copy may be made of it.

    Raises
    ------
    ValueError
        In NumPy's words, where it is another one.
    """
    if copy is False and (made is not given or (type(made) is Symbol and not ops.is_array(made))):
        np.asarray([0], copy=False)
    return made


@implements(np.ascontiguousarray, np.asfortranarray)
def _in_memory_order(a: Any, dtype: Any = None) -> Tensor:
    x = strong(a, dtype)
    return ops.reshape(x, (1,)) if x.static_shape == () else x


@implements(np.copy)
def _copy(a: Any, subok: bool = False) -> Tensor:
    return strong(a)


@implements(getattr(np, "astype", None))
def _astype(x: Any, dtype: Any, /, *, copy: bool = True) -> Tensor:
    return strong(x, dtype)


@implements(np.arange)
def _arange(start_or_stop: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    step = 1 if step is None else step
    if dtype is None:  # a number of NumPy's own asks for no less than a number of Python's does
        dtype = ops.result_type(
            int64, *[strong(each) for each in (start_or_stop, stop, step) if each is not None]
        )
    result = ops.arange(start_or_stop, stop, step, dtype=dtype)
    if result.dtype == bool_:
        says = "arange() is only supported for booleans when the result has at most length 2."
        refuse_unless(ops.less_equal(ops.count_elements(result), 2), "TypeError", says)
    return result


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
    count = _number_of(num)
    parts = count - 1 if endpoint else count
    numbers = ops.arange(count, dtype=kind)
    if isinstance(parts, Tensor):
        points, step = _spread_by_count(first, last, numbers, parts)
    else:
        step = (last - first) / parts if parts > 0 else (last - first) * np.nan
        numbers = ops.reshape(numbers, (-1,) + (1,) * step.ndim)
        points = first + numbers * (step if parts > 0 else last - first)
    if endpoint:
        points = _with_end(points, count, last)
    if dtype is not None:
        whole_numbers = np.issubdtype(np.dtype(dtype), np.integer)
        points = ops.cast(ops.floor(points) if whole_numbers else points, dtype)
    points = ops.moveaxis(points, 0, axis)
    return (points, step) if retstep else points


def _number_of(num: Any) -> int | Tensor:
    """How many numbers there are to be."""
    count = count_of(num)
    message = "Number of samples, {0}, must be non-negative."
    if isinstance(count, Tensor):
        refuse_unless(ops.greater_equal(count, 0), "ValueError", message, count)
    elif count < 0:
        raise ValueError(message.format(count))
    return count


def _spread_by_count(first: Tensor, last: Tensor, numbers: Tensor, parts: Tensor) -> tuple[Tensor, Tensor]:
    """The numbers and their distance, where only the run knows how many parts there are."""
    width = last - first
    some = ops.greater(parts, 0)
    divisor = ops.cast(ops.maximum(parts, 1), width.dtype)
    step = width / divisor
    numbers = ops.reshape(numbers, (-1,) + (1,) * step.ndim)
    vanishes = ops.any(ops.equal(step, 0))  # in its own dtype, as a width between tiny numbers may
    inside = ops.where(vanishes, numbers / divisor * width, numbers * step)
    points = ops.where(some, inside, numbers * width) + first
    return points, ops.where(some, step, ops.cast(np.nan, step.dtype))


def _with_end(points: Tensor, count: int | Tensor, last: Tensor) -> Tensor:
    """Points along the first axis, the last of which is given where there are two or more."""
    if isinstance(count, Tensor):
        places = ops.reshape(ops.arange(count), (-1,) + (1,) * (points.ndim - 1))
        is_end = ops.logical_and(ops.equal(places, count - 1), ops.greater(count, 1))
        return ops.where(is_end, last, points)
    if count < 2:
        return points
    row = ops.broadcast_to(last, ops.shape(points)[1:])
    return ops.concat([points[:-1], ops.expand_dims(row, axis=0)])


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
    least = float64 if dtype is None else as_dtype(dtype)
    kind = ops.result_type(strong(start).dtype, strong(stop).dtype, 1.0, least)
    first, last = strong(start, kind), strong(stop, kind)
    nonzero = [ops.all(ops.not_equal(each, 0)) for each in (first, last)]
    refuse_unless(ops.logical_and(*nonzero), "ValueError", "Geometric sequence cannot include zero")
    sign = ops.sign(first)
    first, last = first / sign, last / sign
    points = _logspace(ops.log10(first), ops.log10(last), num, endpoint)
    count = _number_of(num)  # the ends are as they were given, and not the powers of their logarithms
    places = ops.reshape(ops.arange(count), (-1,) + (1,) * (points.ndim - 1))
    points = ops.where(ops.equal(places, 0), first, points)
    points = (_with_end(points, count, last) if endpoint else points) * sign
    points = ops.moveaxis(points, 0, axis)
    return points if dtype is None else ops.cast(points, dtype)


@implements(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    if not is_named(indexing, ("xy", "ij")):
        raise InvalidValue(f"`np.meshgrid` knows no indexing {indexing!r}", way_out="Give 'xy' or 'ij'.")
    places = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        places[:2] = [1, 0]
    shapes = [tuple([-1 if axis == place else 1 for axis in range(len(xi))]) for place in places]
    grids = [ops.reshape(strong(each), shape) for each, shape in zip(xi, shapes, strict=True)]
    return tuple(grids) if sparse else ops.broadcast_arrays(*grids)
