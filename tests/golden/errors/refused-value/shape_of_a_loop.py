"""A shape that grows in a loop."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    x = rt.zeros(1)
    while n > 0:
        x = rt.concat([x, x])
        n = n - 1
    return x


f(rt.asarray(3))

# works
@ag.function
def f(n):
    x = rt.zeros(1)
    while n > 0:
        x = rt.concat([x, x])
        n = n - 1
    return x


assert f(rt.asarray(3)).shape == (8,)
