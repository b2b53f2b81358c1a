"""The loop language, between core ops and LLVM: what it says, and what is found out about it."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "kernels",
    "text",
)
