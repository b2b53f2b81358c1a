"""`tf.TypeSpec` and its kin: what is known of values that are several tensors, before they are there."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.data import Dataset, DatasetSpec
from autograph.compat.tf.ragged import RaggedTensor
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.sparse import SparseTensor
from autograph.compat.tf.tensors import RecordedSpec, TensorArray, TensorSpec, TypeSpec
from autograph.compat.tf.values import convert_to_tensor
from runtime.core.dtypes import as_dtype, float32, int64
from runtime.core.structure import map_leaves

__all__ = [
    "NoneTensorSpec",
    "RaggedTensorSpec",
    "SparseTensorSpec",
    "TensorArraySpec",
    "expanded",
    "type_spec_from_value",
]


class NoneTensorSpec(RecordedSpec):
    """`tf.NoneTensorSpec`: of None."""

    value_type = type(None)


class RaggedTensorSpec(RecordedSpec):
    """`tf.RaggedTensorSpec`: of ragged tensors, in an `input_signature` too.

    Parameters
    ----------
    shape : TensorShape, or what makes one
    dtype : DType
    ragged_rank : int, optional
        How many axes have rows of several lengths; all but the last one by default.
    row_splits_dtype : DType
    """

    value_type = RaggedTensor

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = int64,
        flat_values_spec: Any = None,
    ) -> None:
        del flat_values_spec
        self.shape = TensorShape(shape)
        self.dtype = as_dtype(dtype)
        self.ragged_rank = (self.shape.rank or 2) - 1 if ragged_rank is None else ragged_rank
        self.row_splits_dtype = as_dtype(row_splits_dtype)

    def nest(self) -> RaggedTensor:
        """The specs of its parts."""
        lengths = [None] * (self.ragged_rank + 1) if self.shape.rank is None else self.shape.as_list()
        found: Any = TensorSpec([None, *lengths[self.ragged_rank + 1 :]], self.dtype)
        for axis in reversed(range(self.ragged_rank)):
            rows = lengths[0] if axis == 0 else None
            found = RaggedTensor(
                found, TensorSpec([None if rows is None else rows + 1], self.row_splits_dtype)
            )
        return found  # type: ignore[no-any-return]  # it is one, as there is an axis


class SparseTensorSpec(RecordedSpec):
    """`tf.SparseTensorSpec`: of sparse tensors, in an `input_signature` too."""

    value_type = SparseTensor

    def __init__(self, shape: Any = None, dtype: Any = float32) -> None:
        self.shape = TensorShape(shape)
        self.dtype = as_dtype(dtype)

    def nest(self) -> SparseTensor:
        """The specs of its parts."""
        rank = self.shape.rank
        return SparseTensor(
            TensorSpec([None, rank], int64), TensorSpec([None], self.dtype), TensorSpec([rank], int64)
        )


class TensorArraySpec(RecordedSpec):
    """`tf.TensorArraySpec`: of arrays of tensors."""

    value_type = TensorArray

    def __init__(
        self,
        element_shape: Any = None,
        dtype: Any = float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self.element_shape = TensorShape(element_shape)
        self.dtype = as_dtype(dtype)
        self.dynamic_size = dynamic_size
        self.infer_shape = infer_shape


def expanded(signature: Any) -> Any:
    """A signature in which each spec of several tensors is the nest of theirs."""

    def plain(spec: Any) -> Any:
        return spec.nest() if isinstance(spec, (RaggedTensorSpec, SparseTensorSpec)) else spec

    return signature if signature is None else map_leaves(plain, signature)


def type_spec_from_value(value: Any) -> TypeSpec:
    """`tf.type_spec_from_value`: what is known of a value."""
    if value is None:
        return NoneTensorSpec()
    if isinstance(value, RaggedTensor):
        rank = 1
        inner = value.values
        while isinstance(inner, RaggedTensor):
            inner, rank = inner.values, rank + 1
        tail = TensorShape(inner.static_shape)[1:]
        rows = TensorShape(value.row_splits.static_shape)[0]
        shape = TensorShape([None if rows is None else rows - 1, *[None] * rank]) + tail
        return RaggedTensorSpec(shape, inner.dtype, rank, value.row_splits.dtype)
    if isinstance(value, SparseTensor):
        return SparseTensorSpec(value.shape, value.dtype)
    if isinstance(value, Dataset):
        return DatasetSpec.from_value(value)
    if isinstance(value, TensorArray):
        return TensorArraySpec(value.element_shape, value.dtype, value.dynamic_size)
    tensor = convert_to_tensor(value)
    return TensorSpec(tensor.static_shape, tensor.dtype)
