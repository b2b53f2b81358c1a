"""What `for` iterates over: items, iterators and generators."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "generators",
    "iterators",
    "ordering",
    "produced",
    "pushed",
    "suspended",
)
