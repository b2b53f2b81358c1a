"""Values as TensorFlow writes them: dtypes, shapes, tensors, attributes of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype, bool_, complex64, complex128, uint16
from runtime.core.shapes import Shape
from runtime.core.tensor import Array
from runtime.interchange import messages
from runtime.interchange.messages import Message
from runtime.ops.facts import STRING

__all__ = [
    "RESOURCE",
    "attribute",
    "data_type",
    "function",
    "shape",
    "shape_list",
    "tensor",
    "text_tensor",
    "type_list",
]

_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}

RESOURCE = DType("resource", np.dtype(object), "handle")
"""TensorFlow's dtype of a handle of a variable; no tensor of ours has it."""


def data_type(dtype: DType) -> int:
    """The number of a dtype in TensorFlow's `DataType`."""
    return messages.data_type(f"DT_{_NAMES.get(dtype.name, dtype.name.upper())}")


def shape(of: Shape) -> Message:
    """A shape, -1 standing for an unknown dim."""
    if of is None:
        return messages.TensorShapeProto(unknown_rank=True)
    dims = [messages.TensorShapeProto.Dim(size=dim if isinstance(dim, int) else -1) for dim in of]
    return messages.TensorShapeProto(dim=dims)


def tensor(array: Array) -> Message:
    """An array: its bytes, or its elements in the list of their type, as TensorFlow chooses between them."""
    dtype = as_dtype(array.dtype)
    proto = messages.TensorProto(dtype=data_type(dtype), tensor_shape=shape(array.shape))
    if array.size > 1 and dtype not in _ALWAYS_LISTED:
        proto.tensor_content = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    else:
        field, elements = _element_list(dtype, array.reshape(-1))
        getattr(proto, field).extend(elements)
    return proto


_ALWAYS_LISTED = frozenset([bool_, uint16, complex64, complex128])
"""The dtypes of which TensorFlow never writes bytes."""


def _element_list(dtype: DType, elements: Array) -> tuple[str, list[Any]]:
    """The field of `TensorProto` that lists elements of `dtype`, and what it lists."""
    match dtype.name:
        case "bool":
            return "bool_val", elements.tolist()
        case "float16" | "bfloat16":
            return "half_val", elements.view(np.uint16).tolist()
        case "float32":
            return "float_val", elements.tolist()
        case "float64":
            return "double_val", elements.tolist()
        case "complex64":
            return "scomplex_val", elements.view(np.float32).tolist()
        case "complex128":
            return "dcomplex_val", elements.view(np.float64).tolist()
        case "int64" | "uint32" | "uint64":
            return f"{dtype.name}_val", elements.tolist()
        case _:
            return "int_val", elements.tolist()


def text_tensor(text: str) -> Message:
    """A scalar tensor of dtype string."""
    proto = messages.TensorProto(dtype=data_type(STRING), tensor_shape=shape(()))
    proto.string_val.append(text.encode())
    return proto


def function(name: str) -> Message:
    """An attribute that names a function of the library."""
    return messages.AttrValue(func=messages.NameAttrList(name=name))


def type_list(dtypes: Iterable[DType]) -> Message:
    """An attribute that lists dtypes."""
    numbers = [data_type(dtype) for dtype in dtypes]
    return messages.AttrValue(list=messages.AttrValue.ListValue(type=numbers))


def shape_list(shapes: Iterable[Shape]) -> Message:
    """An attribute that lists shapes."""
    return messages.AttrValue(list=messages.AttrValue.ListValue(shape=[shape(each) for each in shapes]))


def attribute(value: Any) -> Message:
    """A Python value as an attribute: bool, int, float, str, dtype, or a sequence of one of these."""
    match value:
        case bool():
            return messages.AttrValue(b=value)
        case int():
            return messages.AttrValue(i=value)
        case float():
            return messages.AttrValue(f=value)
        case str():
            return messages.AttrValue(s=value.encode())
        case DType():
            return messages.AttrValue(type=data_type(value))
        case list() | tuple():
            return _list_attribute(value)
        case _:
            return value


def _list_attribute(values: Sequence[Any]) -> Message:
    attributes = [attribute(value) for value in values]
    fields = {each.WhichOneof("value") for each in attributes} or {"i"}
    assert len(fields) == 1, f"{values!r} mixes kinds of attributes"
    (field,) = fields
    listed = messages.AttrValue.ListValue(**{field: [getattr(each, field) for each in attributes]})
    return messages.AttrValue(list=listed)
