"""What `for` iterates over: items, iterators and generators."""

from autograph.waiting import when_used

when_used(
    __name__,
    "iterators",
    "suspended",
)
