"""A conditional expression of two dtypes."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    return 0.5 if x > 0 else 1


f(rt.asarray(3))

# works
@ag.function(strict=True)
def f(x):
    return 0.5 if x > 0 else 1.0


assert f(rt.asarray(-3)) == 1.0
