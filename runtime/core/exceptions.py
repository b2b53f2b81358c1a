"""Exceptions taken apart and put together again, so that the tensors in one can wait for their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from types import MemberDescriptorType
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.core.instances import is_ours, set_own
from runtime.errors import Error

__all__ = ["ARGS", "CAUSE", "CONTEXT", "Parts", "change", "handled_before", "put_together", "take_apart"]

CAUSE = "cause"

ARGS = "args"

CONTEXT = "context"


@dataclass
class Parts:
    """What an exception consists of; the exceptions behind it in the same form.

    The context is `CAUSE` where it is the cause.
    """

    kind: type[BaseException]
    args: tuple[Any, ...]
    attributes: dict[str, Any]
    fields: dict[str, Any]
    cause: Parts | None = None
    context: Parts | str | None = None
    hides_context: bool = False
    itself: Any = None
    """The exception, where it is there already: then the rest says what it looks like."""


def take_apart(error: BaseException, stand_in: Callable[[BaseException], Any]) -> Parts:
    """The parts of an exception, without its traceback.

    Parameters
    ----------
    error : BaseException
    stand_in : callable
        An exception behind this one → what it itself is, where it need not be put together; else None.
    """

    def behind(other: BaseException | None) -> Any:
        if other is None or other is error:
            return None
        return replace(take_apart(other, stand_in), itself=stand_in(other))

    hidden = {
        name: value for name, member in _members(type(error)) if (value := _read(member, error)) is not None
    }
    cause, context = error.__cause__, handled_before(error)
    return Parts(
        type(error),
        tuple(error.args),
        dict(vars(error)),
        hidden,
        behind(cause),
        CAUSE if context is cause and cause is not None else behind(context),
        error.__suppress_context__,
    )


def handled_before(error: BaseException) -> BaseException | None:
    """The exception that was handled when this one was raised, but for the signals of traces that go on."""
    found = error.__context__
    while found is not None and is_ours(type(found)) and not isinstance(found, Error):
        found = found.__context__
    return found


def put_together(parts: Parts) -> BaseException:
    """An exception of these parts; the constructor of a user's class does not run again."""
    if parts.itself is not None:
        itself: BaseException = parts.itself
        return itself
    kind = parts.kind
    base: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    error: BaseException = base.__new__(kind, *parts.args)
    set_own(error, "args", parts.args)
    _give_attributes(error, parts)
    _put_behind(error, parts, (CAUSE, CONTEXT))
    return error


def change(error: BaseException, parts: Parts, what: Collection[str]) -> None:
    """Gives an exception that is there these attributes; and what else of these parts is named.

    Parameters
    ----------
    error : BaseException
    parts : Parts
    what : collection of str
        Some of `ARGS`, `CAUSE` and `CONTEXT`.
    """
    if ARGS in what:
        set_own(error, "args", parts.args)
    _give_attributes(error, parts)
    _put_behind(error, parts, what)


def _give_attributes(error: BaseException, parts: Parts) -> None:
    vars(error).update(parts.attributes)
    if not parts.fields:
        return
    for name, member in _members(type(error)):
        if name in parts.fields:
            with suppress(AttributeError, TypeError):  # those that never change were made from the arguments
                member.__set__(error, parts.fields[name])


def _put_behind(error: BaseException, parts: Parts, what: Collection[str]) -> None:
    if CAUSE in what:
        set_own(error, "__cause__", _whole(parts.cause))
        set_own(error, "__suppress_context__", parts.hides_context)
    if CONTEXT in what:
        set_own(error, "__context__", error.__cause__ if parts.context == CAUSE else _whole(parts.context))


def _whole(other: Any) -> BaseException | None:
    return put_together(other) if isinstance(other, Parts) else None


def _members(kind: type[BaseException]) -> Iterator[tuple[str, MemberDescriptorType]]:
    """Attributes outside of ``__dict__``: `errno` of an `OSError`, and the slots of a user's class."""
    for base in kind.__mro__:
        for name, member in vars(base).items():
            if isinstance(member, MemberDescriptorType) and name != "__suppress_context__":
                yield name, member


def _read(member: MemberDescriptorType, error: BaseException) -> Any:
    return getattr(error, member.__name__, None)
