"""Branches that choose a word."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def f(x):
    if x > 0:
        unit = "km"
    else:
        unit = "m"
    return x * 1000 if unit == "km" else x


f(rt.asarray(3))

# works
@ag.function
def f(x):
    if x > 0:
        factor = 1000
    else:
        factor = 1
    return x * factor


f(rt.asarray(3))
