"""The protobuf messages of TensorFlow's formats, without TensorFlow: each is an attribute of this module.

`tensorflow.proto` says what they are; `tensorflow.binpb` is the same, compiled (the command stands at the top
of the former). Compiled descriptors serve every protobuf from 4.25 on, where generated Python serves only the
one that it was generated for. They live in a pool of their own, so that TensorFlow's messages of the same
names may be loaded beside them. protobuf itself is imported when the first message is asked for: it takes
longer than the rest of `runtime`.

>>> from runtime.interchange import messages
>>> node = messages.NodeDef(name="x", op="Placeholder")
>>> node.attr["dtype"].type = messages.data_type("DT_FLOAT")
>>> print(node)
name: "x"
op: "Placeholder"
attr {
  key: "dtype"
  value {
    type: DT_FLOAT
  }
}
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, TypeAlias

__all__ = ["Message", "data_type"]

Message: TypeAlias = Any
"""A message of this module; its class is only made when protobuf is loaded."""


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool  # noqa: PLC0415  # 60 ms: only for who exports

    pool = descriptor_pool.DescriptorPool()
    compiled = resources.files(__package__).joinpath("tensorflow.binpb").read_bytes()
    for file in descriptor_pb2.FileDescriptorSet.FromString(compiled).file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


@cache
def _message_class(name: str) -> Any:
    from google.protobuf import message_factory, text_format  # noqa: PLC0415  # as above

    made: Any = message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"tensorflow.{name}"))
    made.__str__ = text_format.MessageToString  # the default lists attributes in no order
    return made


def __getattr__(name: str) -> Any:
    """The class of a message."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return _message_class(name)
    except KeyError:
        raise AttributeError(f"tensorflow.proto has no message {name}") from None


def data_type(name: str) -> int:
    """The number of a `DataType`, such as ``DT_FLOAT``."""
    number: int = _pool().FindEnumTypeByName("tensorflow.DataType").values_by_name[name].number
    return number
