"""How often values occur: by number, and in intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import float64, int64, result_type
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ShapeError
from runtime.graph.op import FRESH, Aliases
from runtime.ops.core import check, computed, move, reduce, scalar, scatter
from runtime.ops.facts import BOOLEAN, INTEGER, Sample
from runtime.ops.families import Opaque
from runtime.ops.known import as_constant
from runtime.ops.promotion import cast_operand, require_dtype, widened

__all__ = ["Bincount", "Histogram"]

_NUMBERS = np.array([0, 3, 1, 1, 0, 5])
_VALUES = np.array([0.5, 1.5, 2.5, 2.5, 9.0])


class Bincount(Opaque):
    """How often each number from 0 on occurs, or the sum of the weights beside it."""

    minlength: int

    accepts = INTEGER | BOOLEAN
    why_no_graphdef = "TensorFlow's Bincount takes its length as an input"
    samples = (
        Sample((_NUMBERS,), {"minlength": 0}),
        Sample((_NUMBERS, np.linspace(0, 1, 6)), {"minlength": 9}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, *weights = operands
        return [x, *[cast_operand(each, float64) for each in weights]]

    def infer(self, x: ArraySpec, *weights: ArraySpec) -> ArraySpec:
        require_dtype("bincount", x.dtype, self.accepts)
        if x.rank not in {1, None}:
            raise ShapeError(
                f"`bincount` counts in a vector, not in {x}", way_out="Flatten it: `np.ravel(x)`."
            )
        _require_weights("bincount", x.shape, *[each.shape for each in weights])
        return ArraySpec((UNKNOWN,), float64 if weights else int64)

    def kernel(self, x: Array, *weights: Array) -> Any:
        return np.bincount(np.atleast_1d(x), weights[0] if weights else None, self.minlength)

    def decompose(self, x: Tensor, *weights: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        places = ops.cast(x, int64)
        check(ops.all(places >= 0), "ValueError", "'list' argument must have no negative elements")
        most = scalar(reduce("maximum", places, (0,), initial=-1))
        count = computed(f"maximum(x0 + i64(1), i64({self.minlength}))", most)
        added = weights[0] if weights else as_constant(np.array(1))
        nothing = move(as_constant(np.array(0, added.dtype.numpy)), [count], [])
        return scatter(nothing, added, (0,), places, combine="add")


def _require_weights(function: str, counted: Shape, *weights: Shape) -> None:
    """Refuses weights that are not one for each element."""
    for shape in weights:
        if not shapes.compatible(counted, shape):
            raise ShapeError(
                f"`{function}` of shape {shapes.text(counted)} with weights of shape {shapes.text(shape)}",
                why="Each element has one weight.",
                way_out="Give weights of the same shape; `rt.broadcast_to` repeats one.",
            )


class Histogram(Opaque):
    """How many elements lie in each interval, and the ends of the intervals.

    The inputs after the first are those of these that there are: limits of a range, ends, weights.
    """

    bins: int | None
    """The number of intervals of equal length; None where their ends are an input."""
    range: tuple[float, float] | None
    density: bool
    weighted: bool
    limits: tuple[bool, ...] = ()
    """Whether either limit of a range that only the run knows is Python's number; () without such a range."""

    why_no_graphdef = "TensorFlow's HistogramFixedWidth counts what lies outside as well"
    samples = (
        Sample((_VALUES,), {"bins": 4, "range": None, "density": False, "weighted": False, "limits": ()}),
        Sample(
            (_NUMBERS,), {"bins": 3, "range": (0.0, 4.0), "density": True, "weighted": False, "limits": ()}
        ),
        Sample(
            (_VALUES, np.array([0.0, 1.0, 3.0]), _VALUES.astype(np.float32)),
            {"bins": None, "range": None, "density": False, "weighted": True, "limits": ()},
        ),
        Sample(
            (_VALUES, np.array(0), np.array(2.5)),
            {"bins": 3, "range": None, "density": False, "weighted": False, "limits": (True, False)},
        ),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return widened(operands)

    def infer(self, x: ArraySpec, *rest: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        if self.bins is None:
            ends = rest[0]
            length = ends.shape[0] - 1 if ends.shape else UNKNOWN
        else:
            own = [each.dtype for each, is_pythons in zip(rest, self.limits, strict=False) if not is_pythons]
            dtype = result_type(x.dtype, *own)
            ends = ArraySpec((self.bins + 1,), dtype if dtype.is_floating else float64)
            length = self.bins
        if self.weighted:
            _require_weights("histogram", x.shape, rest[-1].shape)
        dtype = rest[-1].dtype if self.weighted else int64
        if self.density:
            dtype = result_type(dtype, ends.dtype, float64)
        return ArraySpec((length,), dtype), ends

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return frozenset([1]) if self.bins is None else FRESH  # the ends as they were given

    def kernel(self, x: Array, *rest: Array) -> Any:
        ends: Any = rest[0] if self.bins is None else self.bins
        weights = rest[-1] if self.weighted else None
        limits: Any = self.range
        if self.limits:
            pairs = zip(rest, self.limits, strict=False)
            limits = tuple([each.item() if is_pythons else each for each, is_pythons in pairs])
        return np.histogram(x, bins=ends, range=limits, density=self.density, weights=weights)
