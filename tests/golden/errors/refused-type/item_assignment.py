"""An item of a tensor that is set."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    x[0] = 5
    return x


f(rt.asarray([1, 2]))

# works
@ag.function
def f(x):
    x[0] = 5
    return x


assert f(rt.asarray([1, 2])).tolist() == [5, 2]
