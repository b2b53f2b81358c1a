"""Where in the user's program a node was made."""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType, TracebackType

from runtime.errors import locate_errors

__all__ = [
    "UNKNOWN",
    "Location",
    "caller_location",
    "caller_locations",
    "hide_folder",
    "is_users_file",
    "located_at",
    "location_of",
]

_LIBRARIES = tuple({f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "purelib", "platlib")})
_hidden_folders: tuple[str, ...] = ()
_hidden_files: dict[str, bool] = {}


def hide_folder(folder: str | os.PathLike[str]) -> None:
    """Counts frames of files under `folder` as ours, not the user's."""
    global _hidden_folders  # noqa: PLW0603  # one process has one list of our own folders
    _hidden_folders = (*_hidden_folders, f"{folder}/")
    _hidden_files.clear()


hide_folder(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))  # noqa: PTH120  # pathlib is slow to import


def _is_hidden(filename: str) -> bool:
    hidden = _hidden_files.get(filename)
    if hidden is None:
        inside = filename.startswith(_hidden_folders)
        hidden = _hidden_files[filename] = inside or filename.startswith(("<frozen", "<runtime"))
    return hidden


def is_users_file(filename: str) -> bool:
    """Whether a file is one of the user's: neither ours nor of an installed library."""
    return not _is_hidden(filename) and not filename.startswith(_LIBRARIES)


@dataclass(frozen=True, slots=True)
class Location:
    """One instruction of the user's program; lines and columns are looked up only when asked for."""

    code: CodeType | None
    instruction: int

    @property
    def filename(self) -> str:
        """The user's file."""
        return self.code.co_filename if self.code else "<unknown>"

    @property
    def function(self) -> str:
        """The user's function."""
        return self.code.co_name if self.code else "<unknown>"

    @property
    def first_line(self) -> int:
        """Where the user's function begins; 0 where that is not known."""
        return self.code.co_firstlineno if self.code else 0

    @property
    def line(self) -> int:
        """The line, counted from 1; 0 where it is not known."""
        return self.positions()[0] or 0

    def positions(self) -> tuple[int | None, int | None, int | None, int | None]:
        """First and last line, first and last column."""
        if self.code is None:
            return None, None, None, None
        return next(islice(self.code.co_positions(), self.instruction // 2, None), (None, None, None, None))

    @property
    def source(self) -> str:
        """The text of the line, stripped."""
        return linecache.getline(self.filename, self.line).strip()

    def __str__(self) -> str:
        return f'File "{self.filename}", line {self.line}, in {self.function}'

    def describe(self) -> str:
        """The location as a traceback shows it: file, line, source and carets."""
        start_line, end_line, start, end = self.positions()
        line = linecache.getline(self.filename, self.line).rstrip("\n")
        text = line.strip()
        if not text:
            return f"  {self}"
        shown = f"  {self}\n    {text}"
        if start is None or end is None or start_line != end_line or not line.isascii():
            return shown
        indent = len(line) - len(line.lstrip())
        if (start, end) == (indent, len(line.rstrip())):
            return shown
        return f"{shown}\n    {' ' * (start - indent)}{'^' * (end - start)}"


UNKNOWN = Location(None, 0)


class _Inherited(threading.local):
    location: Location | None = None


_inherited = _Inherited()


@contextmanager
def located_at(location: Location) -> Iterator[Callable[[Location], None]]:
    """Nodes made inside stand for the user's code at `location`: a pass replaces what was written there.

    Yields
    ------
    callable
        Moves on to another location.
    """
    outer = _inherited.location
    _move_to(location)
    try:
        yield _move_to
    finally:
        _inherited.location = outer


def _move_to(location: Location) -> None:
    _inherited.location = location


def caller_location() -> Location:
    """The innermost frame outside our own folders, or the place that `located_at` says."""
    if _inherited.location is not None:
        return _inherited.location
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to walk frames cheaply
    while frame is not None:
        if not _is_hidden(frame.f_code.co_filename):
            return Location(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return UNKNOWN


def caller_locations(until: CodeType) -> Iterator[Location]:
    """The lines of the user's that are running, the innermost first, as far as a function of ours."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # as above
    while frame is not None and frame.f_code is not until:
        if is_users_file(frame.f_code.co_filename):
            yield Location(frame.f_code, frame.f_lasti)
        frame = frame.f_back


locate_errors(caller_location)


def location_of(trace: TracebackType | None) -> Location:
    """The innermost line of a traceback outside our own folders."""
    found = UNKNOWN
    while trace is not None:
        code = trace.tb_frame.f_code
        if not _is_hidden(code.co_filename):
            found = Location(code, trace.tb_lasti)
        trace = trace.tb_next
    return found
