"""Clocks in machine code: the code says which line it has come to, and another thread looks, again and again.

To say it costs an instruction or two; to ask for the time would cost more than most lines take.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.executors.clocks import Spent

__all__ = ["CLOCK_SYMBOLS", "between_laps", "has_clock", "spent", "watched"]

CLOCK_SYMBOLS = ("ag_laps", "ag_stop", "ag_watch")
"""What programs with clocks export."""
_MICROSECONDS = 20
"""Between two looks; systems make more of it."""


def has_clock() -> bool:
    """Whether there are clocks on this system."""
    return os.name == "posix"


def between_laps(entry: str, count: int) -> str:
    """The text of an entry that begins and ends with a lap, and that of the clocks, for so many lines."""
    kind = f"[{count} x [2 x i64]]"
    inner = entry.replace("define i32 @ag_entry(", "define internal i32 @ag_inside(")
    return f"""{inner}

@ag_laps = global {kind} zeroinitializer ; for each line, how often it was seen, and how often it began
@ag_line = internal global i64 0
@ag_stop = global i64 0

declare i32 @usleep(i32)

define internal void @ag_lap(i64 %line) alwaysinline {{
  store volatile i64 %line, ptr @ag_line
  %place = getelementptr {kind}, ptr @ag_laps, i64 0, i64 %line, i64 1
  %laps = load volatile i64, ptr %place
  %more = add i64 %laps, 1
  store volatile i64 %more, ptr %place
  ret void
}}

define void @ag_watch() {{
start:
  br label %head
head:
  %stop = load volatile i64, ptr @ag_stop
  %going = icmp eq i64 %stop, 0
  br i1 %going, label %look, label %end
look:
  %line = load volatile i64, ptr @ag_line
  %place = getelementptr {kind}, ptr @ag_laps, i64 0, i64 %line, i64 0
  %seen = load i64, ptr %place
  %more = add i64 %seen, 1
  store i64 %more, ptr %place
  call i32 @usleep(i32 {_MICROSECONDS})
  br label %head
end:
  ret void
}}

define i32 @ag_entry(ptr %context, ptr %arguments) {{
  %status = call i32 @ag_inside(ptr %context, ptr %arguments)
  store volatile i64 0, ptr @ag_line
  ret i32 %status
}}"""


@contextmanager
def watched(addresses: dict[str, int]) -> Iterator[None]:
    """Has a thread look which line machine code has come to; it needs no lock of Python's."""
    stop = ctypes.c_int64.from_address(addresses["ag_stop"])
    stop.value = 0
    watcher = threading.Thread(target=ctypes.CFUNCTYPE(None)(addresses["ag_watch"]), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.value = 1
        watcher.join()


def spent(addresses: dict[str, int], count: int) -> list[Spent]:
    """On each line until now: how often it was seen, and how often it began."""
    words = (ctypes.c_int64 * 2 * count).from_address(addresses["ag_laps"])
    return [Spent(seen, laps) for seen, laps in words]
