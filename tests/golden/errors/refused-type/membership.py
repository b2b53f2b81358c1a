"""`in` with a tensor."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    return x in [1, 2, 3]


f(rt.asarray(3))

# works
@ag.function
def f(x):
    return x in [1, 2, 3]


assert f(rt.asarray(3))
