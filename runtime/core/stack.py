"""Room on Python's stack for statements that stand inside one another.

Python takes one frame for a function, however deep its statements stand in one another: five hundred `elif`
are nothing to it. What traces such statements, and what looks at their graphs, takes some frames for each of
them. These are not to count where Python counts how deep a program calls itself.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import Concatenate, ParamSpec, Protocol, TypeVar

__all__ = ["FREE", "room", "with_room"]

FREE = 16
"""Statements inside one another that the limit of Python's leaves room for."""
_MOST = 576
"""Statements inside one another that get room: what goes deeper ends as recursion without end does."""
_FRAMES = 24
"""What one statement takes."""
_STEP = 64
"""For how many statements there is room, or for twice as many, and so on: the limit changes rarely."""


class HasDepth(Protocol):
    """A graph, or a module."""

    @property
    def depth(self) -> int:
        """How many graphs are inside one another."""
        ...


Nested = TypeVar("Nested", bound=HasDepth)
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_lock = threading.Lock()
_rooms: dict[int, int] = {}
"""By thread, the frames that were asked for."""
_given = (0, 0)
"""The frames that were added to Python's limit, and what that has been since."""


@contextmanager
def room(levels: int) -> Iterator[None]:
    """Room for so many statements inside one another.

    Python's limit is one for all threads: it is what the deepest of them needs.
    """
    thread = threading.get_ident()
    before, wanted = _rooms.get(thread, 0), _FRAMES * min(-(-levels // _STEP) * _STEP, _MOST)
    if levels <= FREE or wanted <= before:
        yield
        return
    _give(thread, wanted)
    try:
        yield
    finally:
        _give(thread, before)


def with_room(
    function: Callable[Concatenate[Nested, Parameters], Result],
) -> Callable[Concatenate[Nested, Parameters], Result]:
    """The function, with room for the graphs inside one another of its first argument."""

    @wraps(function)
    def roomy(nested: Nested, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with room(nested.depth):
            return function(nested, *args, **kwargs)

    return roomy


def _give(thread: int, frames: int) -> None:
    global _given  # noqa: PLW0603  # one process has one limit
    with _lock:
        if frames:
            _rooms[thread] = frames
        else:
            _rooms.pop(thread, None)
        more, own = max(_rooms.values(), default=0), sys.getrecursionlimit()
        given = _given[0] if own == _given[1] else 0  # else the program has set one itself
        limit = own - given + more
        if more > given or (more < given and not _is_deeper(limit)):
            sys.setrecursionlimit(limit)
            _given = more, limit


def _is_deeper(limit: int) -> bool:
    """Whether another thread is too deep for a limit: that is left as it is until the next one asks."""
    own = threading.get_ident()
    others = [frame for thread, frame in sys._current_frames().items() if thread != own]  # noqa: SLF001  # public
    for frame in others:
        here: FrameType | None = frame
        depth = 0
        while here is not None and depth < limit:
            here, depth = here.f_back, depth + 1
        if depth + _SPARE > limit:
            return True
    return False


_SPARE = 100
"""Frames that a thread may have gone deeper meanwhile."""
