"""Vectors as functions sampled at points: interpolated, convolved, correlated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import complex128, float64
from runtime.core.shapes import Dim
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import ShapeError
from runtime.ops.facts import Sample, raising, shaped
from runtime.ops.families import Opaque
from runtime.ops.promotion import cast_operand, promoted

__all__ = ["Convolve", "Correlate", "Interp"]


class Interp(Opaque):
    """The line through points, in order of their first coordinate, at other places."""

    period: float | None
    """After which the points repeat; None where they do not."""

    why_no_graphdef = "TensorFlow has no op for interpolation"
    raises = raising(ShapeError, ValueError)
    samples = (
        Sample((np.linspace(-1, 5, 7), np.arange(4.0), np.array([0.0, 2.0, 1.0, 5.0])), {"period": None}),
        Sample((np.array(7.5), np.arange(4.0), np.array([0.0, 2.0, 1.0, 5.0])), {"period": 4.0}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, xp, fp = operands
        values = complex128 if fp.dtype.is_complex else float64
        return [cast_operand(x, float64), cast_operand(xp, float64), cast_operand(fp, values)]

    def infer(self, x: ArraySpec, xp: ArraySpec, fp: ArraySpec) -> ArraySpec:
        if xp.rank not in {1, None} or fp.rank not in {1, None}:
            raise ShapeError(f"the points of `interp` are two vectors, not {xp} and {fp}")
        if not shapes.compatible(xp.shape, fp.shape):
            raise ShapeError(
                f"`interp` between coordinates of shapes {shapes.text(xp.shape)} and {shapes.text(fp.shape)}",
                why="Each point has two.",
                way_out="Give vectors of one length.",
            )
        return fp.with_shape(x.shape)

    def kernel(self, x: Array, xp: Array, fp: Array) -> Any:
        return np.interp(x, xp, fp, period=self.period)


class _Sliding(Opaque, abstract=True):
    """Sums of products of one vector with another that slides along it."""

    mode: Literal["full", "same", "valid"]

    samples = (
        shaped((4,), (3,), mode="full", elements=np.float64),
        shaped((2,), (3,), mode="same", elements=np.int32),
        shaped((2,), (5,), mode="valid", elements=np.complex64),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        if x.rank not in {1, None} or y.rank not in {1, None}:
            raise ShapeError(
                f"`{self.name}` takes two vectors, not {x} and {y}", why="One slides along the other."
            )
        return x.with_shape(
            (self.length(x.shape[0] if x.shape else UNKNOWN, y.shape[0] if y.shape else UNKNOWN),)
        )

    def length(self, x: Dim, y: Dim) -> Dim:
        """The length of the result for vectors of these lengths."""
        if x == 0 or y == 0:
            raise ShapeError("a vector without elements slides along nothing")
        match self.mode:
            case "full":
                return x + y - 1
            case "same":
                return dims.maximum(x, y)
            case _:
                return dims.maximum(x, y) - dims.minimum(x, y) + 1


class Convolve(_Sliding):
    """Sums of products of one vector with another, turned round, that slides along it."""

    why_no_graphdef = "TensorFlow writes it as a Conv1D of batches and channels"

    def kernel(self, x: Array, y: Array) -> Any:
        return np.convolve(x, y, mode=self.mode)


class Correlate(_Sliding):
    """Sums of products of one vector with the conjugate of another that slides along it."""

    why_no_graphdef = "TensorFlow writes it as a Conv1D of batches and channels"

    def kernel(self, x: Array, y: Array) -> Any:
        return np.correlate(x, y, mode=self.mode)
