"""What is added up, counted or picked by groups: segments, histograms, scattering, partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.compat.tf.values import convert_to_tensor, known_integers, together
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dtypes import DType, float64, int32, int64
from runtime.core.dtypes import bool_ as boolean
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.gathering.by_coordinates import coordinates
from runtime.ops.updating import (
    AdvancedAdd,
    AdvancedCombine,
    AdvancedDivide,
    AdvancedMaximum,
    AdvancedMinimum,
    AdvancedMultiply,
    AdvancedSubtract,
    combine_item,
)

__all__ = [
    "SCATTER_ADD",
    "SCATTER_DIVIDE",
    "SCATTER_MAXIMUM",
    "SCATTER_MINIMUM",
    "SCATTER_MULTIPLY",
    "SCATTER_SUBTRACT",
    "Combine",
    "bincount",
    "confusion_matrix",
    "dynamic_partition",
    "dynamic_stitch",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "in_top_k",
    "invert_permutation",
    "reverse_sequence",
    "scatter_nd",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "sequence_mask",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]

Combine = tuple[type[AdvancedCombine], Callable[..., Tensor]]
SCATTER_ADD: Combine = (AdvancedAdd, ops.add)
SCATTER_SUBTRACT: Combine = (AdvancedSubtract, ops.subtract)
SCATTER_DIVIDE: Combine = (AdvancedDivide, ops.divide)
SCATTER_MULTIPLY: Combine = (AdvancedMultiply, ops.multiply)
SCATTER_MAXIMUM: Combine = (AdvancedMaximum, ops.maximum)
SCATTER_MINIMUM: Combine = (AdvancedMinimum, ops.minimum)


# ── scattering ──


def scatter_nd(indices: TensorLike, updates: TensorLike, shape: Any, name: Any = None) -> Tensor:
    """`tf.scatter_nd`: zeros, with `updates` added at `indices`."""
    del name
    values = convert_to_tensor(updates)
    known = known_integers(shape) if not isinstance(shape, Tensor) else shape
    return _scattered(SCATTER_ADD, ops.zeros(known, dtype=values.dtype), indices, values)


def _scattered(combine: Combine, tensor: TensorLike, indices: TensorLike, updates: TensorLike) -> Tensor:
    old, new = together(tensor, updates)
    places = tuple(coordinates(convert_to_tensor(indices)))
    return combine_item(*combine, convert_to_tensor(old), places, new)


def _scatter(name: str, combine: Combine) -> Callable[..., Tensor]:
    def call(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: Any = None) -> Tensor:
        del name
        return _scattered(combine, tensor, indices, updates)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.{name}`: a place that is named repeatedly is computed with repeatedly."
    return call


tensor_scatter_nd_add = _scatter("tensor_scatter_nd_add", SCATTER_ADD)
tensor_scatter_nd_sub = _scatter("tensor_scatter_nd_sub", SCATTER_SUBTRACT)
tensor_scatter_nd_max = _scatter("tensor_scatter_nd_max", SCATTER_MAXIMUM)
tensor_scatter_nd_min = _scatter("tensor_scatter_nd_min", SCATTER_MINIMUM)


# ── segments ──


def _least(dtype: DType) -> Any:
    return np.iinfo(dtype.numpy).min if dtype.is_integer else np.finfo(dtype.numpy).min


def _greatest(dtype: DType) -> Any:
    return np.iinfo(dtype.numpy).max if dtype.is_integer else np.finfo(dtype.numpy).max


def _grouped(combine: Combine, data: Tensor, ids: Tensor, count: Any, empty: Any) -> Tensor:
    """The rows of `data` folded by group; a row of a negative group is left out."""
    first = ids.ndim
    rest = [ops.dimension(data, axis) for axis in range(first, data.ndim)]
    start = ops.full((count + 1, *rest), empty, dtype=data.dtype)
    places = ops.where(ids < 0, ops.cast(convert_to_tensor(count), ids.dtype), ids)
    return combine_item(*combine, start, (places,), data)[:count]


def _sizes(ids: Tensor, count: Any, like: Tensor) -> Tensor:
    """How many rows each group has, ready to be divided by."""
    ones = ops.ones(tuple([ops.dimension(ids, axis) for axis in range(ids.ndim)]), dtype=like.dtype)
    sizes = ops.maximum(_grouped(SCATTER_ADD, ones, ids, count, 0), ops.ones((), dtype=like.dtype))
    return ops.reshape(sizes, (-1, *(1,) * (like.ndim - 1)))


def _of_count(count: Any) -> Any:
    return count if isinstance(count, int) else convert_to_tensor(count)


def _unsorted(name: str, combine: Combine, empty: Callable[[DType], Any]) -> Callable[..., Tensor]:
    def call(data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: Any = None) -> Tensor:
        del name
        rows, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        return _grouped(combine, rows, ids, _of_count(num_segments), empty(rows.dtype))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.math.{name}`: rows of one segment folded into one; a negative segment is left out."
    return call


def _sorted(
    name: str, combine: Combine, empty: Callable[[DType], Any], default: int
) -> Callable[..., Tensor]:
    def call(data: TensorLike, segment_ids: TensorLike, name: Any = None) -> Tensor:
        del name
        rows, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        count = ids[-1] + 1
        folded = _grouped(combine, rows, ids, count, empty(rows.dtype))
        if empty(rows.dtype) == default:
            return folded
        there = _grouped(SCATTER_ADD, ops.ones_like(ids), ids, count, 0) > 0
        there = ops.reshape(there, (-1, *(1,) * (rows.ndim - 1)))
        return ops.where(there, folded, ops.full_like(folded, default))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.math.{name}`: rows of one segment, whose numbers are sorted, folded into one."
    return call


unsorted_segment_sum = _unsorted("unsorted_segment_sum", SCATTER_ADD, lambda _: 0)
unsorted_segment_prod = _unsorted("unsorted_segment_prod", SCATTER_MULTIPLY, lambda _: 1)
unsorted_segment_max = _unsorted("unsorted_segment_max", SCATTER_MAXIMUM, _least)
unsorted_segment_min = _unsorted("unsorted_segment_min", SCATTER_MINIMUM, _greatest)
segment_sum = _sorted("segment_sum", SCATTER_ADD, lambda _: 0, 0)
segment_prod = _sorted("segment_prod", SCATTER_MULTIPLY, lambda _: 1, 1)
segment_max = _sorted("segment_max", SCATTER_MAXIMUM, _least, 0)
segment_min = _sorted("segment_min", SCATTER_MINIMUM, _greatest, 0)


def segment_mean(data: TensorLike, segment_ids: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.segment_mean`: the mean of the rows of each segment."""
    ids = convert_to_tensor(segment_ids)
    return unsorted_segment_mean(data, ids, ids[-1] + 1, name)


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: Any = None
) -> Tensor:
    """`tf.math.unsorted_segment_mean`: 0 for a segment without rows."""
    del name
    rows, ids, count = convert_to_tensor(data), convert_to_tensor(segment_ids), _of_count(num_segments)
    return _grouped(SCATTER_ADD, rows, ids, count, 0) / _sizes(ids, count, rows)


