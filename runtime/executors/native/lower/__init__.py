"""Lowering of core ops to the loop language: one file for each kind of op."""

from runtime.core.waiting import when_used

when_used(
    __name__,
    "inside_out",
    "lending",
    "masked",
)
