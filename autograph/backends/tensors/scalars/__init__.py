"""`float(x)`, `math`, `cmath` and `statistics`; where Python requires an integer."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "averages",
    "complexes",
    "mathematics",
)
