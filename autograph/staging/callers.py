"""Calls of functions that inspect their caller's frame: made so that they find the user's frame.

Some ask for a frame, some report a line (`stacklevel`), some name what they make after the caller's module.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import inspect
import itertools
import sys
import typing
import warnings
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograph.frames import user_frames, user_stacklevel

__all__ = ["called_by_user", "calls_from", "looks_at_caller"]

LOGGING = frozenset({"critical", "debug", "error", "exception", "fatal", "info", "log", "warn", "warning"})

NAMED_AFTER_CALLER: tuple[Any, ...] = (
    collections.namedtuple,
    dataclasses.make_dataclass,
    type,
    typing.NamedTuple,
    typing.NewType,
    typing.ParamSpec,
    typing.TypedDict,
    typing.TypeVar,
    typing.TypeVarTuple,
)
"""What gives its result the `__module__` of its caller."""

KNOWN: tuple[Any, ...] = (*NAMED_AFTER_CALLER, inspect.currentframe, sys._getframe, warnings.warn)  # noqa: SLF001
KNOWN_IDS = frozenset(map(id, KNOWN))
HOMES = frozenset(each.__module__ for each in KNOWN)


def looks_at_caller(callee: Any) -> bool:
    """Whether a callable looks at the frame that it is called from.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    bool
    """
    home = getattr(callee, "__module__", None)
    if home == "logging":
        return getattr(callee, "__name__", "") in LOGGING
    if home in HOMES:
        return id(callee) in KNOWN_IDS  # by identity: the hash of a stranger is not to be asked
    return type(callee) is enum.EnumMeta


def called_by_user(callee: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`callee(*args, **kwargs)`, as if the innermost function of the user's had called it itself.

    Parameters
    ----------
    callee : callable
        One for which `looks_at_caller` holds.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    object
    """
    caller = sys._getframe(1)  # noqa: SLF001  (the one way to look at a frame)
    if callee is sys._getframe:  # noqa: SLF001  # type: ignore[comparison-overlap]  # a function as any other
        return _frame_of_user(caller, *args, **kwargs)
    if callee is inspect.currentframe:
        return _frame_of_user(caller, 0)
    if callee is warnings.warn and len(args) > 2:  # its third parameter
        args, kwargs = (*args[:2], *args[3:]), kwargs | {"stacklevel": args[2]}
    if callee is warnings.warn or callee.__module__ == "logging":
        return callee(*args, **kwargs | {"stacklevel": user_stacklevel(kwargs.get("stacklevel", 1))})
    module = next(user_frames(caller)).f_globals
    return FunctionType(_call.__code__, module)(callee, args, kwargs)


def calls_from(callee: Callable[..., Any], until: CodeType) -> Callable[..., Any]:
    """A function that calls `callee` as if from the lines of the user's that are running now, whenever it is.

    Parameters
    ----------
    callee : callable
    until : code object
        Below the frame that runs this code there are no lines of interest.

    Returns
    -------
    callable
    """
    inside: set[int] = set()
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # as above
    while frame is not None and frame.f_code is not until:
        inside.add(id(frame))
        frame = frame.f_back
    running = itertools.takewhile(lambda each: id(each) in inside, user_frames(sys._getframe(1)))  # noqa: SLF001
    lines = [_line_of(frame) for frame in running]

    @functools.wraps(callee)
    def call(*args: Any, **kwargs: Any) -> Any:
        function: Callable[..., Any] = callee
        for line in lines:
            function, args, kwargs = line, (function, args, kwargs), {}
        return function(*args, **kwargs)

    return call


def _line_of(frame: FrameType) -> FunctionType:
    """A function that calls another one on the line of the user's that a frame is at."""
    code = frame.f_code
    line = _call.__code__.replace(
        co_filename=code.co_filename,
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_firstlineno=frame.f_lineno - _BODY,
    )
    return FunctionType(line, frame.f_globals)


def _frame_of_user(frame: FrameType, depth: int = 0, /) -> FrameType:
    """What `sys._getframe(depth)` would give in plain Python."""
    for found in itertools.islice(user_frames(frame), max(depth, 0), None):
        return found
    raise ValueError("call stack is not deep enough")


def _call(callee: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call from within a module of the user's: this code runs under the names of that module."""
    return callee(*args, **kwargs)


_BODY = max(line or 0 for _, _, line in _call.__code__.co_lines()) - _call.__code__.co_firstlineno
"""Lines from the head of `_call` to its call."""
