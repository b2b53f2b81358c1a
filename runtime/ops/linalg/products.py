"""Products of vectors in space, and of matrices with themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import whole_number
from runtime.ops.core import expect, length, pick
from runtime.ops.facts import NUMERIC, shaped
from runtime.ops.families import Contraction
from runtime.ops.linalg.equations import inv
from runtime.ops.linalg.matrices import square_matrices
from runtime.ops.promotion import promoted, require_dtype

__all__ = ["Cross", "cross", "matrix_power"]


class Cross(Contraction):
    """For two vectors of length 3, the one that is perpendicular to both."""

    axis: int

    accepts = NUMERIC
    why_no_graphdef = "TensorFlow's Cross neither broadcasts nor takes complex numbers"
    samples = (
        shaped((3,), (3,), axis=-1),
        shaped((2, 3), (3,), axis=-1, elements=np.int32),
        shaped((3, 2), (3, 1), axis=0, elements=np.complex64),
        shaped((4, 3, 2), (3, 2), axis=-2, elements=np.float64),
        shaped((0, 3), (1, 3), axis=-1),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        require_dtype("cross", x.dtype, self.accepts)
        if x.shape is None or y.shape is None:
            return x.with_shape(None)
        rests = []
        for shape in (x.shape, y.shape):
            axis = normalise_axis(self.axis, len(shape))
            if not shapes.compatible((shape[axis],), (3,)):
                raise ShapeError(
                    f"axis {self.axis} of shape {shapes.text(shape)} has length {shape[axis]}, not 3",
                    why="A cross product is of vectors in space.",
                    way_out="Give the axis of their coordinates as `axis`, or a third coordinate to each.",
                )
            rests.append((*shape[:axis], *shape[axis + 1 :]))
        rest = shapes.broadcast(*rests)
        assert rest is not None, "both ranks are known"
        axis = normalise_axis(self.axis, len(rest) + 1)
        return x.with_shape((*rest[:axis], 3, *rest[axis:]))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.linalg.cross(x, y, axis=self.axis)

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        if x.static_shape is None or y.static_shape is None:
            return None
        left, right = [self._components(each) for each in (x, y)]
        turns = ((1, 2), (2, 0), (0, 1))
        parts = [
            ops.subtract(ops.multiply(left[one], right[two]), ops.multiply(left[two], right[one]))
            for one, two in turns
        ]
        return ops.stack(parts, axis=self.axis)

    def _components(self, x: Tensor) -> list[Tensor]:
        axis = normalise_axis(self.axis, x.ndim)
        expect(
            "x0 == i64(3)", "ShapeError", "an axis of length {0} holds no vectors in space", length(x, axis)
        )
        return [pick(x, axis, place) for place in range(3)]


def cross(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Cross products of vectors in space.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype, shape (..., 3, ...)
        The other axes broadcast together.
    axis : int, optional
        Where the coordinates are, in each operand and in the result.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., 3, ...)

    Raises
    ------
    ShapeError
        When the axis is out of range or not of length 3, or the others do not broadcast together.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.cross`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.cross(rt.asarray([1, 0, 0]), rt.asarray([0, 1, 0]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([0, 0, 1])>
    """
    return bind(Cross(shapes.as_axis(axis)), x1, x2)


def matrix_power(x: TensorLike, n: int, /) -> Tensor:
    """Product of each matrix with itself, `n` times.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., m, m)
    n : int
        The identity where it is 0; the product of inverses where it is negative.

    Returns
    -------
    Tensor of the same shape and dtype
        float64 for the inverses of integers.

    Raises
    ------
    ShapeError
        When the matrices are not square.
    numpy.linalg.LinAlgError
        When `n` is negative and a matrix has no inverse; in a graph, in the run.

    Notes
    -----
    GraphDef "MatMul" or "BatchMatMulV2". Semantics: Array API 2025.12, `linalg.matrix_power`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.matrix_power(rt.asarray([[1, 1], [0, 1]]), 5)
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 5],
           [0, 1]])>
    """
    tensor, times = as_tensor(x), whole_number(n, "n")
    square_matrices(tensor.static_shape)
    if times == 0:
        identity = ops.eye(ops.shape(tensor)[-1], dtype=tensor.dtype)
        return ops.broadcast_to(identity, ops.shape(tensor))
    if times < 0:
        tensor, times = inv(tensor), -times
    result: Tensor | None = None
    while times:
        times, odd = divmod(times, 2)
        if odd:
            result = tensor if result is None else ops.matmul(result, tensor)
        if times:
            tensor = ops.matmul(tensor, tensor)
    assert result is not None, "the power is not 0"
    return result
