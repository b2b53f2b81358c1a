"""A check that does not hold."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def root(x):
    rt.check(x >= 0, "x must not be negative")
    return rt.sqrt(x)


root(rt.asarray(-1.0))

# works
@ag.function
def root(x):
    rt.check(x >= 0, "x must not be negative")
    return rt.sqrt(x)


root(rt.asarray(1.0))
