"""A counter that becomes a tensor in the loop."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    i = 0
    while i < 10:
        i = i + n
    return i


f(rt.asarray(3))

# works
@ag.function
def f(n):
    i = 0
    while i < 10:
        i = i + n
    return i


assert f(rt.asarray(3)) == 12
