"""`TensorArray`: a list of tensors that is read, written and stacked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import ops
from runtime.core.containers import register
from runtime.core.dtypes import as_dtype, float32
from runtime.core.shapes import contains, text
from runtime.core.spec import ArraySpec, as_array_spec, as_shape
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind, current_defaults
from runtime.ops.tensor_list.nodes import (
    TensorListConcat,
    TensorListFromTensor,
    TensorListGetItem,
    TensorListLength,
    TensorListReserve,
    TensorListScatter,
    TensorListSetItem,
    TensorListStack,
    element_of,
)

__all__ = ["TensorArray"]


class TensorArray:
    """A list of tensors of one dtype, for loops that collect what they compute.

    Every write returns a new array; keep that one: ``ta = ta.write(i, x)``.

    Parameters
    ----------
    dtype : DType
    size : int or integer Tensor
        How many elements there are at first.
    dynamic_size : bool
        Whether writing behind the end makes it longer.
    element_shape : tuple of int or None, optional
        The shape that every element has; found from what is written where it is not given.

    Other Parameters
    ----------------
    clear_after_read, infer_shape, name
        Accepted for TensorFlow's programs; they change nothing here.

    Examples
    --------
    >>> import runtime as rt
    >>> squares = rt.TensorArray(rt.int64, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, i * i)
    >>> squares.stack()
    <Tensor: shape=(3,), dtype=int64, numpy=array([0, 1, 4])>
    """

    def __init_subclass__(cls) -> None:
        register(cls, _split, _build)  # a container as this class is

    def __init__(
        self,
        dtype: Any = float32,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        name: str | None = None,
    ) -> None:
        del clear_after_read, infer_shape, name
        self.dtype = as_dtype(dtype)
        self.dynamic_size = dynamic_size if dynamic_size is not None else size is None
        self.declared_shape = None if element_shape is None else as_shape(element_shape)
        element = None if self.declared_shape is None else ArraySpec(self.declared_shape, self.dtype)
        self.handle: Tensor = bind(
            TensorListReserve(self.dtype, element), as_tensor(0 if size is None else size)
        )

    @property
    def element_shape(self) -> Any:
        """The shape of the elements as far as it is known; None where it is not."""
        element = element_of(self.handle.spec)
        return as_array_spec(element).shape if element else self.declared_shape

    def _with(self, handle: Tensor) -> TensorArray:
        other = object.__new__(type(self))
        other.dtype = self.dtype
        other.dynamic_size = self.dynamic_size
        other.declared_shape = self.declared_shape
        other.handle = handle
        return other

    def _fitting(self, value: TensorLike, rows: bool = False) -> Tensor:
        """A value as an element, or as `rows` of them: of the dtype and shape that were declared."""
        tensor: Tensor = ops.asarray(value, dtype=self.dtype) if not isinstance(value, Tensor) else value
        if tensor.dtype is not self.dtype:
            tensor = ops.cast(tensor, self.dtype)
        shape = tensor.static_shape[1:] if rows and tensor.static_shape is not None else tensor.static_shape
        if self.declared_shape is not None and shape is not None and not contains(self.declared_shape, shape):
            raise ShapeError(
                f"a TensorArray with elements of shape {text(self.declared_shape)} "
                f"cannot take one of shape {text(shape)}"
            )
        return tensor

    def size(self) -> Tensor:
        """The number of elements."""
        length: Tensor = bind(TensorListLength(current_defaults().integer), self.handle)
        return length

    def read(self, index: TensorLike) -> Tensor:
        """The element at `index`.

        Raises
        ------
        IndexOutOfRange
            When there is none.
        """
        element: Tensor = bind(TensorListGetItem(self.dtype), self.handle, index)
        return element

    def write(self, index: TensorLike, value: TensorLike) -> TensorArray:
        """The array with `value` at `index`.

        Raises
        ------
        IndexOutOfRange
            When `index` is behind the end, and the array does not grow.
        """
        op = TensorListSetItem(self.dynamic_size)
        return self._with(bind(op, self.handle, index, self._fitting(value)))

    def stack(self) -> Tensor:
        """Every element along a new first axis."""
        stacked: Tensor = bind(TensorListStack(self.dtype), self.handle)
        return stacked

    def concat(self) -> Tensor:
        """Every element end to end along its first axis."""
        joined: Tensor = bind(TensorListConcat(self.dtype), self.handle)
        return joined

    def gather(self, indices: TensorLike) -> Tensor:
        """The elements at `indices`, along a new first axis."""
        return ops.take(self.stack(), indices, axis=0)

    def unstack(self, value: TensorLike) -> TensorArray:
        """The array whose elements are the rows of `value`."""
        return self._with(bind(TensorListFromTensor(), self._fitting(value, rows=True)))

    def scatter(self, indices: TensorLike, value: TensorLike) -> TensorArray:
        """The array with the rows of `value` at `indices`."""
        op = TensorListScatter(self.dynamic_size)
        return self._with(bind(op, self.handle, indices, self._fitting(value, rows=True)))

    def identity(self) -> TensorArray:
        """The array itself."""
        return self

    def close(self) -> None:
        """Nothing: memory is freed when nobody holds the array."""

    def __repr__(self) -> str:
        return f"<TensorArray: dtype={self.dtype}, element_shape={self.element_shape}>"


def _split(array: TensorArray) -> tuple[Sequence[Any], Sequence[Any], Any]:
    extra = array.dtype, array.dynamic_size, array.declared_shape
    return ("handle",), (array.handle,), extra


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> TensorArray:
    del keys
    array: TensorArray = object.__new__(kind)
    array.dtype, array.dynamic_size, array.declared_shape = extra
    (array.handle,) = children
    return array


register(TensorArray, _split, _build)
