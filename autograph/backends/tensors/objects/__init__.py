"""One of several Python objects, picked by a tensor; classes, attributes, and questions about them."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "inspecting",
    "tables",
)
