"""Debuggers of Python's show the user's frames: they do not stop in ours, and list none of them.

What a debugger is taught lasts as long as it does; `breakpoint()` in a function that is traced starts one
that knows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from autograph.frames import is_block, is_ours, shows_all, stands_in, user_frames
from autograph_base import packages

__all__ = ["debuggers_are_taught"]

_OF_NAMED_TUPLES = "namedtuple_"
"""How the modules begin that hold the constructors which Python writes for named tuples."""


@contextmanager
def debuggers_are_taught() -> Iterator[None]:
    """While a function is traced: whoever steps through it sees what plain Python would show."""
    if shows_all():
        yield
        return
    debugger = getattr(sys.gettrace(), "__self__", None)
    if hasattr(debugger, "stop_here") and hasattr(debugger, "get_stack"):
        _teach(debugger)
    hook = sys.breakpointhook
    if hook is sys.__breakpointhook__:
        sys.breakpointhook = _stop
    try:
        yield
    finally:
        if sys.breakpointhook is _stop:
            sys.breakpointhook = hook


def _stop(*args: Any, **kwargs: Any) -> Any:
    """As `sys.breakpointhook`, with a debugger that knows our frames."""
    if os.environ.get("PYTHONBREAKPOINT", "") not in {"", "pdb.set_trace"}:
        return sys.__breakpointhook__(*args, **kwargs)  # noqa: T100  # the hook is asked for
    from pdb import Pdb  # noqa: PLC0415  # it is slow to import, and asked for

    debugger = Pdb()
    _teach(debugger)
    debugger.set_trace(next(user_frames(sys._getframe(1))))  # noqa: SLF001  # the one way to look at a frame
    return None


def _is_inside(frame: FrameType) -> bool:
    """Whether a frame is one of ours, or of a library that we call."""
    caller: FrameType | None = frame
    while caller is not None and (
        caller.f_code.co_filename.startswith(packages.STANDARD)
        or any(each in caller.f_code.co_filename for each in packages.INSTALLED)
        or str(caller.f_globals.get("__name__")).startswith(_OF_NAMED_TUPLES)
    ):
        caller = caller.f_back
    if caller is None:
        return False
    module = caller.f_globals.get("__name__", "")  # a dataclass has methods without a file
    return packages.is_ours(module) or is_ours(caller.f_code.co_filename)


def _teach(debugger: Any) -> None:
    """Has a debugger of Python's pass over our frames, and over where blocks of a function begin and end."""
    if "stop_here" in vars(debugger):
        return
    stop_here, get_stack = debugger.stop_here, debugger.get_stack
    user_call, user_return = debugger.user_call, debugger.user_return

    def stops(frame: FrameType) -> bool:
        return not _is_inside(frame) and bool(stop_here(frame))

    def stack_of(frame: FrameType | None, traceback: Any) -> tuple[list[tuple[FrameType, int]], int]:
        entries, place = get_stack(frame, traceback)
        kept: list[tuple[FrameType, int]] = []
        for index, entry in enumerate(entries):
            if _is_inside(entry[0]):
                continue
            if kept and stands_in(entry[0], kept[-1][0]):
                kept.pop()
            kept.append(entry)
            if index == place:
                place = min(place, len(kept) - 1)
        return kept, min(place, len(kept) - 1)

    def calls(frame: FrameType, arguments: Any) -> None:
        if not is_block(frame.f_code):
            user_call(frame, arguments)

    def returns(frame: FrameType, value: Any) -> None:
        if is_block(frame.f_code):
            debugger.set_step()
        else:
            user_return(frame, value)

    debugger.stop_here, debugger.get_stack = stops, stack_of
    debugger.user_call, debugger.user_return = calls, returns
