"""Executors: interchangeable ways to run a module, checked against each other."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "clocks",
)
