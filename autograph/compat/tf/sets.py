"""`tf.sets`: the numbers in each row of two tensors as sets; what comes out is sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.compat.tf import segments, sparse
from autograph.compat.tf.arrays import shape
from autograph.compat.tf.sparse import SparseTensor
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int32, int64
from runtime.core.tensor import Tensor, TensorLike

__all__ = ["difference", "intersection", "size", "union"]


def _pairs(rows: Any) -> tuple[Tensor, Tensor]:
    """Row and number of each element of a matrix, dense or sparse."""
    if isinstance(rows, SparseTensor):
        return rows.indices[:, 0], rows.values
    matrix = convert_to_tensor(rows)
    ids = ops.expand_dims(ops.cast(ops.arange(ops.shape(matrix)[0]), int64), axis=1)
    return ops.flatten(ops.broadcast_to(ids, ops.shape(matrix))), ops.flatten(matrix)


def _operation(name: str, says: str, keep: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., SparseTensor]:
    def call(a: Any, b: Any, validate_indices: bool = True, aminusb: bool = True) -> SparseTensor:
        del validate_indices
        if not aminusb:
            a, b = b, a
        (rows, numbers), (others, theirs) = _pairs(a), _pairs(b)
        count = a.dense_shape[0] if isinstance(a, SparseTensor) else shape(a, int64)[0]
        values = ops.unique_values(ops.concat([numbers, theirs]))
        width = ops.cast(ops.shape(values)[0], int64)
        ours = rows * width + ops.cast(ops.searchsorted(values, numbers), int64)
        others = others * width + ops.cast(ops.searchsorted(values, theirs), int64)
        keys = ops.unique_values(ops.concat([ours, others]))
        keys = keys[keep(ops.isin(keys, ours), ops.isin(keys, others))]
        row, number = keys // width, ops.take(values, keys % width, axis=0)
        starts = ops.searchsorted(row, ops.arange(count))
        column = ops.arange(ops.cast(ops.shape(row)[0], int64)) - ops.take(
            ops.cast(starts, int64), row, axis=0
        )
        longest = ops.max(segments.unsorted_segment_sum(ops.ones_like(row), row, count))
        return SparseTensor(ops.stack([row, column], axis=1), number, ops.stack([count, longest]))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.sets.{name}`: {says}"
    return call


intersection = _operation("intersection", "the numbers that both rows have.", lambda a, b: a & b)
union = _operation("union", "the numbers that one of both rows has.", lambda a, b: a | b)
difference = _operation("difference", "the numbers of the first row alone.", lambda a, b: a & ~b)


def size(a: TensorLike, validate_indices: bool = True) -> Tensor:
    """`tf.sets.size`: how many numbers each row of a sparse tensor has."""
    del validate_indices
    whole: Any = a
    ones = whole.with_values(ops.ones_like(whole.values, dtype=int32))
    found: Tensor = sparse.reduce_sum(ones, axis=-1)
    return found
