"""A number that is an int on one path, and a float on the other."""

import autograph as ag
import runtime as rt


@ag.function
def mixed(v):
    best = 0
    if v > 1:
        best = v
    return best


@ag.function
def of_one_kind(v):
    best = 0.0
    if v > 1:
        best = v
    return best


# fails
mixed(rt.asarray(0.5))

# works
of_one_kind(rt.asarray(0.5))
