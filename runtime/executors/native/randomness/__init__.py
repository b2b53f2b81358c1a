"""Draws of random numbers as NumPy's and Python's own generators make them."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "draws",
    "pcg64",
    "philox",
)
