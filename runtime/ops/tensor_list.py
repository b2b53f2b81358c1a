"""Lists of tensors as values of a graph, and `TensorArray`, which reads and writes them.

A list is a value like any other: writing gives a new list and leaves the old one as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, as_dtype, float32, int32, int64, variant
from runtime.core.shapes import contains, text
from runtime.core.spec import Spec, as_shape
from runtime.core.structure import register
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import IndexOutOfRange, InvalidArgument, ShapeError
from runtime.graph.build import as_tensor, bind, current_defaults
from runtime.graph.op import Op
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor

__all__ = [
    "TensorArray",
    "TensorListConcat",
    "TensorListFromTensor",
    "TensorListGetItem",
    "TensorListLength",
    "TensorListReserve",
    "TensorListScatter",
    "TensorListSetItem",
    "TensorListStack",
]


class ListValue:
    """The elements of a list.

    Versions share one storage: each knows how long it is and which slots were written in it, so that filling
    a slot for the first time and appending cost no copy, and older versions stay what they were.
    """

    __slots__ = ("element", "length", "storage", "written")

    def __init__(self, storage: list[Any], length: int, written: int, element: Spec | None) -> None:
        self.storage = storage
        self.length = length
        self.written = written
        self.element = element

    @property
    def spec(self) -> Spec:
        """What a graph knows of it."""
        return Spec((), variant, self.element)

    def get(self, index: int, dtype: DType) -> Array:
        """The element at `index`; zeros where nothing was written and the shape is known."""
        if not 0 <= index < self.length:
            raise IndexOutOfRange(f"index {index} is out of range for a TensorArray of size {self.length}")
        if self.written >> index & 1:
            element: Array = self.storage[index]
            return element
        shape = self.element.shape if self.element else None
        if shape is None or None in shape:
            raise InvalidArgument(
                f"element {index} of a TensorArray was read before it was written, and its shape is not known"
            )
        return np.zeros(tuple(dim or 0 for dim in shape), dtype.numpy)

    def put(self, index: int, value: Array, *, grows: bool) -> ListValue:
        """A list with another element at `index`."""
        if index < 0 or (index >= self.length and not grows):
            raise IndexOutOfRange(
                f"index {index} is out of range for a TensorArray of size {self.length}"
                + ("" if grows else "; make it with dynamic_size=True to let it grow")
            )
        fresh = index >= len(self.storage) or self.storage[index] is None
        storage = self.storage if fresh else self.storage.copy()
        storage.extend([None] * (index + 1 - len(storage)))
        storage[index] = np.asarray(value)
        found = Spec(np.shape(value), as_dtype(storage[index].dtype))
        element = found if self.element is None else self.element.join(found)
        return ListValue(storage, max(self.length, index + 1), self.written | 1 << index, element)

    def elements(self, dtype: DType) -> list[Array]:
        """Every element."""
        return [self.get(index, dtype) for index in range(self.length)]


def _list(value: Any) -> ListValue:
    """The list in what a kernel is given: an eager tensor wraps it in an array."""
    found: ListValue = value.item() if isinstance(value, np.ndarray) else value
    return found


class TensorListReserve(Op):
    """A list of so many elements, none of them written."""

    dtype: DType
    element: Spec | None
    input_names: ClassVar[tuple[str, ...]] = ("num_elements",)

    def infer(self, size: Spec) -> Spec:
        return Spec((), variant, self.element)

    def kernel(self, size: Any) -> Any:
        return ListValue([None] * int(size), int(size), 0, self.element)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = _element_shape(builder, self.element)
        size = _as_int32(builder, inputs[0], specs[0])
        kinds = {"element_dtype": self.dtype, "shape_type": int32}
        return [builder.node(self.name, [shape, size], "handle", **kinds)]


class TensorListFromTensor(Op):
    """The rows of a tensor as a list."""

    input_names: ClassVar[tuple[str, ...]] = ("tensor",)

    def infer(self, tensor: Spec) -> Spec:
        if tensor.shape == ():
            raise ShapeError("a tensor without axes has no rows to unstack")
        return Spec((), variant, Spec(tensor.shape and tensor.shape[1:], tensor.dtype))

    def kernel(self, tensor: Array) -> Any:
        rows = list(tensor)
        element = Spec(np.shape(tensor)[1:], as_dtype(tensor.dtype))
        return ListValue(rows, len(rows), (1 << len(rows)) - 1, element)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = _element_shape(builder, self.infer(*specs).element)
        kinds = {"element_dtype": specs[0].dtype, "shape_type": int32}
        return [builder.node(self.name, [*inputs, shape], "output_handle", **kinds)]


class TensorListSetItem(Op):
    """The list with another element at an index."""

    grows: bool
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index", "item")

    def infer(self, handle: Spec, index: Spec, item: Spec) -> Spec:
        element = item if handle.element is None else handle.element.join(item)
        return Spec((), variant, element)

    def kernel(self, handle: Any, index: Any, item: Array) -> Any:
        return _list(handle).put(int(index), item, grows=self.grows)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index, item = inputs
        index = _as_int32(builder, index, specs[1])
        options = {"element_dtype": specs[2].dtype, "resize_if_index_out_of_bounds": self.grows}
        return [builder.node(self.name, [handle, index, item], "output_handle", **options)]


class TensorListScatter(Op):
    """The list with the rows of a tensor at several indices."""

    grows: bool
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "indices", "tensor")

    def infer(self, handle: Spec, indices: Spec, tensor: Spec) -> Spec:
        row = Spec(tensor.shape and tensor.shape[1:], tensor.dtype)
        return Spec((), variant, row if handle.element is None else handle.element.join(row))

    def kernel(self, handle: Any, indices: Array, tensor: Array) -> Any:
        result = _list(handle)
        for index, row in zip(indices, tensor, strict=True):
            result = result.put(int(index), row, grows=self.grows)
        return result

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, indices, tensor = inputs
        indices = _as_int32(builder, indices, specs[1])
        name = "TensorListScatterIntoExistingList"
        return [builder.node(name, [handle, tensor, indices], "output_handle", element_dtype=specs[2].dtype)]


class TensorListGetItem(Op):
    """The element at an index."""

    dtype: DType
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index")

    def infer(self, handle: Spec, index: Spec) -> Spec:
        return handle.element or Spec(None, self.dtype)

    def kernel(self, handle: Any, index: Any) -> Array:
        return _list(handle).get(int(index), self.dtype)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index = inputs
        index = _as_int32(builder, index, specs[1])
        shape = _element_shape(builder, specs[0].element)
        return [builder.node(self.name, [handle, index, shape], "item", element_dtype=self.dtype)]


class TensorListLength(Op):
    """The number of elements."""

    dtype: DType
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)

    def infer(self, handle: Spec) -> Spec:
        return Spec((), self.dtype)

    def kernel(self, handle: Any) -> Array:
        return np.asarray(_list(handle).length, self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        del specs
        length = builder.node(self.name, inputs, "length")
        if self.dtype is int32:
            return [length]
        return [builder.node("Cast", [length], "y", SrcT=int32, DstT=self.dtype)]


class TensorListStack(Op):
    """Every element along a new first axis."""

    dtype: DType
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)

    def infer(self, handle: Spec) -> Spec:
        shape = handle.element.shape if handle.element else None
        return Spec(None if shape is None else (None, *shape), self.dtype)

    def kernel(self, handle: Any) -> Array:
        elements = _list(handle).elements(self.dtype)
        return np.stack(elements) if elements else _empty(_list(handle), self.dtype, 1)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = _element_shape(builder, specs[0].element)
        options = {"element_dtype": self.dtype, "num_elements": -1}
        return [builder.node(self.name, [*inputs, shape], "tensor", **options)]


class TensorListConcat(Op):
    """Every element end to end along its first axis."""

    dtype: DType
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)

    def infer(self, handle: Spec) -> Spec:
        shape = handle.element.shape if handle.element else None
        return Spec(None if shape is None else (None, *shape[1:]), self.dtype)

    def kernel(self, handle: Any) -> Array:
        elements = _list(handle).elements(self.dtype)
        return np.concatenate(elements) if elements else _empty(_list(handle), self.dtype, 0)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = _element_shape(builder, specs[0].element)
        lengths = builder.constant(np.zeros(0), int64)
        kinds = {"element_dtype": self.dtype, "shape_type": int32}
        return [builder.node("TensorListConcatV2", [*inputs, shape, lengths], "tensor", **kinds)]


def _element_shape(builder: GraphDefBuilder, element: Spec | None) -> GraphDefTensor:
    """The shape of elements as an input of TensorFlow's: -1 for what is not known."""
    shape = element.shape if element else None
    dims = -1 if shape is None else [-1 if dim is None else dim for dim in shape]
    return builder.constant(dims, int32)


