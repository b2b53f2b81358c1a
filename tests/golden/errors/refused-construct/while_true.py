"""An endless loop of Python that a tensor ends."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    while True:
        n = n * 2
        if n > 10:
            break
    return n


f(rt.asarray(3))

# works
@ag.function
def f(n):
    while True:
        n = n * 2
        if n > 10:
            break
    return n


assert f(rt.asarray(3)) == 12
