"""An executor that is not there."""

import autograph as ag
import runtime as rt

# fails
@ag.function(executor="fast")
def f(x):
    return x + 1


f(rt.asarray(3))

# works
@ag.function(executor="numpy")
def f(x):
    return x + 1


f(rt.asarray(3))
