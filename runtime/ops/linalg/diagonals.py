"""The diagonals of matrices, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import dims
from runtime.core.dtypes import int32
from runtime.core.shapes import Dim
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ExportError
from runtime.graph.build import bind
from runtime.graph.op import Failures
from runtime.ops.arguments import whole_number
from runtime.ops.core import computed, indices, lengths, move
from runtime.ops.examples import read_only
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, misranked, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.linalg.matrices import least, matrices

__all__ = ["Diagonal", "diagonal", "trace"]


class Diagonal(IndexMap):
    """The diagonal of each matrix, along the last axis."""

    offset: int

    samples = (
        shaped((2, 2), offset=0),
        shaped((2, 2, 3), offset=1, elements=np.int64),
        shaped((3, 2), offset=-5),
    )
    aliases = sharing(0)
    put_back = read_only

    def infer(self, x: ArraySpec) -> ArraySpec:
        parts = matrices(x.shape)
        if parts is None:
            return x
        return x.with_shape((*parts.batch, _diagonal_length(parts.rows, parts.columns, self.offset)))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.diagonal(x, self.offset, -2, -1)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        *batch, rows, columns = lengths(x)
        over, under = max(self.offset, 0), max(-self.offset, 0)
        count = computed("maximum(minimum(x0, x1), i64(0))", rows - under, columns - over)
        *index, place = indices(x.ndim - 1)
        return move(x, [*batch, count], [*index, place + under, place + over])

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype, parts = specs[0].dtype, matrices(specs[0].shape)
        if parts and _diagonal_length(parts.rows, parts.columns, self.offset) == 0:
            raise ExportError(
                f"diagonal {self.offset} of {specs[0]} cannot be written to a GraphDef",
                why="TensorFlow has no empty diagonals.",
                way_out="Write `rt.zeros` in its place.",
            )
        offset, padding = builder.constant(self.offset, int32), builder.constant(0, dtype)
        return [builder.node("MatrixDiagPartV3", [*inputs, offset, padding], "diagonal", T=dtype)]


def _diagonal_length(rows: Dim, columns: Dim, offset: int) -> Dim:
    return least(dims.maximum(rows + min(offset, 0), 0), dims.maximum(columns - max(offset, 0), 0))


def diagonal(x: TensorLike, /, *, offset: int = 0) -> Tensor:
    """Diagonal of each matrix.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, m)
    offset : int, optional
        Which diagonal: above the main one where it is positive, below where it is negative.

    Returns
    -------
    Tensor of the same dtype, shape (..., k)

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    Semantics: Array API 2025.12, `linalg.diagonal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.diagonal(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 4])>
    """
    return bind(Diagonal(whole_number(offset, "offset")), x)


def trace(x: TensorLike, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Sum of the diagonal of each matrix.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., n, m)
    offset : int, optional
        Which diagonal: above the main one where it is positive, below where it is negative.
    dtype : DType, optional
        In which to compute, and of the result.

    Returns
    -------
    Tensor, shape (...)
        Small integers widen to 64 bits, as in `sum`, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    GraphDef "Sum" and others. Semantics: Array API 2025.12, `linalg.trace`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linalg.trace(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(), dtype=int64, numpy=5>
    """
    return ops.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
