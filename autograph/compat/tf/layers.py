"""The layers of `tf.nn`: convolutions, pooling, normalisation, dropout, embeddings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from autograph.compat.tf.values import convert_to_tensor, known_integers, together
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.ops import random
from runtime.ops.random.streams import key_of_process

__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_normalization",
    "batch_to_space",
    "bias_add",
    "conv1d",
    "conv2d",
    "conv3d",
    "convolution",
    "depth_to_space",
    "depthwise_conv2d",
    "dropout",
    "embedding_lookup",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "moments",
    "padded_around",
    "pool",
    "required_space_to_batch_paddings",
    "separable_conv2d",
    "space_to_batch",
    "space_to_depth",
    "spread",
    "sufficient_statistics",
    "turned",
    "weighted_moments",
    "with_channels_last",
]


# ── windows ──


def spread(value: Any, count: int) -> tuple[int, ...]:
    """One number for each axis that a window moves along: given for all, for each, or for every axis."""
    numbers = known_integers(value)
    if isinstance(numbers, int):
        return (numbers,) * count
    if len(numbers) == 1:
        return tuple(numbers) * count
    return tuple(numbers) if len(numbers) == count else tuple(numbers[1:-1])


def _are_first(data_format: str | None) -> bool:
    """Whether channels are the second axis, in front of those along which windows move."""
    return data_format is not None and data_format.startswith("NC")


def with_channels_last(function: Callable[..., Tensor], value: TensorLike, data_format: str | None) -> Tensor:
    """What a function gives that wants channels last; they are where the format says, before and after."""
    tensor = convert_to_tensor(value)
    if not _are_first(data_format):
        return function(tensor)
    return ops.moveaxis(function(ops.moveaxis(tensor, 1, -1)), -1, 1)


def turned(value: Any, data_format: str | None) -> Any:
    """Numbers, or pairs of them, for all axes in the order of a format, with the channels' last."""
    if not _are_first(data_format) or not isinstance(value, (list, tuple)) or len(value) < 3:
        return value
    batch, channels, *windows = value
    return [batch, *windows, channels]


def _windows(
    x: Tensor,
    sizes: Sequence[int],
    strides: Sequence[int],
    padding: Any,
    dilations: Sequence[int],
    fill: float,
) -> list[Tensor]:
    """For each place in a window, what is there in all windows."""
    lengths = [ops.dimension(x, axis + 1) for axis in range(len(sizes))]
    reach = [dilation * (size - 1) + 1 for size, dilation in zip(sizes, dilations, strict=True)]
    around = padded_around(padding, lengths, reach, strides)
    if any(before or after for before, after in around):
        x = ops.pad(x, [(0, 0), *around, (0, 0)], mode="constant", constant_values=fill)
        lengths = [before + length + after for length, (before, after) in zip(lengths, around, strict=True)]
    pieces = []
    for place in itertools.product(*map(range, sizes)):
        parts = [
            slice(
                at * dilation,
                at * dilation + (length - extent) // stride * stride + 1,
                stride,
            )
            for at, dilation, length, extent, stride in zip(
                place, dilations, lengths, reach, strides, strict=True
            )
        ]
        pieces.append(x[(slice(None), *parts)])
    return pieces


