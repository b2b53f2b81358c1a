"""Order among elements: sorting, the greatest, places in a sorted row, limits."""

from __future__ import annotations

from typing import Any, Literal

from autograph.compat.tf.values import convert_to_tensor, together
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dtypes import int32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue

__all__ = ["argsort", "clip_by_value", "searchsorted", "sort", "top_k"]


def _is_ascending(direction: str) -> bool:
    """Whether TensorFlow's word for a direction of sorting means from the least to the greatest."""
    if direction not in {"ASCENDING", "DESCENDING"}:
        raise InvalidValue(
            f"there is no direction {direction!r} to sort in",
            why="Elements are sorted from the least to the greatest, or the other way round.",
            way_out="Give 'ASCENDING' or 'DESCENDING'.",
        )
    return direction == "ASCENDING"


def sort(values: TensorLike, axis: int = -1, direction: str = "ASCENDING", name: Any = None) -> Tensor:
    """`tf.sort`."""
    del name
    return ops.sort(convert_to_tensor(values), axis=axis, descending=not _is_ascending(direction))


def argsort(
    values: TensorLike, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: Any = None
) -> Tensor:
    """`tf.argsort`: int32 indices; always stable."""
    del stable, name
    tensor = convert_to_tensor(values)
    return ops.cast(ops.argsort(tensor, axis=axis, descending=not _is_ascending(direction)), int32)


class TopK(NamedTuple):
    """The greatest elements along the last axis, and where they were."""

    values: Tensor
    indices: Tensor


def top_k(input: TensorLike, k: int = 1, sorted: bool = True, name: Any = None) -> TopK:
    """`tf.math.top_k`: the greatest first, with int32 indices."""
    del sorted, name
    tensor = convert_to_tensor(input)
    order = ops.argsort(tensor, axis=-1, descending=True)
    indices = ops.take(order, ops.arange(k), axis=-1)
    return TopK(ops.take_along_axis(tensor, indices, axis=-1), ops.cast(indices, int32))


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: Literal["left", "right"] = "left",
    out_type: Any = int32,
    name: Any = None,
) -> Tensor:
    """`tf.searchsorted` in one sorted row."""
    del name
    row, wanted = together(sorted_sequence, values)
    return ops.cast(ops.searchsorted(row, wanted, side=side), out_type)


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: Any = None
) -> Tensor:
    """`tf.clip_by_value`."""
    del name
    tensor, least, greatest = together(t, clip_value_min, clip_value_max)
    return ops.minimum(ops.maximum(tensor, least), greatest)
