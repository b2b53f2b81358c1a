"""Hides our own frames from a traceback, so that it shows the user's lines and nothing between them.

The exception object stays the same: type, arguments, cause and notes survive. With
``AUTOGRAPH_SHOW_FRAMES=1`` in the environment everything shows.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import CodeType, FrameType, TracebackType

__all__ = ["LISTING", "hide", "is_ours", "user_stacklevel"]

SHOW_FRAMES = "AUTOGRAPH_SHOW_FRAMES"
"""The environment variable that switches hiding off."""

LISTING = "<autograph "
"""How the name of a file starts that holds generated code as text."""

_HERE = Path(__file__).parent
ROOMS = (str(_HERE) + os.sep, str(_HERE.with_name("runtime")) + os.sep)
"""Where our own code lives: this package and the one beside it."""


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
    return filename.startswith(ROOMS)


def hide(error: BaseException) -> None:
    """Drops our frames from an exception's traceback, in place.

    The traceback keeps its own last frame if every frame is ours: an error nobody can place helps nobody.

    Parameters
    ----------
    error : BaseException
        An exception that is on its way up.
    """
    if os.environ.get(SHOW_FRAMES, "") not in {"", "0"}:
        return
    links: list[TracebackType] = []
    link = error.__traceback__
    while link is not None:
        links.append(link)
        link = link.tb_next
    kept: list[TracebackType] = []
    codes: list[CodeType] = []  # of the last function that is kept, and of its blocks that are under way
    for each in links:
        code = each.tb_frame.f_code
        if is_ours(code.co_filename):
            continue
        if _is_block(code, codes):
            kept.pop()
        else:
            codes = []
        codes.append(code)
        kept.append(each)
    if not kept or len(kept) == len(links):
        return
    following: TracebackType | None = None
    for each in reversed(kept):
        each.tb_next = following
        following = each
    error.__traceback__ = following


def _is_block(code: CodeType, around: list[CodeType]) -> bool:
    """Whether code is a block of the function that the code around it belongs to.

    Blocks bear the name of their function. Plain Python would show where in the block it failed, and no more;
    so does this, unless the listing itself runs.
    """
    return any(
        outer.co_qualname == code.co_qualname and any(part is code for part in outer.co_consts)
        for outer in around
    ) and not code.co_filename.startswith(LISTING)


def user_stacklevel(wanted: int = 1) -> int:
    """The `stacklevel` with which a call that our caller makes blames the user's line.

    Parameters
    ----------
    wanted : int
        The level that the user means, counted in functions of the user's: the frames of the blocks of one
        function count as one.

    Returns
    -------
    int
    """
    level = 0
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  (the one way to look at a frame)
    function = None
    while frame is not None:
        level += 1
        code = frame.f_code
        if not is_ours(code.co_filename) and (code.co_filename, code.co_qualname) != function:
            function = code.co_filename, code.co_qualname
            wanted -= 1
            if wanted == 0:
                return level
        frame = frame.f_back
    return level
