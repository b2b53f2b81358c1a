"""`tf.errors`: TensorFlow's names for the exceptions of `runtime.errors`."""

from __future__ import annotations

from runtime.errors import Error, IndexOutOfRange, InvalidArgument, NoConcreteValue

__all__ = [
    "InvalidArgumentError",
    "OpError",
    "OperatorNotAllowedInGraphError",
    "OutOfRangeError",
]

OpError = Error
InvalidArgumentError = InvalidArgument
OutOfRangeError = IndexOutOfRange
OperatorNotAllowedInGraphError = NoConcreteValue
