"""The errors of operations as TensorFlow makes them: with a code, and from ``(node_def, op, message)``.

What `runtime` raises for a value that an operation cannot take is an `InvalidArgumentError`, so that programs
which were written for TensorFlow catch it; `autograph.compat.tf.errors` has the names for the other codes.
"""

from __future__ import annotations

from typing import Any

__all__ = ["INVALID_ARGUMENT", "UNKNOWN", "InvalidArgumentError", "OpError"]

UNKNOWN = 2
INVALID_ARGUMENT = 3


class OpError(Exception):
    """`tf.errors.OpError`: an operation failed.

    Parameters
    ----------
    node_def, op : object
        What failed, as the program says; None where it does not.
    message : str
    error_code : int, optional
        By default what the class says.
    *args
        A dict of payloads, which is kept.

    Attributes
    ----------
    node_def, op : object
        None for what a graph raises: its message has the line.
    error_code : int
    message : str
    """

    error_code: int = UNKNOWN
    node_def: Any = None
    op: Any = None
    experimental_payloads: Any = {}  # noqa: RUF012  # as empty as it stays

    def __init__(
        self, node_def: Any = None, op: Any = None, message: str = "", error_code: Any = None, *args: Any
    ) -> None:
        Exception.__init__(self, message)
        self.node_def, self.op = node_def, op
        payloads = args
        if error_code is not None and not isinstance(error_code, int):
            payloads = (error_code, *args)
        elif error_code is not None:
            self.error_code = error_code
        if payloads:
            self.experimental_payloads = payloads[0]

    @property
    def message(self) -> str:
        """What it says."""
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.node_def, self.op, self.message, self.error_code)


class InvalidArgumentError(OpError):
    """`tf.errors.InvalidArgumentError`: a value that an operation cannot take."""

    error_code = INVALID_ARGUMENT
