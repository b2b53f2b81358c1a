"""`np.fft`: Fourier transforms, and the order of frequencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.graph.build import bind
from runtime.numpy_functions.arranging import roll
from runtime.numpy_functions.operands import dims, known_rank, strong, whole
from runtime.numpy_functions.table import implements
from runtime.ops.fourier import FourierTransform

__all__: list[str] = []


def _along(function: str, x: Tensor, n: Any, axis: int, norm: str | None) -> Tensor:
    count = None if n is None else whole(n, "the number of samples")
    axis = axis % known_rank(x, f"np.fft.{function}")
    return bind(FourierTransform(function, count, axis, norm), x)


def _transform(function: str) -> Callable[..., Tensor]:
    """A transform along one axis, as `np.fft.fft` is called."""

    def transform(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
        return _along(function, strong(a), n, axis, norm)

    return transform


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    implements(getattr(np.fft, _name))(_transform(_name))


def _several(function: str, default: tuple[int, ...] | None) -> Callable[..., Tensor]:
    """A transform along several axes, as `np.fft.fftn` is called; that of real numbers along the last."""

    def transform(
        a: Any, s: Any = None, axes: Sequence[int] | None = default, norm: str | None = None
    ) -> Tensor:
        x = strong(a)
        places = list(range(known_rank(x, "np.fft.fftn"))) if axes is None else list(axes)
        if axes is None and s is not None:
            places = places[len(places) - len(s) :]
        counts = [None] * len(places) if s is None else [None if each == -1 else each for each in s]
        one = function.rstrip("n2")
        others = {"rfft": "fft", "irfft": "ifft"}.get(one, one)
        order = list(zip(counts, places, strict=True))
        if one == "irfft":  # the axis of real numbers is the last to be undone
            last = order.pop()
            order.insert(0, last)
        for number, (count, place) in enumerate(reversed(order)):
            x = _along(_named(one, others, number, len(order)), x, count, place, norm)
        return x

    return transform


def _named(one: str, others: str, number: int, count: int) -> str:
    """The transform that is done as the `number`th of `count`: that of real numbers first, or undone last."""
    special = count - 1 if one == "irfft" else 0
    return one if number == special else others


for _name in ("fft", "ifft", "rfft", "irfft"):
    implements(getattr(np.fft, f"{_name}2"))(_several(f"{_name}2", (-2, -1)))
    implements(getattr(np.fft, f"{_name}n"))(_several(f"{_name}n", None))


@implements(np.fft.fftshift)
def _fftshift(x: Any, axes: Any = None) -> Tensor:
    return _shifted(strong(x), axes, lambda length: length // 2)


@implements(np.fft.ifftshift)
def _ifftshift(x: Any, axes: Any = None) -> Tensor:
    return _shifted(strong(x), axes, lambda length: -(length // 2))


def _shifted(x: Tensor, axes: Any, steps: Callable[[Any], Any]) -> Tensor:
    """`x` rolled by half of each axis."""
    lengths = dims(x, "np.fft.fftshift")
    places = range(len(lengths)) if axes is None else (axes,) if isinstance(axes, int) else axes
    for place in places:
        x = roll(x, steps(lengths[place]), place)
    return x
