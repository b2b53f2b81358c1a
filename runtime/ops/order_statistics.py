"""Medians and quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import LOW_PRECISION, as_dtype, float64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import IndexOutOfRange
from runtime.graph.op import Failures
from runtime.ops.facts import FLOATING, INTEGER, Sample, shaped
from runtime.ops.families import Reduction
from runtime.ops.promotion import cast_operand, require_dtype

__all__ = ["Median", "Quantile"]

_WITH_NAN = np.array([[1.0, np.nan, 3.0], [2.0, 0.0, 9.0]])


class Median(Reduction):
    """The element in the middle, or the mean of the two nearest to it."""

    ignore_nan: bool
    """Whether elements that are no numbers are left out; else they make the result one."""

    accepts = FLOATING.difference(LOW_PRECISION)
    why_no_graphdef = "TensorFlow has no op for medians"
    samples = (
        shaped((2, 3), axis=(0,), keepdims=False, ignore_nan=False),
        shaped((2, 4), axis=(0, 1), keepdims=True, ignore_nan=False, elements=np.float64),
        Sample((_WITH_NAN,), {"axis": (1,), "keepdims": False, "ignore_nan": True}),
    )
    quiet = ""

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        (x,) = operands
        return operands if x.dtype.is_floating else [cast_operand(x, float64)]

    def kernel(self, x: Array) -> Any:
        median = np.nanmedian if self.ignore_nan else np.median
        return median(x, axis=self.axis, keepdims=self.keepdims)


class Quantile(Reduction):
    """The places that a part of the elements lies below; several of them come first in the result."""

    method: str
    ignore_nan: bool
    """Whether elements that are no numbers are left out; else they make the result one."""
    of_python: bool
    """Whether the one place is a number of Python's, which gives way to the dtype of the elements."""

    accepts = FLOATING | INTEGER
    why_no_graphdef = "TensorFlow has no op for quantiles"
    samples = (
        Sample(
            (_WITH_NAN, np.array([0.0, 0.3, 1.0])),
            {"axis": (1,), "keepdims": False, "method": "linear", "ignore_nan": True, "of_python": False},
        ),
        Sample(
            (np.arange(6, dtype=np.float32).reshape(2, 3), np.array(0.4, np.float32)),
            {"axis": (0, 1), "keepdims": True, "method": "nearest", "ignore_nan": False, "of_python": False},
        ),
        Sample(
            (np.array([5, 3, 4], np.int8), np.array(1)),
            {"axis": (0,), "keepdims": False, "method": "linear", "ignore_nan": False, "of_python": True},
        ),
    )
    quiet = ""

    def infer(self, x: ArraySpec, q: ArraySpec) -> ArraySpec:  # type: ignore[override]  # the family's ops have one input
        require_dtype(self.name, x.dtype, self.accepts)
        rest = self.reduced_shape(x.shape)
        of_row = Quantile((0,), self.keepdims, self.method, self.ignore_nan, self.of_python)
        example = of_row.kernel(np.zeros(2, x.dtype.numpy), np.zeros((), q.dtype.numpy))
        dtype = as_dtype(np.asarray(example).dtype)
        return ArraySpec(None if rest is None or q.shape is None else (*q.shape, *rest), dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        failures: Failures = frozenset([ValueError])  # for a `q` that is none
        return failures if shapes.size(specs[0].shape) else failures | {IndexOutOfRange}

    def kernel(self, x: Array, q: Array) -> Any:
        quantile: Any = np.nanquantile if self.ignore_nan else np.quantile
        places = q.item() if self.of_python else q
        return quantile(x, places, axis=self.axis, method=self.method, keepdims=self.keepdims)
