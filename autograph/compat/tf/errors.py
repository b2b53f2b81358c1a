"""`tf.errors`: TensorFlow's names for exceptions, with its codes.

What `runtime` raises for a value that an operation cannot take is an `InvalidArgumentError`. Most of
the others are for programs to raise.
"""

from __future__ import annotations

from runtime.codes import INVALID_ARGUMENT, UNKNOWN, InvalidArgumentError, OpError
from runtime.errors import LeakedTensor, NoConcreteValue

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

OperatorNotAllowedInGraphError = NoConcreteValue
InaccessibleTensorError = LeakedTensor


class CancelledError(OpError):
    """`tf.errors.CancelledError`."""

    error_code = CANCELLED


class UnknownError(OpError):
    """`tf.errors.UnknownError`."""


class OutOfRangeError(OpError):
    """`tf.errors.OutOfRangeError`: an iterator has no more elements."""

    error_code = OUT_OF_RANGE


class DeadlineExceededError(OpError):
    """`tf.errors.DeadlineExceededError`."""

    error_code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """`tf.errors.NotFoundError`."""

    error_code = NOT_FOUND


class AlreadyExistsError(OpError):
    """`tf.errors.AlreadyExistsError`."""

    error_code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """`tf.errors.PermissionDeniedError`."""

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """`tf.errors.ResourceExhaustedError`."""

    error_code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """`tf.errors.FailedPreconditionError`."""

    error_code = FAILED_PRECONDITION


class AbortedError(OpError):
    """`tf.errors.AbortedError`."""

    error_code = ABORTED


class UnimplementedError(OpError):
    """`tf.errors.UnimplementedError`."""

    error_code = UNIMPLEMENTED


class InternalError(OpError):
    """`tf.errors.InternalError`."""

    error_code = INTERNAL


class UnavailableError(OpError):
    """`tf.errors.UnavailableError`."""

    error_code = UNAVAILABLE


class DataLossError(OpError):
    """`tf.errors.DataLossError`."""

    error_code = DATA_LOSS


class UnauthenticatedError(OpError):
    """`tf.errors.UnauthenticatedError`."""

    error_code = UNAUTHENTICATED
