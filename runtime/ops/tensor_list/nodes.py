"""The ops that `TensorArray` is made of: a list is reserved, written by index, read and stacked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import DType, float32, float64, int32, int64
from runtime.core.lists import ListValue, concatenated, item_at, put, stacked
from runtime.core.spec import ArraySpec, Element, ListSpec, Spec, as_array_spec, refuse_as_tensor
from runtime.core.tensor import Array, Tensor
from runtime.errors import DTypeError, IndexOutOfRange, InvalidValue, ShapeError
from runtime.graph.build import bind
from runtime.graph.op import NOTHING, Failures
from runtime.ops.core import expect, length, number_of, pick, scalar
from runtime.ops.facts import (
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    misranked,
    raising,
    shaped,
    sharing,
    type_in_graphdef,
)
from runtime.ops.known import as_constant
from runtime.ops.tensor_list.base import ListOp, ListUpdate

__all__ = [
    "TensorListConcat",
    "TensorListFromTensor",
    "TensorListGetItem",
    "TensorListLength",
    "TensorListReserve",
    "TensorListScatter",
    "TensorListSetItem",
    "TensorListStack",
]


def sampled(*rest: Any, **attributes: Any) -> Samples:
    """Samples for an op on a list: one of scalars, one of vectors; `rest` are its other inputs."""

    def make() -> list[Sample]:
        lists: list[list[Any]] = [[1.0, 2.0, 4.0], [np.arange(2.0), np.ones(2)]]
        return [Sample((ListValue.of(elements), *rest), attributes) for elements in lists]

    return Samples(make)


class TensorListReserve(ListOp):
    """A list of so many elements, none of them written."""

    dtype: DType
    element: Element | None
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("num_elements",)
    samples = (
        Sample((np.array(2),), {"dtype": float32, "element": ArraySpec((), float32)}),
        Sample((np.array(0),), {"dtype": float32, "element": None}),
    )

    def infer(self, size: ArraySpec) -> Spec:
        return ListSpec(self.element)

    lists = 0
    aliases = sharing()

    def raises(self, *specs: ArraySpec) -> Failures:
        return index_failures(specs[0])

    def on_items(self, size: Any) -> list[Any]:
        return [None] * int(size)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = element_shape(builder, self.element)
        size = as_int32(builder, inputs[0], specs[0])
        kinds = {"element_dtype": _type(self.element, self.dtype), "shape_type": int32}
        return [builder.node(self.name, [shape, size], "handle", **kinds)]


class TensorListFromTensor(ListOp):
    """The rows of a tensor as a list."""

    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("tensor",)
    samples = (shaped((2, 3)), shaped((4,)), shaped((0, 2)))

    def infer(self, tensor: ArraySpec) -> Spec:
        if tensor.shape == ():
            raise ShapeError("a tensor without axes has no rows to unstack")
        return ListSpec(ArraySpec(tensor.shape and tensor.shape[1:], tensor.dtype))

    lists = 0
    aliases = sharing()

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def on_items(self, tensor: Array) -> list[Any]:
        return list(tensor)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = element_shape(builder, element_of(self.infer(as_array_spec(specs[0]))))
        kinds = {"element_dtype": type_in_graphdef(specs[0]), "shape_type": int32}
        return [builder.node(self.name, [*inputs, shape], "output_handle", **kinds)]


class TensorListSetItem(ListUpdate):
    """The list with another element at an index."""

    grows: bool
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index", "item")
    samples = Samples(
        lambda: [
            Sample((ListValue.of([1.0, 2.0]), np.array(index), np.array(5.0)), {"grows": grows})
            for index, grows in ((1, False), (3, True))
        ]
    )

    def infer(self, handle: Spec, index: ArraySpec, item: Spec) -> Spec:
        return with_item(handle, item)

    def raises(self, *specs: ArraySpec) -> Failures:
        return index_failures(specs[1]) | {IndexOutOfRange}

    def kernel(self, handle: Any, index: Any, item: Any) -> Any:
        return handle.put(int(index), item, grows=self.grows)

    def change(self, items: list[Any], index: Any, item: Any) -> None:
        put(items, index, item, self.grows)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index, item = inputs
        index = as_int32(builder, index, specs[1])
        options = {"element_dtype": type_in_graphdef(specs[2]), "resize_if_index_out_of_bounds": self.grows}
        return [builder.node(self.name, [handle, index, item], "output_handle", **options)]


def each_place(count: Dim, start: Tensor, step: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """A list after `step` for each place from 0 on, so many: it takes the place and the list before."""
    last = number_of(count)
    _, result = ops.while_loop(
        lambda place, _: place < last,
        lambda place, items: (place + 1, step(place, items)),
        (as_constant(np.array(0)), start),
    )
    found: Tensor = result
    return found


class TensorListScatter(ListUpdate):
    """The list with the rows of a tensor at several indices."""

    grows: bool
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "indices", "tensor")
    samples = sampled(np.array([2, 0]), np.array([7.0, 8.0]), grows=True)

    def infer(self, handle: Spec, indices: ArraySpec, tensor: ArraySpec) -> Spec:
        row = ArraySpec(tensor.shape and tensor.shape[1:], tensor.dtype)
        return with_item(handle, row)

    def raises(self, *specs: ArraySpec) -> Failures:
        return frozenset([IndexOutOfRange, TypeError, ValueError])

    def change(self, items: list[Any], indices: Array, tensor: Array) -> None:
        for index, row in zip(indices, tensor, strict=True):
            put(items, index, row, self.grows)

    def decompose(self, handle: Tensor, indices: Tensor, tensor: Tensor) -> Tensor | None:
        if indices.static_shape is None or tensor.static_shape is None:
            return None
        count, rows = length(indices, 0), length(tensor, 0)
        expect("x0 == x1", "ValueError", "there are {0} indices and {1} rows", count, rows)

        def write(place: Tensor, items: Tensor) -> Tensor:
            item = pick(tensor, 0, scalar(place))
            return bind(TensorListSetItem(self.grows), items, pick(indices, 0, scalar(place)), item)

        return each_place(count, handle, write)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, indices, tensor = inputs
        indices = as_int32(builder, indices, specs[1])
        name = "TensorListScatterIntoExistingList"
        return [
            builder.node(
                name, [handle, tensor, indices], "output_handle", element_dtype=type_in_graphdef(specs[2])
            )
        ]


class TensorListGetItem(ListOp):
    """The element at an index."""

    dtype: DType
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index")
    samples = sampled(np.array(1), dtype=float64)

    def infer(self, handle: Spec, index: ArraySpec) -> Spec:
        return element_of(handle) or ArraySpec(None, self.dtype)

    keeps_scalars = True
    takes_shape = True

    def raises(self, *specs: ArraySpec) -> Failures:
        return index_failures(specs[1]) | {IndexOutOfRange, InvalidValue}

    def on_items(self, items: list[Any], index: Any, shape: Any) -> Any:
        return item_at(items, index, shape, self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index = inputs
        index = as_int32(builder, index, specs[1])
        element = element_of(specs[0])
        shape, dtype = element_shape(builder, element), _type(element, self.dtype)
        return [builder.node(self.name, [handle, index, shape], "item", element_dtype=dtype)]


class TensorListLength(ListOp):
    """The number of elements."""

    dtype: DType
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)
    samples = sampled(dtype=int32)
    raises = raising()
    aliases = sharing()

    def infer(self, handle: Spec) -> Spec:
        element_of(handle)
        return ArraySpec((), self.dtype)

    def on_items(self, items: list[Any]) -> Array:
        return np.asarray(len(items), self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        del specs
        length = builder.node(self.name, inputs, "length")
        if self.dtype is int32:
            return [length]
        return [builder.node("Cast", [length], "y", SrcT=int32, DstT=self.dtype)]


class TensorListStack(ListOp):
    """Every element along a new first axis."""

    dtype: DType
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)
    samples = sampled(dtype=float64)
    raises = raising(InvalidValue, ShapeError)
    aliases = sharing()

    def infer(self, handle: Spec) -> Spec:
        element = element_of(handle)
        shape = as_array_spec(element).shape if element else None
        return ArraySpec(None if shape is None else (UNKNOWN, *shape), self.dtype)

    takes_shape = True

    def on_items(self, items: list[Any], shape: Any) -> Any:
        return stacked(items, shape, self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = element_shape(builder, element_of(specs[0]))
        options = {"element_dtype": self.dtype, "num_elements": -1}
        return [builder.node(self.name, [*inputs, shape], "tensor", **options)]


class TensorListConcat(ListOp):
    """Every element end to end along its first axis."""

    dtype: DType
    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)
    samples = Samples(lambda: [Sample((ListValue.of([np.arange(2.0), np.ones(3)]),), {"dtype": float64})])
    raises = raising(InvalidValue, ShapeError)
    aliases = sharing()

    def infer(self, handle: Spec) -> Spec:
        element = element_of(handle)
        shape = as_array_spec(element).shape if element else None
        return ArraySpec(None if shape is None else (UNKNOWN, *shape[1:]), self.dtype)

    takes_shape = True

    def on_items(self, items: list[Any], shape: Any) -> Any:
        return concatenated(items, shape, self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        shape = element_shape(builder, element_of(specs[0]))
        lengths = builder.constant(np.zeros(0), int64)
        kinds = {"element_dtype": self.dtype, "shape_type": int32}
        return [builder.node("TensorListConcatV2", [*inputs, shape, lengths], "tensor", **kinds)]


def element_of(handle: Spec) -> Element | None:
    """What the elements of a list are; refuses what is no list."""
    if isinstance(handle, ListSpec):
        return handle.element
    raise DTypeError(
        f"{handle.noun} was used as a list of tensors",
        why="Only a list has elements that are tensors of their own.",
        way_out="Unstack a tensor along its first axis: `rt.unstack(x)`.",
    )


def with_item(handle: Spec, item: Spec) -> ListSpec:
    """A list that holds another element."""
    own = element_of(handle)
    if not isinstance(item, (ArraySpec, ListSpec)):
        refuse_as_tensor(item)
    return ListSpec(item if own is None else own.join(item))


def element_shape(builder: GraphDefBuilder, element: Element | None) -> GraphDefTensor:
    """The shape of elements as an input of TensorFlow's: -1 for what is not known."""
    shape = () if isinstance(element, ListSpec) else element.shape if element else None
    dims = -1 if shape is None else [dim if isinstance(dim, int) else -1 for dim in shape]
    return builder.constant(dims, int32)


def _type(element: Element | None, otherwise: DType) -> DType:
    """TensorFlow's dtype of elements."""
    return type_in_graphdef(element) if element else otherwise


def as_int32(builder: GraphDefBuilder, tensor: GraphDefTensor, spec: Spec) -> GraphDefTensor:
    """Sizes and indices of lists are int32 in TensorFlow."""
    dtype = as_array_spec(spec).dtype
    return tensor if dtype is int32 else builder.node("Cast", [tensor], "y", SrcT=dtype, DstT=int32)


def index_failures(index: ArraySpec) -> Failures:
    """What may be raised of an index that is not known to be one number."""
    return NOTHING if index.shape == () else frozenset([TypeError, ValueError])
