"""Static analyses of graphs: uses, liveness, calls, ownership, aliasing, ranges.

Passes and executors both read it. What an op says of itself is in its facets, its regions among them.
"""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "kinds",
    "signs",
)
