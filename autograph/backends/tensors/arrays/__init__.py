"""Aliasing of arrays: which array a name refers to, and of which path it is."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "aligned",
    "elements",
    "given_back",
    "identity",
)