def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: Any = None
) -> Tensor:
    """`tf.math.unsorted_segment_sqrt_n`: the sum divided by the root of the number of rows."""
    del name
    rows, ids, count = convert_to_tensor(data), convert_to_tensor(segment_ids), _of_count(num_segments)
    return _grouped(SCATTER_ADD, rows, ids, count, 0) / ops.sqrt(_sizes(ids, count, rows))


# ── counting ──


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: int | None = None,
    maxlength: int | None = None,
    dtype: Any = int32,
    name: Any = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """`tf.math.bincount`: how often each number occurs; with ``axis=-1``, in each row."""
    del name
    numbers = convert_to_tensor(arr)
    flat = ops.reshape(numbers, (-1, 1) if axis is None or axis == 0 else (-1, ops.dimension(numbers, -1)))
    values = _weights(weights, flat, dtype, binary_output)
    length: Any = ops.max(ops.concat([ops.reshape(flat, (-1,)), ops.full((1,), -1, dtype=flat.dtype)])) + 1
    if minlength is not None:
        length = ops.maximum(length, ops.cast(convert_to_tensor(minlength), flat.dtype))
    if maxlength is not None:
        length = ops.minimum(length, ops.cast(convert_to_tensor(maxlength), flat.dtype))
    hits = flat[:, :, None] == ops.cast(ops.arange(length), flat.dtype)
    counted = ops.sum(ops.where(hits, values[:, :, None], ops.zeros((), dtype=values.dtype)), axis=1)
    if axis is None or axis == 0:
        counted = ops.sum(counted, axis=0, dtype=values.dtype)
    if binary_output:
        counted = ops.minimum(counted, ops.ones((), dtype=counted.dtype))
    single = axis is None or axis == 0 or numbers.ndim == 1
    result = counted if axis is None or axis == 0 else (counted[0] if single else counted)
    return ops.cast(result, values.dtype)


