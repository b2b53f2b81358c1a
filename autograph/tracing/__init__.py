"""`ag.function`: conversion and tracing together; guards and effects on what lies outside of the function."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "any_length",
    "own_containers",
    "own_elements",
    "surroundings",
)
