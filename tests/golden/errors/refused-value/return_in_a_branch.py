"""A return in one branch."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    if x > 0:
        return x


f(rt.asarray(3))

# works
@ag.function
def f(x):
    if x > 0:
        return x


assert f(rt.asarray(-3)) is None
