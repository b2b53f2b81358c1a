"""Elements that a mask marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32, int64
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import IndexOutOfRange
from runtime.graph.op import Failures
from runtime.ops.core import expect, gather, length
from runtime.ops.facts import TABLE, GraphDefBuilder, Sample, misfits, sharing
from runtime.ops.families import IndexMap

__all__ = ["BooleanMask"]


class BooleanMask(IndexMap):
    """The elements or slices where a mask of the first axes holds, in order, along one axis."""

    samples = (
        Sample((TABLE, TABLE > 4)),
        Sample((TABLE, np.array([True, False, True]))),
        Sample((TABLE, np.zeros(3, np.bool_))),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, mask: ArraySpec) -> ArraySpec:
        if x.shape is None or mask.shape is None:
            return x.with_shape(None)
        covered = len(mask.shape)
        require_mask_shape(x.shape[:covered], mask.shape)
        return x.with_shape((UNKNOWN, *x.shape[covered:]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, mask: Array) -> Any:
        return np.asarray(x)[mask]

    def decompose(self, x: Tensor, mask: Tensor) -> Tensor | None:
        if x.static_shape is None or not mask.static_shape:
            return None
        require_mask_fits(x, mask)
        return gather(x, range(mask.ndim), *ops.nonzero(mask))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        x, mask = inputs
        if specs[1].shape == ():  # `Where` takes no single truth value
            first = builder.constant(0, int32)
            x = builder.node("ExpandDims", [x, first], T=specs[0].dtype, Tdim=int32)
            mask = builder.node("ExpandDims", [mask, first], T=specs[1].dtype, Tdim=int32)
        places = builder.node("Where", [mask], "index", T=specs[1].dtype)
        return [builder.node("GatherNd", [x, places], Tparams=specs[0].dtype, Tindices=int64)]


def require_mask_fits(x: Tensor, mask: Tensor, first: int = 0) -> None:
    """Checks in a run that a mask is as long as the axes that it covers."""
    for axis in range(mask.ndim):
        lengths_there = length(x, first + axis), length(mask, axis)
        message = f"a mask of length {{1}} does not match axis {first + axis}, of length {{0}}"
        expect("x0 == x1", "IndexOutOfRange", message, *lengths_there)


def require_mask_shape(covered: tuple[Dim, ...], mask: Shape) -> None:
    if not shapes.compatible(covered, mask):
        raise IndexOutOfRange(
            f"a mask of shape {shapes.text(mask)} does not match axes of shape {shapes.text(covered)}",
            why="It says of each element, or of each slice along these axes, whether it is taken.",
            way_out="Compare the tensor itself, as in `x[x > 0]`, or mask another axis: `x[:, mask]`.",
        )