def _weights(weights: TensorLike | None, like: Tensor, dtype: Any, binary: bool) -> Tensor:
    if weights is None or binary:
        return ops.ones_like(like, dtype=dtype)
    return ops.reshape(convert_to_tensor(weights), tuple([ops.dimension(like, axis) for axis in (0, 1)]))


def histogram_fixed_width_bins(
    values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100, dtype: Any = int32, name: Any = None
) -> Tensor:
    """`tf.histogram_fixed_width_bins`: the bin of each value; those outside are in the first and last."""
    del name
    numbers, limits = together(values, value_range)
    low, high = limits[0], limits[1]
    count = ops.cast(convert_to_tensor(nbins), numbers.dtype if numbers.dtype.is_floating else float64)
    bins = ops.floor((numbers - low) / (high - low) * count)
    return ops.cast(ops.clip(bins, ops.zeros_like(count), count - 1), dtype)


def histogram_fixed_width(
    values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100, dtype: Any = int32, name: Any = None
) -> Tensor:
    """`tf.histogram_fixed_width`: how many values are in each of `nbins` bins."""
    bins = histogram_fixed_width_bins(values, value_range, nbins, int64, name)
    flat = ops.reshape(bins, (-1,))
    return _grouped(SCATTER_ADD, ops.ones_like(flat, dtype=dtype), flat, _of_count(nbins), 0)


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: Any = None,
    weights: TensorLike | None = None,
    dtype: Any = int32,
    name: Any = None,
) -> Tensor:
    """`tf.math.confusion_matrix`: how often each label was predicted as each class."""
    del name
    true = ops.cast(convert_to_tensor(labels), int64)
    found = ops.cast(convert_to_tensor(predictions), int64)
    count = ops.maximum(ops.max(true), ops.max(found)) + 1 if num_classes is None else _of_count(num_classes)
    values = ops.ones_like(true, dtype=dtype) if weights is None else convert_to_tensor(weights, dtype)
    return combine_item(*SCATTER_ADD, ops.zeros((count, count), dtype=dtype), (true, found), values)


def in_top_k(targets: TensorLike, predictions: TensorLike, k: int, name: Any = None) -> Tensor:
    """`tf.math.in_top_k`: whether the target of each row is among its `k` greatest."""
    del name
    wanted, rows = convert_to_tensor(targets), convert_to_tensor(predictions)
    found = ops.take_along_axis(rows, wanted[:, None], axis=1)
    return ops.count_nonzero(rows > found, axis=1) < k


