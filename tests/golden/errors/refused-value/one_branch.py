"""A variable that one branch assigns."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    if x > 0:
        y = x
    return y


f(rt.asarray(3))

# works
@ag.function
def f(x):
    if x > 0:
        y = x
    return y


assert f(rt.asarray(3)) == 3
