"""Room on Python's stack for statements that stand inside one another.

Python takes one frame for a function, however deep its statements stand in one another: five hundred `elif`
are nothing to it. What traces such statements, and what looks at their graphs, takes some frames for each of
them. These are not to count where Python counts how deep a program calls itself.

Neither is the program's own recursion to get deeper because of them: where it goes through functions in C, as
`sorted` with a key, only Python's limit keeps the process from running out of the machine's stack.
So what runs code of the program asks for a few statements ahead, each time it gets there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from types import FrameType
from typing import Concatenate, ParamSpec, Protocol, TypeVar

__all__ = ["FREE", "in_one_piece", "room", "room_ahead", "with_room"]

FREE = 16
"""Statements inside one another that the limit of Python's leaves room for."""
_MOST = 576
"""Statements inside one another that get room: what goes deeper ends as recursion without end does."""
_FRAMES = 24
"""The most that one statement takes."""
_STEP = 16
"""For how many statements room is asked at once, where code of the program runs inside of them."""


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
_rooms: dict[int, tuple[int, int]] = {}
"""By thread, how deep it was when it first asked, and the frames that were asked for since."""
_given = (0, 0)
"""The frames that were added to Python's limit, and what that has been since."""


def room(levels: int) -> AbstractContextManager[None]:
    """Room for so many statements inside one another, from here.

    Python's limit is one for all threads: it is what the deepest of them needs.
    """
    return _room(min(levels, _MOST)) if levels > FREE else nullcontext()


def room_ahead(level: int) -> AbstractContextManager[None]:
    """Room for the next few statements in one that has so many around it, itself included."""
    is_asked = FREE < level <= _MOST and level % _STEP == 1
    return _room(_STEP) if is_asked else nullcontext()


@contextmanager
def _room(levels: int) -> Iterator[None]:
    thread, here = threading.get_ident(), _depth(sys._getframe())  # noqa: SLF001  # public
    before = _rooms.get(thread)
    start, more = before or (here, 0)
    wanted = here - start + _FRAMES * levels
    if wanted <= more:
        yield
        return
    _give(thread, (start, wanted))
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


def in_one_piece(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The function, with memory for the frames of all that it calls, in one piece.

    Python keeps frames in pieces of 16 KB. Where one is full, the next call asks the system for another one,
    and gives it back at its end: a loop that stands there does so in each turn, which takes longer than
    many a call. A large frame gets a piece of its size and as much again, in which those above it lie then.
    Of its own part nothing is touched, nor does the system provide it with memory.
    """

    def spacious(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        return function(*args, **kwargs)

    spacious.__code__ = spacious.__code__.replace(co_stacksize=_PIECE)
    return wraps(function)(spacious)


_PIECE = 1 << 15
"""Words of a frame: a quarter of a megabyte, and as much for those above it, which some hundred take."""


def _give(thread: int, frames: tuple[int, int] | None) -> None:
    global _given  # noqa: PLW0603  # one process has one limit
    with _lock:
        if frames is None:
            _rooms.pop(thread, None)
        else:
            _rooms[thread] = frames
        more, own = max((more for _, more in _rooms.values()), default=0), sys.getrecursionlimit()
        given = _given[0] if own == _given[1] else 0  # else the program has set one itself
        limit = own - given + more
        if more > given or (more < given and not _is_deeper(limit)):
            sys.setrecursionlimit(limit)
            _given = more, limit


def _is_deeper(limit: int) -> bool:
    """Whether another thread is too deep for a limit: that is left as it is until the next one asks."""
    own = threading.get_ident()
    others = [frame for thread, frame in sys._current_frames().items() if thread != own]  # noqa: SLF001  # public
    return any(_depth(frame) + _SPARE > limit for frame in others)


def _depth(frame: FrameType) -> int:
    """How deep a frame is."""
    here: FrameType | None = frame
    depth = 0
    while here is not None:
        here, depth = here.f_back, depth + 1
    return depth


_SPARE = 100
"""Frames that a thread may have gone deeper meanwhile."""