def _as_int32(builder: GraphDefBuilder, tensor: GraphDefTensor, spec: Spec) -> GraphDefTensor:
    """Sizes and indices of lists are int32 in TensorFlow."""
    if spec.dtype is int32:
        return tensor
    return builder.node("Cast", [tensor], "y", SrcT=spec.dtype, DstT=int32)


def _empty(value: ListValue, dtype: DType, new_axes: int) -> Array:
    shape = (value.element.shape if value.element else None) or ()
    inner = shape if new_axes else shape[1:]
    return np.zeros((0, *[dim or 0 for dim in inner]), dtype.numpy)


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
        element = None if self.declared_shape is None else Spec(self.declared_shape, self.dtype)
        self.handle: Tensor = bind(
            TensorListReserve(self.dtype, element), as_tensor(0 if size is None else size)
        )

    @property
    def element_shape(self) -> Any:
        """The shape of the elements as far as it is known; None where it is not."""
        element = self.handle.spec.element
        return element.shape if element else self.declared_shape

    def _with(self, handle: Tensor) -> TensorArray:
        other = object.__new__(TensorArray)
        other.dtype = self.dtype
        other.dynamic_size = self.dynamic_size
        other.declared_shape = self.declared_shape
        other.handle = handle
        return other

    def _fitting(self, value: TensorLike, rows: bool = False) -> Tensor:
        tensor: Tensor = ops.asarray(value, dtype=self.dtype) if not isinstance(value, Tensor) else value
        if tensor.dtype is not self.dtype:
            tensor = ops.astype(tensor, self.dtype)
        shape = tensor.shape[1:] if rows and tensor.shape is not None else tensor.shape
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
    del kind, keys
    array = object.__new__(TensorArray)
    array.dtype, array.dynamic_size, array.declared_shape = extra
    (array.handle,) = children
    return array


register(TensorArray, _split, _build)
