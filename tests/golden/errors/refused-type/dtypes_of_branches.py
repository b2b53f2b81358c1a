"""An int in one branch and a float in the other."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    if x > 0:
        y = 0.5
    else:
        y = 1
    return y


f(rt.asarray(3))

# works
@ag.function(strict=True)
def f(x):
    if x > 0:
        y = 0.5
    else:
        y = 1.0
    return y


assert f(rt.asarray(-3)) == 1.0
