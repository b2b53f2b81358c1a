"""What a function in C says of how it ended: one number for each kind of error, the same in every library."""

from __future__ import annotations

import builtins

from runtime import errors

__all__ = ["NO_MEMORY", "STATUSES", "TOO_DEEP", "WRONG_VALUE", "builtin_of", "status_of"]

STATUSES = {
    "OK": "the results are there",
    "NO_MEMORY": "there is not enough memory",
    "TOO_DEEP": "calls inside one another have taken more than 512 KiB of the stack",
    "INDEX_ERROR": "an index is out of bounds",
    "KEY_ERROR": "there is no such key",
    "VALUE_ERROR": "a value or a length is not one that the function takes",
    "ZERO_DIVISION": "an integer was divided by zero",
    "OVERFLOW": "a number does not fit",
    "ASSERTION": "an assertion does not hold",
    "ERROR": "another exception of the program",
}
"""By the ends of their names in C, in the order of their numbers."""
_OF = (
    (IndexError, "INDEX_ERROR"),
    (KeyError, "KEY_ERROR"),
    (ValueError, "VALUE_ERROR"),
    (ZeroDivisionError, "ZERO_DIVISION"),
    (OverflowError, "OVERFLOW"),
    (AssertionError, "ASSERTION"),
    (MemoryError, "NO_MEMORY"),
    (RecursionError, "TOO_DEEP"),
)
_NUMBERS = {name: number for number, name in enumerate(STATUSES)}
NO_MEMORY, TOO_DEEP, WRONG_VALUE = _NUMBERS["NO_MEMORY"], _NUMBERS["TOO_DEEP"], _NUMBERS["VALUE_ERROR"]


def builtin_of(error: str) -> type[BaseException]:
    """The exception of Python's own that one is, which is given as a check names it."""
    kind: type[BaseException] = getattr(errors, error, None) or getattr(builtins, error)
    own = [base for base in kind.__mro__ if base.__module__ == "builtins"]
    return own[0]


def status_of(error: str) -> int:
    """The status for an exception, likewise."""
    kind = builtin_of(error)
    return next((_NUMBERS[name] for base, name in _OF if issubclass(kind, base)), _NUMBERS["ERROR"])
