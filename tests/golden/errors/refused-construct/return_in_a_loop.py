"""A return in a loop that a tensor decides."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    while n > 0:
        if n == 2:
            return 2
        n = n - 1
    return 0


f(rt.asarray(3))

# works
@ag.function
def f(n):
    while n > 0:
        if n == 2:
            return 2
        n = n - 1
    return 0


assert f(rt.asarray(3)) == 2
