"""How much the graphs of this thread have printed, so that a run that is done again prints only what is new.

When a graph raises, the function runs again as Python from the same world, and so prints the same text first.
So does a NumPy program in the place of machine code that gives way.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from runtime.core.tracing import tracing

__all__ = ["count_printed", "printed_again", "printed_since", "printed_so_far", "without_first"]


def count_printed(stream: str, length: int) -> None:
    """Notes that a graph has printed so many characters to ``stdout`` or ``stderr``."""
    tracing.printed[stream] += length


def printed_so_far() -> Mapping[str, int]:
    """How many characters were printed to each stream, ever: for `printed_since`."""
    return dict(tracing.printed)


def printed_since(before: Mapping[str, int]) -> Mapping[str, int]:
    """How many characters were printed to each stream after `printed_so_far` gave `before`."""
    return {stream: length - before[stream] for stream, length in tracing.printed.items()}


@contextmanager
def printed_again(before: Mapping[str, int]) -> Iterator[None]:
    """A run of a graph again, without what it has printed after `printed_so_far` gave `before`."""
    lengths = printed_since(before)
    for stream, length in lengths.items():
        tracing.printed[stream] -= length  # it is counted anew
    with without_first(lengths):
        yield


@contextmanager
def without_first(lengths: Mapping[str, int]) -> Iterator[None]:
    """What this thread writes to each stream inside, but for so many characters at the beginning."""
    with ExitStack() as stack:
        for stream, length in lengths.items():
            if length:
                stack.enter_context(_shortened(stream, length))
        yield


@contextmanager
def _shortened(stream: str, length: int) -> Iterator[None]:
    shortened = _Shortened(getattr(sys, stream), length)
    setattr(sys, stream, shortened)
    try:
        yield
    finally:
        shortened.left = 0
        if getattr(sys, stream) is shortened:  # else others have put theirs in front, and it passes all on
            setattr(sys, stream, shortened.file)


class _Shortened:
    """A text file but for the first `left` characters that this thread writes."""

    def __init__(self, file: Any, left: int) -> None:
        self.file, self.left, self.thread = file, left, threading.get_ident()

    def write(self, text: str) -> int:
        if self.left and threading.get_ident() == self.thread:
            cut = min(self.left, len(text))
            self.left -= cut
            self.file.write(text[cut:])
        else:
            self.file.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)
