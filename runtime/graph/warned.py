"""Attributes warnings that our kernels cause to the user's line.

NumPy warns about whoever called it: one of our kernels. Looking for the user's line before every call would
cost every call, so it is looked for when there is a warning to show. Python's hook for showing one is called
below the call that warned, so the frames are still there (`docs/decisions/0072`).
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from runtime.core.tracing import tracing
from runtime.graph.location import is_ours

__all__ = ["warned_since", "warned_so_far", "without_warned"]

_HOOK = "_showwarnmsg"
"""`showwarning`, which has no underscore, is put aside by `catch_warnings`."""
_show_as_it_is: Any = getattr(warnings, _HOOK, None)


def _show(warning: warnings.WarningMessage) -> None:
    """Shows a warning; one about a line of ours is given once more, for the user's."""
    if warning.category is RuntimeWarning and not is_ours(warning.filename) and _is_known(warning):
        return
    warned: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to walk frames cheaply
    if not is_ours(warning.filename):
        _show_as_it_is(warning)
        return
    while warned is not None and warned.f_code.co_filename != warning.filename:
        warned = warned.f_back
    user = warned
    while user is not None and is_ours(user.f_code.co_filename):
        user = user.f_back
    if warned is None or user is None:
        _show_as_it_is(warning)
        return
    _registry_of(warned).clear()  # or Python would take the next user's line for this one
    warnings.warn_explicit(
        warning.message,
        warning.category,
        user.f_code.co_filename,
        user.f_lineno,
        user.f_globals.get("__name__", "<unknown>"),
        _registry_of(user),
        source=warning.source,
    )


def _registry_of(frame: FrameType) -> dict[Any, Any]:
    """What Python remembers of the warnings that a module gave."""
    registry: dict[Any, Any] = frame.f_globals.setdefault("__warningregistry__", {})
    return registry


# ── a run that is done again ──


def _is_known(warning: warnings.WarningMessage) -> bool:
    """Whether a graph has given this warning in the run that is done again; notes any other one.

    It is told by its text: not every executor knows the line, nor which numbers are of NumPy's.
    """
    told = str(warning.message).replace("scalar ", "")
    given = tracing.given
    if given[told]:
        given[told] -= 1
        return True
    number = tracing.warned[-1][0] if tracing.warned else 0
    tracing.warned.append((number + 1, told))
    return False


def warned_so_far() -> int:
    """The number of the last warning of floats in this thread: for `warned_since`."""
    return tracing.warned[-1][0] if tracing.warned else 0


def warned_since(before: int) -> Counter[str]:
    """What this thread has been warned of after `warned_so_far` gave `before`."""
    return Counter(told for number, told in tracing.warned if number > before)


@contextmanager
def without_warned(given: Counter[str]) -> Iterator[None]:
    """A run again, as Python, of what a graph has given these warnings of."""
    before, tracing.given = tracing.given, given.copy()
    try:
        yield
    finally:
        tracing.given = before


if _show_as_it_is is not None:
    setattr(warnings, _HOOK, _show)
