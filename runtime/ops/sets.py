"""Distinct elements, and whether an element is among others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, int64
from runtime.core.shapes import normalise_axis
from runtime.core.spec import Spec
from runtime.core.tensor import Array
from runtime.ops.facts import Sample
from runtime.ops.families import Opaque, promoted

__all__ = ["IsIn", "Unique"]

_REPEATED = np.array([[3, 1, 3], [1, 1, 7]])
_NAN = np.array([2.0, np.nan, np.nan, 1.0])


class Unique(Opaque):
    """The distinct elements in order; where each is first, which each element is, how often each occurs."""

    axis: int | None
    equal_nan: bool

    why_no_graphdef = "TensorFlow's UniqueV2 keeps the order in which they occur"
    samples = (
        Sample((_REPEATED,), {"axis": None, "equal_nan": True}),
        Sample((_REPEATED,), {"axis": 1, "equal_nan": True}),
        Sample((_NAN,), {"axis": None, "equal_nan": False}),
    )

    def infer(self, x: Spec) -> tuple[Spec, ...]:
        counted = Spec((None,), int64)
        if self.axis is None:
            return x.with_shape((None,)), counted, Spec(x.shape, int64), counted
        if x.shape is None:
            return x, counted, counted, counted
        axis = normalise_axis(self.axis, len(x.shape))
        distinct = (*x.shape[:axis], None, *x.shape[axis + 1 :])
        return x.with_shape(distinct), counted, Spec((x.shape[axis],), int64), counted

    def kernel(self, x: Array) -> Any:
        values, first, place, times = np.unique(
            x,
            return_index=True,
            return_inverse=True,
            return_counts=True,
            axis=self.axis,
            equal_nan=self.equal_nan,
        )
        return values, first, place.reshape(np.shape(x) if self.axis is None else -1), times


class IsIn(Opaque):
    """Whether each element of the first input is among those of the second."""

    why_no_graphdef = "TensorFlow composes it of a comparison and a reduction"
    samples = (
        Sample((_REPEATED, np.array([1, 7]))),
        Sample((np.array(2.0), _NAN)),
        Sample((_REPEATED, np.zeros((0, 2), np.int64))),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: Spec, of: Spec) -> Spec:  # any elements can be compared
        return Spec(x.shape, bool_)

    def kernel(self, x: Array, of: Array) -> Any:
        return np.isin(x, of)
