"""`tf.errors`: TensorFlow's names for the exceptions of `runtime.errors`."""

from __future__ import annotations

from runtime.errors import Error, IndexOutOfRange, InvalidArgument, LeakedTensor, NoConcreteValue

__all__ = [
    "InaccessibleTensorError",
    "InvalidArgumentError",
    "OpError",
    "OperatorNotAllowedInGraphError",
    "OutOfRangeError",
]

OpError = Error
InvalidArgumentError = InvalidArgument
OutOfRangeError = IndexOutOfRange
InaccessibleTensorError = LeakedTensor
OperatorNotAllowedInGraphError = NoConcreteValue
