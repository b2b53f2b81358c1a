"""Elements chosen by place or by condition."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import bool_, int64
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import is_weak
from runtime.numpy_functions.operands import (
    as_indices,
    dims,
    known,
    number,
    place_of,
    refuse_unless,
    require_rank,
    strong,
    together,
)
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import mode_of
from runtime.ops.known import as_constant
from runtime.ops.promotion import computed_with

__all__: list[str] = []


@implements(np.where)
def _where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None and y is None:
        return ops.nonzero(strong(condition))
    if x is None or y is None:
        raise InvalidValue("`np.where` got one value", way_out="Give both values, or neither.")
    first, second = _weighed(x, y)
    if _WHERE_REFUSES:
        first, second = _fitting(first, second), _fitting(second, first)
    return ops.where(strong(condition), first, second)


def _refuses_what_does_not_fit() -> bool:
    """Whether this NumPy's `where` refuses an int that is no element of the dtype beside it: 2.5 does."""
    try:
        np.where(True, np.int8(1), 300)
    except OverflowError:
        return True
    return False


_WHERE_REFUSES = _refuses_what_does_not_fit()


def _fitting(value: Any, other: Any) -> Any:
    """A value; an int of Python's for which the dtype of the other has no room raises when the graph runs."""
    is_whole = isinstance(value, Tensor) and is_weak(value) and value.dtype.is_integer
    return computed_with(value, other.dtype) if is_whole and other.dtype.is_integer else value


def _weighed(x: Any, y: Any) -> tuple[Any, Any]:
    """Two values; if both are Python's numbers, they get dtypes of their own."""
    return (strong(x), strong(y)) if is_weak(x) and is_weak(y) else (number(x), number(y))


