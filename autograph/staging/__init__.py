"""What converted code calls when it runs: operators (`ag__`), dispatch to backends, and state."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "asking",
    "callers",
    "changes",
    "comparing",
    "counting",
    "elements_in_turn",
    "keys_in_turn",
    "patterns",
    "points_to",
    "regions",
    "selecting",
    "shuffling",
    "spreading",
    "watches",
)
