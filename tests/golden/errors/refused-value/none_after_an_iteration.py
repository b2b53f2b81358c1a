"""None after an iteration."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    found = 0
    while n > 0:
        found = None
        n = n - 1
    return found is None


f(rt.asarray(3))

# works
@ag.function
def f(n):
    found = 0
    while n > 0:
        found = None
        n = n - 1
    return found is None


assert f(rt.asarray(3))
