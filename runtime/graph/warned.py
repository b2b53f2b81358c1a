"""Attributes warnings that our kernels cause to the user's line.

NumPy warns about whoever called it: one of our kernels. Looking for the user's line before every call would
cost every call, so it is looked for when there is a warning to show. Python's hook for showing one is called
below the call that warned, so the frames are still there (`docs/decisions/0072`).
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

from runtime.graph.location import is_ours

__all__: list[str] = []

_HOOK = "_showwarnmsg"
"""`showwarning`, which has no underscore, is put aside by `catch_warnings`."""
_show_as_it_is: Any = getattr(warnings, _HOOK, None)


def _show(warning: warnings.WarningMessage) -> None:
    """Shows a warning; one about a line of ours is given once more, for the user's."""
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


if _show_as_it_is is not None:
    setattr(warnings, _HOOK, _show)
