"""A text that is another one in every call."""

import autograph as ag
import runtime as rt

METRES = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "km": 1000.0, "mile": 1609.0}


@ag.function
def in_metres(x, unit):
    return x * METRES[unit]


@ag.function
def scaled(x, factor):
    return x * factor


x = rt.ones(2)

# fails
for unit in METRES:
    in_metres(x, unit)

# works
for unit in METRES:
    scaled(x, METRES[unit])
