"""None in one branch."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    y = None
    if x > 0:
        y = x
    return 0 if y is None else y


f(rt.asarray(3))

# works
@ag.function
def f(x):
    y = None
    if x > 0:
        y = x
    return 0 if y is None else y


assert f(rt.asarray(-3)) == 0
