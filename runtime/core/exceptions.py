"""Exceptions taken apart and put together again, so that the tensors in one can wait for their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import MemberDescriptorType
from typing import Any

from runtime.errors import Error

__all__ = ["Parts", "put_together", "take_apart"]


@dataclass
class Parts:
    """What an exception consists of; the exceptions behind it in the same form, or as whoever calls says."""

    kind: type[BaseException]
    args: tuple[Any, ...]
    attributes: dict[str, Any]
    fields: dict[str, Any]
    cause: Any = None
    context: Any = None
    hides_context: bool = False


def take_apart(error: BaseException, stand_in: Callable[[BaseException], Any]) -> Parts:
    """The parts of an exception, without its traceback.

    Parameters
    ----------
    error : BaseException
    stand_in : callable
        An exception behind this one → what takes its place among the parts; None to take it apart, too.
    """

    def behind(other: BaseException | None) -> Any:
        if other is None or other is error:
            return None
        found = stand_in(other)
        return take_apart(other, stand_in) if found is None else found

    hidden = {
        name: value for name, member in _members(type(error)) if (value := _read(member, error)) is not None
    }
    return Parts(
        type(error),
        tuple(error.args),
        dict(vars(error)),
        hidden,
        behind(error.__cause__),
        None if error.__suppress_context__ else behind(_context(error)),
        error.__suppress_context__,
    )


def _context(error: BaseException) -> BaseException | None:
    """The exception that was handled when this one was raised, but for the signals of traces that go on."""
    found = error.__context__
    while found is not None and type(found).__module__.startswith(_OWN) and not isinstance(found, Error):
        found = found.__context__
    return found


_OWN = ("autograph.", "runtime.")


def put_together(parts: Parts) -> BaseException:
    """An exception of these parts; the constructor of a user's class does not run again."""
    kind = parts.kind
    base: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    error: BaseException = base.__new__(kind, *parts.args)
    error.args = parts.args
    vars(error).update(parts.attributes)
    for name, member in _members(kind):
        if name in parts.fields:
            with suppress(AttributeError, TypeError):  # those that never change were made from the arguments
                member.__set__(error, parts.fields[name])
    error.__cause__ = _whole(parts.cause)
    error.__context__ = _whole(parts.context)
    error.__suppress_context__ = parts.hides_context
    return error


def _whole(other: Any) -> BaseException | None:
    return put_together(other) if isinstance(other, Parts) else other


def _members(kind: type[BaseException]) -> Iterator[tuple[str, MemberDescriptorType]]:
    """Attributes outside of ``__dict__``: `errno` of an `OSError`, and the slots of a user's class."""
    for base in kind.__mro__:
        for name, member in vars(base).items():
            if isinstance(member, MemberDescriptorType) and name != "__suppress_context__":
                yield name, member


def _read(member: MemberDescriptorType, error: BaseException) -> Any:
    return getattr(error, member.__name__, None)
