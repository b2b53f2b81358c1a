"""LLVM: its text is written of the loop language, and becomes machine code of this process."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "clocked",
    "compiler",
    "divisions",
    "emit_wide",
    "pool",
    "row_usage",
)
