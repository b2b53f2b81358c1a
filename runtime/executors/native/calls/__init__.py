"""Calls from Python into machine code, and from machine code into Python."""

from runtime.core.waiting import when_used

when_used(
    __name__,
    "failures",
    "hosts",
    "passing",
)