def invert_permutation(x: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.invert_permutation`."""
    del name
    order = convert_to_tensor(x)
    return ops.cast(ops.argsort(order), order.dtype)


# ── distinct elements, masks, partitions ──


class Unique(NamedTuple):
    """The distinct elements, in the order in which they occur, and the place of each element among them."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """As `Unique`, and how often each occurs."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name for it, which hides that of tuples


def unique_with_counts(x: TensorLike, out_idx: Any = int32, name: Any = None) -> UniqueWithCounts:
    """`tf.unique_with_counts`."""
    del name
    found = ops.unique_all(convert_to_tensor(x))
    order = ops.argsort(found.indices)
    places = ops.take(ops.argsort(order), found.inverse_indices, axis=0)
    counts = ops.take(found.counts, order, axis=0)
    return UniqueWithCounts(
        ops.take(found.values, order, axis=0), ops.cast(places, out_idx), ops.cast(counts, out_idx)
    )


def unique(x: TensorLike, out_idx: Any = int32, name: Any = None) -> Unique:
    """`tf.unique`."""
    found = unique_with_counts(x, out_idx, name)
    return Unique(found.y, found.idx)


def sequence_mask(lengths: TensorLike, maxlen: Any = None, dtype: Any = boolean, name: Any = None) -> Tensor:
    """`tf.sequence_mask`: for each length, a row with so many trues."""
    del name
    counts = convert_to_tensor(lengths)
    longest = ops.max(counts) if maxlen is None else convert_to_tensor(maxlen)
    mask = ops.cast(ops.arange(longest), counts.dtype) < ops.expand_dims(counts, axis=-1)
    return ops.cast(mask, dtype)


def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: int, name: Any = None
) -> list[Tensor]:
    """`tf.dynamic_partition`: the rows of each partition, as a list of tensors."""
    del name
    rows, parts = convert_to_tensor(data), convert_to_tensor(partitions)
    return [rows[parts == number] for number in range(num_partitions)]


def dynamic_stitch(indices: Sequence[TensorLike], data: Sequence[TensorLike], name: Any = None) -> Tensor:
    """`tf.dynamic_stitch`: rows put at their indices; the last one wins."""
    del name
    places = [convert_to_tensor(each) for each in indices]
    values = [convert_to_tensor(each) for each in together(*data)]
    flat = ops.concat([ops.reshape(place, (-1,)) for place in places])
    rank = places[0].ndim
    rest = [ops.dimension(values[0], axis) for axis in range(rank, values[0].ndim)]
    rows = ops.concat(
        [ops.reshape(value, (ops.size(place), *rest)) for value, place in zip(values, places, strict=True)]
    )
    start = ops.zeros((ops.max(flat) + 1, *rest), dtype=rows.dtype)
    return ops.set_item(start, (flat,), rows)


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: Any = None,
) -> Tensor:
    """`tf.reverse_sequence`: the first elements of each row in reverse, as many as its length says."""
    del name
    tensor, lengths = convert_to_tensor(input), ops.cast(convert_to_tensor(seq_lengths), int64)
    along, batch = seq_axis or 0, batch_axis or 0
    places = ops.arange(ops.dimension(tensor, along))
    turned = ops.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
    if batch > along:
        turned = ops.matrix_transpose(turned)
    shape = [1] * tensor.ndim
    shape[along], shape[batch] = ops.dimension(tensor, along), ops.dimension(tensor, batch)
    return ops.take_along_axis(tensor, ops.reshape(turned, tuple(shape)), axis=along)


def unravel_index(indices: TensorLike, dims: TensorLike, name: Any = None) -> Tensor:
    """`tf.unravel_index`: the coordinates of elements in a tensor of these dims, one row for each axis."""
    del name
    rest, lengths = convert_to_tensor(indices), known_integers(dims)
    rows = []
    for length in reversed(lengths):
        rows.append(rest % length)
        rest = rest // length
    return ops.stack(rows[::-1])
