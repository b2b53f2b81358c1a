"""A break in a loop of Python that a tensor decides."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    for i in range(10):
        if n < i:
            break
    return i


f(rt.asarray(3))

# works
@ag.function
def f(n):
    for i in range(10):
        if n < i:
            break
    return i


assert f(rt.asarray(3)) == 4
