"""An argument left out."""

import autograph as ag
import runtime as rt


@ag.function
def scale(x, factor):
    return x * factor

# fails
scale(rt.ones(2))

# works
scale(rt.ones(2), 3)
