"""Hides our own frames from a traceback, so that it shows the user's lines and nothing between them.

The exception object stays the same: type, arguments, cause and notes survive. With
``AUTOGRAPH_SHOW_FRAMES=1`` in the environment everything shows.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType

from autograph_base.packages import FOLDERS

__all__ = [
    "BLOCK",
    "INSIDE",
    "LISTINGS",
    "STATEMENTS",
    "hide",
    "is_block",
    "is_ours",
    "shows_all",
    "stands_in",
    "user_frames",
    "user_stacklevel",
]

SHOW_FRAMES = "AUTOGRAPH_SHOW_FRAMES"
"""The environment variable that switches hiding off."""

BLOCK = "a block of the function around"
"""The last constant of generated functions."""

LISTINGS: set[str] = set()
"""The names of the files that hold generated code as text."""

_OURS = (*FOLDERS.values(), "<runtime plan ")
"""How the names of our files begin, and of those that `runtime` writes for itself."""

STATEMENTS = tuple(
    [f"{FOLDERS['autograph']}{room}{os.sep}" for room in ("converters", "staging")]
    + [
        os.path.join(FOLDERS["autograph"], "backends", "tensors", room, f"{each}.py")  # noqa: PTH118  # pathlib is slow to import
        for room, files in (
            ("containers", ("builtins", "sequences", "sums")),
            ("iteration", ("generators", "iterating", "once", "ordering")),
            ("objects", ("attributes", "choices", "proxies")),
            ("scalars", ("indices", "numbers")),
            ("statements", ("recursion", "refused")),
            ("text", ("text",)),
        )
        for each in files
    ]
    + [f"{FOLDERS['runtime']}ops{os.sep}examples.py"]
)
"""What runs in the place of statements of the user's: what is raised there, plain Python raises."""

INSIDE = "__inside__"
"""The attribute of an exception that was raised elsewhere in our own code, once that does not show."""


def is_ours(filename: str) -> bool:
    """Whether a frame of this file is one of ours.

    Parameters
    ----------
    filename : str
        A code object's `co_filename`.

    Returns
    -------
    bool
    """
    return filename.startswith(_OURS)


def shows_all() -> bool:
    """Whether the environment asks for all frames, ours too."""
    return os.environ.get(SHOW_FRAMES, "") not in {"", "0"}


def hide(error: BaseException) -> None:
    """Drops our frames from an exception's traceback, in place.

    Where every frame is ours they stay, as an error that nobody can place helps nobody; but not of a message,
    which has the user's line itself, nor of an interrupt, which says nothing of a place.

    Parameters
    ----------
    error : BaseException
        An exception that is on its way up.
    """
    if shows_all():
        return
    first = error.__traceback__
    while first is not None and is_ours(first.tb_frame.f_code.co_filename):
        first = first.tb_next
    if _is_of_users(first):
        BaseException.with_traceback(error, first)
        return
    links: list[TracebackType] = []
    link = error.__traceback__
    while link is not None:
        links.append(link)
        link = link.tb_next
    kept: list[TracebackType] = []
    for each in links:
        code = each.tb_frame.f_code
        if is_ours(code.co_filename):
            continue
        if kept and stands_in(each.tb_frame, kept[-1].tb_frame):
            kept.pop()  # the function that the block stands in: plain Python shows one place of it
        kept.append(each)
    is_told = hasattr(error, "identifier") or isinstance(error, KeyboardInterrupt)
    if len(kept) == len(links) or not (kept or is_told):
        return
    last = links[-1].tb_frame.f_code.co_filename
    if is_ours(last) and not last.startswith(STATEMENTS):
        vars(error)[INSIDE] = True
    following: TracebackType | None = None
    for each in reversed(kept):
        each.tb_next = following
        following = each
    BaseException.with_traceback(error, following)


def _is_of_users(link: TracebackType | None) -> bool:
    """Whether there are frames from here on, and all of them are functions of the user's."""
    if link is None:
        return False
    while link is not None:
        code = link.tb_frame.f_code
        if is_ours(code.co_filename) or is_block(code):
            return False
        link = link.tb_next
    return True


def stands_in(block: FrameType, function: FrameType) -> bool:
    """Whether a frame runs a block, or a block within a block, of what another frame runs."""
    frame: FrameType | None = block
    while frame is not None and is_block(frame.f_code):
        frame = _caller(frame)
        if frame is function:
            return True
    return False


def _caller(block: FrameType) -> FrameType | None:
    """The frame of the user's that called a block; None for one of a listing, which shows all of its own."""
    if block.f_code.co_filename in LISTINGS:
        return None
    frame = block.f_back
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def is_block(code: CodeType) -> bool:
    """Whether code is a block of the function that calls it, and bears that function's name.

    Parameters
    ----------
    code : code object

    Returns
    -------
    bool
    """
    return bool(code.co_consts) and code.co_consts[-1] is BLOCK


def user_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames that plain Python would have: each function once, at the line where it is.

    Parameters
    ----------
    frame : frame
        Where to start.

    Yields
    ------
    frame
        That of the innermost block for a function of several.
    """
    inside = False
    while frame is not None:
        if not is_ours(frame.f_code.co_filename):
            if not inside:
                yield frame
            inside = is_block(frame.f_code)
        frame = frame.f_back


def user_stacklevel(wanted: int = 1) -> int:
    """The `stacklevel` with which a call that our caller makes blames the user's line.

    Parameters
    ----------
    wanted : int
        The level that the user means, counted in functions of the user's.

    Returns
    -------
    int
    """
    here = sys._getframe(1)  # noqa: SLF001  (the one way to look at a frame)
    blamed = next(itertools.islice(user_frames(here), max(wanted, 1) - 1, None), None)
    level = 0
    frame: FrameType | None = here
    while frame is not None:
        level += 1
        if frame is blamed:
            break
        frame = frame.f_back
    return level
