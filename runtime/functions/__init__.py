"""Tracing functions to graphs, one `ConcreteFunction` per signature; calls, caches and effects."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "described",
    "listed",
    "views_by_number",
)
