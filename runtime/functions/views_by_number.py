"""Views of NumPy arrays, as the numbers of the elements that they show."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Array, owner_of

__all__ = ["view_at"]


def view_at(whole: Array, numbers: Array) -> Array | None:
    """The view of an array that shows the elements of these numbers; None where there is no such view.

    Parameters
    ----------
    whole : array
    numbers : array of integers
        Those of elements as they follow each other row by row.
    """
    memory = _in_a_row(owner_of(whole))
    if memory is None or not numbers.size:
        return None
    at = np.unravel_index(numbers, whole.shape)
    begin = whole.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    offsets = np.asarray(sum((part * step for part, step in zip(at, whole.strides, strict=True)), begin))
    first = (0,) * offsets.ndim
    steps = [_step(offsets, axis) for axis in range(offsets.ndim)]
    grids = np.meshgrid(*map(np.arange, offsets.shape), indexing="ij", sparse=True)
    expected: Any = sum((grid * step for grid, step in zip(grids, steps, strict=True)), offsets[first])
    if not np.array_equal(offsets, np.broadcast_to(expected, offsets.shape)):
        return None
    return np.ndarray(offsets.shape, whole.dtype, memory, int(offsets[first]), tuple(steps))


def _in_a_row(memory: Array) -> Array | None:
    """Memory as one array without gaps."""
    return next((each for each in (memory, memory.T) if each.flags.c_contiguous), None)


def _step(offsets: Array, axis: int) -> int:
    """How many bytes are between one element and the next one along an axis."""
    if offsets.shape[axis] == 1:
        return 0
    ahead = np.moveaxis(offsets, axis, 0).reshape(offsets.shape[axis], -1)[:, 0]
    return int(ahead[1] - ahead[0])
