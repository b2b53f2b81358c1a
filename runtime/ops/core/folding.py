"""`Reduce` and `Scan`: elements combined along axes, by a function of two scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import DType, float32, int64
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import GraphError, ShapeError
from runtime.graph.build import bind
from runtime.graph.op import FRESH, Aliases, Failures
from runtime.ops.facts import Sample, misranked
from runtime.ops.families import Family, Reduction

__all__ = ["COMBINERS", "Reduce", "Scan", "added_in_turn", "reduce", "scan"]

_TABLE = np.arange(12.0, dtype=np.float32).reshape(3, 4)

COMBINERS: dict[str, np.ufunc] = {
    each.__name__: each
    for each in (np.add, np.multiply, np.maximum, np.minimum, np.logical_and, np.logical_or)
}
"""The functions that combine two elements, by name."""


def _require_combiner(name: str) -> None:
    if name not in COMBINERS:
        raise GraphError(f"elements are not combined by {name!r}", why=f"There are {', '.join(COMBINERS)}.")


def _fold(x: Array, axis: tuple[int, ...] | None, combine: str, **fields: Any) -> Sample:
    usual = {"keepdims": False, "dtype": float32, "initial": None, "order": "any"}
    return Sample((x,), {"axis": axis, "combine": combine, **usual, **fields})


class Reduce(Reduction):
    """Elements combined along some axes."""

    combine: str
    """A name in `COMBINERS`."""
    dtype: DType
    """What elements are cast to as they are combined: the dtype of the result."""
    initial: float | None
    """What is combined with all of them; None for what the combiner has, if anything."""
    order: Literal["any", "numpy", "turns"]
    """In which order: no bit depends on it, or it is that of ``numpy.ufunc.reduce``, or one after the other.

    NumPy adds floats pairwise along a contiguous axis, in blocks of 128, and row by row along others; it
    multiplies from left to right. A compiler may take any order where it may change the last bits.
    """

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        _fold(_TABLE, (1,), "add", order="numpy"),
        _fold(_TABLE / 7, (0,), "add", initial=0.1, order="turns"),
        _fold(_TABLE, None, "maximum", keepdims=True),
        _fold(_TABLE > 2, (0,), "add", dtype=int64),
        _fold(_TABLE[:0], (0,), "minimum", initial=7.0),
    )

    def infer(self, x: ArraySpec) -> ArraySpec:
        _require_combiner(self.combine)
        if self.initial is None and COMBINERS[self.combine].identity is None:
            self.require_elements(x.shape)
        return ArraySpec(self.reduced_shape(x.shape), self.dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        has_least = self.initial is not None or COMBINERS[self.combine].identity is not None
        return misranked(*specs) if has_least or shapes.size(specs[0].shape) else frozenset([ShapeError])

    def kernel(self, x: Array) -> Any:
        if self.order == "turns":
            return added_in_turn(x.astype(self.dtype.numpy, copy=False), self.initial or 0)
        fold = getattr(np, self.combine).reduce
        if self.initial is None:
            return fold(x, axis=self.axis, dtype=self.dtype.numpy, keepdims=self.keepdims)
        return fold(x, axis=self.axis, dtype=self.dtype.numpy, keepdims=self.keepdims, initial=self.initial)


def added_in_turn(x: Array, start: Any) -> Any:
    """`start`, and to it the elements along the first axis, one after the other, as Python's `sum` adds.

    Where there is something to be told of, Python tells it, in the words of its additions.
    """
    rest = np.broadcast_shapes(x.shape[1:], np.shape(start))
    told = {kind: "ignore" if how == "ignore" else "raise" for kind, how in np.geterr().items()}
    try:
        with np.errstate(**told):  # type: ignore[arg-type]
            if x.flags.c_contiguous and np.prod(x.shape[1:]) > 1 and np.ndim(start) == 0:
                return np.add.reduce(x, axis=0, dtype=x.dtype, initial=start)  # rows are added to rows
            every = np.empty((1 + len(x), *rest), x.dtype)
            every[0] = start
            every[1:] = x.reshape(len(x), *[1] * (1 + len(rest) - x.ndim), *x.shape[1:])
            return np.add.accumulate(every, axis=0, dtype=x.dtype)[-1]
    except FloatingPointError:
        return sum(x, np.broadcast_to(np.asarray(start, x.dtype), rest)[()])


class Scan(Family):
    """Each element combined with those before it along one axis, from left to right."""

    combine: str
    """A name in `COMBINERS`."""
    axis: int

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        Sample((_TABLE,), {"combine": "add", "axis": 1}),
        Sample((_TABLE,), {"combine": "maximum", "axis": 0}),
    )

    def infer(self, x: ArraySpec) -> ArraySpec:
        _require_combiner(self.combine)
        if x.shape is not None:
            normalise_axis(self.axis, len(x.shape))
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array) -> Any:
        return getattr(np, self.combine).accumulate(x, axis=self.axis, dtype=x.dtype)


def reduce(
    combine: str,
    x: Tensor,
    axis: Sequence[int] | None,
    keepdims: bool = False,
    dtype: DType | None = None,
    initial: float | None = None,
    *,
    shows: bool = True,
) -> Tensor:
    """The elements of `x` combined along some axes, in NumPy's order where that `shows` in the bits."""
    to = x.dtype if dtype is None else dtype
    order: Literal["any", "numpy"] = "numpy" if shows and to.kind not in "biu" else "any"
    axes = None if axis is None else tuple(axis)
    return bind(Reduce(axes, keepdims, combine, to, initial, order), x)


def scan(combine: str, x: Tensor, axis: int) -> Tensor:
    """Each element of `x` combined with those before it along one axis."""
    return bind(Scan(combine, axis), x)