def padded_around(
    padding: Any, lengths: Sequence[Any], reach: Sequence[int], strides: Sequence[int]
) -> list[tuple[int, int]]:
    """How much is added at both ends of each axis."""
    if not isinstance(padding, str):
        return [(before, after) for before, after in known_integers(padding)[1:-1]]
    if padding.upper() == "VALID":
        return [(0, 0)] * len(reach)
    if not all(isinstance(length, int) for length in lengths):
        if all(stride == 1 for stride in strides):
            return [((extent - 1) // 2, extent // 2) for extent in reach]
        raise InvalidValue(
            "a window with strides was asked for along an axis of unknown length, padded to 'SAME'",
            why="How much is added at its ends depends on the length.",
            way_out="Give the length in the signature, or pad by hand and ask for 'VALID'.",
        )
    missing = [
        max((-(-length // stride) - 1) * stride + extent - length, 0)
        for length, extent, stride in zip(lengths, reach, strides, strict=True)
    ]
    return [(total // 2, total - total // 2) for total in missing]


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.nn.convolution`."""
    del name

    def summed(pieces: Sequence[Tensor], kernel: Tensor) -> Tensor:
        rows = ops.concat(pieces, axis=-1)
        inner, outer = ops.dimension(kernel, -2), ops.dimension(kernel, -1)
        return ops.matmul(rows, ops.reshape(kernel, (len(pieces) * inner, outer)))

    return _slid(summed, input, filters, 1 if strides is None else strides, padding, data_format, dilations)


def _slid(
    product: Callable[[Sequence[Tensor], Tensor], Tensor],
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
) -> Tensor:
    """What a product gives of the elements under a filter, and the filter, in each place of it."""
    x, kernel = map(convert_to_tensor, together(input, filters))
    count = kernel.ndim - 2
    sizes = known_integers([ops.dimension(kernel, axis) for axis in range(count)])
    steps, gaps = spread(strides, count), spread(dilations or 1, count)
    around = turned(padding, data_format)

    def slid(tensor: Tensor) -> Tensor:
        return product(_windows(tensor, sizes, steps, around, gaps, 0.0), kernel)

    return with_channels_last(slid, x, data_format)


def _convolution(name: str, count: int) -> Callable[..., Tensor]:
    def call(
        input: TensorLike,
        filters: TensorLike,
        strides: Any = 1,
        padding: Any = "VALID",
        data_format: str | None = None,
        dilations: Any = None,
        name: Any = None,
    ) -> Tensor:
        del name
        steps = spread(turned(strides, data_format), count)
        gaps = spread(turned(dilations, data_format) or 1, count)
        return convolution(input, filters, steps, padding, data_format, gaps)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.nn.{name}`."
    return call


conv1d = _convolution("conv1d", 1)
conv2d = _convolution("conv2d", 2)
conv3d = _convolution("conv3d", 3)


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.nn.depthwise_conv2d`: each channel by itself."""
    del name

    def apart(pieces: Sequence[Tensor], kernel: Tensor) -> Tensor:
        windows = ops.stack(pieces, axis=-1)
        weights = ops.reshape(kernel, (len(pieces), *[ops.dimension(kernel, axis) for axis in (2, 3)]))
        product = ops.einsum("bhwck,kcm->bhwcm", windows, weights)
        dims = [ops.dimension(product, axis) for axis in range(5)]
        return ops.reshape(product, (*dims[:3], dims[3] * dims[4]))

    return _slid(apart, input, filter, turned(strides, data_format), padding, data_format, dilations)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.nn.separable_conv2d`: each channel by itself, and then their sums in each place."""
    del name
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolution(apart, pointwise_filter, 1, "VALID", data_format)


def _pooled(
    x: TensorLike, ksize: Any, strides: Any, padding: Any, count: int, *, average: bool, dilations: Any = 1
) -> Tensor:
    tensor = convert_to_tensor(x)
    window = spread(ksize, count), spread(strides, count), padding, spread(dilations or 1, count)
    if not average:
        return ops.max(ops.stack(_windows(tensor, *window, -float("inf"))), axis=0)
    total = ops.sum(ops.stack(_windows(tensor, *window, 0.0)), axis=0, dtype=tensor.dtype)
    there = ops.sum(ops.stack(_windows(ops.ones_like(tensor), *window, 0.0)), axis=0, dtype=tensor.dtype)
    return total / there


def _pool(name: str, count: int | None, *, average: bool) -> Callable[..., Tensor]:
    def call(
        input: TensorLike,
        ksize: Any,
        strides: Any,
        padding: Any,
        data_format: str | None = None,
        name: Any = None,
    ) -> Tensor:
        del name
        tensor = convert_to_tensor(input)
        axes = tensor.ndim - 2 if count is None else count
        size, step, around = (turned(each, data_format) for each in (ksize, strides, padding))
        return with_channels_last(
            lambda x: _pooled(x, size, step, around, axes, average=average), tensor, data_format
        )

    call.__name__ = call.__qualname__ = name
    kind = "mean" if average else "greatest"
    call.__doc__ = f"`tf.nn.{name}`: the {kind} of each window."
    return call


max_pool = _pool("max_pool", None, average=False)
max_pool1d = _pool("max_pool1d", 1, average=False)
max_pool2d = _pool("max_pool2d", 2, average=False)
max_pool3d = _pool("max_pool3d", 3, average=False)
avg_pool = _pool("avg_pool", None, average=True)
avg_pool1d = _pool("avg_pool1d", 1, average=True)
avg_pool2d = _pool("avg_pool2d", 2, average=True)
avg_pool3d = _pool("avg_pool3d", 3, average=True)


def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.nn.pool`: `pooling_type` is 'AVG' or 'MAX'."""
    del name
    count = convert_to_tensor(input).ndim - 2
    options: Any = {"average": pooling_type.upper() == "AVG", "dilations": dilations}
    window = window_shape, strides or 1, turned(padding, data_format), count
    return with_channels_last(lambda x: _pooled(x, *window, **options), input, data_format)


def space_to_depth(input: TensorLike, block_size: int, data_format: str = "NHWC", name: Any = None) -> Tensor:
    """`tf.nn.space_to_depth`: blocks of a picture as channels."""
    del name

    def moved(x: Tensor) -> Tensor:
        n, h, w, c = [ops.dimension(x, axis) for axis in range(4)]
        blocks = ops.reshape(x, (n, h // block_size, block_size, w // block_size, block_size, c))
        return ops.reshape(
            ops.permute_dims(blocks, (0, 1, 3, 2, 4, 5)),
            (n, h // block_size, w // block_size, c * block_size * block_size),
        )

    return with_channels_last(moved, input, data_format)


def depth_to_space(input: TensorLike, block_size: int, data_format: str = "NHWC", name: Any = None) -> Tensor:
    """`tf.nn.depth_to_space`: channels as blocks of a picture."""
    del name

    def moved(x: Tensor) -> Tensor:
        n, h, w, c = [ops.dimension(x, axis) for axis in range(4)]
        blocks = ops.reshape(x, (n, h, w, block_size, block_size, c // (block_size * block_size)))
        return ops.reshape(
            ops.permute_dims(blocks, (0, 1, 3, 2, 4, 5)),
            (n, h * block_size, w * block_size, c // (block_size * block_size)),
        )

    return with_channels_last(moved, input, data_format)


def space_to_batch(input: TensorLike, block_shape: Any, paddings: Any, name: Any = None) -> Tensor:
    """`tf.space_to_batch`: blocks along some axes as more of the first axis, padded before."""
    del name
    x, sizes = convert_to_tensor(input), known_integers(block_shape)
    count = len(sizes)
    rest = x.ndim - count - 1
    x = ops.pad(x, [(0, 0), *known_integers(paddings), *[(0, 0)] * rest], mode="constant", constant_values=0)
    n, *lengths = [ops.dimension(x, axis) for axis in range(x.ndim)]
    parts = [part for length, size in zip(lengths, sizes, strict=False) for part in (length // size, size)]
    blocks = ops.reshape(x, (n, *parts, *lengths[count:]))
    inner, outer = [2 * axis + 2 for axis in range(count)], [2 * axis + 1 for axis in range(count)]
    tail = [2 * count + 1 + axis for axis in range(rest)]
    turned = ops.permute_dims(blocks, (*inner, 0, *outer, *tail))
    whole = [length // size for length, size in zip(lengths, sizes, strict=False)]
    return ops.reshape(turned, (n * math.prod(sizes), *whole, *lengths[count:]))


def batch_to_space(input: TensorLike, block_shape: Any, crops: Any, name: Any = None) -> Tensor:
    """`tf.batch_to_space`: parts of the first axis as blocks along others, cropped after."""
    del name
    x, sizes = convert_to_tensor(input), known_integers(block_shape)
    count = len(sizes)
    n, *lengths = [ops.dimension(x, axis) for axis in range(x.ndim)]
    blocks = ops.reshape(x, (*sizes, n // math.prod(sizes), *lengths))
    pairs = [each for axis in range(count) for each in (count + 1 + axis, axis)]
    tail = [2 * count + 1 + axis for axis in range(len(lengths) - count)]
    turned = ops.permute_dims(blocks, (count, *pairs, *tail))
    whole = [length * size for length, size in zip(lengths, sizes, strict=False)]
    x = ops.reshape(turned, (n // math.prod(sizes), *whole, *lengths[count:]))
    cuts = zip(known_integers(crops), whole, strict=True)
    return x[(slice(None), *[slice(first, length - last) for (first, last), length in cuts])]


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: Any = None
) -> tuple[Tensor, Tensor]:
    """`tf.required_space_to_batch_paddings`: what makes blocks divide a shape, and what crops it again."""
    del name
    lengths, sizes = convert_to_tensor(input_shape), convert_to_tensor(block_shape)
    before = ops.zeros((ops.dimension(sizes, 0), 2), dtype=sizes.dtype)
    base = before if base_paddings is None else convert_to_tensor(base_paddings)
    missing = (sizes - (lengths + ops.sum(base, axis=1, dtype=base.dtype)) % sizes) % sizes
    ends = ops.stack([base[:, 0], base[:, 1] + missing], axis=1)
    return ends, ops.stack([ops.zeros_like(missing), missing], axis=1)


# ── statistics ──


def bias_add(value: TensorLike, bias: TensorLike, data_format: str | None = None, name: Any = None) -> Tensor:
    """`tf.nn.bias_add`: a number for each channel added to it."""
    del name
    left, right = together(value, bias)
    return with_channels_last(lambda x: ops.add(x, right), left, data_format)


def moments(
    x: TensorLike, axes: Any, shift: Any = None, keepdims: bool = False, name: Any = None
) -> tuple[Tensor, Tensor]:
    """`tf.nn.moments`: mean and variance."""
    del shift, name
    tensor, along = convert_to_tensor(x), known_integers(axes)
    mean = ops.mean(tensor, axis=along, keepdims=keepdims)
    return mean, ops.var(tensor, axis=along, keepdims=keepdims)


def weighted_moments(
    x: TensorLike, axes: Any, frequency_weights: TensorLike, keepdims: bool = False, name: Any = None
) -> tuple[Tensor, Tensor]:
    """`tf.nn.weighted_moments`: mean and variance of elements that count so much."""
    del name
    tensor, weights = map(convert_to_tensor, together(x, frequency_weights))
    along = known_integers(axes)
    weights = weights + ops.zeros_like(tensor)
    total = ops.sum(weights, axis=along, keepdims=True, dtype=tensor.dtype)
    mean = ops.sum(tensor * weights, axis=along, keepdims=True, dtype=tensor.dtype) / total
    apart = ops.square(tensor - mean) * weights
    variance = ops.sum(apart, axis=along, keepdims=True, dtype=tensor.dtype) / total
    if keepdims:
        return mean, variance
    return ops.squeeze(mean, axis=along), ops.squeeze(variance, axis=along)


def sufficient_statistics(
    x: TensorLike, axes: Any, shift: TensorLike | None = None, keepdims: bool = False, name: Any = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """`tf.nn.sufficient_statistics`: how many, their sum and that of their squares, and the shift."""
    del name
    tensor, along = convert_to_tensor(x), known_integers(axes)
    moved = tensor if shift is None else tensor - convert_to_tensor(shift)
    lengths = ops.take(ops.shape(tensor), convert_to_tensor(along), axis=0)
    options: Any = {"axis": along, "keepdims": keepdims, "dtype": tensor.dtype}
    count = ops.cast(ops.prod(lengths), tensor.dtype)
    given = None if shift is None else convert_to_tensor(shift)
    return count, ops.sum(moved, **options), ops.sum(ops.square(moved), **options), given


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike | None,
    scale: TensorLike | None,
    variance_epsilon: float,
    name: Any = None,
) -> Tensor:
    """`tf.nn.batch_normalization`."""
    del name
    tensor, middle, spread = map(convert_to_tensor, together(x, mean, variance))
    factor = ops.rsqrt(spread + variance_epsilon)
    if scale is not None:
        factor = factor * convert_to_tensor(scale)
    result = tensor * factor - middle * factor
    return result if offset is None else result + convert_to_tensor(offset)


def dropout(
    x: TensorLike, rate: Any, noise_shape: Any = None, seed: int | None = None, name: Any = None
) -> Tensor:
    """`tf.nn.dropout`: a share of the elements is 0, and the others are greater, so that the mean stays."""
    del name
    tensor = convert_to_tensor(x)
    dims = [ops.dimension(tensor, axis) for axis in range(tensor.ndim)]
    given = [None] * len(dims) if noise_shape is None else known_integers(noise_shape)
    shape = tuple([length if want is None else want for length, want in zip(dims, given, strict=True)])
    kept = random.uniform(shape, dtype=tensor.dtype, key=key_of_process(seed)) >= rate
    return ops.where(kept, tensor / (1 - rate), ops.zeros_like(tensor))


def embedding_lookup(params: Any, ids: TensorLike, max_norm: float | None = None, name: Any = None) -> Tensor:
    """`tf.nn.embedding_lookup`: rows of a table; those longer than `max_norm` are shortened to it."""
    del name
    table = convert_to_tensor(params[0] if isinstance(params, (list, tuple)) and len(params) == 1 else params)
    rows = ops.take(table, convert_to_tensor(ids), axis=0)
    if max_norm is None:
        return rows
    norms = ops.sqrt(ops.sum(ops.square(rows), axis=-1, keepdims=True))
    return rows * (max_norm / ops.maximum(norms, max_norm))
