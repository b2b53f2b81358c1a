"""Keeps our own frames out of the tracebacks of eager code: an error shows the line that called us.

In code that is traced AutoGraph's frames lie between the user's, and `autograph.frames` hides them all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from types import CodeType, FunctionType, TracebackType
from typing import Any, ParamSpec, TypeVar

from runtime.core.tracing import tracing
from runtime.graph.location import is_ours

__all__ = ["FAILED", "hide", "no_defect", "show_callers_alone", "show_users_of", "shows_callers_alone"]

Params = ParamSpec("Params")
Result = TypeVar("Result")
Raised = TypeVar("Raised", bound=BaseException)

FAILED = "__failed__"
"""The attribute of an exception of Python's or NumPy's own that is no defect of ours, as a kernel's."""

_SHOW = "AUTOGRAPH_SHOW_FRAMES"
"""The environment variable that switches hiding off, here as in AutoGraph."""


def hide(error: BaseException) -> None:
    """Drops our frames from an exception's traceback, in place, where no graph is being built.

    They stay where they are all that there is, no message has the user's line, and nobody has said that it is
    none: that is a defect of ours.

    Parameters
    ----------
    error : BaseException
        An exception that is on its way up to the user.
    """
    if tracing.builder is not None or os.environ.get(_SHOW, "") not in {"", "0"}:
        return
    kept: list[TracebackType] = []
    first = link = error.__traceback__
    while link is not None:
        if not is_ours(link.tb_frame.f_code.co_filename):
            kept.append(link)
        link = link.tb_next
    is_told = kept or hasattr(error, "identifier") or hasattr(error, FAILED)
    if first is not None and first.tb_next is not None and not is_told:
        return
    following = None
    for each in reversed(kept):
        each.tb_next = following
        following = each
    BaseException.with_traceback(error, following)


def no_defect(error: Raised) -> Raised:
    """The exception, which is Python's or NumPy's own: where in our code it was raised need not show.

    Parameters
    ----------
    error : BaseException

    Returns
    -------
    BaseException
    """
    vars(error)[FAILED] = True
    return error


def shows_callers_alone(
    function: Callable[Params, Result], on_error: Callable[[BaseException], None] = hide
) -> Callable[Params, Result]:
    """The function; what it raises in eager code has no frame of ours, or what else is done with an error."""

    @wraps(function)
    def called(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            on_error(error)
            raise  # again, which adds no frame

    return called


_CODES = frozenset(each for each in shows_callers_alone.__code__.co_consts if isinstance(each, CodeType))
"""The code of all functions that show their callers alone."""


def show_callers_alone(namespace: dict[str, Any], on_error: Callable[[BaseException], None] = hide) -> None:
    """Has the public functions of a module raise without frames of ours; inside we call those behind them.

    Those that another module has seen to stay as they are.

    Parameters
    ----------
    namespace : dict
        What the module's `globals()` gives. The functions count as its own, so that they can be pickled.
    on_error : callable
        Gets every exception that leaves one of them.
    """
    for name in namespace["__all__"]:
        function = namespace.get(name)  # which may be loaded late
        if type(function) is FunctionType and function.__code__ not in _CODES:
            namespace[name] = called = shows_callers_alone(function, on_error)
            called.__module__ = namespace["__name__"]


def show_users_of(kind: type, on_error: Callable[[BaseException], None] = hide) -> None:
    """Has the methods that a class says itself, and its constructor, raise without frames of ours.

    Parameters
    ----------
    kind : type
    on_error : callable
        Gets every exception that leaves one of them.
    """
    for name, method in [*vars(kind).items()]:
        is_shown = name == "__init__" or not name.startswith("_")
        if is_shown and type(method) is FunctionType and method.__code__ not in _CODES:
            setattr(kind, name, shows_callers_alone(method, on_error))
