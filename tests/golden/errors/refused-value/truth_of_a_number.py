"""The truth of a number."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    total = 0
    while n:
        total = total + n
        n = n - 1
    return total


f(rt.asarray(3))

# works
@ag.function
def f(n):
    total = 0
    while n:
        total = total + n
        n = n - 1
    return total


assert f(rt.asarray(3)) == 6
