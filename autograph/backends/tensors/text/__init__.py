"""Strings of the graph and of choices, and how values become text."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "text",
    "words",
)
