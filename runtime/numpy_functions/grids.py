"""What NumPy's objects make that are asked by an index: `np.r_[x, 1]`, `np.c_[x, y]`, `np.mgrid[:n, :3]`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Operators, Tensor
from runtime.errors import InvalidValue
from runtime.numpy_functions.creating import linspace
from runtime.numpy_functions.operands import refuse_unless, strong

__all__ = ["taken_by_index"]


def taken_by_index(source: Any, key: Any) -> Any:
    """`np.r_[key]`, `np.c_[key]`, `np.mgrid[key]` or `np.ogrid[key]`, where a tensor is in the key."""
    if source is np.r_:
        return _joined(key, axis=0, rank=1, place=-1)
    if source is np.c_:
        return _joined(key, axis=-1, rank=2, place=0)
    return _grid(key, is_open=source is np.ogrid)


def _joined(key: Any, axis: int, rank: int, place: int) -> Tensor:
    """The parts of a key, each of `rank` axes or more, one behind the other.

    Parameters
    ----------
    key : slice, number, array, or tuple of these
    axis : int
        Along which they lie.
    rank : int
    place : int
        Where the axes of a part with fewer axes are among those that it gets.
    """
    parts: list[Tensor] = []
    items = key if isinstance(key, tuple) else (key,)
    taken = [_numbers(item) if isinstance(item, slice) else item for item in items]
    given = [item for item in taken if not isinstance(item, str)]
    dtype = ops.result_type(*[item if _is_number(item) else strong(item).dtype for item in given])
    for number, item in enumerate(taken):
        if isinstance(item, str):
            axis, rank, place = _directive(item, number, (axis, rank, place))
            continue
        part = strong(item, dtype)
        missing = rank - part.ndim
        if missing > 0:
            own = part.ndim
            part = ops.expand_dims(part, axis=tuple(range(missing)))
            if place != -1 and own:
                front = place if place >= 0 else place + missing + 1
                axes = [*range(missing), *range(missing, rank)]
                part = ops.transpose(part, [*axes[:front], *axes[missing:], *axes[front:missing]])
        parts.append(part)
    return ops.concat(parts, axis=axis)


def _is_number(item: Any) -> bool:
    """Whether a part of a key is a number, which gives way to arrays where it is one of Python's."""
    return isinstance(item, (bool, int, float, complex)) or (
        isinstance(item, Operators) and not strong(item).ndim
    )


def _directive(text: str, number: int, before: tuple[int, int, int]) -> tuple[int, int, int]:
    """What a text in a key says of all parts: the axis, how many axes they have, and where these are."""
    if number:
        raise ValueError("special directives must be the first entry.")
    if text in {"r", "c"}:
        raise InvalidValue(
            f"`np.r_[{text!r}, …]` makes a matrix", way_out="Write `np.c_` or `np.r_`, which make arrays."
        )
    unknown = ValueError(
        f"unknown special directive {text!r}" if "," in text else "unknown special directive"
    )
    try:
        given = [int(each) for each in text.split(",")]
    except ValueError:
        raise unknown from None
    if len(given) > 3:
        raise unknown
    axis, rank, place = [*given, *before[len(given) :]]
    return axis, rank, place


def _numbers(part: slice) -> Tensor:
    """The numbers that a slice stands for; those of an imaginary step are so many, and the stop is one."""
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    if isinstance(step, complex):
        points: Tensor = linspace(start, part.stop, int(abs(step)))
        return points
    return ops.arange(start, part.stop, step)


def _grid(key: Any, is_open: bool) -> Any:
    """The places of a grid along each of its axes."""
    if isinstance(key, slice):
        return _numbers(key) if not isinstance(key.step, complex) else _along(key, None)
    bounds = [
        bound
        for each in key
        for bound in (
            0 if each.start is None else each.start,
            each.stop,
            1 if each.step is None else abs(each.step) if isinstance(each.step, complex) else each.step,
        )
    ]
    dtype = ops.result_type(0, *bounds)
    lines = [_along(each, dtype) for each in key]
    if not is_open:
        _require_lengths(key)
    shaped = [
        ops.reshape(line, tuple([-1 if axis == place else 1 for axis in range(len(lines))]))
        for place, line in enumerate(lines)
    ]
    if is_open:
        return tuple(shaped)
    return ops.stack([ops.cast(each, dtype) for each in ops.broadcast_arrays(*shaped)])


def _along(part: slice, dtype: Any) -> Tensor:
    """The places along one axis of a grid, counted in a dtype."""
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    if isinstance(step, complex):
        count: Any = int(abs(step))
        dtype = ops.result_type(start, part.stop, abs(step)) if dtype is None else dtype
        step = (part.stop - start) / float(count - 1) if count != 1 else count
    else:
        count = _count(part)
    return ops.arange(count, dtype=dtype) * step + start


def _count(part: slice) -> Any:
    """How many numbers a slice stands for, below zero where its step leads away from the stop."""
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    exact = (part.stop - start) / step
    return ops.cast(ops.ceil(exact), np.int64) if isinstance(exact, Operators) else math.ceil(exact)


def _require_lengths(key: Sequence[slice]) -> None:
    for part in key:
        if not isinstance(part.step, complex):
            least = ops.greater_equal(_count(part), 0)
            refuse_unless(least, "ValueError", "negative dimensions are not allowed")