@implements(np.take)
def _take(a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Tensor:
    x, places, mode = strong(a), as_indices(indices), mode_of(mode)
    if mode != "raise":
        length = ops.size(x) if axis is None else ops.dimension(x, place_of(axis, x, "np.take"))
        places = ops.remainder(places, length) if mode == "wrap" else ops.clip(places, 0, length - 1)
    return ops.take(ops.flatten(x), places, axis=0) if axis is None else ops.take(x, places, axis=axis)


@implements(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Tensor:
    x = strong(arr)
    if axis is None:
        return ops.take_along_axis(ops.flatten(x), strong(indices), axis=0)
    return ops.take_along_axis(x, strong(indices), axis=axis)


@implements(np.choose)
def _choose(a: Any, choices: Any, mode: str = "raise") -> Tensor:
    places, mode = strong(a), mode_of(mode)
    chosen, *arrays = ops.broadcast_arrays(places, *together(list(choices)))
    if mode != "raise":
        count = len(arrays)
        chosen = ops.remainder(chosen, count) if mode == "wrap" else ops.clip(chosen, 0, count - 1)
    chosen = ops.take_along_axis(ops.stack(arrays), ops.expand_dims(chosen, axis=0), axis=0)
    return ops.squeeze(chosen, 0)


@implements(np.select)
def _select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Tensor:
    if len(condlist) != len(choicelist):
        raise InvalidValue(
            f"{len(condlist)} conditions choose among {len(choicelist)} values",
            way_out="Give one value for each condition.",
        )
    dtype = ops.result_type(*map(number, choicelist), number(default))
    result = ops.cast(strong(default), dtype)  # as `np.full` and `np.copyto` cast arrays
    for condition, choice in reversed(list(zip(condlist, map(strong, choicelist), strict=True))):
        ops.require_castable("np.select", choice.dtype, dtype)
        result = ops.where(strong(condition), ops.cast(choice, dtype), result)
    return result


@implements(np.piecewise)
def _piecewise(
    x: Any, condlist: Any, funclist: Sequence[Callable[..., Any] | float], *args: Any, **kw: Any
) -> Tensor:
    tensor = strong(x)
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    values = [each(tensor, *args, **kw) if callable(each) else each for each in funclist]
    result = strong(values[len(conditions)] if len(values) > len(conditions) else 0, tensor.dtype)
    result = ops.broadcast_to(result, ops.shape(tensor))
    for condition, value in zip(conditions, values, strict=False):
        result = ops.where(strong(condition), strong(value, tensor.dtype), result)
    return result


@implements(np.compress)
def _compress(condition: Any, a: Any, axis: int | None = None) -> Tensor:
    x = ops.flatten(strong(a)) if axis is None else strong(a)
    chosen = require_rank(strong(condition), 1, "np.compress")
    return ops.take(x, ops.nonzero(chosen)[0], axis=0 if axis is None else axis)


@implements(np.extract)
def _extract(condition: Any, arr: Any) -> Tensor:
    return _compress(ops.flatten(strong(condition)), ops.flatten(strong(arr)))


@implements(np.nonzero)
def _nonzero(a: Any) -> tuple[Tensor, ...]:
    return ops.nonzero(strong(a))


@implements(np.argwhere)
def _argwhere(a: Any) -> Tensor:
    return ops.argwhere(strong(a))


@implements(np.flatnonzero)
def _flatnonzero(a: Any) -> Tensor:
    return ops.nonzero(ops.flatten(strong(a)))[0]


@implements(np.ix_)
def _ix(*args: Any) -> tuple[Tensor, ...]:
    places = [require_rank(as_indices(each), 1, "np.ix_") for each in args]
    places = [ops.nonzero(each)[0] if each.dtype is bool_ else each for each in places]
    return tuple(
        [
            ops.reshape(each, (1,) * number + (-1,) + (1,) * (len(places) - number - 1))
            for number, each in enumerate(places)
        ]
    )


@implements(np.unravel_index)
def _unravel_index(indices: Any, shape: Any) -> tuple[Tensor, ...]:
    places = _whole_places(indices)
    lengths = _lengths(shape, "`shape`")
    _require_inside(places, math.prod(lengths))
    result: list[Tensor] = []
    for length in reversed(lengths):
        result.insert(0, ops.remainder(places, length))
        places = ops.floor_divide(places, length)
    return tuple(result)


@implements(np.ravel_multi_index)
def _ravel_multi_index(multi_index: Any, dims: Any, mode: str = "raise") -> Tensor:
    lengths, mode = _lengths(dims, "`dims`"), mode_of(mode)
    place: Any = 0
    for part, length in zip(multi_index, lengths, strict=True):
        each = _whole_places(part)
        if mode == "raise":
            _require_inside(each, length)
        else:
            each = ops.remainder(each, length) if mode == "wrap" else ops.clip(each, 0, length - 1)
        place = place * length + each
    return strong(place)


def _lengths(shape: Any, what: str) -> list[Any]:
    """The lengths of axes: integers, or tensors of those that only the run knows."""
    if isinstance(shape, list | tuple) and any(isinstance(each, Tensor) for each in shape):
        return list(shape)
    found: list[Any] = np.atleast_1d(known(shape, what)).tolist()
    return found


def _whole_places(indices: Any) -> Tensor:
    """Places in an array, counted by integers."""
    places = strong(indices)
    if not places.dtype.is_integer:
        raise DTypeError(f"places that are {places.dtype}", way_out="Cast them: `places.astype(int)`.")
    return ops.cast(places, int64)


def _require_inside(places: Tensor, length: Any) -> None:
    """Refuses places that are not among so many."""
    inside = ops.logical_and(ops.greater_equal(places, 0), ops.less(places, length))
    says = "one of the places {0} is not among {1}"
    refuse_unless(ops.all(inside), "InvalidValue", says, places, strong(length))


def _indices_from(arr: Any, indices: Callable[..., tuple[np.ndarray[Any, Any], ...]], *options: Any) -> Any:
    """The indices that NumPy gives for the shape of an array, which must be known."""
    shape = [int(known(length, "the shape of the matrix")) for length in dims(strong(arr))]
    return tuple([as_constant(each) for each in indices(*shape[:1], *options, *shape[1:])])


@implements(np.tril_indices_from)
def _tril_indices_from(arr: Any, k: int = 0) -> tuple[Tensor, ...]:
    return tuple(_indices_from(require_rank(strong(arr), 2, "np.tril_indices_from"), np.tril_indices, k))


@implements(np.triu_indices_from)
def _triu_indices_from(arr: Any, k: int = 0) -> tuple[Tensor, ...]:
    return tuple(_indices_from(require_rank(strong(arr), 2, "np.triu_indices_from"), np.triu_indices, k))


@implements(np.diag_indices_from)
def _diag_indices_from(arr: Any) -> tuple[Tensor, ...]:
    x = strong(arr)
    lengths = {length for length in x.static_shape or () if isinstance(length, int)}
    if x.ndim < 2 or len(lengths) > 1:
        raise ShapeError(
            f"`np.diag_indices_from` of {x.spec}",
            why="Two axes or more of one length have a diagonal.",
            way_out="Give it a square part of the array.",
        )
    return tuple(_indices_from(x, lambda length, *rest: np.diag_indices(length, 1 + len(rest))))
