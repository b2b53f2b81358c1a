"""The NumPy executor: a graph as one flat program of NumPy calls, which runs and can be printed."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "clocked",
    "control",
    "exception_stand_ins",
    "expressions",
    "operands",
    "patience",
    "printer",
    "programs",
    "relays",
    "stand_ins",
    "standalone",
    "texts",
    "updates",
)
