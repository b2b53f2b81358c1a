"""Fourier transforms along one axis; those along several are one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import complex64, complex128, float16, float32, float64
from runtime.core.shapes import Dim, normalise_axis
from runtime.core.spec import Spec
from runtime.core.tensor import Array
from runtime.errors import ShapeError
from runtime.ops.facts import NUMERIC, shaped
from runtime.ops.families import Opaque, require_dtype

__all__ = ["FourierTransform"]

_ONES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")


class FourierTransform(Opaque):
    """The function of `numpy.fft` of that name: frequencies from samples, or samples from frequencies."""

    function: str
    n: int | None
    """How many samples there are, or shall be; None for as many as the operand has."""
    axis: int
    norm: str | None

    accepts = NUMERIC
    why_no_graphdef = "TensorFlow's transforms are along the last axis, and not normalised"
    samples = (
        *[shaped((2, 5), function=name, n=None, axis=1, norm=None, elements=np.float64) for name in _ONES],
        *[shaped((4, 2), function=name, n=6, axis=0, norm="ortho", elements=np.float32) for name in _ONES],
        shaped((5,), function="fft", n=3, axis=0, norm=None, elements=np.complex64),
    )

    def infer(self, x: Spec) -> Spec:
        require_dtype(self.function, x.dtype, self.accepts)
        narrow = x.dtype in {float16, float32, complex64}
        if self.function in {"irfft", "hfft"}:
            dtype = float32 if narrow else float64
        else:
            dtype = complex64 if narrow else complex128
        if x.shape is None:
            return Spec(None, dtype)
        axis = normalise_axis(self.axis, len(x.shape))
        return Spec((*x.shape[:axis], self.length(x.shape[axis]), *x.shape[axis + 1 :]), dtype)

    def length(self, given: Dim) -> Dim:
        """How long the axis is in the result."""
        if self.function in {"irfft", "hfft"}:
            return self.n if self.n is not None or given is None else 2 * (given - 1)
        count = given if self.n is None else self.n
        if count == 0:
            raise ShapeError(f"`np.fft.{self.function}` of no samples")
        if count is None or self.function in {"fft", "ifft"}:
            return count
        return count // 2 + 1

    def kernel(self, x: Array) -> Any:
        transform = getattr(np.fft, self.function)
        return transform(x, n=self.n, axis=self.axis, norm=self.norm)
