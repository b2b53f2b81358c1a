"""Convolutions of `tf.nn` the other way round: what each place spreads over a window is summed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.compat.tf.layers import conv2d, convolution, padded_around, spread, turned, with_channels_last
from autograph.compat.tf.values import known_integers, together
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "conv1d_transpose",
    "conv2d_transpose",
    "conv3d_transpose",
    "conv_transpose",
]


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.nn.conv_transpose`: `filters` have the channels of the output before those of the input."""
    del name
    x, kernel = together(input, filters)
    count = kernel.ndim - 2
    steps, gaps = (
        spread(turned(strides, data_format), count),
        spread(turned(dilations, data_format) or 1, count),
    )
    wanted = _lengths(output_shape, count, data_format)
    around = turned(padding, data_format)
    return with_channels_last(
        lambda each: _spread_out(each, kernel, wanted, steps, around, gaps), x, data_format
    )


def _lengths(output_shape: Any, count: int, data_format: str | None) -> tuple[int, ...]:
    """The lengths of the axes that windows move along; the batch may be of any."""
    shape = turned(
        output_shape if isinstance(output_shape, (list, tuple)) else known_integers(output_shape), data_format
    )
    lengths = shape[1:-1] if len(shape) == count + 2 else shape
    return tuple([known_integers(length) for length in lengths])


def _spread_out(
    x: Tensor,
    kernel: Tensor,
    wanted: Sequence[int],
    steps: Sequence[int],
    padding: Any,
    gaps: Sequence[int],
) -> Tensor:
    sizes = [known_integers(ops.dimension(kernel, axis)) for axis in range(len(wanted))]
    reach = [gap * (size - 1) + 1 for size, gap in zip(sizes, gaps, strict=True)]
    cut = [before for before, _ in padded_around(padding, wanted, reach, steps)]
    ends = []
    for axis, (length, extent, step, before) in enumerate(zip(wanted, reach, steps, cut, strict=True), 1):
        x = _apart(x, axis, step)
        first = extent - 1 - before
        ends.append((first, length + extent - 1 - first - ops.dimension(x, axis)))
    x = ops.pad(x, [(0, 0), *ends, (0, 0)])
    turned_round = ops.flip(kernel, axis=tuple(range(len(wanted))))
    return convolution(x, ops.swapaxes(turned_round, -1, -2), 1, "VALID", None, gaps)


def _apart(x: Tensor, axis: int, step: int) -> Tensor:
    """With zeros between the elements along an axis."""
    if step == 1:
        return x
    length = ops.dimension(x, axis)
    wide = ops.pad(
        ops.expand_dims(x, axis=axis + 1), [(0, (step - 1) * (at == axis + 1)) for at in range(x.ndim + 1)]
    )
    dims = [ops.dimension(x, at) for at in range(x.ndim)]
    dims[axis] = length * step
    joined = ops.reshape(wide, tuple(dims))
    return joined[(slice(None),) * axis + (slice(0, (length - 1) * step + 1),)]


def _transposed(name: str, format_: str) -> Callable[..., Tensor]:
    def call(
        input: TensorLike,
        filters: TensorLike,
        output_shape: Any,
        strides: Any,
        padding: Any = "SAME",
        data_format: str | None = format_,
        dilations: Any = None,
        name: Any = None,
    ) -> Tensor:
        return conv_transpose(input, filters, output_shape, strides, padding, data_format, dilations, name)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.nn.{name}`."
    return call


conv1d_transpose = _transposed("conv1d_transpose", "NWC")
conv2d_transpose = _transposed("conv2d_transpose", "NHWC")
conv3d_transpose = _transposed("conv3d_transpose", "NDHWC")


def atrous_conv2d(
    value: TensorLike, filters: TensorLike, rate: int, padding: str, name: Any = None
) -> Tensor:
    """`tf.nn.atrous_conv2d`: a convolution whose filter has gaps."""
    return conv2d(value, filters, 1, padding, None, rate, name)


def atrous_conv2d_transpose(
    value: TensorLike, filters: TensorLike, output_shape: Any, rate: int, padding: str, name: Any = None
) -> Tensor:
    """`tf.nn.atrous_conv2d_transpose`."""
    return conv_transpose(value, filters, output_shape, 1, padding, None, rate, name)
