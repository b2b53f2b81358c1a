"""An integer and a float in one operation."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    return x * 0.5


f(rt.asarray(3))

# works
@ag.function
def f(x):
    return x * 0.5


assert f(rt.asarray(3)) == 1.5
