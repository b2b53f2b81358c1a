"""Elements in order, and where a value belongs among them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import complex64, complex128
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.graph.build import bind
from runtime.numpy_functions.operands import (
    place_of,
    refuse_unless,
    require_one_shape,
    require_rank,
    strong,
    together,
)
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import checked_axis
from runtime.ops.sorting import ArgPartition, ArgSort, Partition, Sort, kind_of_order

__all__: list[str] = []


def _flat(x: Tensor, axis: int | None) -> tuple[Tensor, int]:
    return (ops.flatten(x), 0) if axis is None else (x, axis)


@implements(np.sort)
def _sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> Tensor:
    return _in_order(Sort, a, axis, kind, stable, descending)


@implements(np.argsort)
def _argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> Tensor:
    return _in_order(ArgSort, a, axis, kind, stable, descending)


def _in_order(
    op: type[Sort | ArgSort],
    a: Any,
    axis: int | None,
    kind: Any = None,
    stable: bool | None = None,
    descending: bool | None = None,
) -> Tensor:
    x, place = _flat(strong(a), axis)
    return bind(op(checked_axis(place, x), bool(descending), kind_of_order(kind, stable)), x)


@implements(np.sort_complex)
def _sort_complex(a: Any) -> Tensor:
    x = strong(a)
    small = x.dtype.is_integer and x.dtype.numpy.itemsize < 4
    return ops.cast(_sort(x), x.dtype if x.dtype.is_complex else complex64 if small else complex128)


@implements(np.partition)
def _partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect") -> Tensor:
    return _parted(Partition, a, kth, axis)


@implements(np.argpartition)
def _argpartition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect") -> Tensor:
    return _parted(ArgPartition, a, kth, axis)


def _parted(op: type[Partition | ArgPartition], a: Any, kth: Any, axis: int | None) -> Tensor:
    x, place = _flat(strong(a), axis)
    _require_places(kth, x, place)
    return bind(op(checked_axis(place, x)), x, strong(kth))


def _require_places(kth: Any, x: Tensor, axis: int) -> None:
    """Refuses places that an axis does not have."""
    length: Any = ops.dimension(x, place_of(axis, x, "np.partition"))
    places = strong(kth)
    inside = ops.logical_and(ops.greater_equal(places, -length), ops.less(places, length))
    fits = ops.logical_or(ops.all(inside), ops.equal(length, 0))
    refuse_unless(fits, "InvalidValue", "`np.partition` at {0} of {1} elements", places, length)


@implements(np.lexsort)
def _lexsort(keys: Any, axis: int = -1) -> Tensor:
    rows = together(list(keys)) if isinstance(keys, (list, tuple)) else list(ops.unstack(strong(keys)))
    if not rows:
        raise DTypeError("`np.lexsort` of no keys", way_out="Give it a sequence of arrays of one shape.")
    for key in rows[1:]:
        require_one_shape(rows[0], key, "np.lexsort")
    first, *others = rows
    order = ops.argsort(first, axis=axis)
    for key in others:
        following = ops.argsort(ops.take_along_axis(key, order, axis=axis), axis=axis)
        order = ops.take_along_axis(order, following, axis=axis)
    return order


@implements(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Tensor:
    return ops.searchsorted(strong(a), strong(v), side=side, sorter=sorter)


@implements(np.digitize)
def _digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    values, edges = strong(x), strong(bins)
    if values.dtype.is_complex or edges.dtype.is_complex:
        raise DTypeError("`np.digitize` of complex numbers", why="They are not ordered.")
    require_rank(edges, 1, "np.digitize")
    side: Any = "left" if right else "right"
    rising, falling = ops.greater(edges[1:], edges[:-1]), ops.less(edges[1:], edges[:-1])
    changing = ops.not_equal(edges[1:], edges[:-1])
    is_first = ops.logical_and(changing, ops.equal(ops.cumulative_sum(changing), 1))
    falls = ops.any(ops.logical_and(is_first, ops.logical_not(rising)))  # so do edges that begin with a NaN
    refuse_unless(
        ops.logical_not(ops.any(ops.where(falls, rising, falling))),
        "InvalidValue",
        "`np.digitize` into {0}, which go up and down",
        edges,
    )
    places = ops.searchsorted(ops.where(falls, ops.flip(edges), edges), values, side=side)
    return ops.where(falls, ops.size(edges) - places, places)
