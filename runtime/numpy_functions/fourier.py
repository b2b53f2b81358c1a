"""`np.fft`: Fourier transforms, and the order of frequencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.numpy_functions.operands import count_of, number, strong
from runtime.numpy_functions.table import implements

__all__: list[str] = []


def _along_one(transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A transform along one axis, as `np.fft.fft` is called."""

    def adapter(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
        return transform(strong(a), n=n, axis=axis, norm=norm)

    return adapter


for _one in (ops.fft.fft, ops.fft.ifft, ops.fft.rfft, ops.fft.irfft, ops.fft.hfft, ops.fft.ihfft):
    implements(getattr(np.fft, _one.__name__))(_along_one(_one))


def _along_several(
    transform: Callable[..., Tensor], default: tuple[int, ...] | None
) -> Callable[..., Tensor]:
    """A transform along several axes, as `np.fft.fftn` is called."""

    def adapter(
        a: Any, s: Any = None, axes: Sequence[int] | None = default, norm: str | None = None
    ) -> Tensor:
        counts = None if s is None else [-1 if each is None else each for each in s]
        return transform(strong(a), s=counts, axes=axes, norm=norm)

    return adapter


for _several in (ops.fft.fftn, ops.fft.ifftn, ops.fft.rfftn, ops.fft.irfftn):
    _name = _several.__name__
    implements(getattr(np.fft, _name))(_along_several(_several, None))
    implements(getattr(np.fft, _name.removesuffix("n") + "2"))(_along_several(_several, (-2, -1)))


@implements(np.fft.fftfreq)
def _fftfreq(n: Any, d: Any = 1.0) -> Tensor:
    count = _length(n)
    places = ops.arange(count)
    behind = ops.greater_equal(places, (count - 1) // 2 + 1)
    return _in_cycles(ops.where(behind, places - count, places), count, d)


@implements(np.fft.rfftfreq)
def _rfftfreq(n: Any, d: Any = 1.0) -> Tensor:
    count = _length(n)
    return _in_cycles(ops.arange(count // 2 + 1), count, d)


def _length(n: Any) -> int | Tensor:
    try:
        return count_of(n)
    except TypeError:
        raise ValueError("n should be an integer") from None


def _in_cycles(places: Tensor, count: int | Tensor, distance: Any) -> Tensor:
    """How often each wave comes in a unit of time, where so many samples lie so far apart."""
    frequencies: Tensor = places * (1.0 / (count * number(distance)))
    return frequencies


@implements(np.fft.fftshift)
def _fftshift(x: Any, axes: Any = None) -> Tensor:
    return ops.fft.fftshift(strong(x), axes=axes)


@implements(np.fft.ifftshift)
def _ifftshift(x: Any, axes: Any = None) -> Tensor:
    return ops.fft.ifftshift(strong(x), axes=axes)
