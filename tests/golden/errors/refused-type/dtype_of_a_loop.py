"""A dtype that an iteration changes."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    y = 1
    while n > 0:
        y = rt.astype(y, rt.float32)
        n = n - 1
    return y


f(rt.asarray(3))

# works
@ag.function(strict=True)
def f(n):
    y = rt.asarray(1, dtype=rt.float32)
    while n > 0:
        y = rt.astype(y, rt.float32)
        n = n - 1
    return y


assert f(rt.asarray(3)) == 1.0
