"""Functions applied along an axis, or over several."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue, NoConcreteValue
from runtime.numpy_functions.operands import dims, known_rank, strong, whole
from runtime.numpy_functions.table import implements

__all__: list[str] = []


@implements(np.apply_along_axis)
def _along_axis(func1d: Callable[..., Any], axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Tensor:
    x = strong(arr)
    axis = normalise_axis(
        whole(axis, "the axis of `np.apply_along_axis`"), known_rank(x, "np.apply_along_axis")
    )
    last = ops.moveaxis(x, axis, -1)
    around = (last.static_shape or ())[:-1]
    if not shapes.is_known(around):
        raise NoConcreteValue(
            f"`np.apply_along_axis` along axis {axis} of {x.spec}",
            why="The function is called for each slice, so their number must be known while tracing.",
            way_out="Give the function an `input_signature` with these lengths, or loop over the slices.",
        )
    slices = [last[place] for place in np.ndindex(*map(operator.index, around))]  # type: ignore[arg-type]  # known
    if not slices:
        raise InvalidValue(
            "`np.apply_along_axis` of a tensor without slices", why="There is nothing to call."
        )
    first, *others = [strong(func1d(each, *args, **kwargs)) for each in slices]
    results = [first, *[ops.cast(each, first.dtype) for each in others]]  # the first makes the array
    inner = dims(results[0])
    whole_result = ops.reshape(ops.stack(results), (*around, *inner))
    count = len(around)
    return ops.moveaxis(whole_result, range(count, count + len(inner)), range(axis, axis + len(inner)))


@implements(np.apply_over_axes)
def _over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Tensor:
    result = strong(a)
    rank = known_rank(result, "np.apply_over_axes")
    for axis in np.atleast_1d(axes).tolist():
        reduced = strong(func(result, normalise_axis(axis, rank)))
        result = (
            reduced if reduced.ndim == rank else ops.expand_dims(reduced, axis=normalise_axis(axis, rank))
        )
    return result
