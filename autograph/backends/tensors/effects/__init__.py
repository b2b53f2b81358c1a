"""Calls with effects, output, and what is heard of warnings."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "filtering",
)
