"""Medians and quantiles, and extremes that leave out what is no number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import LOW_PRECISION, as_dtype, float64, int32
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import IndexOutOfRange
from runtime.graph.op import Failures
from runtime.ops.facts import (
    FLOATING,
    INTEGER,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    axes_in_graphdef,
    shaped,
)
from runtime.ops.families import Extreme, Reduction
from runtime.ops.promotion import cast_operand, require_dtype

__all__ = ["Median", "NanMax", "NanMin", "Quantile"]

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


class _ExtremeOfNumbers(Extreme, abstract=True):
    """An extreme of the elements that are numbers, and no number where there is none.

    Of zeros of both signs it is the one that NumPy meets, which goes by how NumPy folds.
    """

    accepts = FLOATING.difference(LOW_PRECISION)
    quiet = ""
    ufunc: ClassVar[np.ufunc]
    worst: ClassVar[float]

    def kernel(self, x: Array) -> Any:
        return self.ufunc.reduce(x, axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        fold = ops.max if self.ufunc is np.fmax else ops.min
        numbers = ops.logical_not(ops.isnan(x))
        worst, nan = [Tensor(np.asarray(each, x.dtype.numpy)) for each in (self.worst, np.nan)]
        found = fold(ops.where(numbers, x, worst), axis=self.axis, keepdims=self.keepdims)
        return ops.where(ops.any(numbers, axis=self.axis, keepdims=self.keepdims), found, nan)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), dtype = inputs, specs[0].dtype
        every = self.axis is None
        axes = axes_in_graphdef(builder, x, dtype) if every else builder.constant(self.axis, int32)
        worst, nan = builder.constant(self.worst, dtype), builder.constant(np.nan, dtype)
        is_nan = builder.node("IsNan", [x], "y", T=dtype)
        filled = builder.node("SelectV2", [is_nan, worst, x], T=dtype)
        name = "Max" if self.ufunc is np.fmax else "Min"
        found = builder.node(name, [filled, axes], T=dtype, Tidx=int32, keep_dims=self.keepdims)
        none = builder.node("All", [is_nan, axes], Tidx=int32, keep_dims=self.keepdims)
        return [builder.node("SelectV2", [none, nan, found], T=dtype)]


def _samples() -> Samples:
    fields: list[dict[str, Any]] = [{"axis": (1,), "keepdims": False}, {"axis": None, "keepdims": True}]
    elements = [_WITH_NAN, _WITH_NAN.astype(np.float32), np.full((2, 2), np.nan)]
    return Samples(lambda: [Sample((each,), attributes) for each in elements for attributes in fields])


class NanMax(_ExtremeOfNumbers):
    """The greatest of the elements that are numbers along some axes."""

    ufunc, worst = np.fmax, -np.inf
    samples = _samples()


class NanMin(_ExtremeOfNumbers):
    """The least of the elements that are numbers along some axes."""

    ufunc, worst = np.fmin, np.inf
    samples = _samples()
