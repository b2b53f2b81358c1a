"""Whether whole tensors are the same, their shapes included."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.shapes import is_known
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.ops.core import reduce, scalar_map
from runtime.ops.facts import Sample, raising, shaped
from runtime.ops.families import Opaque
from runtime.ops.known import as_constant
from runtime.ops.promotion import promoted

__all__ = ["ArrayEqual", "ArrayEquiv"]

_NAN = np.array([1.0, np.nan])


class ArrayEqual(Opaque):
    """Whether two tensors have one shape and equal elements."""

    equal_nan: bool

    why_no_graphdef = "TensorFlow refuses to compare tensors of different shapes"
    samples = (
        shaped((2, 3), (2, 3), equal_nan=False),
        shaped((2, 3), (3,), equal_nan=False),
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
        left, right = promoted([x, y])
        is_same = (
            "(x0 == x1) | (isnan(x0) & isnan(x1))"
            if self.equal_nan and left.dtype.kind in "fc"
            else "x0 == x1"
        )
        return reduce("logical_and", scalar_map(is_same, left, right), None)


class ArrayEquiv(Opaque):
    """Whether two tensors can be broadcast together and then have equal elements."""

    why_no_graphdef = "TensorFlow refuses to compare tensors of different shapes"
    samples = (shaped((2, 3), (2, 3)), shaped((2, 3), (2,)), Sample((_NAN, _NAN)))
    raises = raising()

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:  # any two tensors can be compared
        return ArraySpec((), bool_)

    def kernel(self, x: Array, y: Array) -> Any:
        return np.bool_(np.array_equiv(x, y))
