"""Differences, gradients, areas; vectors as functions sampled at points."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import float64
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import bind
from runtime.numpy_functions.operands import (
    counts_of,
    known_rank,
    place_of,
    placed,
    refuse_unless,
    require_rank,
    strong,
    to_inexact,
    whole,
)
from runtime.numpy_functions.table import implements
from runtime.ops.signals import Convolve, Correlate, Interp

__all__: list[str] = []


@implements(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    x = strong(a)
    sides = [None if each is None else _slice_like(x, strong(each), axis) for each in (prepend, append)]
    return ops.diff(x, axis=axis, n=whole(n, "`n`"), prepend=sides[0], append=sides[1])


def _slice_like(x: Tensor, side: Tensor, axis: int) -> Tensor:
    """What is laid beside `x`: a single number stands for a whole slice."""
    if side.ndim:
        return side
    place = place_of(axis, x, "np.diff")
    return ops.broadcast_to(side, [1 if each == place else ops.shape(x)[each] for each in range(x.ndim)])


@implements(np.ediff1d)
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    x = ops.flatten(strong(ary))
    begin, end = [[] if side is None else [ops.flatten(_beside(side, x))] for side in (to_begin, to_end)]
    return ops.concat([*begin, x[1:] - x[:-1], *end])


def _beside(side: Any, x: Tensor) -> Tensor:
    """What stands at an end of differences, in their dtype."""
    found = strong(side)
    if not np.can_cast(found.dtype.numpy, x.dtype.numpy, "same_kind"):
        raise DTypeError(
            f"{found.dtype} beside differences of {x.dtype}",
            why="`np.ediff1d` keeps the dtype of its array.",
            way_out="Cast one of them: `x.astype(float)`.",
        )
    return ops.cast(found, x.dtype)


@implements(getattr(np, "trapezoid", None), getattr(np, "trapz", None))
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor:
    heights = strong(y)
    place = place_of(axis, heights, "np.trapezoid")
    widths = dx
    if x is not None:
        points = strong(x)
        widths = ops.diff(points, axis=-1 if points.ndim == 1 else axis)
        if points.ndim == 1:
            widths = ops.reshape(widths, tuple([-1 if each == place else 1 for each in range(heights.ndim)]))
    both = heights[placed(place, slice(1, None))] + heights[placed(place, slice(None, -1))]
    return ops.sum(widths * both / 2.0, axis=axis)


@implements(np.gradient)
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = to_inexact(strong(f))
    axes = range(known_rank(x, "np.gradient")) if axis is None else (axis,) if isinstance(axis, int) else axis
    places = [place_of(each, x, "np.gradient") for each in axes]
    if len(set(places)) < len(places):
        raise ShapeError(
            f"`np.gradient` along {axis}", why="An axis is named twice.", way_out="Name it once."
        )
    if x.dtype is not strong(f).dtype and strong(f).dtype.is_bool:
        raise DTypeError("`np.gradient` of truth values", why="They have no differences.")
    for_all = len(varargs) == 1 and strong(varargs[0]).ndim == 0
    spacings = varargs * len(places) if for_all else varargs or (1.0,) * len(places)
    if len(spacings) != len(places):
        raise DTypeError(
            f"`np.gradient` got {len(spacings)} spacings for {len(places)} axes",
            way_out="Give one for each axis, or one number for all.",
        )
    if edge_order > 2:
        raise InvalidValue(f"`np.gradient` with edge_order={edge_order}", way_out="Give 1 or 2.")
    slopes = tuple(
        [_slope(x, spacing, place, edge_order) for spacing, place in zip(spacings, places, strict=True)]
    )
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(x: Tensor, spacing: Any, axis: int, edge_order: int) -> Tensor:
    """Central differences within, one-sided ones at both ends."""
    points = strong(spacing)
    if points.ndim > 1:
        require_rank(points, 1, "np.gradient")
    length = ops.dimension(x, axis)
    refuse_unless(
        ops.greater(length, edge_order),
        "ValueError",
        "Shape of array too small to calculate a numerical gradient, "
        "at least (edge_order + 1) elements are required.",
    )
    if points.ndim:
        refuse_unless(
            ops.equal(ops.size(points), length),
            "ValueError",
            "when 1d, distances must match the length of the corresponding dimension",
        )
    steps = (
        ops.diff(ops.cast(points, float64) if points.dtype.is_integer else points) if points.ndim else None
    )

    def part(start: int | None, stop: int | None) -> Tensor:
        return x[placed(axis, slice(start, stop))]

    def step(start: int | None, stop: int | None) -> Any:
        if steps is None:
            return spacing
        return ops.reshape(steps[start:stop], tuple([-1 if each == axis else 1 for each in range(x.ndim)]))

    before, after = step(None, -1), step(1, None)
    if steps is None:
        within = (part(2, None) - part(None, -2)) / (2.0 * spacing)
    else:
        within = (
            part(None, -2) * (-after / (before * (before + after)))
            + part(1, -1) * ((after - before) / (before * after))
            + part(2, None) * (before / (after * (before + after)))
        )
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / step(0, 1)
        last = (part(-1, None) - part(-2, -1)) / step(-1, None)
    else:
        first = _curved([part(0, 1), part(1, 2), part(2, 3)], *_weights(steps, step(0, 1), step(1, 2)))
        ends = _weights(steps, step(-1, None), step(-2, -1))
        last = _curved([part(-3, -2), part(-2, -1), part(-1, None)], *[-each for each in reversed(ends)])
    return ops.concat([ops.cast(each, x.dtype) for each in (first, within, last)], axis=axis)


def _weights(steps: Tensor | None, near: Any, far: Any) -> tuple[Any, Any, Any]:
    """How much three points count for the slope at the first, by the parabola through them."""
    if steps is None:
        return -1.5 / near, 2.0 / near, -0.5 / near
    both = near + far
    return -(2.0 * near + far) / (near * both), both / (near * far), -near / (far * both)


def _curved(values: list[Tensor], *weights: Any) -> Tensor:
    products = [value * weight for value, weight in zip(values, weights, strict=True)]
    slope: Tensor = products[0] + products[1] + products[2]
    return slope


@implements(np.interp)
def _interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None
) -> Tensor:
    places, points, values = strong(x), strong(xp), strong(fp)
    result = bind(Interp(period), places, points, values)
    if period is not None:
        return result
    if left is not None:
        result = ops.where(ops.less(places, points[0]), ops.cast(strong(left), result.dtype), result)
    if right is not None:
        result = ops.where(ops.greater(places, points[-1]), ops.cast(strong(right), result.dtype), result)
    return result


@implements(np.convolve)
def _convolve(a: Any, v: Any, mode: Any = "full") -> Tensor:
    return bind(Convolve(_mode(mode)), _vector(a), _vector(v))


@implements(np.correlate)
def _correlate(a: Any, v: Any, mode: Any = "valid") -> Tensor:
    x, y = [require_rank(strong(each), 1, "np.correlate") for each in (a, v)]
    return bind(Correlate(_mode(mode)), x, y)


def _vector(x: Any) -> Tensor:
    tensor = strong(x)
    return tensor if tensor.ndim else ops.reshape(tensor, (1,))


def _mode(mode: Any) -> Any:
    if mode not in {"full", "same", "valid"}:
        raise InvalidValue(f"mode {mode!r}", way_out="The modes are 'full', 'same' and 'valid'.")
    return mode


@implements(np.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False) -> Tensor:
    tensor = strong(x)
    rank = known_rank(tensor, "sliding_window_view")
    sizes = counts_of(window_shape)
    axes = tuple(range(len(sizes))) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if len(sizes) != len(axes) or (axis is None and len(sizes) != rank):
        raise ShapeError(
            f"windows of shape {sizes} do not say which axes of {tensor.spec} they slide along",
            way_out="Name them: `axis=(0, 1)`.",
        )
    for size, each in zip(sizes, axes, strict=True):
        place = normalise_axis(each, rank)
        refuse_unless(
            ops.greater_equal(size, 0), "ValueError", "`window_shape` cannot contain negative values"
        )
        count = ops.dimension(tensor, place) - size + 1
        refuse_unless(
            ops.greater(count, 0), "ValueError", "window shape cannot be larger than input array shape"
        )
        starts = ops.arange(count)
        within = ops.expand_dims(starts, axis=1) + ops.arange(size)
        tensor = ops.moveaxis(ops.take(tensor, within, axis=place), place + 1, -1)
    return tensor
