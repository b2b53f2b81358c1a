"""How many numbers a range has, of any bounds and steps of 64 bits.

How far two of them are from each other takes one bit more. Where one is known, the other one is moved to
where the distance has room; else that is counted without a sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64, uint64
from runtime.graph.build import as_tensor, is_symbolic
from runtime.ops.known import known_dim

__all__ = ["MOST", "count_of_range", "may_be_longer"]

MOST = 2**63 - 1
"""What a longer range counts as: nobody comes to the end of either."""

_ALL_BITS = 2**64 - 1


def count_of_range(start: Any, stop: Any, step: Any) -> Any:
    """How many numbers a range has, or `MOST`; what is negative stands for none."""
    start, stop, step = map(_known, (start, stop, step))
    low, high = (stop, start) if isinstance(step, int) and step < 0 else (start, stop)
    size = abs(step) if isinstance(step, int) else None
    if size is not None and isinstance(low, int) and isinstance(high, int):
        return min(-((low - high) // size), MOST)
    distance = None if size is None or size > MOST else _signed(low, high, is_exact=size != 1)
    if size is not None and distance is not None:
        return distance if size == 1 else -(-distance // size)
    return _unsigned(start, stop, step)


def may_be_longer(start: Any, stop: Any, step: Any) -> bool:
    """Whether a range may have more numbers than `MOST`."""
    start, stop, step = map(_known, (start, stop, step))
    low, high = (stop, start) if isinstance(step, int) and step < 0 else (start, stop)
    if not isinstance(step, int):
        return True
    is_apart = (isinstance(low, int) and low >= 0) or (isinstance(high, int) and high < 0)
    return not (abs(step) > 2 or is_apart or (_is_length(low) and _is_length(high)))


def _known(bound: Any) -> Any:
    return bound if is_symbolic(bound) else int(bound)


def _signed(low: Any, high: Any, *, is_exact: bool) -> Any:
    """How far it is up from one bound to another, in 63 bits; None where these may be too few.

    Unless it has to be exact, what is longer may be as long as there is room for.
    """
    if isinstance(low, int) and low == 0 and not is_exact:
        return high
    if _is_length(low) and _is_length(high):
        return high - low
    if isinstance(low, int):
        if low < 0 and is_exact:
            return None
        high = ops.maximum(high, low)
        return ops.subtract(high if low >= 0 else ops.minimum(high, MOST + low), low)
    if isinstance(high, int):
        if high >= 0 and is_exact:
            return None
        low = ops.minimum(low, high)
        return ops.subtract(high, low if high < 0 else ops.maximum(low, high - MOST))
    return None


def _is_length(bound: Any) -> bool:
    """Whether a bound is 0 or more: the length of something, or a number that is known."""
    return bound >= 0 if isinstance(bound, int) else known_dim(as_tensor(bound)) is not UNKNOWN


def _unsigned(start: Any, stop: Any, step: Any) -> Any:
    """The same for all bounds, counted without a sign."""
    goes_up = step > 0 if isinstance(step, int) else ops.greater(step, 0)
    up, down = ops.subtract(_bits(stop), _bits(start)), ops.subtract(_bits(start), _bits(stop))
    if isinstance(step, int):
        distance, size = (up, _bits(step)) if goes_up else (down, _bits(-step))
        has_any = ops.less(start, stop) if goes_up else ops.less(stop, start)
    else:
        distance = ops.where(goes_up, up, down)
        size = ops.where(goes_up, _bits(step), ops.subtract(_bits(0), _bits(step)))
        size = ops.maximum(size, _bits(1))  # a step of 0 has been refused
        has_any = ops.where(goes_up, ops.less(start, stop), ops.less(stop, start))
    last = ops.floor_divide(ops.subtract(distance, _bits(1)), size)
    count = ops.cast(ops.minimum(last, _bits(MOST - 1)), int64)
    return ops.where(has_any, ops.add(count, 1), 0)


def _bits(bound: Any) -> Any:
    """A number without its sign, in the same 64 bits."""
    return np.uint64(bound & _ALL_BITS) if isinstance(bound, int) else ops.cast(as_tensor(bound), uint64)
