"""Runs a call and records what it returns, raises, prints, logs and warns of, with the user's lines."""

from __future__ import annotations

import contextlib
import io
import linecache
import logging
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograph.checking.outcome import Outcome
from autograph.errors import AutoGraphWarning, Location
from runtime.errors import CopiedViewWarning, KindsMeetWarning, LostChangesWarning, Notice
from runtime.graph.location import is_users_file

__all__ = ["line_of_change", "line_of_error", "line_of_return", "outcome_of"]

_OF_DIFFERENCES = (KindsMeetWarning, CopiedViewWarning, LostChangesWarning)
"""Our own warnings that a graph does something else than the program; others are about its speed."""

_MOST_STEPS = 20_000
"""Lines that a search for a difference runs before it gives up."""


def outcome_of(run: Callable[[], Any]) -> Outcome:
    """What a call does. Its result is the only fact."""
    facts: dict[str, Any] = {}
    error = None
    with _recording() as texts:
        try:
            facts["result"] = run()
        except Exception as raised:  # noqa: BLE001  # whatever it is, it is part of the outcome
            error = raised
    lines, places = texts.lines()
    return Outcome(facts, error, lines, places, texts.told)


class _Texts(io.TextIOBase):
    """What is written, and from which line."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[tuple[str, Location | None]] = []
        self.told: list[str] = []
        """Our own warnings, the first line of each."""

    def write(self, text: str) -> int:
        """Takes over a text."""
        self._written.append((text, _line_of(_users_frame(sys._getframe(1)))))  # noqa: SLF001  # of who prints
        return len(text)

    def writable(self) -> bool:
        """Says yes."""
        return True

    def add(self, line: str, frame: FrameType | None) -> None:
        """A line of another kind: a record of a logger, a warning."""
        self._written.append((f"{line}\n", _line_of(frame)))

    def lines(self) -> tuple[list[str], list[Location | None]]:
        """The lines, and what each comes from."""
        lines, places = [""], [None]  # type: tuple[list[str], list[Location | None]]
        for text, place in self._written:
            for index, part in enumerate(text.split("\n")):
                if index:
                    lines.append("")
                    places.append(None)
                if part:
                    lines[-1] += part
                    places[-1] = places[-1] or place
        return (lines, places) if lines[-1] else (lines[:-1], places[:-1])


class _Handler(logging.Handler):
    """Adds what is logged to the texts."""

    def __init__(self, texts: _Texts) -> None:
        super().__init__()
        self._texts = texts

    def emit(self, record: logging.LogRecord) -> None:
        """Takes over a record."""
        self._texts.add(f"{record.name} {record.levelname}: {record.getMessage()}", None)


@contextlib.contextmanager
def _recording() -> Iterator[_Texts]:
    """Records what is printed, logged and warned of; our own warnings are no part of a program."""
    texts = _Texts()
    handler = _Handler(texts)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        with contextlib.redirect_stdout(texts), warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            yield texts
    finally:
        root.removeHandler(handler)
    for warning in given:
        if issubclass(warning.category, _OF_DIFFERENCES):
            texts.told.append(str(warning.message).partition("\n")[0])
        if not issubclass(warning.category, Notice | AutoGraphWarning):
            texts.add(f"{warning.category.__name__}: {_of_any_shape(str(warning.message))}", None)


def _of_any_shape(warning: str) -> str:
    """What NumPy warns of, of a number as of an array: not every executor has numbers of NumPy's."""
    return warning.replace(" encountered in scalar ", " encountered in ")


# ── lines ──


def _users_frame(frame: FrameType | None) -> FrameType | None:
    while frame is not None and not is_users_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _line_of(frame: FrameType | None) -> Location | None:
    """The line that a frame is at."""
    return None if frame is None else _line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def _line(filename: str, line: int, function: str) -> Location:
    return Location(filename, line, function, linecache.getline(filename, line).rstrip(), 0, 0)


def line_of_error(error: Exception) -> Location | None:
    """The line of the user's that raised an exception."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if is_users_file(each.filename)]
    return _line(frames[-1].filename, frames[-1].lineno or 0, frames[-1].name) if frames else None


def line_of_return(run: Callable[[], Any], f: Callable[..., Any]) -> Location | None:
    """The line at which a function returns."""
    code = getattr(getattr(f, "__func__", f), "__code__", None)
    found: list[Location | None] = [None]

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        del argument
        if frame.f_code is code and event == "return":
            found[0] = _line_of(frame)
        return watch

    _watched(run, watch)
    return found[0]


def line_of_change(run: Callable[[], Any], look: Callable[[], Any]) -> Location | None:
    """The line after which something looks different for the last time."""
    state: dict[str, Any] = {"seen": repr(look()), "at": None, "found": None, "steps": 0}

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        del argument
        if not is_users_file(frame.f_code.co_filename):
            return None
        state["steps"] += 1
        if state["steps"] < _MOST_STEPS:
            now = repr(look())
            if now != state["seen"]:
                state["seen"], state["found"] = now, state["at"]
            state["at"] = _line_of(frame)
        return watch if event != "return" else None

    _watched(run, watch)
    if repr(look()) != state["seen"]:
        state["found"] = state["at"]
    found: Location | None = state["found"]
    return found


def _watched(run: Callable[[], Any], watch: Callable[[FrameType, str, Any], Any]) -> None:
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        outcome_of(run)
    finally:
        sys.settrace(before)
