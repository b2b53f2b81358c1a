"""Statements: tracing of paths, and joins of what they leave."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "caught",
    "endless",
    "finishing",
    "first_turns",
    "forms",
    "late_numbers",
    "lengths",
    "made_inside",
    "none_outside",
    "numbers_beside",
    "numbers_that_meet",
    "own_defaults",
    "recursion",
    "rolled_whiles",
    "rolling",
    "running",
    "savepoint",
    "sound_numbers",
    "trial",
    "trying",
    "turn_calls",
)
