"""Whether whole tensors are the same, their shapes included."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import bool_
from runtime.core.shapes import is_known
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ShapeError
from runtime.ops.core import reduce
from runtime.ops.facts import Sample, raising, shaped
from runtime.ops.families import Opaque
from runtime.ops.known import as_constant

__all__ = ["ArrayEqual", "ArrayEquiv"]

_NAN = np.array([1.0, np.nan])
_LARGE = np.array([2**53 + 1])  # no float64 is this number, and int64 and uint64 meet in one


class ArrayEqual(Opaque):
    """Whether two tensors have one shape and equal elements."""

    equal_nan: bool

    why_no_graphdef = "TensorFlow refuses to compare tensors of different shapes"
    samples = (
        shaped((2, 3), (2, 3), equal_nan=False),
        shaped((2, 3), (3,), equal_nan=False),
        Sample((_LARGE, _LARGE.astype(np.uint64) - 1), {"equal_nan": False}),
        Sample((_NAN, _NAN), {"equal_nan": True}),
    )
    raises = raising()

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:  # any two tensors can be compared
        return ArraySpec((), bool_)

    def kernel(self, x: Array, y: Array) -> Any:
        return np.bool_(np.array_equal(x, y, equal_nan=self.equal_nan))

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if not (is_known(x.static_shape) and is_known(y.static_shape)):
            return None
        if x.static_shape != y.static_shape:
            return as_constant(np.array(False))
        same = ops.equal(x, y)
        if self.equal_nan and {x.dtype.kind, y.dtype.kind} <= {"f", "c"}:
            same = ops.logical_or(same, ops.logical_and(ops.isnan(x), ops.isnan(y)))
        return reduce("logical_and", same, None)


class ArrayEquiv(Opaque):
    """Whether two tensors can be broadcast together and then have equal elements."""

    why_no_graphdef = "TensorFlow refuses to compare tensors of different shapes"
    samples = (
        shaped((2, 3), (2, 3)),
        shaped((2, 3), (2,)),
        shaped((), (2,)),
        Sample((_NAN, _NAN)),
        Sample((_LARGE, _LARGE.astype(np.uint64) - 1)),
    )
    raises = raising()

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:  # any two tensors can be compared
        return ArraySpec((), bool_)

    def kernel(self, x: Array, y: Array) -> Any:
        return np.bool_(np.array_equiv(x, y))

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if not (is_known(x.static_shape) and is_known(y.static_shape)):
            return None
        try:
            shapes.broadcast(x.static_shape, y.static_shape)
        except ShapeError:
            return as_constant(np.array(False))
        return reduce("logical_and", ops.equal(x, y), None)
