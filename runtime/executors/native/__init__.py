"""Native code: lowers modules of core ops to loops over memory, and these to LLVM IR."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "exact",
    "held_variables",
    "numpys_matrices",
    "numpys_own",
    "numpys_sums",
    "whole",
)
