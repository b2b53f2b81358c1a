"""Calls from Python into machine code, and from machine code into Python."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "failures",
    "hosts",
    "passing",
)
