"""`tf.signal`: Fourier transforms, windows, frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.compat.tf.values import convert_to_tensor, known_integers
from runtime import ops
from runtime.core.dtypes import DType, complex64, complex128, float32, float64
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "irfft",
    "irfft2d",
    "irfft3d",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
]


def _complex(dtype: DType) -> DType:
    return complex128 if dtype in {complex128, float64} else complex64


def _axes(count: int) -> tuple[int, ...]:
    return tuple(range(-count, 0))


def _transform(name: str, function: Callable[..., Tensor], count: int) -> Callable[..., Tensor]:
    def call(input: TensorLike, name: Any = None) -> Tensor:
        del name
        tensor = convert_to_tensor(input)
        return ops.cast(function(tensor, axes=_axes(count)), _complex(tensor.dtype))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.signal.{name}`: along the last {('axis', 'two axes', 'three axes')[count - 1]}."
    return call


fft = _transform("fft", ops.fft.fftn, 1)
fft2d = _transform("fft2d", ops.fft.fftn, 2)
fft3d = _transform("fft3d", ops.fft.fftn, 3)
ifft = _transform("ifft", ops.fft.ifftn, 1)
ifft2d = _transform("ifft2d", ops.fft.ifftn, 2)
ifft3d = _transform("ifft3d", ops.fft.ifftn, 3)


def _real_transform(name: str, count: int, *, inverse: bool) -> Callable[..., Tensor]:
    def call(input_tensor: TensorLike, fft_length: Any = None, name: Any = None) -> Tensor:
        del name
        tensor = convert_to_tensor(input_tensor)
        function = ops.fft.irfftn if inverse else ops.fft.rfftn
        wide = _complex(tensor.dtype) is complex128
        dtype = (float64 if wide else float32) if inverse else _complex(tensor.dtype)
        return ops.cast(function(tensor, s=known_integers(fft_length), axes=_axes(count)), dtype)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.signal.{name}`: of real numbers; `fft_length` cuts or pads them."
    return call


rfft = _real_transform("rfft", 1, inverse=False)
rfft2d = _real_transform("rfft2d", 2, inverse=False)
rfft3d = _real_transform("rfft3d", 3, inverse=False)
irfft = _real_transform("irfft", 1, inverse=True)
irfft2d = _real_transform("irfft2d", 2, inverse=True)
irfft3d = _real_transform("irfft3d", 3, inverse=True)


def fftshift(x: TensorLike, axes: Any = None, name: Any = None) -> Tensor:
    """`tf.signal.fftshift`: the frequency 0 in the middle."""
    del name
    return ops.fft.fftshift(convert_to_tensor(x), axes=known_integers(axes))


def ifftshift(x: TensorLike, axes: Any = None, name: Any = None) -> Tensor:
    """`tf.signal.ifftshift`: undoes `fftshift`."""
    del name
    return ops.fft.ifftshift(convert_to_tensor(x), axes=known_integers(axes))


def _raised_cosine(length: int, periodic: bool, dtype: Any, first: float) -> Tensor:
    count = length + (1 if periodic and length % 2 == 0 else 0) - 1
    places = np.arange(length)
    values = first - (1 - first) * np.cos(2 * np.pi * places / count) if count else np.ones(length)
    return convert_to_tensor(values, dtype)


def hann_window(window_length: int, periodic: bool = True, dtype: Any = float32, name: Any = None) -> Tensor:
    """`tf.signal.hann_window`."""
    del name
    return _raised_cosine(known_integers(window_length), periodic, dtype, 0.5)


def hamming_window(
    window_length: int, periodic: bool = True, dtype: Any = float32, name: Any = None
) -> Tensor:
    """`tf.signal.hamming_window`."""
    del name
    return _raised_cosine(known_integers(window_length), periodic, dtype, 0.54)


def frame(
    signal: TensorLike,
    frame_length: int,
    frame_step: int,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: int = -1,
    name: Any = None,
) -> Tensor:
    """`tf.signal.frame`: overlapping pieces of `frame_length`, one every `frame_step` elements."""
    del name
    tensor = ops.moveaxis(convert_to_tensor(signal), axis, -1)
    length = ops.dimension(tensor, -1)
    count = -(-length // frame_step) if pad_end else (length - frame_length) // frame_step + 1
    count = ops.maximum(convert_to_tensor(count), 0)
    if pad_end:
        around = [(0, 0)] * (tensor.ndim - 1) + [(0, frame_length + frame_step)]
        tensor = ops.pad(tensor, around, mode="constant", constant_values=pad_value)
    places = ops.arange(count)[:, None] * frame_step + ops.arange(frame_length)
    pieces = ops.take(tensor, places, axis=-1)
    return pieces if axis == -1 else ops.moveaxis(pieces, (-2, -1), (axis, axis + 1))


def stft(
    signals: TensorLike,
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: Callable[..., Tensor] | None = hann_window,
    pad_end: bool = False,
    name: Any = None,
) -> Tensor:
    """`tf.signal.stft`: the spectrum of each piece; without `fft_length`, of the next power of two."""
    del name
    pieces = frame(signals, frame_length, frame_step, pad_end)
    if window_fn is not None:
        pieces = pieces * window_fn(frame_length, dtype=pieces.dtype)
    length = 1 << (frame_length - 1).bit_length() if fft_length is None else fft_length
    return rfft(pieces, [length])
