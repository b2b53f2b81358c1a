"""Elements of an array, by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import IndexOutOfRange
from runtime.graph.op import Failures
from runtime.ops.core import gather
from runtime.ops.facts import INTEGER, TABLE, Sample, misranked, sharing
from runtime.ops.families import IndexMap
from runtime.ops.promotion import require_dtype

__all__ = ["ElementsAt"]


class ElementsAt(IndexMap):
    """Elements picked by their numbers, as they follow each other row by row: no number is negative.

    It shows a part of an array, whatever views of views have cut it out: each of these picks some of the
    numbers, and puts them in another order.
    """

    why_no_graphdef = "TensorFlow composes it of a Reshape and a GatherV2"
    samples = (
        Sample((TABLE, np.array([3, 0]))),
        Sample((TABLE, np.array([[1], [4], [2]]))),
        Sample((np.arange(3.0), np.empty((0, 1), np.int64))),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, numbers: ArraySpec) -> ArraySpec:
        require_dtype("elements_at", numbers.dtype, INTEGER)
        return x.with_shape(numbers.shape)

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, numbers: Array) -> Any:
        return np.take(x, numbers)

    def put_back(self, output: int, whole: Tensor, part: Tensor, numbers: Tensor) -> Tensor:
        del output
        return ops.set_item(whole, tuple(_coordinates(whole, numbers)), part)

    def decompose(self, x: Tensor, numbers: Tensor) -> Tensor | None:
        return gather(x, range(x.ndim), *_coordinates(x, numbers)) if x.static_shape else None


def _coordinates(x: Tensor, numbers: Tensor) -> list[Tensor]:
    """Where elements are along each axis, by their numbers."""
    found: list[Tensor] = []
    for axis in range(x.ndim - 1, 0, -1):
        length = ops.shape(x)[axis]
        found.insert(0, numbers % length)
        numbers = numbers // length
    return [numbers, *found]
