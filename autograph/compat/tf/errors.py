"""`tf.errors`: TensorFlow's names for exceptions, with its codes.

What `runtime` raises has the name here under which programs catch it. The others are for programs to raise.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import Error, IndexOutOfRange, InvalidArgument, LeakedTensor, NoConcreteValue

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "OK",
    "OUT_OF_RANGE",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "AbortedError",
    "AlreadyExistsError",
    "CancelledError",
    "DataLossError",
    "DeadlineExceededError",
    "FailedPreconditionError",
    "InaccessibleTensorError",
    "InternalError",
    "InvalidArgumentError",
    "NotFoundError",
    "OpError",
    "OperatorNotAllowedInGraphError",
    "OutOfRangeError",
    "PermissionDeniedError",
    "ResourceExhaustedError",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
]

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16

OpError = Error
InvalidArgumentError = InvalidArgument
OutOfRangeError = IndexOutOfRange
OperatorNotAllowedInGraphError = NoConcreteValue
InaccessibleTensorError = LeakedTensor


class _Raised(Error):
    """Root of the errors that only programs raise.

    Parameters
    ----------
    node_def, op : object
        What made it, as the program says; None where it does not.
    message : str
    """

    error_code = UNKNOWN
    verbatim = True

    def __init__(self, node_def: Any = None, op: Any = None, message: str = "", *args: Any) -> None:
        super().__init__(message)
        self.node_def, self.op, self.message = node_def, op, message
        self.experimental_payloads = args[0] if args else {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.node_def, self.op, self.message)


class CancelledError(_Raised):
    """`tf.errors.CancelledError`."""

    error_code = CANCELLED


class UnknownError(_Raised):
    """`tf.errors.UnknownError`."""


class DeadlineExceededError(_Raised):
    """`tf.errors.DeadlineExceededError`."""

    error_code = DEADLINE_EXCEEDED


class NotFoundError(_Raised):
    """`tf.errors.NotFoundError`."""

    error_code = NOT_FOUND


class AlreadyExistsError(_Raised):
    """`tf.errors.AlreadyExistsError`."""

    error_code = ALREADY_EXISTS


class PermissionDeniedError(_Raised):
    """`tf.errors.PermissionDeniedError`."""

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(_Raised):
    """`tf.errors.ResourceExhaustedError`."""

    error_code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_Raised):
    """`tf.errors.FailedPreconditionError`."""

    error_code = FAILED_PRECONDITION


class AbortedError(_Raised):
    """`tf.errors.AbortedError`."""

    error_code = ABORTED


class UnimplementedError(_Raised):
    """`tf.errors.UnimplementedError`."""

    error_code = UNIMPLEMENTED


class InternalError(_Raised):
    """`tf.errors.InternalError`."""

    error_code = INTERNAL


class UnavailableError(_Raised):
    """`tf.errors.UnavailableError`."""

    error_code = UNAVAILABLE


class DataLossError(_Raised):
    """`tf.errors.DataLossError`."""

    error_code = DATA_LOSS


class UnauthenticatedError(_Raised):
    """`tf.errors.UnauthenticatedError`."""

    error_code = UNAUTHENTICATED
