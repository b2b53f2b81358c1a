"""`tf.sparse`: tensors of which only some elements are there, as values that loops carry."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph.compat.tf.arrays import shape
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor, TensorLike

__all__ = ["SparseTensor", "from_dense", "to_dense"]


class SparseTensor(NamedTuple):
    """`tf.SparseTensor`: the coordinates of elements, the elements, and the shape of the whole."""

    indices: Any
    values: Any
    dense_shape: Any

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return convert_to_tensor(self.values).dtype


def from_dense(tensor: TensorLike, name: Any = None) -> SparseTensor:
    """`tf.sparse.from_dense`: the elements that are not 0."""
    del name
    whole = convert_to_tensor(tensor)
    places = ops.cast(ops.argwhere(whole != 0), int64)
    return SparseTensor(places, ops.gather_nd(whole, places), shape(whole, int64))


def to_dense(
    sp_input: SparseTensor,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: Any = None,
) -> Tensor:
    """`tf.sparse.to_dense`: with `default_value`, by default 0, where there is no element."""
    del validate_indices, name
    values = convert_to_tensor(sp_input.values)
    fill = ops.zeros((), dtype=values.dtype) if default_value is None else default_value
    whole = ops.full(convert_to_tensor(sp_input.dense_shape, int64), fill, dtype=values.dtype)
    return ops.scatter_update(whole, convert_to_tensor(sp_input.indices, int64), values)
